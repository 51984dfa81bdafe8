//! A storage that fails at the call of your choice.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use logwood::storage::{
    Access, AppendFile, Create, DirEntry, LockOutcome, Metadata, Storage, StoredFile,
};

use super::verb::Verb;

/// What goes wrong with a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It fails and does nothing; the next one works again.
    Fails(Code),
    /// It and all later calls that change something fail, as on a full disk or one that became read-only. Reading works.
    Sticks(Code),
    /// A read or an append moves half of its bytes and says so; other calls work.
    Shortens,
    /// An append leaves half of its bytes in the file and fails; other calls fail and do nothing.
    Tears(Code),
    /// The process is killed before it: it and every later call fail and do nothing.
    StopsBefore,
    /// The process is killed in the middle: half of an append is in the file; other calls do nothing.
    StopsWithin,
    /// The process is killed after it, before it learned the outcome.
    StopsAfter,
}

/// An error of the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// ENOSPC, `StorageFull`.
    NoSpace,
    /// EACCES, `PermissionDenied`.
    Denied,
    /// EROFS, `ReadOnlyFilesystem`.
    ReadOnly,
    /// EIO, which has no kind.
    Io,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::NoSpace, Self::Denied, Self::ReadOnly, Self::Io];

    /// The error as the system gives it.
    pub fn error(self) -> io::Error {
        io::Error::from_raw_os_error(match self {
            Self::NoSpace => 28,
            Self::Denied => 13,
            Self::ReadOnly => 30,
            Self::Io => 5,
        })
    }
}

impl Fault {
    /// One of each, with every code where there is one.
    pub fn all() -> Vec<Self> {
        let mut all = vec![Self::Shortens, Self::StopsBefore, Self::StopsWithin, Self::StopsAfter];
        for code in Code::ALL {
            all.extend([Self::Fails(code), Self::Sticks(code), Self::Tears(code)]);
        }
        all
    }
}

/// Wraps a storage. Calls are numbered from 0, those of its files and of its clones included.
///
/// To try an operation against everything that can happen: run it once and ask [`calls`](Self::calls), then once for each
/// number below that and each [`Fault`], each time on fresh files.
#[derive(Debug, Clone)]
pub struct FaultyStorage {
    inner: Arc<dyn Storage>,
    plan: Arc<Mutex<Plan>>,
}

/// What somebody else does.
struct Event(Box<dyn FnOnce() + Send>);

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Event")
    }
}

#[derive(Debug, Default)]
struct Plan {
    calls: u64,
    faults: BTreeMap<u64, Fault>,
    events: BTreeMap<u64, Event>,
    stopped: bool,
    stuck: Option<Code>,
    no_locks: bool,
    hit: Vec<(u64, Verb)>,
}

/// What becomes of one call.
enum Verdict {
    Works,
    Halves,
    HalvesThen(io::Error),
    WorksThen(io::Error),
    Fails(io::Error),
}

impl FaultyStorage {
    /// Without faults until some are planned.
    pub fn new(inner: Arc<dyn Storage>) -> Self {
        Self { inner, plan: Arc::default() }
    }

    /// Plans a fault for the call with this number.
    #[must_use]
    pub fn with(self, call: u64, fault: Fault) -> Self {
        self.plan().faults.insert(call, fault);
        self
    }

    /// Lets somebody else do something just before the call with this number.
    #[must_use]
    pub fn with_event(self, call: u64, event: impl FnOnce() + Send + 'static) -> Self {
        self.plan().events.insert(call, Event(Box::new(event)));
        self
    }

    /// Has no locks, as some file systems of networks.
    #[must_use]
    pub fn without_locks(self) -> Self {
        self.plan().no_locks = true;
        self
    }

    /// Nothing goes wrong any more, as when room was made on a full disk. A killed process stays killed.
    pub fn mend(&self) {
        let mut plan = self.plan();
        plan.faults.clear();
        plan.stuck = None;
    }

    /// How many calls there were so far.
    pub fn calls(&self) -> u64 {
        self.plan().calls
    }

    /// The calls that a planned fault met, in order; those that fail as its consequence left out.
    pub fn hit(&self) -> Vec<(u64, Verb)> {
        self.plan().hit.clone()
    }

    /// Whether the process counts as killed.
    pub fn is_stopped(&self) -> bool {
        self.plan().stopped
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(&self, verb: Verb) -> Verdict {
        let number = self.calls();
        let event = self.plan().events.remove(&number);
        if let Some(event) = event {
            (event.0)();
        }
        self.plan().verdict(verb)
    }

    fn run<T>(&self, verb: Verb, call: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let verdict = self.verdict(verb);
        match verdict {
            Verdict::Works | Verdict::Halves => call(),
            Verdict::WorksThen(error) => call().and(Err(error)),
            Verdict::Fails(error) | Verdict::HalvesThen(error) => Err(error),
        }
    }
}

impl Plan {
    fn verdict(&mut self, verb: Verb) -> Verdict {
        let number = self.calls;
        self.calls += 1;
        if self.stopped {
            return Verdict::Fails(killed());
        }
        if let Some(fault) = self.faults.get(&number).copied() {
            self.hit.push((number, verb));
            return self.meet(fault);
        }
        match self.stuck {
            Some(code) if verb.is_change() => Verdict::Fails(code.error()),
            _ => Verdict::Works,
        }
    }

    fn meet(&mut self, fault: Fault) -> Verdict {
        match fault {
            Fault::Fails(code) => Verdict::Fails(code.error()),
            Fault::Sticks(code) => {
                self.stuck = Some(code);
                Verdict::Fails(code.error())
            }
            Fault::Shortens => Verdict::Halves,
            Fault::Tears(code) => Verdict::HalvesThen(code.error()),
            Fault::StopsBefore | Fault::StopsWithin | Fault::StopsAfter => {
                self.stopped = true;
                match fault {
                    Fault::StopsWithin => Verdict::HalvesThen(killed()),
                    Fault::StopsAfter => Verdict::WorksThen(killed()),
                    _ => Verdict::Fails(killed()),
                }
            }
        }
    }
}

fn killed() -> io::Error {
    io::Error::other("the process was killed")
}

fn half(bytes: &[u8]) -> &[u8] {
    bytes.get(..bytes.len().div_ceil(2)).unwrap_or_default()
}

impl Storage for FaultyStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        let file = self.run(Verb::Open, || self.inner.open(path))?;
        Ok(Box::new(FaultyFile { storage: self.clone(), file }))
    }

    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
        let verb = Verb::of_open_append(create);
        let file = self.run(verb, || self.inner.open_append(path, create))?;
        Ok(Box::new(FaultyFile { storage: self.clone(), file }))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.run(Verb::Metadata, || self.inner.metadata(path))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        self.run(Verb::LinkMetadata, || self.inner.link_metadata(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.run(Verb::List, || self.inner.list(path))
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.run(Verb::CreateDirAll, || self.inner.create_dir_all(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(Verb::Rename, || self.inner.rename(from, to))
    }

    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.run(Verb::RenameOver, || self.inner.rename_over(from, to))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.run(Verb::RemoveFile, || self.inner.remove_file(path))
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        self.run(Verb::Canonicalize, || self.inner.canonicalize(path))
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.run(Verb::SyncDir, || self.inner.sync_dir(path))
    }
}

#[derive(Debug)]
struct FaultyFile<F: ?Sized> {
    storage: FaultyStorage,
    file: Box<F>,
}

impl<F: StoredFile + ?Sized> StoredFile for FaultyFile<F> {
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let verdict = self.storage.verdict(Verb::ReadAt);
        match verdict {
            Verdict::Works => self.file.read_at(offset, buf),
            Verdict::WorksThen(error) => self.file.read_at(offset, buf).and(Err(error)),
            Verdict::Fails(error) | Verdict::HalvesThen(error) => Err(error),
            Verdict::Halves => {
                let half = buf.len().div_ceil(2);
                self.file.read_at(offset, buf.get_mut(..half).unwrap_or_default())
            }
        }
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.storage.run(Verb::FileMetadata, || self.file.metadata())
    }
}

impl AppendFile for FaultyFile<dyn AppendFile> {
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let verdict = self.storage.verdict(Verb::Append);
        match verdict {
            Verdict::Works => self.file.append(bytes),
            Verdict::WorksThen(error) => self.file.append(bytes).and(Err(error)),
            Verdict::Fails(error) => Err(error),
            Verdict::Halves => self.file.append(half(bytes)),
            Verdict::HalvesThen(error) => self.file.append(half(bytes)).and(Err(error)),
        }
    }

    fn end_of_append(&self) -> io::Result<u64> {
        self.storage.run(Verb::EndOfAppend, || self.file.end_of_append())
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.storage.run(Verb::Truncate, || self.file.truncate(len))
    }

    fn set_access(&mut self, access: &Access) -> io::Result<()> {
        self.storage.run(Verb::SetAccess, || self.file.set_access(access))
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.storage.run(Verb::SyncData, || self.file.sync_data())
    }

    fn sync_all(&mut self) -> io::Result<()> {
        self.storage.run(Verb::SyncAll, || self.file.sync_all())
    }

    fn try_lock(&mut self) -> io::Result<LockOutcome> {
        let no_locks = self.storage.plan().no_locks;
        self.storage.run(Verb::TryLock, || {
            if no_locks { Ok(LockOutcome::Unsupported) } else { self.file.try_lock() }
        })
    }

    fn unlock(&mut self) -> io::Result<()> {
        self.storage.run(Verb::Unlock, || self.file.unlock())
    }
}
