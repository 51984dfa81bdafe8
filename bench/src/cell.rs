//! A cell of the table: one task on one corpus, and what it must answer.

use crate::corpus::{Corpus, Manifest};
use crate::op::Op;

/// What is done, and where the clock stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Task {
    /// An operation, timed inside its process.
    Inside(Op),
    /// An operation, timed as a whole process.
    Whole(Op),
    /// `jq -r .type FILE`, as a whole process.
    Jq,
    /// `logwood --version`, as a whole process.
    Version,
    /// `logwood append FILE --message TEXT` to a copy of the session, as a whole process.
    AppendOnce,
    /// The first 50 rows of `logwood list` from the catalog, as a whole process.
    Page,
}

/// One task on one corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Cell {
    pub(crate) corpus: Corpus,
    pub(crate) task: Task,
}

impl Cell {
    pub(crate) fn inside(op: Op, corpus: Corpus) -> Self {
        Self { corpus, task: Task::Inside(op) }
    }

    /// What it is called in tables.
    pub(crate) fn name(self) -> String {
        match self.task {
            Task::Inside(op) => op.name().to_owned(),
            Task::Whole(op) => format!("{} (process)", op.name()),
            Task::Jq => "jq -r .type (process)".to_owned(),
            Task::AppendOnce => "logwood append (process)".to_owned(),
            Task::Version => "logwood --version (process)".to_owned(),
            Task::Page => "logwood list --limit 50 --cached (process)".to_owned(),
        }
    }

    /// What must have been counted, where the manifest knows: a task that does less is no measurement.
    pub(crate) fn expected(self, manifest: &Manifest) -> Option<u64> {
        let total = &manifest.total;
        match self.task {
            Task::Inside(Op::WalkStat) => Some(total.files + self.corpus.strays()),
            Task::Inside(
                Op::Inventory
                | Op::InventoryTwice
                | Op::InventoryText
                | Op::Warm
                | Op::WarmTwice
                | Op::Build,
            ) => self.corpus.messages(),
            Task::Inside(Op::Newlines | Op::PerformanceOpen | Op::PerformanceSummary)
                if self.corpus.records().is_some() =>
            {
                self.corpus.records()
            }
            Task::Page => Some(50),
            // The lines of damaged files are not always lines.
            _ if !self.corpus.is_single() => None,
            Task::Inside(Op::Newlines | Op::NewlinesTwice) => Some(total.lines),
            Task::Inside(Op::Types) | Task::Whole(Op::Types) | Task::Jq => Some(total.lines),
            Task::AppendOnce => Some(total.lines + 1),
            // Each line but the header is an entry.
            Task::Inside(Op::Open | Op::Context | Op::Tree | Op::Children | Op::Fork) => {
                Some(total.lines.saturating_sub(1))
            }
            Task::Inside(Op::Branch) if self.corpus == Corpus::E100k => {
                Some(total.lines.saturating_sub(1))
            }
            _ => None,
        }
    }

    /// Whether more than one thread works.
    pub(crate) fn has_threads(self) -> bool {
        matches!(
            self.task,
            Task::Inside(
                Op::InventoryTwice
                    | Op::NewlinesTwice
                    | Op::WarmTwice
                    | Op::Grown
                    | Op::Build
                    | Op::Branch
                    | Op::Fork
            )
        )
    }

    /// Whether a quick run leaves it out.
    pub(crate) fn is_long(self) -> bool {
        self.corpus.is_huge() || matches!(self.task, Task::Inside(op) if op.is_long())
    }
}
