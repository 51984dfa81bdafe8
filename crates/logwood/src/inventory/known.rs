//! The seam for a memory of files: what a listing need not read again.

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use crate::error::ErrorKind;
use crate::storage::{Metadata, whole_ms};

use super::{Facts, Place};

/// Remembers what files said, so that a listing reads only what changed. `logwood-catalog` has one on disk.
///
/// A listing asks once for all that is known, compares each file's metadata, reads what is new and hands it back. Nothing here may
/// fail: what cannot be remembered is read again.
pub trait KnownFiles: Debug + Sync {
    /// What is known of the files in the folders of these places, folders that are gone included; each folder at most once.
    fn recall(&self, places: &[Place]) -> Vec<KnownFolder>;

    /// Where reading of a file stopped, as it was kept.
    fn checkpoint(&self, path: &Path) -> Option<Vec<u8>>;

    /// Keeps what a file said; called from any thread.
    fn keep(&self, path: &Path, news: News);

    /// The file with this name is not in the folder any more.
    fn forget(&self, dir: &Path, name: &OsStr);

    /// The folder is not there any more.
    fn forget_folder(&self, dir: &Path);

    /// Every file of these places was looked at, and what was new was kept.
    fn complete(&self, places: &[Place]);

    /// The time in milliseconds since 1970.
    fn now_ms(&self) -> i64;
}

/// What is known of the files of one folder.
#[derive(Debug, Clone, Default)]
pub struct KnownFolder {
    /// The folder, as a listing names it.
    pub dir: PathBuf,
    /// Its files, in the order of the bytes of their names.
    pub files: Vec<(OsString, KnownFile)>,
}

/// What is known of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownFile {
    /// The state of the file that it holds for.
    pub key: FileKey,
    /// Whether a later change must show in the key. If not, the file is read again.
    pub settled: bool,
    /// What it said: a session's facts, or why it is none (`empty_file`, `not_a_session`, `header_corrupt`).
    pub verdict: Result<Box<Facts>, ErrorKind>,
}

/// What a listing just read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// What to remember.
    pub file: KnownFile,
    /// Where reading stopped, for [`KnownFiles::checkpoint`]; none where the file cannot be continued.
    pub checkpoint: Option<Vec<u8>>,
    /// Whether the file is what it was, with lines added: everything that was derived from the earlier lines still holds.
    pub grown: bool,
}

/// By which it is told whether a file changed: size, time, number and access of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileKey {
    /// Length in bytes.
    pub size: u64,
    /// Time of the last change, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// The number of the file on its device; 0 where the system has none. The device is left out: its number may change with each start.
    pub inode: u64,
    /// Mode and owner in one number: a file that may not be read any more is no row.
    pub access: u64,
}

impl FileKey {
    /// That of a file as it is.
    pub fn of(metadata: &Metadata) -> Self {
        let (user, group) = metadata.access.owner.unwrap_or_default();
        let owner = u64::from(user) ^ u64::from(group).rotate_left(20);
        Self {
            size: metadata.len,
            modified_ns: metadata.modified_ns,
            inode: metadata.identity.map_or(0, |identity| identity.inode),
            access: u64::from(metadata.access.mode) | owner << 12,
        }
    }

    /// The time of the last change in whole milliseconds, as [`Metadata::modified_ms`] has it.
    pub fn modified_ms(&self) -> i64 {
        whole_ms(self.modified_ns)
    }

    /// Whether a change after `now_ms` must give another time: file systems count time in ticks of some milliseconds, or of up to two
    /// seconds where they keep no fractions. A time far ahead of the clock was set by hand, and a change would take it back.
    pub fn is_settled(&self, now_ms: i64) -> bool {
        let tick = if self.modified_ns % 1_000_000_000 == 0 { 2100 } else { 30 };
        let age = now_ms.saturating_sub(self.modified_ms());
        age > tick || age < -super::info::DAY_MS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_settled_once_the_next_change_shows_in_its_time() {
        let key = |modified_ns| FileKey { size: 0, modified_ns, inode: 0, access: 0 };
        let fine = key(1_000_000_000_001);
        assert!(!fine.is_settled(1_000_000) && !fine.is_settled(1_000_030));
        assert!(fine.is_settled(1_000_031) && !fine.is_settled(999_000));
        let coarse = key(1_000_000_000_000);
        assert!(!coarse.is_settled(1_002_100) && coarse.is_settled(1_002_101));
        assert!(key(9_000_000_000_000_001).is_settled(1_000_000), "set by hand");
    }
}
