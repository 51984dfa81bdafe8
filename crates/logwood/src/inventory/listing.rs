use std::io;
use std::path::{Path, PathBuf};

use crate::error::ErrorKind;
use crate::problem::ProblemKind;

use super::SessionInfo;

/// What a listing gives: rows in order, and what it could not read; nothing is missing without a word.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// The sessions, most recent activity first, ties by path.
    pub sessions: Vec<SessionInfo>,
    /// Files and folders that could not be read or are no sessions, by path.
    pub problems: Vec<FileProblem>,
    /// Whether the caller stopped it, so that rows may be missing.
    pub cancelled: bool,
}

impl Listing {
    /// Takes the rows and problems of another listing in, in order.
    pub fn join(&mut self, other: Listing, now_ms: Option<i64>) {
        self.sessions.extend(other.sessions);
        self.problems.extend(other.problems);
        self.cancelled |= other.cancelled;
        self.sort(now_ms);
    }

    /// The most recent activity first, ties by path; problems by path.
    fn sort(&mut self, now_ms: Option<i64>) {
        let time = |row: &SessionInfo| row.sort_ms(now_ms);
        self.sessions.sort_by(|a, b| time(b).cmp(&time(a)).then_with(|| a.path.cmp(&b.path)));
        self.problems.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// A file or folder of a listing that gives no row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileProblem {
    /// The file or folder.
    pub path: PathBuf,
    /// `unreadable_file`, `header_corrupt`, `not_a_session` or `empty_file`.
    pub kind: ProblemKind,
    /// What kind of error it would be to open it.
    pub error: ErrorKind,
    /// Why, in words.
    pub why: String,
}

impl FileProblem {
    /// A file or folder that the system does not let be read.
    pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Self {
        Self {
            path: path.to_path_buf(),
            kind: ProblemKind::UnreadableFile,
            error: ErrorKind::of_io(error),
            why: error.to_string(),
        }
    }
}

impl FileProblem {
    /// Whether a session may be missing for it; an empty file or another program's log hides none.
    pub fn hides_sessions(&self) -> bool {
        matches!(self.kind, ProblemKind::UnreadableFile | ProblemKind::HeaderCorrupt)
    }
}

/// How far a listing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress<'a> {
    /// Files that are done, good or bad.
    pub loaded: usize,
    /// All files; the same from the first call to the last.
    pub total: usize,
    /// The row of the file that was just done, where it gives one: the listing so far, in no order. A file that is reached by two
    /// paths comes twice here and once in the [`Listing`].
    pub session: Option<&'a SessionInfo>,
}
