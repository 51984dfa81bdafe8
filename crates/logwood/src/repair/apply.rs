//! Plans and applies the repair of a file: side file, other sessions, copy of the original, then the new file, in this order.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::storage::{
    AppendFile, Create, Exclusive, LOCK_WAIT, LocalStorage, Metadata, Replacement, Settled,
    Storage, read_all, read_whole,
};

use super::draft::{Draft, Hopeless, Known, Text};
use super::plan::{Fingerprint, RepairPlan};
use super::salvage::{self, Record};

pub(super) const WHAT: &str = "cannot repair session";

/// The repair of one file; see [`RepairPlan`] for an example.
///
/// It reads the whole file into memory.
#[derive(Debug, Clone)]
pub struct Repair {
    path: PathBuf,
    pub(super) storage: Arc<dyn Storage>,
    cwd: Option<String>,
    reattach: bool,
}

/// What a repair left on disk.
#[derive(Debug)]
#[non_exhaustive]
pub struct Repaired {
    /// The original, byte for byte.
    pub backup: PathBuf,
    /// The side file.
    pub salvage: PathBuf,
    /// The files of the other sessions, in the order of [`RepairPlan::sessions`].
    pub sessions: Vec<PathBuf>,
}

impl Repair {
    /// The repair of the file at `path`, on the disk of this machine.
    pub fn of(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), storage: Arc::new(LocalStorage), cwd: None, reattach: false }
    }

    /// Where the file is.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// The working directory for a header that is made anew.
    #[must_use]
    pub fn cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }

    /// Whether entries whose parent is not in the file are hung on the entry before them. Nothing tells where they hung.
    #[must_use]
    pub fn reattach(mut self, yes: bool) -> Self {
        self.reattach = yes;
        self
    }

    /// What would be done; changes nothing.
    ///
    /// # Errors
    /// `empty_file`, `not_a_session`, `header_corrupt` when nothing of a session is left that could be mended; those of reading.
    pub fn plan(&self) -> Result<RepairPlan> {
        let target = self.target()?;
        let bytes = read_all(&*self.storage, &target).map_err(|error| self.io(error))?;
        Ok(self.draft(&target, &bytes)?.plan)
    }

    /// Does what the plan says. None when that is nothing.
    ///
    /// Interrupted at any point, the old file or the new one stands at the path, whole.
    ///
    /// # Errors
    /// `changed_on_disk` when the file is not the one that the plan was made for, or changes meanwhile; `locked`; those of
    /// [`plan`](Self::plan) and of writing.
    pub fn apply(&self, plan: &RepairPlan) -> Result<Option<Repaired>> {
        let target = self.target()?;
        let mut file = self.open(&target)?;
        let mut locked = self.lock(&mut *file)?;
        let (bytes, seen) = self.read(&mut locked, &target)?;
        let draft = self.draft(&target, &bytes)?;
        if draft.plan != *plan {
            return Err(self.changed("it changed since the plan was made"));
        }
        if plan.is_empty() {
            return Ok(None);
        }
        let mut made = Vec::new();
        let outcome = self.write_beside(&target, &bytes, &draft, &mut made);
        let repaired = outcome.and_then(|repaired| {
            let new = self.write_new(&target, &draft.main)?;
            self.require_same(&locked, &target, seen)?;
            Ok((repaired, new))
        });
        match repaired {
            Ok((repaired, new)) => {
                self.commit(new)?;
                Ok(Some(repaired))
            }
            Err(error) => {
                // Nothing was repaired, so nothing that belongs to it stays.
                made.iter().for_each(|path| drop(self.storage.remove_file(path)));
                Err(error)
            }
        }
    }

    /// The file itself, links followed.
    pub(super) fn target(&self) -> Result<PathBuf> {
        self.storage.canonicalize(&self.path).map_err(|error| self.io(error))
    }

    pub(super) fn open(&self, target: &Path) -> Result<Box<dyn AppendFile>> {
        self.storage.open_append(target, Create::Never).map_err(|error| self.io(error))
    }

    pub(super) fn lock<'f>(
        &self,
        file: &'f mut (dyn AppendFile + 'static),
    ) -> Result<Exclusive<'f>> {
        let taken = Exclusive::acquire(file, LOCK_WAIT).map_err(|error| self.io(error))?;
        taken.ok_or_else(|| {
            let why =
                format!("another process has held its lock for {} seconds", LOCK_WAIT.as_secs());
            Error::new(ErrorKind::Locked, WHAT).with_path(&self.path).with_why(why)
        })
    }

    /// The bytes of the locked file, and what it was when they were read.
    pub(super) fn read(
        &self,
        locked: &mut Exclusive<'_>,
        target: &Path,
    ) -> Result<(Vec<u8>, Metadata)> {
        let bytes = read_whole(&mut **locked).map_err(|error| self.io(error))?;
        let seen = locked.metadata().map_err(|error| self.io(error))?;
        self.require_same(locked, target, seen)?;
        if seen.len == bytes.len() as u64 {
            Ok((bytes, seen))
        } else {
            Err(self.changed("another program is writing to it"))
        }
    }

    /// The locked file must still be the one at the path, and as long as it was: others take no lock.
    pub(super) fn require_same(
        &self,
        locked: &Exclusive<'_>,
        target: &Path,
        seen: Metadata,
    ) -> Result<()> {
        let held = locked.metadata().map_err(|error| self.io(error))?;
        let named = self.storage.metadata(target).map_err(|error| self.io(error))?;
        if held.identity == named.identity
            && held.len == seen.len
            && held.modified_ns == seen.modified_ns
        {
            Ok(())
        } else {
            Err(self.changed("another program changed it just now"))
        }
    }

    fn draft<'b>(&self, target: &Path, bytes: &'b [u8]) -> Result<Draft<'b>> {
        let source = Fingerprint::of([bytes]);
        let name =
            |path: Option<&std::ffi::OsStr>| path.map(|name| name.to_string_lossy().into_owned());
        let sha256 = source.sha256.clone();
        let known = Known {
            file_name: &name(target.file_name()).unwrap_or_default(),
            folder: &name(target.parent().and_then(Path::file_name)).unwrap_or_default(),
            cwd: self.cwd.as_deref(),
            reattach: self.reattach,
            sha256: &sha256,
        };
        Draft::of(bytes, source, &known).map_err(|hopeless| self.hopeless(hopeless))
    }

    /// Everything but the new file itself.
    fn write_beside(
        &self,
        target: &Path,
        bytes: &[u8],
        draft: &Draft<'_>,
        made: &mut Vec<PathBuf>,
    ) -> Result<Repaired> {
        let (salvage, backup) = self.free_names(target)?;
        let mut sessions = Vec::new();
        for (session, text) in draft.plan.sessions.iter().zip(&draft.sessions) {
            let path = target.with_file_name(&session.file_name);
            sessions.push((self.place_session(&path, text, made)?, Fingerprint::of(parts(text))));
        }
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let record = Record {
            before: draft.plan.source.clone(),
            after: Fingerprint::of(parts(&draft.main)),
            // A file that was there already was not made here, and an undo must leave it.
            sessions: sessions
                .iter()
                .filter(|(path, _)| made.contains(path))
                .map(|(path, text)| (name(path), text.clone()))
                .collect(),
        };
        self.place(&salvage, [&*salvage::text(&record, &draft.taken)], made)?;
        self.place(&backup, [bytes], made)?;
        let sessions = sessions.into_iter().map(|(path, _)| path).collect();
        Ok(Repaired { backup, salvage, sessions })
    }

    /// The first pair of names that are both free: `.salvage` and `.repair.bak`, then with `.2` and so on.
    fn free_names(&self, target: &Path) -> Result<(PathBuf, PathBuf)> {
        for number in 1..=u32::MAX {
            let (salvage, backup) = side_names(target, number);
            if self.is_free(&salvage)? && self.is_free(&backup)? {
                return Ok((salvage, backup));
            }
        }
        Err(Error::new(ErrorKind::Io, WHAT).with_path(target).with_why("no name is left beside it"))
    }

    fn is_free(&self, path: &Path) -> Result<bool> {
        match self.storage.link_metadata(path) {
            Ok(_) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(error) => Err(Error::io(WHAT, path, error)),
        }
    }

    /// Writes another session to a file of its own. One that an interrupted repair has left is it already.
    fn place_session(
        &self,
        path: &Path,
        text: &Text<'_>,
        made: &mut Vec<PathBuf>,
    ) -> Result<PathBuf> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut free = path.to_path_buf();
        let mut number = 2_u32;
        while !self.is_free(&free)? {
            let there = read_all(&*self.storage, &free);
            if there.is_ok_and(|there| there == parts(text).collect::<Vec<_>>().concat()) {
                return Ok(free);
            }
            free = path.with_file_name(format!("{stem}-{number}.jsonl"));
            number += 1;
        }
        self.place(&free, parts(text), made)?;
        Ok(free)
    }

    /// Writes a file that is not there yet.
    fn place<'b>(
        &self,
        path: &Path,
        parts: impl IntoIterator<Item = &'b [u8]>,
        made: &mut Vec<PathBuf>,
    ) -> Result<()> {
        let io = |error| Error::io("cannot write beside the session", path, error);
        let mut file = Replacement::of_nothing(path, &*self.storage).map_err(io)?;
        for part in parts {
            file.write_all(part).map_err(io)?;
        }
        let settled = file.commit().map_err(io)?;
        made.push(path.to_path_buf());
        match settled {
            Settled::Durable => Ok(()),
            // Without its name on the disk it would be no copy after a power cut.
            Settled::Unconfirmed(error) => Err(io(error)),
        }
    }

    fn write_new(&self, target: &Path, text: &Text<'_>) -> Result<Replacement<'_>> {
        let write = || {
            let mut new = Replacement::of(target, &*self.storage)?;
            parts(text).try_for_each(|part| new.write_all(part))?;
            new.prepare()?;
            Ok(new)
        };
        write().map_err(|error| self.io(error))
    }

    pub(super) fn commit(&self, new: Replacement<'_>) -> Result<()> {
        // Unconfirmed: after a power cut the old file may be back, whole, and can be repaired again.
        let (Settled::Durable | Settled::Unconfirmed(_)) = new.commit().map_err(|e| self.io(e))?;
        Ok(())
    }

    pub(super) fn io(&self, error: io::Error) -> Error {
        Error::io(WHAT, &self.path, error)
    }

    pub(super) fn changed(&self, why: &str) -> Error {
        Error::new(ErrorKind::ChangedOnDisk, WHAT).with_path(&self.path).with_why(why)
    }

    fn hopeless(&self, hopeless: Hopeless) -> Error {
        let (why, hint) = match hopeless.kind {
            ErrorKind::EmptyFile => (
                "there is nothing in it",
                "a file without a line holds no session; it can be deleted",
            ),
            ErrorKind::HeaderCorrupt => (
                "it holds the remains of a header and nothing else of a session",
                "look at the lines with `logwood debug lines`; if it is a session, give the file the name of one (TIME_ID.jsonl)",
            ),
            _ => (
                "nothing in it is a session",
                "look at the lines with `logwood debug lines`; the file stays as it is",
            ),
        };
        let error =
            Error::new(hopeless.kind, WHAT).with_path(&self.path).with_why(why).with_hint(hint);
        match hopeless.position {
            Some(position) => error.with_position(position),
            None => error,
        }
    }
}

/// The names of the side file and of the copy of the original.
pub(super) fn side_names(target: &Path, number: u32) -> (PathBuf, PathBuf) {
    let suffix = if number == 1 { String::new() } else { format!(".{number}") };
    let with = |ending: &str| {
        let mut name = target.as_os_str().to_owned();
        name.push(format!("{ending}{suffix}"));
        PathBuf::from(name)
    };
    (with(".salvage"), with(".repair.bak"))
}

/// The bytes of a text: each line with its line end.
fn parts<'b>(text: &'b Text<'_>) -> impl Iterator<Item = &'b [u8]> {
    text.iter().flat_map(|line| [&**line, b"\n"])
}
