//! What a repair would do, in words.

use crate::line::Position;
use crate::problem::ProblemKind;

/// Everything that a repair does to one file, in the order of the lines.
///
/// ```
/// use logwood::repair::Repair;
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// storage.put("/2025-03-04T09-00-00-000Z_s1.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"s1\"}\n{\"type\":\"mess")?;
/// let repair = Repair::of("/2025-03-04T09-00-00-000Z_s1.jsonl").storage(Arc::new(storage));
/// let plan = repair.plan()?;
/// assert_eq!(plan.steps.len(), 1);
/// assert_eq!(plan.steps[0].kind.as_str(), "fenced_off");
/// let done = repair.apply(&plan)?.expect("there is something to do");
/// assert!(done.backup.to_string_lossy().ends_with(".jsonl.repair.bak"));
/// assert!(repair.plan()?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RepairPlan {
    /// What is done, by line.
    pub steps: Vec<Step>,
    /// The ids of entries that can be reached only after the repair: found on fused lines, or given an id.
    pub recovered: Vec<String>,
    /// The ids of entries of which only a part is there.
    pub unrecoverable: Vec<String>,
    /// How many entry lines the file has afterwards.
    pub entries: usize,
    /// The id of the session afterwards.
    pub session_id: String,
    /// Other sessions that stand in the file; each gets a file of its own beside it.
    pub sessions: Vec<SplitSession>,
    /// What the plan was made for.
    pub(super) source: Fingerprint,
}

impl RepairPlan {
    /// Whether nothing is to do, so that the file is not touched.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// A session that gets a file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitSession {
    /// The name of its file; a name that is taken by another session gets a number.
    pub file_name: String,
    /// Its id.
    pub session_id: String,
    /// How many entry lines it has.
    pub entries: usize,
}

/// One thing that is done.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// What is done.
    pub kind: StepKind,
    /// Where the line, or the piece of a line, starts; none for a header that is made from nothing.
    pub position: Option<Position>,
    /// The length of what it is about in bytes.
    pub length: u64,
    /// Why: the finding that a look at the file has there.
    pub cause: ProblemKind,
    /// The entry it is about: its id afterwards, or what is known of it.
    pub entry: Option<String>,
    /// What exactly: the new header, the new parent, the name of the new file.
    pub detail: Option<String>,
}

/// The kinds of step; the words never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StepKind {
    /// The header is made anew from the file name and what is known.
    HeaderRebuilt,
    /// The header is given the id that the file name has.
    HeaderId,
    /// The header becomes the first line.
    HeaderMoved,
    /// A whole record that shares its line with other text gets a line of its own.
    LineSplit,
    /// Another session gets a file of its own.
    SessionSplit,
    /// The text goes to the side file.
    FencedOff,
    /// The entry is given an id.
    IdGiven,
    /// The entry is hung on the entry before it, because that was asked for.
    Reattached,
}

impl StepKind {
    /// The stable word, as `--json` shows it.
    pub fn as_str(self) -> &'static str {
        self.words().0
    }

    /// What is done, in one sentence.
    pub fn describe(self) -> &'static str {
        self.words().1
    }

    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::HeaderRebuilt => {
                ("header_rebuilt", "a new header is written from the file name and what is known")
            }
            Self::HeaderId => ("header_id", "the header is given a text as its id"),
            Self::HeaderMoved => ("header_moved", "the header becomes the first line"),
            Self::LineSplit => {
                ("line_split", "the whole record on the spoilt line gets a line of its own")
            }
            Self::SessionSplit => {
                ("session_split", "the other session gets a file of its own beside this one")
            }
            Self::FencedOff => {
                ("fenced_off", "the text is taken out of the session and kept in the side file")
            }
            Self::IdGiven => ("id_given", "the entry is given an id"),
            Self::Reattached => ("reattached", "the entry is hung on the entry before it"),
        }
    }
}

impl std::fmt::Display for StepKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Tells one content of a file from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fingerprint {
    pub(super) length: u64,
    /// SHA-256 in hex digits.
    pub(super) sha256: String,
}

impl Fingerprint {
    /// The fingerprint of these parts, one after the other.
    pub(super) fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        use sha2::{Digest as _, Sha256};
        let (mut hash, mut length) = (Sha256::new(), 0);
        for part in parts {
            hash.update(part);
            length += part.len() as u64;
        }
        let sha256 = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Self { length, sha256 }
    }
}
