//! What a search answers.

use std::path::PathBuf;
use std::sync::Arc;

use logwood::inventory::FileProblem;

use super::Snippet;
use crate::text::Field;

/// One entry, or one session, in which everything that was asked was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// The session's file.
    pub path: PathBuf,
    /// The store it lies in.
    pub store: Arc<str>,
    /// The session id.
    pub session_id: String,
    /// The working directory of the session.
    pub cwd: String,
    /// The display name of the session.
    pub session_name: Option<String>,
    /// The entry; none where the session's header was found, or an entry without id.
    pub entry_id: Option<String>,
    /// The entry at which to open the session: the entry itself, for a label the entry that has it; none for the session as it is.
    pub open_at: Option<String>,
    /// The line in the file, from 1.
    pub line: u64,
    /// When the entry was written, in milliseconds since 1970.
    pub time_ms: Option<i64>,
    /// The part of the entry that shows best what was found.
    pub field: Field,
    /// A short part of it.
    pub snippet: Snippet,
    /// How good the hit is; more is better (doc/search.md).
    pub score: i64,
    /// Where in the session it lies; none for the session itself.
    pub branch: Option<Branch>,
}

/// Where an entry lies, seen from the current position of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Branch {
    /// On the current branch.
    Current,
    /// On a branch that was left.
    Abandoned,
    /// On the current branch, in front of what a compaction kept: the model does not see it any more.
    Compacted,
}

impl Branch {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Abandoned => "abandoned",
            Self::Compacted => "compacted",
        }
    }
}

/// The answer to a search.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// The best hits, best first, as many as were wanted.
    pub hits: Vec<Hit>,
    /// How many hits there are in all.
    pub total: u64,
    /// How many sessions have one.
    pub sessions: u64,
    /// How many entries may be hits too: they hold long output of which only head and tail were searched.
    pub cut: u64,
    /// Files that could not be read.
    pub problems: Vec<FileProblem>,
    /// Whether the caller stopped it, so that hits may be missing.
    pub cancelled: bool,
}
