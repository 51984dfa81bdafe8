//! A whole new file in place of an old one, or of nothing: written beside it, synced, renamed.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::env::{IdSource, RandomIds};

use super::contract::{AppendFile, Create, Storage, StoredFile};
use super::durability::Durability;
use super::lock::LockOutcome;
use super::metadata::{Access, FileId, FileKind};
use super::output::Output;

/// How the name of a file that is being written ends. It is never `.jsonl`, so that no listing takes it for a session.
const ENDING: &str = ".logwood-tmp";
/// Bytes of the old name that go into the new one, so that the whole stays within the 255 that file systems allow.
const NAME_LIMIT: usize = 200;
const TAG_LENGTH: usize = 8;
const ATTEMPTS: u32 = 8;
/// How many new files may be written at once under names that every later one looks at.
const SLOTS: u32 = 4;

/// A new version of a file, not in its place yet.
///
/// Until [`commit`](Self::commit) nothing has changed for anybody; if this is dropped, the new version goes, and if the process is
/// killed, the next replacement in the same directory removes what was left. Interrupted at any point, the old file or the new one
/// stands at the path, whole. Hold the lock of the old file meanwhile, or what others append to it is lost.
///
/// ```
/// use logwood::storage::{MemoryStorage, Replacement};
/// use std::io::Write as _;
///
/// let storage = MemoryStorage::new();
/// storage.put("/a.jsonl", "old\n")?;
/// let mut new = Replacement::of("/a.jsonl".as_ref(), &storage)?;
/// new.write_all(b"new\n")?;
/// assert_eq!(storage.contents("/a.jsonl")?, b"old\n");
/// new.commit()?;
/// assert_eq!(storage.contents("/a.jsonl")?, b"new\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Replacement<'a> {
    storage: &'a dyn Storage,
    out: Output,
    dir: PathBuf,
    /// The place to take.
    target: PathBuf,
    /// Where the new version is written.
    draft: PathBuf,
    /// Whether there is an old file, whose place is taken.
    over: bool,
    access: Option<Access>,
    durability: Durability,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Writing,
    Prepared,
    Placed,
}

/// The new file stands in its place; whether that survives a power cut is another matter.
#[derive(Debug)]
#[must_use]
pub enum Settled {
    /// It does.
    Durable,
    /// The directory could not be brought to the disk: after a power cut the old file may be back, whole.
    Unconfirmed(io::Error),
}

impl<'a> Replacement<'a> {
    /// Begins a new version of an existing file, with its mode and owner. Of a link, the file it leads to is replaced.
    ///
    /// # Errors
    /// `NotFound` when there is no file; `IsADirectory`, `NotSeekable` when it is no regular file; the system's.
    pub fn of(path: &Path, storage: &'a dyn Storage) -> io::Result<Self> {
        let target = storage.canonicalize(path)?;
        let metadata = storage.metadata(&target)?.require_file()?;
        let dir = target.parent().map(Path::to_path_buf).unwrap_or_default();
        sweep(storage, &dir);
        let draft = beside_old(storage, &dir, target.file_name().unwrap_or_default())?;
        Ok(Self::begin(storage, dir, target, draft, Some(metadata.access)))
    }

    /// Begins a file that is not there yet; its directory must be. It is private (0600) and never takes the place of anything.
    /// What killed processes left of their new files goes, at the same cost whatever is in the directory.
    ///
    /// # Errors
    /// `AlreadyExists` when the name is taken; `NotFound` when the directory is missing; the system's.
    pub fn of_nothing(path: &Path, storage: &'a dyn Storage) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let dir = storage.canonicalize(parent.unwrap_or(Path::new(".")))?;
        let target = dir.join(name);
        match storage.link_metadata(&target) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let draft = in_a_slot(storage, &dir, name)?;
                Ok(Self::begin(storage, dir, target, draft, None))
            }
            Err(error) => Err(error),
        }
    }

    fn begin(
        storage: &'a dyn Storage,
        dir: PathBuf,
        target: PathBuf,
        (draft, file): Draft,
        old: Option<Access>,
    ) -> Self {
        let (over, out) = (old.is_some(), Output::new(file));
        let (access, durability, state) = (old, Durability::Synced, State::Writing);
        Self { storage, out, dir, target, draft, over, access, durability, state }
    }

    /// Gives the new file another mode and owner than it would have.
    #[must_use]
    pub fn with_access(mut self, access: Access) -> Self {
        self.access = Some(access);
        self
    }

    /// What the new file survives once it is in place; [`Durability::Synced`] unless told. With [`Durability::Buffered`] a killed
    /// process still leaves all or nothing, and a power cut may leave an empty file: only for a file that is not there yet.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.durability = durability;
        self.out.set_sync(durability == Durability::Synced);
        self
    }

    /// Lets a thread of its own write a file of more than 8 MiB, and bring to the disk what is there, while the caller puts together what
    /// comes next. The thread ends with the commit or the drop. This is disabled by default: no thread runs that nobody asked for.
    #[must_use]
    pub fn in_background(mut self, yes: bool) -> Self {
        self.out.allow_thread(yes);
        self
    }

    /// Which file will stand in the place.
    ///
    /// # Errors
    /// The system's.
    pub fn identity(&self) -> io::Result<Option<FileId>> {
        self.out.identity()
    }

    /// Opens the new file for reading; it stays open when the file gets its place.
    ///
    /// # Errors
    /// The system's.
    pub fn open(&self) -> io::Result<Box<dyn StoredFile>> {
        self.storage.open(&self.draft)
    }

    /// Brings everything to the disk, so that only the rename is left. [`commit`](Self::commit) does it too; call it before to
    /// look once more whether the old file changed, just before its place is taken.
    ///
    /// # Errors
    /// The system's, such as `StorageFull`; `PermissionDenied` when the old owner cannot be given to the new file.
    pub fn prepare(&mut self) -> io::Result<()> {
        if self.state != State::Writing {
            return Ok(());
        }
        let file = self.out.flush()?;
        if let Some(access) = &self.access {
            file.set_access(access)?;
        }
        if self.durability == Durability::Synced {
            file.sync_all()?;
        }
        self.state = State::Prepared;
        Ok(())
    }

    /// Puts the new file in its place.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare), and the rename's: `AlreadyExists` when the name of a new file was taken meanwhile. After any
    /// error the old file stands where it stood.
    pub fn commit(mut self) -> io::Result<Settled> {
        self.prepare()?;
        self.require_draft()?;
        if self.over {
            self.storage.rename_over(&self.draft, &self.target)?;
        } else {
            self.storage.rename(&self.draft, &self.target)?;
        }
        self.state = State::Placed;
        if self.durability == Durability::Buffered {
            return Ok(Settled::Unconfirmed(io::Error::other("nothing was synced, as asked")));
        }
        Ok(match self.storage.sync_dir(&self.dir) {
            Ok(()) => Settled::Durable,
            Err(error) => Settled::Unconfirmed(error),
        })
    }

    /// What was written must still have its name.
    fn require_draft(&self) -> io::Result<()> {
        match has_name(self.storage, self.out.identity()?, &self.draft)? {
            true => Ok(()),
            false => {
                Err(io::Error::other("another program removed the new file as it was written"))
            }
        }
    }
}

impl Write for Replacement<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.state = State::Writing;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().map(drop)
    }
}

impl Drop for Replacement<'_> {
    fn drop(&mut self) {
        if self.state != State::Placed {
            // What a thread is writing is finished or failed before the name goes.
            let _ = self.out.come_back();
            // What cannot be removed now is removed by the next replacement in the directory.
            if self.require_draft().is_ok() {
                let _ = self.storage.remove_file(&self.draft);
            }
        }
    }
}

/// Replaces a file by what `write` writes, as [`Replacement::of`] does.
///
/// # Errors
/// Those of [`Replacement`], and what `write` returns; the old file then stands as it was.
pub fn replace(
    storage: &dyn Storage,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<Settled> {
    let mut new = Replacement::of(path, storage)?;
    write(&mut new)?;
    new.commit()
}

/// Where a new version is written, and its open file.
type Draft = (PathBuf, Box<dyn AppendFile>);

/// Creates the file that a new version of an old one is written to.
fn beside_old(storage: &dyn Storage, dir: &Path, name: &OsStr) -> io::Result<Draft> {
    for _ in 0..ATTEMPTS {
        let draft = dir.join(draft_name(name, &RandomIds.new_uuid()));
        if let Some(file) = create_draft(storage, &draft)? {
            return Ok((draft, file));
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Creates the file that a new one is written to. A new name comes once, and nobody would look for what a killed process left under
/// it: so new files are written under one of a few names that are the same for all, and whoever takes one looks at all of them.
fn in_a_slot(storage: &dyn Storage, dir: &Path, name: &OsStr) -> io::Result<Draft> {
    let mut found = None;
    for slot in 0..SLOTS {
        let draft = dir.join(format!(".new-{slot}{ENDING}"));
        sweep_one(storage, &draft);
        if found.is_none() {
            found = create_draft(storage, &draft)?.map(|file| (draft, file));
        }
    }
    match found {
        Some(found) => Ok(found),
        None => beside_old(storage, dir, name),
    }
}

/// Creates a draft and locks it, so that others see that somebody is at work. None when the name is taken, or when another took the
/// new file for a dead one's before it was locked, in which case it is that one's to remove.
fn create_draft(storage: &dyn Storage, draft: &Path) -> io::Result<Option<Box<dyn AppendFile>>> {
    let mut file = match storage.open_append(draft, Create::Exclusive) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Ok(None),
        Err(error) => return Err(error),
    };
    let is_ours = match file.try_lock()? {
        LockOutcome::Busy => false,
        LockOutcome::Acquired | LockOutcome::Unsupported => {
            has_name(storage, file.metadata()?.identity, draft)?
        }
    };
    Ok(is_ours.then_some(file))
}

/// Whether an open file still has this name.
fn has_name(storage: &dyn Storage, file: Option<FileId>, path: &Path) -> io::Result<bool> {
    match storage.link_metadata(path) {
        Ok(named) => Ok(named.identity == file),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes what killed processes left of earlier replacements in a directory, copies beside them included.
fn sweep(storage: &dyn Storage, dir: &Path) {
    for entry in storage.list(dir).unwrap_or_default() {
        if entry.kind == FileKind::File && is_draft(&entry.name) {
            sweep_one(storage, &dir.join(entry.name));
        }
    }
}

/// Removes a draft whose process is dead: one that nobody has locked. Only who holds the lock of the file that has the name removes
/// it, so that it is never another's.
///
/// This is done in passing: what it cannot do it leaves.
fn sweep_one(storage: &dyn Storage, draft: &Path) {
    let Ok(mut file) = storage.open_append(draft, Create::Never) else { return };
    let is_dead = matches!(file.try_lock(), Ok(LockOutcome::Acquired));
    let Ok(metadata) = file.metadata() else { return };
    if is_dead && has_name(storage, metadata.identity, draft).unwrap_or(false) {
        let _ = storage.remove_file(draft);
    }
}

/// `.NAME.TAG.logwood-tmp`: hidden, and beside its file.
fn draft_name(name: &OsStr, tag: &str) -> OsString {
    let name = name.to_string_lossy();
    let end = name.floor_char_boundary(NAME_LIMIT);
    let (name, tag) = (name.get(..end).unwrap_or_default(), tag.get(..TAG_LENGTH).unwrap_or(tag));
    format!(".{name}.{tag}{ENDING}").into()
}

fn is_draft(name: &OsStr) -> bool {
    let rest = name.to_str().and_then(|name| name.strip_prefix('.')?.strip_suffix(ENDING));
    let tag = rest.and_then(|rest| rest.rsplit_once('.')).map(|(_, tag)| tag);
    tag.is_some_and(|tag| tag.len() == TAG_LENGTH && tag.bytes().all(|b| b.is_ascii_hexdigit()))
}
