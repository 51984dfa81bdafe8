//! The lock of the performance log: a file beside it, created exclusively (spec 9.3). dreb takes the same one.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use crate::env::{Clock, IdSource, RandomIds};

use super::contract::{AppendFile, Create, Storage};
use super::metadata::Metadata;

const RETRY: Duration = Duration::from_millis(10);
/// A lock older than this, in milliseconds, belongs to nobody any more.
const STALE_MS: i64 = 5 * 60 * 1000;

/// A lock file that is ours until this is dropped.
///
/// Unlike dreb, logwood removes a lock only while it is its own, and takes exactly the stale one away, never a fresh one that
/// another just put in its place (F-31).
#[derive(Debug)]
pub struct LockFile<'a> {
    storage: &'a dyn Storage,
    path: PathBuf,
    file: Box<dyn AppendFile>,
}

impl<'a> LockFile<'a> {
    /// How long the append of a record waits (spec 9.3).
    pub const APPEND_WAIT: Duration = Duration::from_millis(1000);
    /// How long pruning waits (spec 9.3).
    pub const PRUNE_WAIT: Duration = Duration::from_millis(5000);

    /// Takes the lock of the file at `path`, which is `path` with `.lock` behind it, trying every 10 ms for as long as `wait`. A lock
    /// left behind for more than 5 minutes is taken away. None when another had the lock all the time.
    ///
    /// # Errors
    /// The system's; `NotFound` when the directory is missing.
    pub fn acquire(
        storage: &'a dyn Storage,
        path: &Path,
        wait: Duration,
        clock: &dyn Clock,
    ) -> io::Result<Option<Self>> {
        let path = with_ending(path, ".lock");
        let start = Instant::now();
        let mut took_away = false;
        loop {
            match storage.open_append(&path, Create::Exclusive) {
                Ok(file) => return Ok(Some(Self { storage, path, file })),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
            if !took_away && take_stale_away(storage, &path, clock.now_ms())? {
                took_away = true;
                continue;
            }
            let left = wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            thread::sleep(RETRY.min(left));
        }
    }
}

impl LockFile<'_> {
    /// Whether the lock is still ours: who holds one for 5 minutes may find it taken away.
    pub fn is_held(&self) -> bool {
        let ours = self.file.metadata().ok().map(|metadata| metadata.identity);
        let named = self.storage.link_metadata(&self.path).ok().map(|metadata| metadata.identity);
        ours.is_some() && ours == named
    }
}

impl Drop for LockFile<'_> {
    fn drop(&mut self) {
        if self.is_held() {
            // A lock that cannot be removed is stale in 5 minutes.
            let _ = self.storage.remove_file(&self.path);
        }
    }
}

/// Whether a stale lock was there and is gone. It is renamed before it is removed, so that it can be looked at once more.
fn take_stale_away(storage: &dyn Storage, path: &Path, now_ms: i64) -> io::Result<bool> {
    let Some(stale) = absent_or(storage.link_metadata(path))? else { return Ok(true) };
    if now_ms.saturating_sub(stale.modified_ms()) <= STALE_MS {
        return Ok(false);
    }
    let aside = with_ending(path, &format!(".{}", RandomIds.new_uuid()));
    if absent_or(storage.rename(path, &aside))?.is_none() {
        return Ok(true);
    }
    let taken = absent_or(storage.link_metadata(&aside))?;
    let is_stale = taken.is_some_and(|taken| is_same(&taken, &stale));
    if is_stale || storage.rename(&aside, path).is_err() {
        storage.remove_file(&aside)?;
    }
    Ok(true)
}

/// The number of a removed file goes to the next one at once, so the time counts too.
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.identity == b.identity && a.modified_ns == b.modified_ns
}

fn absent_or<T>(outcome: io::Result<T>) -> io::Result<Option<T>> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = OsString::from(path);
    path.push(ending);
    path.into()
}
