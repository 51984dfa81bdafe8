//! What a follower tells.

use std::path::PathBuf;
use std::sync::Arc;

use crate::entry::SessionHeader;
use crate::inventory::FileProblem;
use crate::problem::Problem;

use super::SessionCursor;

/// Something that happened to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowEvent {
    /// The file.
    pub path: PathBuf,
    /// The name of the store it lies in; empty where a single file is followed.
    pub store: Arc<str>,
    /// The session id; empty where a file cannot be read and is not known yet.
    pub session_id: Arc<str>,
    /// What happened.
    pub change: Change,
    /// Goes on behind this event.
    pub cursor: SessionCursor,
}

/// What happened to a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A session appeared, or came back; its entries follow.
    SessionAdded(SessionHeader),
    /// An entry is there.
    EntryAppended(Appended),
    /// The file is not what it was.
    SessionRewritten {
        /// What became of it.
        how: Rewrite,
        /// Whether the entry that was delivered last was found again. If not, every entry of the file follows, and what was delivered
        /// before is void.
        resumed: bool,
    },
    /// The file is gone, or holds another session, or none.
    SessionRemoved,
    /// A line is there that is no entry; it was passed over.
    LineSkipped(Problem),
    /// The file or a folder cannot be read; told once, until it can be read again.
    Unreadable(FileProblem),
}

/// An entry that was appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// Its JSON text, as version 3 has it.
    pub text: Vec<u8>,
    /// Where its line starts, in bytes.
    pub byte: u64,
    /// The number of its line, from 1; none where the lines before it were not read.
    pub line: Option<u64>,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rewrite {
    /// It was of version 1 or 2 and is of version 3 now.
    Migrated,
    /// Another file has its name.
    Replaced,
    /// It is shorter than what was read of it.
    Shrunk,
    /// What was read of it is not there any more.
    Rewritten,
}

impl Rewrite {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Migrated => "migrated",
            Self::Replaced => "replaced",
            Self::Shrunk => "shrunk",
            Self::Rewritten => "rewritten",
        }
    }
}
