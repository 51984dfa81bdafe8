//! What a session knows of its file, and one append to it (design section 2, "Appending").

use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
pub(super) use crate::storage::read_full;
use crate::storage::{
    AppendFile, Create, Durability, Exclusive, FileId, LOCK_WAIT, Storage, append_whole,
};

/// Where the lines of a session go.
#[derive(Debug, Default)]
pub(super) enum Disk {
    /// Nowhere: a session in memory.
    #[default]
    None,
    /// Into a file that does not exist yet; it is made with everything in it.
    Deferred,
    /// Into a file of size 0 that is there.
    Empty,
    /// Into a file that holds what was read.
    Stored(Stored),
}

/// A session file as it was last seen.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// Open since the first append.
    pub(super) writer: Option<Writer>,
    /// Which file it is.
    pub(super) identity: Option<FileId>,
}

/// The file as it is open.
#[derive(Debug)]
pub(super) struct Writer {
    pub(super) file: Box<dyn AppendFile>,
    /// Which file it is: as long as it is open, no other file has this identity.
    pub(super) identity: Option<FileId>,
}

/// How the file stands when its lock is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// As it was last seen.
    Same,
    /// Longer: another program appended.
    Grown(u64),
    /// The name and the lock are those of another file than the one that was read.
    Other,
    /// Another file has got the name since this one was opened.
    Stale,
    /// Shorter: somebody cut it.
    Shrunk,
    /// The name is gone.
    Gone,
}

pub(super) const WHAT: &str = "cannot append to session";

impl Stored {
    pub(super) fn of(identity: Option<FileId>) -> Self {
        Self { writer: None, identity }
    }

    /// The open file; opened when it is not.
    pub(super) fn writer(&mut self, storage: &dyn Storage, path: &Path) -> Result<&mut Writer> {
        if self.writer.is_none() {
            self.writer = Some(open_writer(storage, path)?);
        }
        self.writer.as_mut().ok_or_else(|| gone(path))
    }
}

fn open_writer(storage: &dyn Storage, path: &Path) -> Result<Writer> {
    let file = storage.open_append(path, Create::Never).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => gone(path),
        _ => Error::io(WHAT, path, error),
    })?;
    let metadata = file.metadata().map_err(|error| Error::io(WHAT, path, error))?;
    Ok(Writer { file, identity: metadata.identity })
}

/// Takes the lock of a file.
pub(super) fn lock<'a>(
    writer: &'a mut (dyn AppendFile + 'static),
    path: &Path,
) -> Result<Exclusive<'a>> {
    let taken = Exclusive::acquire(writer, LOCK_WAIT).map_err(|e| Error::io(WHAT, path, e))?;
    taken.ok_or_else(|| {
        let why = format!("another process has held its lock for {} seconds", LOCK_WAIT.as_secs());
        Error::new(ErrorKind::Locked, WHAT).with_path(path).with_why(why)
    })
}

/// Compares the locked file, whose identity is `held`, with its name and with what was last seen of it.
///
/// One question to the system is enough: where the name leads to the file that is held, what is said of the one holds for the other.
pub(super) fn look(
    locked: &Exclusive<'_>,
    held: Option<FileId>,
    storage: &dyn Storage,
    path: &Path,
    seen: (Option<FileId>, u64),
) -> Result<Found> {
    let named = match storage.metadata(path) {
        Ok(named) => named,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Gone),
        Err(error) => return Err(Error::io(WHAT, path, error)),
    };
    let now = match held {
        Some(_) => named.len,
        // Where files have no identity, the name may lead to another one.
        None => locked.metadata().map_err(|error| Error::io(WHAT, path, error))?.len,
    };
    let (identity, len) = seen;
    Ok(match () {
        () if named.identity != held => Found::Stale,
        () if held != identity => Found::Other,
        () if now < len => Found::Shrunk,
        () if now > len => Found::Grown(now),
        () => Found::Same,
    })
}

/// Writes bytes to the end of a file, as [`append_whole`] does.
pub(super) fn write_once(
    locked: &mut Exclusive<'_>,
    path: &Path,
    old_len: u64,
    bytes: &[u8],
    durability: Durability,
) -> Result<()> {
    append_whole(&mut **locked, old_len, bytes, durability)
        .map_err(|error| Error::io(WHAT, path, error))
}

pub(super) fn gone(path: &Path) -> Error {
    changed(path, "the file is not there any more")
}

pub(super) fn changed(path: &Path, why: &str) -> Error {
    Error::new(ErrorKind::ChangedOnDisk, WHAT).with_path(path).with_why(why)
}
