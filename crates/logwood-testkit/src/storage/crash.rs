//! What a power cut leaves: bytes and names as they were when they were last synced.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use logwood::storage::{
    Access, AppendFile, Create, DirEntry, FileId, FileKind, LockOutcome, MemoryStorage, Metadata,
    Storage, StoredFile, read_all,
};

/// A storage in memory that remembers what is on the disk and what only the operating system knows.
///
/// A power cut loses the bytes that were not synced. Of names that were not synced a file system may keep what it likes, so a test
/// looks at both ends: [`after_power_cut`](Self::after_power_cut) with `false` keeps none of them, with `true` all.
/// To cut at any call, put a [`FaultyStorage`](super::FaultyStorage) around it that stops there.
#[derive(Debug, Clone)]
pub struct CrashStorage {
    live: MemoryStorage,
    disk: Arc<Mutex<Disk>>,
}

#[derive(Debug, Default)]
struct Disk {
    bytes: HashMap<FileId, Vec<u8>>,
    names: BTreeMap<PathBuf, Vec<(OsString, Metadata)>>,
}

impl CrashStorage {
    /// Everything that is in `memory` now counts as synced. Links are not looked at.
    ///
    /// # Errors
    /// The storage's.
    pub fn new(memory: MemoryStorage) -> io::Result<Self> {
        let storage = Self { live: memory, disk: Arc::default() };
        let mut dirs = vec![PathBuf::from("/")];
        while let Some(dir) = dirs.pop() {
            let names = storage.live_names(&dir)?;
            for (name, metadata) in &names {
                let path = dir.join(name);
                match (metadata.kind, metadata.identity) {
                    (FileKind::Dir, _) => dirs.push(path),
                    (FileKind::File, Some(identity)) => {
                        let bytes = read_all(&storage.live, &path)?;
                        storage.disk().bytes.insert(identity, bytes);
                    }
                    _ => {}
                }
            }
            storage.disk().names.insert(dir, names);
        }
        Ok(storage)
    }

    /// The files as they are after a power cut now; `names` says whether names that were not synced are there.
    ///
    /// # Errors
    /// The storage's.
    pub fn after_power_cut(&self, names: bool) -> io::Result<MemoryStorage> {
        let image = MemoryStorage::new();
        let mut dirs = vec![PathBuf::from("/")];
        while let Some(dir) = dirs.pop() {
            for (name, metadata) in self.names(&dir, names)? {
                let path = dir.join(name);
                match (metadata.kind, metadata.identity) {
                    (FileKind::Dir, _) => {
                        image.create_dir_all(&path)?;
                        dirs.push(path);
                    }
                    (FileKind::File, Some(identity)) => {
                        let bytes = self.disk().bytes.get(&identity).cloned();
                        image.put(&path, bytes.unwrap_or_default())?;
                        image.set_access(&path, metadata.access)?;
                    }
                    _ => {}
                }
            }
        }
        Ok(image)
    }

    fn names(&self, dir: &Path, live: bool) -> io::Result<Vec<(OsString, Metadata)>> {
        if live {
            self.live_names(dir)
        } else {
            Ok(self.disk().names.get(dir).cloned().unwrap_or_default())
        }
    }

    fn live_names(&self, dir: &Path) -> io::Result<Vec<(OsString, Metadata)>> {
        let entry = |entry: DirEntry| {
            let metadata = self.live.link_metadata(&dir.join(&entry.name))?;
            Ok((entry.name, metadata))
        };
        self.live.list(dir)?.into_iter().map(entry).collect()
    }

    fn disk(&self) -> MutexGuard<'_, Disk> {
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Storage for CrashStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        self.live.open(path)
    }

    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
        let file = self.live.open_append(path, create)?;
        Ok(Box::new(CrashFile { storage: self.clone(), file }))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.live.metadata(path)
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.live.link_metadata(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.live.list(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.live.create_dir_all(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live.rename(from, to)
    }

    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.live.rename_over(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.live.remove_file(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.live.canonicalize(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let dir = self.live.canonicalize(path)?;
        let names = self.live_names(&dir)?;
        self.disk().names.insert(dir, names);
        Ok(())
    }
}

#[derive(Debug)]
struct CrashFile {
    storage: CrashStorage,
    file: Box<dyn AppendFile>,
}

impl CrashFile {
    fn sync(&mut self) -> io::Result<()> {
        let metadata = self.file.metadata()?;
        let length = usize::try_from(metadata.len).map_err(io::Error::other)?;
        let mut bytes = vec![0; length];
        let count = self.file.read_at(0, &mut bytes)?;
        bytes.truncate(count);
        if let Some(identity) = metadata.identity {
            self.storage.disk().bytes.insert(identity, bytes);
        }
        Ok(())
    }
}

impl StoredFile for CrashFile {
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buf)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }
}

impl AppendFile for CrashFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.append(bytes)
    }

    fn end_of_append(&self) -> io::Result<u64> {
        self.file.end_of_append()
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.file.truncate(len)
    }

    fn set_access(&mut self, access: &Access) -> io::Result<()> {
        self.file.set_access(access)
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.sync()
    }

    fn sync_all(&mut self) -> io::Result<()> {
        self.sync()
    }

    fn try_lock(&mut self) -> io::Result<LockOutcome> {
        self.file.try_lock()
    }

    fn unlock(&mut self) -> io::Result<()> {
        self.file.unlock()
    }
}
