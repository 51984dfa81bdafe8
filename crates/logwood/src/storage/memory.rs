//! A storage in memory, for tests and for sessions that leave no trace.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::env::{Clock, SystemClock};

use super::contract::{AppendFile, Create, Storage, StoredFile, read_all};
use super::memory_disk::{Body, Disk};
use super::memory_file::MemoryFile;
use super::metadata::{Access, DirEntry, FileKind, Metadata};

/// A file system in memory: files, directories, links, identities, modes, times and locks. Relative paths start at its root.
///
/// A clone is another door to the same files. The owner's bits of a file's mode are heeded, those of directories are not.
#[derive(Debug, Clone)]
pub struct MemoryStorage {
    disk: Arc<Mutex<Disk>>,
    clock: Arc<dyn Clock>,
}

impl Default for MemoryStorage {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStorage {
    /// An empty root directory; times come from the system.
    pub fn new() -> Self {
        Self::with_clock(Arc::new(SystemClock))
    }

    /// An empty root directory; times come from a clock.
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        let disk = Disk::new(nanoseconds(&*clock));
        Self { disk: Arc::new(Mutex::new(disk)), clock }
    }

    /// Puts a file there with these bytes; directories are made as needed, an old file goes.
    ///
    /// # Errors
    /// As [`Storage::create_dir_all`]; `IsADirectory` when the path is one.
    pub fn put(&self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) -> io::Result<()> {
        self.put_node(path.as_ref(), Body::File(bytes.into()))
    }

    /// Puts a symbolic link there; what it leads to need not exist. A relative target starts at the link's directory.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn put_link(&self, path: impl AsRef<Path>, target: impl Into<PathBuf>) -> io::Result<()> {
        self.put_node(path.as_ref(), Body::Link(target.into()))
    }

    /// Puts something there that is no file, directory or link, such as a pipe.
    ///
    /// # Errors
    /// As [`put`](Self::put).
    pub fn put_other(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.put_node(path.as_ref(), Body::Other)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// As [`Storage::open`].
    pub fn contents(&self, path: impl AsRef<Path>) -> io::Result<Vec<u8>> {
        read_all(self, path.as_ref())
    }

    /// Gives what stands at the path, links followed, another mode and owner.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn set_access(&self, path: impl AsRef<Path>, access: Access) -> io::Result<()> {
        let mut disk = self.disk();
        let number = disk.find(path.as_ref(), true)?;
        disk.node_mut(number)?.access = access;
        Ok(())
    }

    /// Gives what stands at the path, links followed, another time of its last change, in milliseconds since 1970.
    ///
    /// # Errors
    /// `NotFound`.
    pub fn set_modified_ms(&self, path: impl AsRef<Path>, time: i64) -> io::Result<()> {
        let mut disk = self.disk();
        let number = disk.find(path.as_ref(), true)?;
        disk.node_mut(number)?.modified_ns = time.saturating_mul(1_000_000);
        Ok(())
    }

    pub(super) fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn now_ns(&self) -> i64 {
        nanoseconds(&*self.clock)
    }

    fn put_node(&self, path: &Path, body: Body) -> io::Result<()> {
        if let Some(parent) = path.parent() {
            self.create_dir_all(parent)?;
        }
        let now_ns = self.now_ns();
        let mut disk = self.disk();
        let place = disk.walk(path, false)?;
        if let Some(number) = place.node
            && disk.node(number)?.kind() == FileKind::Dir
        {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        disk.add(&place, body, now_ns).map(drop)
    }

    /// Opens what is there when it is a regular file and its mode lets the owner do what `bits` say.
    fn open_existing(&self, path: &Path, bits: u32) -> io::Result<MemoryFile> {
        let number = {
            let disk = self.disk();
            let number = disk.find(path, true)?;
            let access = disk.metadata(number)?.require_file()?.access;
            if access.mode & bits != bits {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            number
        };
        MemoryFile::open(self, number)
    }

    fn create_new(&self, path: &Path) -> io::Result<MemoryFile> {
        let now_ns = self.now_ns();
        let mut disk = self.disk();
        let place = disk.walk(path, false)?;
        if place.node.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let number = disk.add(&place, Body::File(Vec::new()), now_ns)?;
        drop(disk);
        MemoryFile::open(self, number)
    }

    fn relocate(&self, from: &Path, to: &Path, over: bool) -> io::Result<()> {
        let now_ns = self.now_ns();
        let mut disk = self.disk();
        let source = disk.walk(from, false)?;
        let number = source.node.ok_or(io::ErrorKind::NotFound)?;
        let target = disk.walk(to, false)?;
        if let Some(taken) = target.node {
            if !over {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            if taken == number {
                return Ok(());
            }
            if disk.node(taken)?.kind() == FileKind::Dir {
                return Err(io::ErrorKind::IsADirectory.into());
            }
        }
        disk.take(&source, true, now_ns)?;
        disk.put(&target, number, now_ns)
    }
}

impl Storage for MemoryStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        Ok(Box::new(self.open_existing(path, 0o400)?))
    }

    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
        let file = match create {
            Create::Exclusive => self.create_new(path),
            Create::Never => self.open_existing(path, 0o600),
            Create::IfMissing => match self.open_existing(path, 0o600) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => self.create_new(path),
                other => other,
            },
        };
        Ok(Box::new(file?))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        let disk = self.disk();
        disk.metadata(disk.find(path, true)?)
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        let disk = self.disk();
        disk.metadata(disk.find(path, false)?)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let disk = self.disk();
        let names = disk.names(disk.find(path, true)?)?;
        let entry = |(name, number): (&_, &u64)| {
            Ok(DirEntry { name: std::ffi::OsString::clone(name), kind: disk.node(*number)?.kind() })
        };
        names.iter().map(entry).collect()
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        let now_ns = self.now_ns();
        let mut disk = self.disk();
        let mut so_far = PathBuf::new();
        for component in path.components() {
            so_far.push(component);
            let place = disk.walk(&so_far, true)?;
            match place.node {
                Some(number) => drop(disk.names(number)?),
                None => {
                    disk.add(&place, Body::Dir(BTreeMap::new()), now_ns)?;
                }
            }
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.relocate(from, to, false)
    }

    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.relocate(from, to, true)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let now_ns = self.now_ns();
        let mut disk = self.disk();
        let place = disk.walk(path, false)?;
        let number = place.node.ok_or(io::ErrorKind::NotFound)?;
        if disk.node(number)?.kind() == FileKind::Dir {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        disk.take(&place, false, now_ns)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        let place = self.disk().walk(path, true)?;
        place.node.ok_or(io::ErrorKind::NotFound)?;
        Ok(place.path())
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let disk = self.disk();
        disk.names(disk.find(path, true)?).map(drop)
    }
}

fn nanoseconds(clock: &dyn Clock) -> i64 {
    clock.now_ms().saturating_mul(1_000_000)
}
