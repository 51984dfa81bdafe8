//! A storage and a place to try it in.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::storage::{Create, LocalStorage, MemoryStorage, Storage, read_all};

/// An empty directory of a storage. It is gone when this is dropped.
#[derive(Debug)]
pub struct Subject {
    /// The storage, as the test sees it.
    pub storage: Arc<dyn Storage>,
    /// The directory, without links in its path.
    pub root: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Disk(#[expect(dead_code, reason = "removes its directory when dropped")] tempfile::TempDir),
    Memory(MemoryStorage),
}

impl Subject {
    /// A new directory on the disk.
    ///
    /// # Errors
    /// The system's.
    pub fn local() -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let root = dir.path().canonicalize()?;
        Ok(Self { storage: Arc::new(LocalStorage), root, place: Place::Disk(dir) })
    }

    /// A new directory in memory.
    ///
    /// # Errors
    /// As [`of_memory`](Self::of_memory).
    pub fn memory() -> io::Result<Self> {
        Self::of_memory(MemoryStorage::new())
    }

    /// A new directory in this memory.
    ///
    /// # Errors
    /// The storage's.
    pub fn of_memory(memory: MemoryStorage) -> io::Result<Self> {
        let root = PathBuf::from("/root of all");
        memory.create_dir_all(&root)?;
        Ok(Self { storage: Arc::new(memory.clone()), root, place: Place::Memory(memory) })
    }

    /// The same place seen through a wrapper.
    #[must_use]
    pub fn wrapped(self, wrap: impl FnOnce(Arc<dyn Storage>) -> Arc<dyn Storage>) -> Self {
        Self { storage: wrap(self.storage), ..self }
    }

    /// A path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Makes a file with these bytes, through the storage.
    ///
    /// # Errors
    /// `AlreadyExists`; the storage's.
    pub fn put(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let path = self.path(name);
        let mut file = self.storage.open_append(&path, Create::Exclusive)?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let count = file.append(rest)?;
            rest = rest.get(count..).unwrap_or_default();
        }
        Ok(path)
    }

    /// The bytes of a file, read through the storage.
    ///
    /// # Errors
    /// The storage's.
    pub fn bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        read_all(&*self.storage, path)
    }

    /// Makes a symbolic link, past the storage, which has no call for that.
    ///
    /// # Errors
    /// The system's.
    pub fn put_link(&self, name: &str, target: impl AsRef<Path>) -> io::Result<PathBuf> {
        let path = self.path(name);
        match &self.place {
            Place::Memory(memory) => memory.put_link(&path, target.as_ref())?,
            Place::Disk(_) => symlink(target.as_ref(), &path)?,
        }
        Ok(path)
    }

    /// Makes a pipe, past the storage.
    ///
    /// # Errors
    /// The system's; `Unsupported` where there is no `mkfifo`.
    pub fn put_pipe(&self, name: &str) -> io::Result<PathBuf> {
        let path = self.path(name);
        match &self.place {
            Place::Memory(memory) => memory.put_other(&path)?,
            Place::Disk(_) => {
                let made = std::process::Command::new("mkfifo").arg(&path).status()?;
                if !made.success() {
                    return Err(io::ErrorKind::Unsupported.into());
                }
            }
        }
        Ok(path)
    }
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn symlink(_target: &Path, _path: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
