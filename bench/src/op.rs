//! The operations that can be measured, by name.

use std::path::{Path, PathBuf};

use logwood::session::Durability;

use crate::clock::Time;
use crate::{Fault, catalog, library, limits, performance, store, writing};

/// One thing to measure; its name is the word on the command line of the child.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Op {
    /// NL: reads in blocks of 256 KiB and counts newlines.
    Newlines,
    /// NL with two threads.
    NewlinesTwice,
    /// WS: walks a tree and asks for the metadata of each file.
    WalkStat,
    /// One `write` of 700 bytes on a kept descriptor.
    WriteKept,
    /// Open, write 700 bytes, close.
    WriteOpen,
    /// Lock, metadata of descriptor and path, write, unlock.
    WriteLocked,
    /// Write and `fdatasync`.
    WriteSynced,
    /// Create a lock file, open, write, close, remove the lock file.
    WriteLockFile,
    /// Unlinks a thousand files of one folder.
    Unlink,
    /// Opens a session.
    Open,
    /// Opens a session and builds its context.
    Context,
    /// The whole tree of an open session, siblings in order.
    Tree,
    /// The children of every entry of an open session.
    Children,
    /// The member `type` of each line, to /dev/null.
    Types,
    /// Lists every session of a store.
    Inventory,
    /// Lists with two threads.
    InventoryTwice,
    /// Lists and keeps the text of all messages.
    InventoryText,
    /// Lists with a catalog that knows every file.
    Warm,
    /// The same with two threads.
    WarmTwice,
    /// Lists with a catalog after one file grew by 10 MB, with two threads.
    Grown,
    /// Lists with two threads and makes the catalog.
    Build,
    /// Finds the session of a project that changed last.
    Recent,
    /// Appends entries of 700 bytes to a session that is held open.
    Append,
    /// Appends so that each entry is on the disk.
    AppendSynced,
    /// Appends a million entries and times a tenth of them.
    Growth(Part),
    /// The same in a session without an answer, which has no file yet.
    GrowthUnanswered(Part),
    /// Makes a branch of an open session a session of its own.
    Branch,
    /// Copies a session into another project.
    Fork,
    /// Reads a performance log.
    PerformanceOpen,
    /// The figures of every model of a log that was read.
    PerformanceSummary,
    /// Records answers in a log.
    PerformanceRecord,
    /// Deletes a thousand sessions of one folder where there is no trash.
    Delete,
}

/// A tenth of many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    First,
    Last,
}

/// What an operation did, and how long it took.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) time: Time,
    /// Lines, files, entries or writes: what there was to do.
    pub(crate) count: u64,
    /// Bytes that the operation holds because it was asked to, such as those of a context.
    pub(crate) held: u64,
}

impl Outcome {
    pub(crate) fn new(time: Time, count: u64) -> Self {
        Self { time, count, held: 0 }
    }
}

impl Op {
    pub(crate) const ALL: [Self; 34] = [
        Self::Newlines,
        Self::NewlinesTwice,
        Self::WalkStat,
        Self::WriteKept,
        Self::WriteOpen,
        Self::WriteLocked,
        Self::WriteSynced,
        Self::WriteLockFile,
        Self::Unlink,
        Self::Open,
        Self::Context,
        Self::Tree,
        Self::Children,
        Self::Types,
        Self::Inventory,
        Self::InventoryTwice,
        Self::InventoryText,
        Self::Warm,
        Self::WarmTwice,
        Self::Grown,
        Self::Build,
        Self::Recent,
        Self::Append,
        Self::AppendSynced,
        Self::Growth(Part::First),
        Self::Growth(Part::Last),
        Self::GrowthUnanswered(Part::First),
        Self::GrowthUnanswered(Part::Last),
        Self::Branch,
        Self::Fork,
        Self::PerformanceOpen,
        Self::PerformanceSummary,
        Self::PerformanceRecord,
        Self::Delete,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Newlines => "newlines",
            Self::NewlinesTwice => "newlines-2-threads",
            Self::WalkStat => "walk-stat",
            Self::WriteKept => "write-kept",
            Self::WriteOpen => "write-open-close",
            Self::WriteLocked => "write-locked",
            Self::WriteSynced => "write-fdatasync",
            Self::WriteLockFile => "write-lock-file",
            Self::Unlink => "unlink",
            Self::Open => "open",
            Self::Context => "open-context",
            Self::Tree => "tree",
            Self::Children => "children",
            Self::Types => "types",
            Self::Inventory => "inventory",
            Self::InventoryTwice => "inventory-2-threads",
            Self::InventoryText => "inventory-text",
            Self::Warm => "list-warm",
            Self::WarmTwice => "list-warm-2-threads",
            Self::Grown => "list-grown-2-threads",
            Self::Build => "catalog-build",
            Self::Recent => "most-recent",
            Self::Append => "append",
            Self::AppendSynced => "append-synced",
            Self::Growth(Part::First) => "append-first-tenth",
            Self::Growth(Part::Last) => "append-last-tenth",
            Self::GrowthUnanswered(Part::First) => "append-unanswered-first-tenth",
            Self::GrowthUnanswered(Part::Last) => "append-unanswered-last-tenth",
            Self::Branch => "branch",
            Self::Fork => "fork",
            Self::PerformanceOpen => "performance-open",
            Self::PerformanceSummary => "performance-summary",
            Self::PerformanceRecord => "performance-record",
            Self::Delete => "delete",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Whether this is what the machine can do, and nothing of logwood's.
    pub(crate) fn is_limit(self) -> bool {
        self < Self::Open
    }

    /// Whether it takes too long for a quick run.
    pub(crate) fn is_long(self) -> bool {
        matches!(self, Self::Growth(_) | Self::GrowthUnanswered(_))
    }

    /// Does it once.
    pub(crate) fn run(self, path: &Path) -> Result<Outcome, Fault> {
        match self {
            Self::Newlines => limits::newlines(path, 1),
            Self::NewlinesTwice => limits::newlines(path, 2),
            Self::WalkStat => limits::walk_stat(path),
            Self::WriteKept => limits::write_kept(path),
            Self::WriteOpen => limits::write_open(path),
            Self::WriteLocked => limits::write_locked(path),
            Self::WriteSynced => limits::write_synced(path),
            Self::WriteLockFile => limits::write_lock_file(path),
            Self::Unlink => writing::unlink(path),
            Self::Open => library::open(path),
            Self::Context => library::context(path),
            Self::Tree => library::tree(path),
            Self::Children => library::children(path),
            Self::Types => library::types(path),
            Self::Inventory => store::inventory(path, 1),
            Self::InventoryTwice => store::inventory(path, 2),
            Self::InventoryText => store::inventory_text(path),
            Self::Warm => catalog::warm(path, 1),
            Self::WarmTwice => catalog::warm(path, 2),
            Self::Grown => catalog::grown(path, &sibling(path, "C10")?, 2),
            Self::Build => catalog::build(path),
            Self::Recent => store::most_recent(path),
            Self::Append => writing::append(path, Durability::Buffered),
            Self::AppendSynced => writing::append(path, Durability::Synced),
            Self::Growth(part) => writing::growth(path, "assistant", part),
            Self::GrowthUnanswered(part) => writing::growth(path, "user", part),
            Self::Branch => writing::branch(path, &beside(path)),
            Self::Fork => writing::fork(path, &beside(path)),
            Self::PerformanceOpen => performance::open(path),
            Self::PerformanceSummary => performance::summary(path),
            Self::PerformanceRecord => performance::record(path),
            Self::Delete => writing::delete(path),
        }
    }
}

/// The file of another corpus, kept beside this one.
fn sibling(path: &Path, name: &str) -> Result<PathBuf, Fault> {
    let start = format!("{name}-");
    for folder in std::fs::read_dir(beside(path))? {
        let folder = folder?;
        if folder.file_name().to_string_lossy().starts_with(&start)
            && let Some(file) = limits::session_files(&folder.path())?.into_iter().next()
        {
            return Ok(file);
        }
    }
    Err(format!("no corpus {name} beside {}", path.display()).into())
}

/// The folder of a corpus's file, where copies of it go.
fn beside(path: &Path) -> PathBuf {
    path.parent().map(Path::to_path_buf).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_found_by_its_name_and_has_its_own() {
        for op in Op::ALL {
            assert_eq!(Op::named(op.name()), Some(op));
        }
        assert_eq!(Op::named("nothing"), None);
    }
}
