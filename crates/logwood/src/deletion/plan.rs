//! What would go, and who refers to it; looking changes nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::entry::SessionHeader;
use crate::error::Result;
use crate::inventory::{FileProblem, HeaderRow, Headers, read_headers};
use crate::session::Holder;
use crate::storage::{Durability, FileId, LocalStorage, Storage};
use crate::transcript::Kinship;

use super::check::{Target, check};
use super::refusal::{Refusal, Wording};
use super::sides::Sides;

/// How a session is to be deleted.
///
/// ```
/// use logwood::deletion::{Deletion, Removal, Trash};
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// storage.put("/s/a.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"a\"}\n")?;
/// let deletion = Deletion::new().storage(Arc::new(storage.clone()));
/// let plan = deletion.plan("/s/a.jsonl".as_ref())?;
/// assert!(deletion.apply(&plan, &Trash::none(), Removal::Unlink).failed.is_empty());
/// assert!(storage.contents("/s/a.jsonl").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Deletion {
    pub(super) storage: Arc<dyn Storage>,
    base: PathBuf,
    active: Option<PathBuf>,
    live: Vec<Holder>,
    roots: Vec<PathBuf>,
    force: bool,
    family: bool,
    wording: Wording,
    pub(super) durability: Durability,
}

impl Default for Deletion {
    fn default() -> Self {
        Self {
            storage: Arc::new(LocalStorage),
            base: PathBuf::new(),
            active: None,
            live: Vec::new(),
            roots: Vec::new(),
            force: false,
            family: false,
            wording: Wording::People,
            durability: Durability::Buffered,
        }
    }
}

/// A session file that would go.
#[derive(Debug, Clone)]
pub struct Doomed {
    /// The file; its folder without links and `..`.
    pub path: PathBuf,
    /// Its header; none for a damaged or an empty file, and for a link to nothing.
    pub header: Option<SessionHeader>,
    /// Whether it is a link: then the link goes, and what it leads to stays.
    pub is_link: bool,
    /// Its size in bytes.
    pub size: u64,
    /// The copies and side files beside it, which go along.
    pub sides: Vec<PathBuf>,
    /// Which file it was when the plan was made.
    pub(super) identity: Option<FileId>,
}

/// What a deletion would do.
#[derive(Debug, Clone)]
pub struct DeletePlan {
    /// The session.
    pub session: Doomed,
    /// The transcripts of its subagents, of any depth; they go along where the family is wanted, else they lose their parent.
    pub transcripts: Vec<Doomed>,
    /// The sessions that were forked from it; they stay, and lose their parent.
    pub forks: Vec<HeaderRow>,
    /// Whether the transcripts go along.
    pub family: bool,
    /// Files and folders that could not be read when those who refer to the session were looked for.
    pub problems: Vec<FileProblem>,
}

impl Deletion {
    /// On the local disk, no session in use, nobody looked for who refers to it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// The folder that relative paths start at.
    #[must_use]
    pub fn base(mut self, base: impl Into<PathBuf>) -> Self {
        self.base = base.into();
        self
    }

    /// The session in use, which is never deleted; it need not be on the disk yet.
    #[must_use]
    pub fn active(mut self, path: Option<PathBuf>) -> Self {
        self.active = path;
        self
    }

    /// The sessions that processes have open, as [`live_sessions`](crate::session::live_sessions) finds them; none of them is deleted.
    #[must_use]
    pub fn live(mut self, holders: Vec<Holder>) -> Self {
        self.live = holders;
        self
    }

    /// Where forks and transcripts are looked for: folders of sessions, whole stores, folders of transcripts.
    #[must_use]
    pub fn roots(mut self, roots: Vec<PathBuf>) -> Self {
        self.roots = roots;
        self
    }

    /// Admits a `.jsonl` file without a header that can be read. This is disabled by default.
    #[must_use]
    pub fn force(mut self, yes: bool) -> Self {
        self.force = yes;
        self
    }

    /// Takes the transcripts of subagents along. This is disabled by default.
    #[must_use]
    pub fn family(mut self, yes: bool) -> Self {
        self.family = yes;
        self
    }

    /// Whether what was unlinked stays so after a power cut; [`Durability::Buffered`] unless told. What goes to the folder of a trash
    /// is always brought to the disk.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self
    }

    /// Whose sentences errors have.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// What would go.
    ///
    /// # Errors
    /// In this order: `not_jsonl`, `active_session`, `not_found`, `not_a_file`, `not_a_session`; what the system says.
    #[doc(alias = "deleteSession")]
    pub fn plan(&self, path: &Path) -> Result<DeletePlan> {
        let mut plans = self.plan_all(&[path])?;
        Ok(plans.pop().expect("one path gives one plan"))
    }

    /// What would go with each of several sessions; what has to be read for all of them is read once.
    ///
    /// # Errors
    /// That of the first session that has one, as [`plan`](Self::plan).
    pub fn plan_all(&self, paths: &[impl AsRef<Path>]) -> Result<Vec<DeletePlan>> {
        let refused = |(at, refusal): (PathBuf, Refusal)| refusal.error(&at, self.wording);
        let check = |path: &Path| self.check(path).map_err(|why| refused((path.into(), why)));
        let targets: Vec<_> =
            paths.iter().map(|path| check(path.as_ref())).collect::<Result<_>>()?;
        // What refers to a linked session refers to the file, and that stays.
        let headers = match targets.iter().all(|target| target.is_link) {
            true => Headers::default(),
            false => read_headers(&*self.storage, &self.roots),
        };
        let kinship = Kinship::of(&*self.storage, &headers.rows);
        let mut sides = Sides::new(&*self.storage);
        let plans = targets
            .into_iter()
            .map(|target| self.plan_of(target, &headers, &kinship, &mut sides).map_err(refused));
        plans.collect()
    }

    fn plan_of(
        &self,
        target: Target,
        headers: &Headers,
        kinship: &Kinship<'_>,
        sides: &mut Sides<'_>,
    ) -> std::result::Result<DeletePlan, (PathBuf, Refusal)> {
        let session = doomed(target, sides);
        let (family, problems) = (self.family, Vec::new());
        if session.is_link {
            let (transcripts, forks) = (Vec::new(), Vec::new());
            return Ok(DeletePlan { session, transcripts, forks, family, problems });
        }
        let of = |places: Vec<usize>| places.into_iter().filter_map(|at| headers.rows.get(at));
        let forks = of(kinship.forks(&session.path)).cloned().collect();
        let mut transcripts = Vec::new();
        for child in of(kinship.transcripts(&session.path)) {
            match self.check(&child.path) {
                Ok(target) => transcripts.push(doomed(target, sides)),
                Err(refusal @ (Refusal::Active | Refusal::Live(_))) if self.family => {
                    return Err((child.path.clone(), refusal));
                }
                // It went meanwhile, or is in use and stays.
                Err(_) => {}
            }
        }
        let problems = headers.problems.clone();
        Ok(DeletePlan { session, transcripts, forks, family, problems })
    }

    fn check(&self, path: &Path) -> std::result::Result<Target, Refusal> {
        let active = self.active.as_ref().map(|active| self.base.join(active));
        check(&*self.storage, &self.base.join(path), active.as_deref(), &self.live, self.force)
    }
}

fn doomed(target: Target, sides: &mut Sides<'_>) -> Doomed {
    let sides = if target.is_link { Vec::new() } else { sides.of(&target.path) };
    let Target { path, header, is_link, size, identity } = target;
    Doomed { path, header, is_link, size, sides, identity }
}

impl DeletePlan {
    /// Everything that would go, the session first.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let transcripts = self.family.then_some(self.transcripts.iter());
        let sessions = std::iter::once(&self.session).chain(transcripts.into_iter().flatten());
        sessions.flat_map(|doomed| {
            let sides = doomed.sides.iter().map(PathBuf::as_path);
            std::iter::once(doomed.path.as_path()).chain(sides)
        })
    }
}
