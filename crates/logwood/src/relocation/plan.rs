//! What would change; looking changes nothing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::inventory::{FileProblem, HeaderRow, Place, read_headers};
use crate::location::{CwdKey, Layout, encode_cwd};
use crate::session::Holder;
use crate::storage::{LocalStorage, Storage};

/// A project folder that was moved, and where its sessions are.
///
/// ```
/// use logwood::inventory::Place;
/// use logwood::location::Layout;
/// use logwood::relocation::Relocation;
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// storage.put("/store/--old--/a.jsonl", "{\"type\":\"session\",\"id\":\"a\",\"cwd\":\"/old\"}\n")?;
/// let relocation = Relocation::new("/old", "/new")?
///     .storage(Arc::new(storage.clone()))
///     .places(vec![Place::new("", "/store", Layout::Nested)]);
/// let report = relocation.apply(&relocation.plan());
/// assert!(report.failed.is_empty());
/// assert_eq!(storage.contents("/store/--new--/a.jsonl")?, b"{\"type\":\"session\",\"id\":\"a\",\"cwd\":\"/new\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Relocation {
    pub(super) storage: Arc<dyn Storage>,
    old: String,
    new: String,
    places: Vec<Place>,
    transcripts: Vec<PathBuf>,
    pub(super) live: Vec<Holder>,
}

/// What a relocation would do.
#[derive(Debug, Clone, Default)]
pub struct RelocationPlan {
    /// Sessions of the old folder, the one whose file changed first comes first.
    pub moved: Vec<Moved>,
    /// Sessions that name one of them as their parent.
    pub mended: Vec<Mended>,
    /// Files and folders that could not be read.
    pub problems: Vec<FileProblem>,
}

/// A session whose working directory moved.
#[derive(Debug, Clone)]
pub struct Moved {
    /// Where its file is.
    pub from: PathBuf,
    /// Where its file goes; the same in a flat folder, and where only the header is left to do.
    pub to: PathBuf,
    /// The working directory it has.
    pub old_cwd: String,
    /// The working directory it gets.
    pub new_cwd: String,
    pub(super) modified_ns: i64,
}

/// A session whose parent moved.
#[derive(Debug, Clone)]
pub struct Mended {
    /// Where its file is once everything has moved.
    pub path: PathBuf,
    /// The parent that its header names.
    pub old_parent: String,
    /// The parent that it gets.
    pub new_parent: String,
    pub(super) modified_ns: i64,
}

impl Relocation {
    /// A folder that was `old` and is `new` now, and the folders in it. Both are absolute paths.
    ///
    /// # Errors
    /// `invalid_argument` when one is empty, or both are the same.
    pub fn new(old: &str, new: &str) -> Result<Self> {
        let refuse = |why| {
            Error::new(ErrorKind::InvalidArgument, "cannot relocate sessions")
                .with_why(why)
                .with_hint("name the folder as it was and the folder as it is now")
        };
        if old.is_empty() || new.is_empty() {
            return Err(refuse("a folder has no name"));
        }
        if CwdKey::new(old) == CwdKey::new(new) {
            return Err(refuse("both folders are the same"));
        }
        Ok(Self {
            storage: Arc::new(LocalStorage),
            old: old.to_owned(),
            new: new.to_owned(),
            places: Vec::new(),
            transcripts: Vec::new(),
            live: Vec::new(),
        })
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// Where sessions move.
    #[must_use]
    pub fn places(mut self, places: Vec<Place>) -> Self {
        self.places = places;
        self
    }

    /// Folders in which sessions only get their working directory and their parent mended, and stay where they are: transcripts.
    #[must_use]
    pub fn transcripts(mut self, roots: Vec<PathBuf>) -> Self {
        self.transcripts = roots;
        self
    }

    /// The sessions that processes have open, as [`live_sessions`](crate::session::live_sessions) finds them; none of them is moved.
    #[must_use]
    pub fn live(mut self, holders: Vec<Holder>) -> Self {
        self.live = holders;
        self
    }

    /// What would change.
    pub fn plan(&self) -> RelocationPlan {
        let mut plan = RelocationPlan::default();
        let mut rows = Vec::new();
        for place in &self.places {
            let found = read_headers(&*self.storage, std::slice::from_ref(&place.root));
            plan.problems.extend(found.problems);
            for row in found.rows {
                let dir = (place.layout == Layout::Nested).then(|| place.root.clone());
                rows.push((row, dir));
            }
        }
        let found = read_headers(&*self.storage, &self.transcripts);
        plan.problems.extend(found.problems);
        rows.extend(found.rows.into_iter().map(|row| (row, None)));
        let mut seen = HashSet::new();
        rows.retain(|(row, _)| row.metadata.identity.is_none_or(|file| seen.insert(file)));
        let mut targets = Targets::default();
        for (row, root) in &rows {
            plan.moved.extend(self.moved(row, root.as_deref(), &mut targets.by_path));
        }
        targets.find_real(&*self.storage);
        plan.moved
            .sort_by(|a, b| a.modified_ns.cmp(&b.modified_ns).then_with(|| a.from.cmp(&b.from)));
        plan.mended = rows.iter().filter_map(|(row, _)| self.mended(row, &targets)).collect();
        plan.mended
            .sort_by(|a, b| a.modified_ns.cmp(&b.modified_ns).then_with(|| a.path.cmp(&b.path)));
        plan
    }

    /// What becomes of a session, if it belongs to the folder; `targets` learns from where to where it went, now or earlier.
    fn moved(
        &self,
        row: &HeaderRow,
        root: Option<&Path>,
        targets: &mut HashMap<PathBuf, PathBuf>,
    ) -> Option<Moved> {
        let cwd = row.header.cwd()?.into_owned();
        let name = row.path.file_name()?;
        if let Some(old_cwd) = below(&self.new, &cwd).map(|rest| joined(&self.old, rest)) {
            // It has the new path already: done by an interrupted relocation, or made since then.
            let before = root?.join(encode_cwd(&old_cwd)).join(name);
            let is_gone = self.storage.link_metadata(&before).is_err();
            if is_gone {
                targets.insert(before, row.path.clone());
            }
            return None;
        }
        let new_cwd = below(&self.old, &cwd).map(|rest| joined(&self.new, rest))?;
        let to = match root {
            Some(root) => root.join(encode_cwd(&new_cwd)).join(name),
            None => row.path.clone(),
        };
        if to != row.path {
            targets.insert(row.path.clone(), to.clone());
        } else if let Some(root) = root {
            // Moved by an interrupted relocation; the header is left to do.
            targets.insert(root.join(encode_cwd(&cwd)).join(name), to.clone());
        }
        let modified_ns = row.metadata.modified_ns;
        Some(Moved { from: row.path.clone(), to, old_cwd: cwd, new_cwd, modified_ns })
    }

    fn mended(&self, row: &HeaderRow, targets: &Targets) -> Option<Mended> {
        let old_parent = row.header.parent_session()?.into_owned();
        let new_parent = targets.of(&*self.storage, Path::new(&old_parent))?.to_str()?.to_owned();
        let path = targets.by_path.get(&row.path).unwrap_or(&row.path).clone();
        let modified_ns = row.metadata.modified_ns;
        Some(Mended { path, old_parent, new_parent, modified_ns })
    }
}

/// From where to where files go, or went.
#[derive(Default)]
struct Targets {
    by_path: HashMap<PathBuf, PathBuf>,
    /// The same, links and other spellings resolved.
    by_real: HashMap<PathBuf, PathBuf>,
}

impl Targets {
    fn find_real(&mut self, storage: &dyn Storage) {
        let real =
            |(from, to): (&PathBuf, &PathBuf)| Some((storage.canonicalize(from).ok()?, to.clone()));
        self.by_real = self.by_path.iter().filter_map(real).collect();
    }

    fn of(&self, storage: &dyn Storage, path: &Path) -> Option<&PathBuf> {
        let by_real = || self.by_real.get(&storage.canonicalize(path).ok()?);
        self.by_path.get(path).or_else(by_real)
    }
}

/// The part of a working directory below a folder, with the separator it starts with; empty for the folder itself.
fn below<'a>(folder: &str, cwd: &'a str) -> Option<&'a str> {
    let folder_key = CwdKey::new(folder);
    if CwdKey::new(cwd) == folder_key {
        return Some("");
    }
    let ends = cwd.char_indices().filter(|(_, c)| matches!(c, '/' | '\\'));
    ends.map(|(at, _)| cwd.split_at(at))
        .find(|(start, _)| !start.is_empty() && CwdKey::new(start) == folder_key)
        .map(|(_, rest)| rest)
}

fn joined(folder: &str, rest: &str) -> String {
    match rest {
        "" => folder.to_owned(),
        rest => format!("{}{rest}", folder.trim_end_matches(['/', '\\'])),
    }
}
