//! Survivable findings, with position and what was done about them.
//!
//! Reading never fails because of content (invariant 3 of ARCHITECTURE.md): it returns the value and its problems.

use crate::line::{LineRef, Position};

/// The kinds of finding (design section 5); the words never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant is described by `ProblemKind::describe`")]
pub enum ProblemKind {
    MalformedLine,
    TornTail,
    MissingFinalNewline,
    NulBytes,
    InvalidUtf8,
    Bom,
    LoneSurrogate,
    NotAnEntry,
    MissingId,
    DuplicateId,
    DuplicateHeader,
    HeaderNotFirst,
    OrphanParent,
    Cycle,
    DanglingFirstKept,
    DanglingLabelTarget,
    UnpairedToolCall,
    UnpairedToolResult,
    InvalidTimestamp,
    FutureTimestamp,
    NewerVersion,
    ForeignAppend,
    OpenElsewhere,
    NoLock,
    CwdMissing,
    UnreadableFile,
    HeaderCorrupt,
    NotASession,
    EmptyFile,
}

impl ProblemKind {
    /// Every kind, in the order of design section 5 (`no_lock` is an addition, see doc/design/durability.md).
    pub const ALL: [Self; 29] = [
        Self::MalformedLine,
        Self::TornTail,
        Self::MissingFinalNewline,
        Self::NulBytes,
        Self::InvalidUtf8,
        Self::Bom,
        Self::LoneSurrogate,
        Self::NotAnEntry,
        Self::MissingId,
        Self::DuplicateId,
        Self::DuplicateHeader,
        Self::HeaderNotFirst,
        Self::OrphanParent,
        Self::Cycle,
        Self::DanglingFirstKept,
        Self::DanglingLabelTarget,
        Self::UnpairedToolCall,
        Self::UnpairedToolResult,
        Self::InvalidTimestamp,
        Self::FutureTimestamp,
        Self::NewerVersion,
        Self::ForeignAppend,
        Self::OpenElsewhere,
        Self::NoLock,
        Self::CwdMissing,
        Self::UnreadableFile,
        Self::HeaderCorrupt,
        Self::NotASession,
        Self::EmptyFile,
    ];

    /// The stable word, as the line protocol and `--json` show it.
    pub fn as_str(self) -> &'static str {
        self.words().0
    }

    /// What this kind of finding means and what logwood does about it, in one sentence.
    pub fn describe(self) -> &'static str {
        self.words().1
    }

    /// What a line that is not JSON is called.
    pub(crate) fn of_bad_line(line: LineRef<'_>) -> Self {
        match (memchr::memchr(0, line.bytes).is_some(), line.complete) {
            (true, _) => Self::NulBytes,
            (false, true) => Self::MalformedLine,
            (false, false) => Self::TornTail,
        }
    }

    /// Whether `check` treats each of them as a note: worth knowing, but no fault (exit status 0); see [`Problem::is_note`] too.
    pub fn is_note(self) -> bool {
        matches!(
            self,
            Self::Bom | Self::MissingFinalNewline | Self::LoneSurrogate | Self::NewerVersion
        )
    }

    #[expect(clippy::too_many_lines, reason = "one table, a row for each kind")]
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::MalformedLine => {
                ("malformed_line", "the line is not JSON; it is skipped and stays in the file")
            }
            Self::TornTail => (
                "torn_tail",
                "the last line was cut off while it was written; it is skipped, and the next append starts a line of its own",
            ),
            Self::MissingFinalNewline => (
                "missing_final_newline",
                "the last line is whole but has no line end; the next append writes it first",
            ),
            Self::NulBytes => (
                "nul_bytes",
                "the line holds NUL bytes, as a power loss leaves them; it is skipped and stays in the file",
            ),
            Self::InvalidUtf8 => (
                "invalid_utf8",
                "the line has bytes that are not UTF-8; they show as U+FFFD and stay as they are in the file",
            ),
            Self::Bom => ("bom", "the line starts with a byte order mark; it is ignored and kept"),
            Self::LoneSurrogate => (
                "lone_surrogate",
                "a string holds half of a character, as JavaScript writes it; it shows as U+FFFD and stays as it is in the file",
            ),
            Self::NotAnEntry => (
                "not_an_entry",
                "the line is JSON but no entry; it is skipped and stays in the file",
            ),
            Self::MissingId => (
                "missing_id",
                "the entry has no usable id; it is kept but can be neither parent nor leaf",
            ),
            Self::DuplicateId => (
                "duplicate_id",
                "the id stands on an earlier line too; the later line is what the entry says, the earlier one is where it stands",
            ),
            Self::DuplicateHeader => {
                ("duplicate_header", "the file has another header line; the first one counts")
            }
            Self::HeaderNotFirst => {
                ("header_not_first", "other records stand before the header; they are kept")
            }
            Self::OrphanParent => (
                "orphan_parent",
                "the parent of the entry is not in the file; the entry counts as a root and earlier history is cut off",
            ),
            Self::Cycle => (
                "cycle",
                "the parents of the entry lead back to itself; the entry that comes first in the file counts as a root",
            ),
            Self::DanglingFirstKept => (
                "dangling_first_kept",
                "the first entry that the compaction keeps is not on its branch; nothing before the compaction is kept",
            ),
            Self::DanglingLabelTarget => {
                ("dangling_label_target", "the label names an entry that is not in the file")
            }
            Self::UnpairedToolCall => {
                ("unpaired_tool_call", "the tool call has no result in the context")
            }
            Self::UnpairedToolResult => {
                ("unpaired_tool_result", "the tool result has no call in the context")
            }
            Self::InvalidTimestamp => {
                ("invalid_timestamp", "the time cannot be read; the entry sorts after its siblings")
            }
            Self::FutureTimestamp => ("future_timestamp", "the time lies more than a day ahead"),
            Self::NewerVersion => (
                "newer_version",
                "the file says a newer format version; it is read as it is and its version is kept",
            ),
            Self::ForeignAppend => (
                "foreign_append",
                "another program appended to the file; both sides live on as branches",
            ),
            Self::OpenElsewhere => {
                ("open_elsewhere", "another process has the session open for writing")
            }
            Self::NoLock => (
                "no_lock",
                "the file system has no locks, so nothing keeps two writers apart but a look at the file before and after each write",
            ),
            Self::CwdMissing => ("cwd_missing", "the working directory of the session is gone"),
            Self::UnreadableFile => ("unreadable_file", "the file cannot be read"),
            Self::HeaderCorrupt => {
                ("header_corrupt", "the header cannot be read; the file is left alone")
            }
            Self::NotASession => {
                ("not_a_session", "the file has no session header; it is left alone")
            }
            Self::EmptyFile => ("empty_file", "the file has no line that is not blank"),
        }
    }
}

impl std::fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding: what was wrong, where, and what was done about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The stable kind.
    pub kind: ProblemKind,
    /// Where in the file the line starts; none for findings about the file as a whole.
    pub position: Option<Position>,
    /// The id of the entry it is about, where there is one.
    pub entry: Option<String>,
    /// The missing or offending thing (a parent's id, a label's target, a version), where there is one.
    pub detail: Option<String>,
}

impl Problem {
    /// The detail of `header_not_first` where only `title` lines stand before the header, as oh-my-pi writes its files.
    pub const TITLE: &'static str = "title";

    /// A finding of `kind` about the line at `position`.
    pub fn at(kind: ProblemKind, position: Position) -> Self {
        Self { kind, position: Some(position), entry: None, detail: None }
    }

    /// A finding of `kind` about the file as a whole.
    pub fn of_file(kind: ProblemKind) -> Self {
        Self { kind, position: None, entry: None, detail: None }
    }

    /// Records before the header at `position`; `only_titles` where they are the `title` lines of oh-my-pi.
    pub(crate) fn header_not_first(position: Position, only_titles: bool) -> Self {
        let problem = Self::at(ProblemKind::HeaderNotFirst, position);
        if only_titles { problem.with_detail(Self::TITLE) } else { problem }
    }

    /// Whether `check` treats it as a note: its kind is one, or it says that a file is as oh-my-pi writes it.
    pub fn is_note(&self) -> bool {
        let is_titled =
            self.kind == ProblemKind::HeaderNotFirst && self.detail.as_deref() == Some(Self::TITLE);
        is_titled || self.kind.is_note()
    }

    /// Names the entry it is about.
    #[must_use]
    pub fn with_entry(mut self, id: impl Into<String>) -> Self {
        self.entry = Some(id.into());
        self
    }

    /// Names the missing or offending thing.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(position) = self.position {
            write!(f, "line {}: ", position.line)?;
        }
        write!(f, "{}", self.kind.describe())?;
        if let Some(detail) = &self.detail {
            write!(f, " ({detail})")?;
        }
        Ok(())
    }
}
