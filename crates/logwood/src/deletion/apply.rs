//! Carries a plan out: file by file, on past single failures, each of which is reported.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::env::{IdSource, RandomIds};
use crate::error::{Error, ErrorKind};
use crate::storage::{Durability, Storage};

use super::freedesktop::HomeTrash;
use super::plan::{DeletePlan, Deletion, Doomed};
use super::trash::TrashProgram;

/// The ways to a trash that there are on this machine.
#[derive(Debug, Clone, Default)]
pub struct Trash {
    program: Option<TrashProgram>,
    home: Option<HomeTrash>,
}

/// What to do with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// Into the trash, or nowhere.
    ToTrash,
    /// Into the trash; where that does not work it is unlinked, as dreb does.
    TrashOrUnlink,
    /// Unlinked, for good.
    Unlink,
}

/// What was done with a file; the words are those of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// It is in a trash.
    Trash,
    /// It is gone for good.
    Unlink,
}

/// A file that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Where it was.
    pub path: PathBuf,
    /// How it went.
    pub method: Method,
}

/// A file that is still there.
#[derive(Debug)]
pub struct Failed {
    /// Where it is.
    pub path: PathBuf,
    /// Why.
    pub error: Error,
}

/// What came of a plan.
#[derive(Debug, Default)]
#[must_use]
pub struct DeleteReport {
    /// What is gone, in the order in which it went.
    pub removed: Vec<Removed>,
    /// What is still there. The files that belong to a session which could not be removed stay with it and are not named.
    pub failed: Vec<Failed>,
}

impl Method {
    /// `trash` or `unlink`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Trash => "trash",
            Self::Unlink => "unlink",
        }
    }
}

impl Trash {
    /// No trash at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// Tries a program first.
    #[must_use]
    pub fn program(mut self, program: Option<TrashProgram>) -> Self {
        self.program = program;
        self
    }

    /// Then this folder.
    #[must_use]
    pub fn home(mut self, home: Option<HomeTrash>) -> Self {
        self.home = home;
        self
    }
}

impl Deletion {
    /// Removes what the plan names, the session before what belongs to it. What was replaced since the plan was made stays.
    pub fn apply(&self, plan: &DeletePlan, trash: &Trash, removal: Removal) -> DeleteReport {
        self.apply_all(std::slice::from_ref(plan), trash, removal)
    }

    /// Carries out several plans, one after the other. Each can be brought back from the trash by itself.
    pub fn apply_all(&self, plans: &[DeletePlan], trash: &Trash, removal: Removal) -> DeleteReport {
        let mut run = Run {
            storage: &*self.storage,
            trash,
            removal,
            group: String::new(),
            program_works: true,
            folders: BTreeSet::new(),
        };
        let mut report = DeleteReport::default();
        for plan in plans {
            run.plan(plan, &mut report);
        }
        if self.durability == Durability::Synced {
            run.sync();
        }
        report
    }
}

struct Run<'a> {
    storage: &'a dyn Storage,
    trash: &'a Trash,
    removal: Removal,
    group: String,
    /// A program that failed once is not waited for again.
    program_works: bool,
    /// Where something was unlinked.
    folders: BTreeSet<PathBuf>,
}

impl Run<'_> {
    fn plan(&mut self, plan: &DeletePlan, report: &mut DeleteReport) {
        self.group = RandomIds.new_uuid();
        if self.session(&plan.session, report) && plan.family {
            for transcript in &plan.transcripts {
                self.session(transcript, report);
            }
        }
    }

    fn sync(&self) {
        for folder in &self.folders {
            // The names are gone; at worst a power cut brings them back.
            let _ = self.storage.sync_dir(folder);
        }
    }

    /// Removes a session file and, when it went, the files beside it; says whether it went.
    fn session(&mut self, doomed: &Doomed, report: &mut DeleteReport) -> bool {
        let outcome = self.require_same(doomed).and_then(|()| self.remove(&doomed.path));
        let went = note(&doomed.path, outcome, report);
        if went {
            for side in &doomed.sides {
                note(side, self.remove(side), report);
            }
        }
        went
    }

    fn require_same(&self, doomed: &Doomed) -> Result<(), Error> {
        let now = self.storage.link_metadata(&doomed.path);
        let now = now.map_err(|error| Error::io(WHAT, &doomed.path, error))?;
        if now.identity == doomed.identity {
            return Ok(());
        }
        Err(Error::new(ErrorKind::ChangedOnDisk, WHAT)
            .with_path(&doomed.path)
            .with_why("another file has taken its place meanwhile")
            .with_hint("nothing was removed; look at it again"))
    }

    fn remove(&mut self, path: &Path) -> Result<Method, Error> {
        if self.removal == Removal::Unlink {
            return self.unlink(path).map_err(|error| Error::io(WHAT, path, error));
        }
        let refused = match self.move_to_trash(path) {
            Ok(()) => return Ok(Method::Trash),
            Err(refused) => refused,
        };
        match self.removal {
            Removal::TrashOrUnlink => self.unlink(path).map_err(|error| refused.for_dreb(&error)),
            _ => Err(refused.for_people(path)),
        }
    }

    fn move_to_trash(&mut self, path: &Path) -> Result<(), NoTrash> {
        let mut refused = NoTrash::default();
        if let Some(program) = self.trash.program.as_ref().filter(|_| self.program_works) {
            match program.run(self.storage, path) {
                Ok(()) => return Ok(()),
                Err(why) => {
                    self.program_works = false;
                    refused.said.push(why);
                }
            }
        }
        if let Some(home) = &self.trash.home {
            match home.put(self.storage, path, &self.group) {
                Ok(()) => return Ok(()),
                Err(error) => refused.folder = Some((home.dir().to_path_buf(), error)),
            }
        }
        Err(refused)
    }

    fn unlink(&mut self, path: &Path) -> io::Result<Method> {
        self.storage.remove_file(path)?;
        if let Some(dir) = path.parent().filter(|dir| !self.folders.contains(*dir)) {
            self.folders.insert(dir.to_path_buf());
        }
        Ok(Method::Unlink)
    }
}

fn note(path: &Path, outcome: Result<Method, Error>, report: &mut DeleteReport) -> bool {
    let path = path.to_path_buf();
    match outcome {
        Ok(method) => report.removed.push(Removed { path, method }),
        Err(error) => {
            report.failed.push(Failed { path, error });
            return false;
        }
    }
    true
}

const WHAT: &str = "cannot delete";
/// How much of the reasons dreb repeats, in characters (spec 6.12).
const HINT_LIMIT: usize = 200;

/// Why a file did not get into any trash.
#[derive(Debug, Default)]
struct NoTrash {
    /// What the program said.
    said: Vec<String>,
    /// What the folder of the trash did not do.
    folder: Option<(PathBuf, io::Error)>,
}

impl NoTrash {
    fn for_people(self, path: &Path) -> Error {
        let mut why: Vec<_> =
            self.said.iter().map(|why| format!("the `trash` program: {why}")).collect();
        let mut kind = ErrorKind::Io;
        match &self.folder {
            Some((dir, error)) => {
                kind = ErrorKind::of_io(error);
                why.push(format!("the trash in `{}`: {}", dir.display(), plain(error)));
            }
            None if why.is_empty() => why.push("there is no trash on this machine".to_owned()),
            None => {}
        }
        Error::new(kind, "cannot move to the trash")
            .with_path(path)
            .with_why(why.join("; "))
            .with_hint("nothing was removed; `--permanent` deletes it for good")
    }

    /// The system's message and, as a hint, what the trash said.
    fn for_dreb(&self, error: &io::Error) -> Error {
        let said = self.said.iter().cloned();
        let folder = self.folder.iter().map(|(_, error)| plain(error));
        let hint: String =
            said.chain(folder).collect::<Vec<_>>().join(" · ").chars().take(HINT_LIMIT).collect();
        let text = match hint.as_str() {
            "" => error.to_string(),
            hint => format!("{error} (trash: {hint})"),
        };
        Error::new(ErrorKind::of_io(error), text).without_hint()
    }
}

fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::CrossesDevices => "it is on another device than the file".to_owned(),
        _ => error.to_string(),
    }
}
