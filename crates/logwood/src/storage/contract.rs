//! The seam: what every storage does.

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

use super::lock::LockOutcome;
use super::metadata::{Access, DirEntry, Metadata};

/// A place with files and directories.
///
/// Paths are the system's. Relative ones start where the storage says: the working directory of the process, or the root in memory.
/// Every call does one thing and reports the system's error for it; none retries, prints or cleans up. `logwood-testkit` holds the
/// contract as a suite of functions, one clause each.
///
/// ```
/// use logwood::storage::{Create, MemoryStorage, Storage, read_all};
/// use std::path::Path;
///
/// let storage = MemoryStorage::new();
/// storage.create_dir_all(Path::new("/sessions"))?;
/// let mut file = storage.open_append(Path::new("/sessions/a.jsonl"), Create::Exclusive)?;
/// assert_eq!(file.append(b"{}\n")?, 3);
/// assert_eq!(read_all(&storage, Path::new("/sessions/a.jsonl"))?, b"{}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Storage: Debug + Send + Sync {
    /// Opens a file for reading. Links are followed. Never waits, and changes no time of the file where the system allows it.
    ///
    /// # Errors
    /// `NotFound` also for a link to nothing; `IsADirectory` for a directory; `NotSeekable` for a pipe, a socket or a device.
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>>;

    /// Opens a file for appending and reading. An existing file is reached through links; a new one is empty and private (0600).
    ///
    /// # Errors
    /// As [`open`](Self::open); `NotFound` for [`Create::Never`] without a file, `AlreadyExists` for [`Create::Exclusive`] with
    /// anything there, be it a link to nothing.
    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>>;

    /// What stands at the path, links followed.
    ///
    /// # Errors
    /// `NotFound` when there is nothing, or a link to nothing.
    fn metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// What stands at the path itself; a link is a link.
    ///
    /// # Errors
    /// `NotFound` when there is nothing.
    fn link_metadata(&self, path: &Path) -> io::Result<Metadata>;

    /// The names in a directory, in the order of their bytes, without `.` and `..`.
    ///
    /// # Errors
    /// `NotFound`; `NotADirectory` when the path is something else.
    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>>;

    /// The names in a directory that are wanted, in the order of their bytes, each with what stands there, links followed: one call
    /// for what [`list`](Self::list) and [`metadata`](Self::metadata) say.
    ///
    /// # Errors
    /// As [`list`](Self::list); inside, as [`metadata`](Self::metadata).
    fn survey(
        &self,
        path: &Path,
        is_wanted: &dyn Fn(&OsStr) -> bool,
    ) -> io::Result<Vec<(OsString, io::Result<Metadata>)>> {
        let wanted = self.list(path)?.into_iter().filter(|entry| is_wanted(&entry.name));
        let with_metadata = |entry: DirEntry| {
            let metadata = self.metadata(&path.join(&entry.name));
            (entry.name, metadata)
        };
        Ok(wanted.map(with_metadata).collect())
    }

    /// Makes a directory and those above it that are missing, private (0700). One that exists is left as it is.
    ///
    /// # Errors
    /// When something on the way is no directory, or the system refuses.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// Gives a file another name on the same device. Never takes the place of anything. A link is moved itself.
    ///
    /// # Errors
    /// `AlreadyExists` when the new name is taken, be it by a link to nothing; `CrossesDevices`.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Gives a file another name, taking the place of a file that has it, in one step: whoever looks sees the one or the other.
    /// Links are not followed.
    ///
    /// # Errors
    /// `IsADirectory` when a directory has the new name; `CrossesDevices`.
    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file or a link (not what it leads to).
    ///
    /// # Errors
    /// `NotFound`; for a directory an error of the system's choice.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// The absolute path without links, `.` and `..`.
    ///
    /// # Errors
    /// `NotFound` when there is nothing, or a link to nothing.
    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf>;

    /// Brings the names of a directory to the disk, so that they survive a power cut. Does nothing where the system cannot.
    ///
    /// # Errors
    /// The system's, such as a failing disk.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;
}

/// Whether opening for appending may make the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Create {
    /// The file must be there.
    Never,
    /// The file must not be there.
    Exclusive,
    /// The file is made when it is not there.
    IfMissing,
}

/// A file open for reading by position.
pub trait StoredFile: Debug + Send {
    /// Reads into `buf` from `offset` (in bytes from the start) on, once. Fewer bytes than asked for are no end; 0 is, for a buffer
    /// that is not empty.
    ///
    /// # Errors
    /// The system's.
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// What the open file is now, even when its name is gone or another file has it.
    ///
    /// # Errors
    /// The system's.
    fn metadata(&self) -> io::Result<Metadata>;
}

/// A file open for appending. Closing it gives its lock back.
pub trait AppendFile: StoredFile {
    /// Writes at the end of the file as it is at that moment, in one call to the system, and says how many bytes went in: fewer than
    /// given when the disk is full, for example.
    ///
    /// # Errors
    /// The system's. Then nothing was written, as a rule; a failing disk may leave any part of it.
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize>;

    /// Where the last append of this handle ended, in bytes from the start of the file: further on than expected when another handle
    /// appended in between. Where the system does not keep that, the length of the file now, which is no less.
    ///
    /// # Errors
    /// The system's.
    fn end_of_append(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len)
    }

    /// Cuts the file to a length in bytes.
    ///
    /// # Errors
    /// The system's.
    fn truncate(&mut self, len: u64) -> io::Result<()>;

    /// Gives the file the mode and, where it differs, the owner of another.
    ///
    /// # Errors
    /// `PermissionDenied` when the owner cannot be given; the mode is then unchanged.
    fn set_access(&mut self, access: &Access) -> io::Result<()>;

    /// Brings the bytes of the file to the disk, so that they survive a power cut.
    ///
    /// # Errors
    /// The system's. After one it is unknown which bytes are on the disk, and asking again does not tell.
    fn sync_data(&mut self) -> io::Result<()>;

    /// As [`sync_data`](Self::sync_data), mode and owner included.
    ///
    /// # Errors
    /// As [`sync_data`](Self::sync_data).
    fn sync_all(&mut self) -> io::Result<()>;

    /// Takes the file's exclusive lock without waiting. It binds only those who take it too, and belongs to this handle: another
    /// handle of the same process finds it held. Use [`Exclusive`](super::Exclusive), which waits and gives it back.
    ///
    /// # Errors
    /// The system's; that another has the lock, or that there are none, is an outcome.
    fn try_lock(&mut self) -> io::Result<LockOutcome>;

    /// Gives the lock back.
    ///
    /// # Errors
    /// The system's.
    fn unlock(&mut self) -> io::Result<()>;
}

/// The bytes of a whole file.
///
/// # Errors
/// As [`Storage::open`] and [`StoredFile::read_at`].
pub fn read_all(storage: &dyn Storage, path: &Path) -> io::Result<Vec<u8>> {
    read_whole(&mut *storage.open(path)?)
}

/// The bytes of a whole open file, in two reads where the system gives it in one.
///
/// # Errors
/// As [`StoredFile::read_at`].
pub fn read_whole(file: &mut dyn StoredFile) -> io::Result<Vec<u8>> {
    let length = usize::try_from(file.metadata()?.len).map_err(io::Error::other)?;
    // One byte more than there is, so that the end shows without another buffer.
    let mut bytes = vec![0; length.saturating_add(1)];
    let mut done = 0;
    loop {
        if done == bytes.len() {
            bytes.resize(done.saturating_mul(2), 0);
        }
        match file.read_at(done as u64, bytes.get_mut(done..).unwrap_or_default()) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(done);
    Ok(bytes)
}
