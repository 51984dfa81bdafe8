//! What is older than 30 days goes: into a new file, which then takes the place of the old one (spec 9.4).

use std::io::{self, Write};
use std::time::Duration;

use crate::error::{Error, ErrorKind, Result};
use crate::line::LineReader;
use crate::storage::{LockFile, Replacement, Sequential, StoredFile};

use super::log::PerformanceLog;
use super::record::PerformanceRecord;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;
/// How long a record is kept, in milliseconds.
const KEPT_MS: i64 = 30 * DAY_MS;
/// Where the first record of a log is looked for, in bytes.
const START: usize = 64 * 1024;
/// How often it is begun anew while programs that take no lock append.
const TRIES: u32 = 5;

const WHAT: &str = "cannot prune performance log";

/// What stays of a log, and what goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pruned {
    /// Records that stay, byte for byte.
    pub kept: u64,
    /// Records that are older than 30 days.
    pub old: u64,
    /// Lines that are no records: nobody can tell how old they are, and dreb takes them out too.
    pub unusable: u64,
}

impl Pruned {
    /// Whether anything goes.
    pub fn is_change(&self) -> bool {
        self.old + self.unusable > 0
    }
}

impl PerformanceLog {
    /// How long a record is kept, in days.
    pub const DAYS: i64 = KEPT_MS / DAY_MS;

    /// What [`prune`](Self::prune) would do now. Nothing is changed, and no lock taken.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn plan_prune(&self) -> Result<Pruned> {
        match self.storage.open(&self.path) {
            Ok(mut file) => sift(&mut *file, self.oldest_kept(), &mut io::sink())
                .map(|(pruned, _)| pruned)
                .map_err(|error| self.failed(error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Pruned::default()),
            Err(error) => Err(self.failed(error)),
        }
    }

    /// Takes out records older than 30 days and lines that are no records; every other line stays byte for byte. The lock that dreb
    /// takes is held meanwhile. Where nothing is to go, nothing is written; where nothing stays, the file is empty and not removed.
    ///
    /// # Errors
    /// `locked` when another process held the lock for 5 seconds; `changed_on_disk` when a program that takes no lock wrote all the
    /// time; `permission`, `no_space`, `read_only`, `io`. The log then stands as it stood.
    pub fn prune(&self) -> Result<Pruned> {
        self.prune_within(self.prune_wait)
    }

    fn prune_within(&self, wait: Duration) -> Result<Pruned> {
        let planned = self.plan_prune()?;
        if !planned.is_change() {
            return Ok(planned);
        }
        let lock = LockFile::acquire(&*self.storage, &self.path, wait, &*self.clock)
            .map_err(|error| self.failed(error))?;
        let Some(lock) = lock else {
            let why = format!("another process has held its lock for {} seconds", wait.as_secs());
            return Err(self.refused(ErrorKind::Locked, &why));
        };
        for _ in 0..TRIES {
            if let Some(pruned) = self.replace(&lock).map_err(|error| self.failed(error))? {
                return Ok(pruned);
            }
        }
        Err(self
            .refused(ErrorKind::ChangedOnDisk, "another program writes without taking its lock"))
    }

    /// Prunes once a day, as far as that can be told: at the first record when the log begins a day before what is kept, so that a
    /// short run does not do what the one before just did; later every 24 hours. What fails now is done the next day.
    pub(super) fn prune_when_due(&mut self, now: i64) -> Option<Pruned> {
        let slack = match self.next_look_ms {
            Some(next) if now < next => return None,
            Some(_) => 0,
            None => DAY_MS,
        };
        self.next_look_ms = Some(now.saturating_add(DAY_MS));
        let first = self.first_ms()?;
        let is_due = first < now.saturating_sub(KEPT_MS).saturating_sub(slack);
        // The record that waits for this is worth more.
        is_due
            .then(|| self.prune_within(self.record_wait / 10).ok())
            .flatten()
            .filter(Pruned::is_change)
    }

    /// The time of the first record, if there is one at the start.
    fn first_ms(&self) -> Option<i64> {
        let mut file = self.storage.open(&self.path).ok()?;
        let start = io::Read::take(Sequential::new(&mut *file), START as u64);
        let mut lines = LineReader::with_block(start, 4096);
        while let Some(line) = lines.next_line().ok()? {
            if let Ok(Some(record)) = PerformanceRecord::parse(line.bytes) {
                return Some(record.time_ms);
            }
        }
        None
    }

    fn oldest_kept(&self) -> i64 {
        self.clock.now_ms().saturating_sub(KEPT_MS)
    }

    /// None where the log changed meanwhile, so that this must be done anew.
    fn replace(&self, lock: &LockFile<'_>) -> io::Result<Option<Pruned>> {
        let mut old = self.storage.open(&self.path)?;
        let before = old.metadata()?.identity;
        let mut new = Replacement::of(&self.path, &*self.storage)?;
        let (pruned, read) = sift(&mut *old, self.oldest_kept(), &mut new)?;
        new.prepare()?;
        let now = self.storage.metadata(&self.path)?;
        if now.len != read || now.identity != before {
            return Ok(None);
        }
        if !lock.is_held() {
            return Err(io::Error::other("another process took the lock away"));
        }
        if pruned.is_change() {
            // What a power cut may bring back is the old log, which is pruned the next day.
            let _ = new.commit()?;
        }
        Ok(Some(pruned))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::io(WHAT, &self.path, error)
    }

    fn refused(&self, kind: ErrorKind, why: &str) -> Error {
        Error::new(kind, WHAT).with_path(&self.path).with_why(why)
    }
}

/// Writes the lines that stay, as they are, each with a line end. Says what goes, and how many bytes were read.
fn sift(
    file: &mut dyn StoredFile,
    oldest_kept: i64,
    out: &mut dyn Write,
) -> io::Result<(Pruned, u64)> {
    let (mut pruned, mut read) = (Pruned::default(), 0);
    let mut lines = LineReader::new(Sequential::new(file));
    while let Some(line) = lines.next_line()? {
        read = line.position.byte + line.bytes.len() as u64 + u64::from(line.complete);
        match PerformanceRecord::parse(line.bytes) {
            Ok(Some(record)) if record.time_ms >= oldest_kept => {
                pruned.kept += 1;
                out.write_all(line.bytes)?;
                out.write_all(b"\n")?;
            }
            Ok(Some(_)) => pruned.old += 1,
            Ok(None) => {}
            Err(_) => pruned.unusable += 1,
        }
    }
    Ok((pruned, read))
}
