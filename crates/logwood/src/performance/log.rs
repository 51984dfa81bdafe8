//! One log: read it, and record an answer in it (spec 9.3).

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::env::{Clock, SystemClock};
use crate::error::{Error, Result};
use crate::json::iso_from_ms;
use crate::line::LineReader;
use crate::storage::{
    AppendFile, Create, Durability, FileId, LocalStorage, LockFile, Sequential, Storage,
    append_whole, create_dir_all_synced, read_full,
};

use super::data::{Collector, Performance};
use super::draft::{PerformanceDraft, Unrecorded};
use super::prune::Pruned;
use super::record::PerformanceRecord;

pub(super) const RECORD: &str = "cannot record performance";

/// A performance log, by its path; opened when it is needed.
///
/// ```
/// use logwood::performance::{PerformanceDraft, PerformanceLog};
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let mut log = PerformanceLog::new("/agent/performance.jsonl").storage(Arc::new(MemoryStorage::new()));
/// for tokens in [100.0, 300.0] {
///     log.record(&PerformanceDraft {
///         session_id: "s".into(),
///         provider: "anthropic".into(),
///         model_id: "claude-sonnet-4".into(),
///         output_tokens: tokens,
///         duration_ms: 4000.0,
///         ..PerformanceDraft::default()
///     })?;
/// }
/// let said = log.read()?;
/// let rolling = said.models().first().map(|model| model.rolling());
/// assert_eq!(rolling.map(|rolling| (rolling.median, rolling.count)), Some((50.0, 2)));
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug)]
pub struct PerformanceLog {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) path: PathBuf,
    writer: Option<Writer>,
    /// When it is looked next whether there are old records, in milliseconds since 1970.
    pub(super) next_look_ms: Option<i64>,
    /// How long a record waits for the lock, and pruning.
    pub(super) record_wait: Duration,
    pub(super) prune_wait: Duration,
}

/// The file, open since the first record.
#[derive(Debug)]
struct Writer {
    file: Box<dyn AppendFile>,
    identity: Option<FileId>,
    /// Where our last line ended: a file that ends there ends with a line end.
    end: u64,
}

/// What came of an answer.
#[derive(Debug)]
#[must_use]
pub enum Recording {
    /// It is in the log. Once a day, what is older than 30 days goes before; none where that was not due, or could not be done now.
    Recorded(Option<Pruned>),
    /// It is not.
    Left(Unrecorded),
}

impl PerformanceLog {
    /// The log at `path`; [`AgentDir::performance_log`](crate::location::AgentDir::performance_log) knows where a program has it.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            storage: Arc::new(LocalStorage),
            clock: Arc::new(SystemClock),
            path: path.into(),
            writer: None,
            next_look_ms: None,
            record_wait: LockFile::APPEND_WAIT,
            prune_wait: LockFile::PRUNE_WAIT,
        }
    }

    /// Uses another storage than the disk.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// Uses another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// How long a record waits for the lock and how long pruning does, where a second and five, as in dreb, are too long (F-31).
    #[must_use]
    pub fn lock_waits(self, record: Duration, prune: Duration) -> Self {
        Self { record_wait: record, prune_wait: prune, ..self }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads all of it as it is now, without its lock; a file that is not there is an empty log.
    ///
    /// # Errors
    /// `permission`, `not_a_file`, `io` when it cannot be read.
    pub fn read(&self) -> Result<Performance> {
        self.read_where(|_| true)
    }

    /// As [`read`](Self::read), but only what `wanted` takes.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_where(
        &self,
        mut wanted: impl FnMut(&PerformanceRecord<'_>) -> bool,
    ) -> Result<Performance> {
        let io = |error| Error::io("cannot read performance log", &self.path, error);
        let mut file = match self.storage.open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Performance::default());
            }
            file => file.map_err(io)?,
        };
        let mut lines = LineReader::new(Sequential::new(&mut *file));
        let mut collector = Collector::default();
        while let Some(line) = lines.next_line().map_err(io)? {
            collector.line(line, &mut wanted);
        }
        Ok(collector.finish())
    }

    /// Puts an answer into the log, if it is worth a record: one line, in one write, under the lock that dreb takes. A missing line end
    /// before it is put in too (F-31). Where another has the lock all the time
    /// (a second, see [`lock_waits`](Self::lock_waits)), the answer is left out.
    ///
    /// # Errors
    /// `invalid_argument` for numbers and times that are none; `permission`, `no_space`, `read_only`, `io`: then nothing was written.
    #[doc(alias = "recordPerformance")]
    pub fn record(&mut self, answer: &PerformanceDraft) -> Result<Recording> {
        if let Some(why) = answer.unrecorded() {
            return Ok(Recording::Left(why));
        }
        let now = self.clock.now_ms();
        let line = answer.line(&iso_from_ms(now).unwrap_or_default())?;
        let pruned = self.prune_when_due(now);
        if !self.append(&line).map_err(|error| Error::io(RECORD, &self.path, error))? {
            return Ok(Recording::Left(Unrecorded::Locked));
        }
        Ok(Recording::Recorded(pruned))
    }

    /// False where the lock was not to be had.
    fn append(&mut self, line: &[u8]) -> io::Result<bool> {
        let storage = Arc::clone(&self.storage);
        let take = || LockFile::acquire(&*storage, &self.path, self.record_wait, &*self.clock);
        let lock = match (take(), self.path.parent()) {
            (Err(error), Some(dir)) if error.kind() == io::ErrorKind::NotFound => {
                create_dir_all_synced(&*storage, dir)?;
                take()?
            }
            (lock, _) => lock?,
        };
        let Some(_lock) = lock else { return Ok(false) };
        let (writer, len) = current(&mut self.writer, &*storage, &self.path)?;
        let fence: &[u8] = if writer.ends_a_line(len)? { b"" } else { b"\n" };
        let bytes = [fence, line].concat();
        append_whole(&mut *writer.file, len, &bytes, Durability::Buffered)?;
        writer.end = len + bytes.len() as u64;
        Ok(true)
    }
}

/// The file that has the name now, and its length: pruning puts another one in its place.
fn current<'a>(
    writer: &'a mut Option<Writer>,
    storage: &dyn Storage,
    path: &Path,
) -> io::Result<(&'a mut Writer, u64)> {
    if let Some(open) = writer.take_if(|open| open.identity.is_some()) {
        match storage.metadata(path) {
            Ok(named) if named.identity == open.identity => {
                return Ok((writer.insert(open), named.len));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    let file = storage.open_append(path, Create::IfMissing)?;
    let metadata = file.metadata()?;
    let open = Writer { file, identity: metadata.identity, end: 0 };
    Ok((writer.insert(open), metadata.len))
}

impl Writer {
    /// Whether the file of this length is empty or ends with a line end.
    fn ends_a_line(&mut self, len: u64) -> io::Result<bool> {
        if len == self.end {
            return Ok(true);
        }
        let mut last = [0];
        let count = read_full(&mut *self.file, len.saturating_sub(1), &mut last)?;
        Ok(count == 0 || last == *b"\n")
    }
}
