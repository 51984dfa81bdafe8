//! A storage that keeps count of what it is asked for, so that tests can state what an operation costs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use logwood::storage::{
    Access, AppendFile, Create, DirEntry, LockOutcome, Metadata, Storage, StoredFile,
};

use super::verb::Verb;

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// What was asked for.
    pub verb: Verb,
    /// The path, as it was given; of a rename the old one, of a file the one it was opened by.
    pub path: PathBuf,
    /// Bytes that were read or appended; 0 for calls that move none or failed.
    pub bytes: usize,
}

/// Wraps a storage and records its calls, those of its files and of its clones included.
///
/// ```
/// use logwood::storage::{MemoryStorage, Storage, read_all};
/// use logwood_testkit::storage::{RecordingStorage, Verb};
/// use std::sync::Arc;
///
/// let memory = MemoryStorage::new();
/// memory.put("/a", "four")?;
/// let storage = RecordingStorage::new(Arc::new(memory));
/// read_all(&storage, "/a".as_ref())?;
/// assert_eq!(storage.count(Verb::Open), 1);
/// assert_eq!(storage.bytes(Verb::ReadAt), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RecordingStorage {
    inner: Arc<dyn Storage>,
    calls: Arc<Mutex<Vec<Call>>>,
    meddler: Option<Meddler>,
}

/// What happens just before a call of the storage.
#[derive(Clone)]
struct Meddler(Arc<Meddling>);

type Meddling = dyn Fn(Verb, &Path) + Send + Sync;

impl std::fmt::Debug for Meddler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meddler")
    }
}

impl RecordingStorage {
    /// With nothing recorded.
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner, calls: Arc::default(), meddler: None }
    }

    /// Runs `act` just before each call (not those of files), as another program might.
    #[must_use]
    pub fn meddled(self, act: impl Fn(Verb, &Path) + Send + Sync + 'static) -> Self {
        Self { meddler: Some(Meddler(Arc::new(act))), ..self }
    }

    /// Everything recorded so far, in order; recording starts over.
    pub fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls())
    }

    /// How often something was asked for.
    pub fn count(&self, verb: Verb) -> usize {
        self.calls().iter().filter(|call| call.verb == verb).count()
    }

    /// How often something was asked for that changes bytes, names or modes.
    pub fn changes(&self) -> usize {
        self.calls().iter().filter(|call| call.verb.is_change()).count()
    }

    /// How many bytes a verb moved.
    pub fn bytes(&self, verb: Verb) -> usize {
        self.calls().iter().filter(|call| call.verb == verb).map(|call| call.bytes).sum()
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Call>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, verb: Verb, path: &Path) -> &dyn Storage {
        if let Some(Meddler(act)) = &self.meddler {
            act(verb, path);
        }
        self.calls().push(Call { verb, path: path.to_path_buf(), bytes: 0 });
        &*self.inner
    }
}

impl Storage for RecordingStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        let file = self.note(Verb::Open, path).open(path)?;
        Ok(Box::new(RecordingFile { storage: self.clone(), path: path.to_path_buf(), file }))
    }

    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
        let file = self.note(Verb::of_open_append(create), path).open_append(path, create)?;
        Ok(Box::new(RecordingFile { storage: self.clone(), path: path.to_path_buf(), file }))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.note(Verb::Metadata, path).metadata(path)
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.note(Verb::LinkMetadata, path).link_metadata(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.note(Verb::List, path).list(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.note(Verb::CreateDirAll, path).create_dir_all(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.note(Verb::Rename, from).rename(from, to)
    }

    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.note(Verb::RenameOver, from).rename_over(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.note(Verb::RemoveFile, path).remove_file(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.note(Verb::Canonicalize, path).canonicalize(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.note(Verb::SyncDir, path).sync_dir(path)
    }
}

#[derive(Debug)]
struct RecordingFile<F: ?Sized> {
    storage: RecordingStorage,
    path: PathBuf,
    file: Box<F>,
}

impl<F: ?Sized> RecordingFile<F> {
    fn note(&mut self, verb: Verb) -> &mut F {
        self.storage.note(verb, &self.path);
        &mut self.file
    }

    /// Notes a call that moves bytes, once it is known how many.
    fn moved(&self, verb: Verb, outcome: io::Result<usize>) -> io::Result<usize> {
        let bytes = outcome.as_ref().copied().unwrap_or_default();
        self.storage.calls().push(Call { verb, path: self.path.clone(), bytes });
        outcome
    }
}

impl<F: StoredFile + ?Sized> StoredFile for RecordingFile<F> {
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let outcome = self.file.read_at(offset, buf);
        self.moved(Verb::ReadAt, outcome)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.storage.note(Verb::FileMetadata, &self.path);
        self.file.metadata()
    }
}

impl AppendFile for RecordingFile<dyn AppendFile> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let outcome = self.file.append(bytes);
        self.moved(Verb::Append, outcome)
    }

    fn end_of_append(&self) -> io::Result<u64> {
        self.storage.note(Verb::EndOfAppend, &self.path);
        self.file.end_of_append()
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.note(Verb::Truncate).truncate(len)
    }

    fn set_access(&mut self, access: &Access) -> io::Result<()> {
        self.note(Verb::SetAccess).set_access(access)
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.note(Verb::SyncData).sync_data()
    }

    fn sync_all(&mut self) -> io::Result<()> {
        self.note(Verb::SyncAll).sync_all()
    }

    fn try_lock(&mut self) -> io::Result<LockOutcome> {
        self.note(Verb::TryLock).try_lock()
    }

    fn unlock(&mut self) -> io::Result<()> {
        self.note(Verb::Unlock).unlock()
    }
}
