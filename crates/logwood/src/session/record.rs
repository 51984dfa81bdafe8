//! The lines of a session file, as they were met.

use crate::line::{LineRef, Position};
use crate::tree::NodeId;

/// One line that is not blank; 32 bytes, since a session may have a million of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    /// Bytes from the start of the file.
    pub(super) offset: u64,
    /// Bytes before the LF.
    pub(super) len: u32,
    /// Line number from 1, saturating.
    pub(super) line: u32,
    pub(super) what: What,
}

/// What a line turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    /// The header.
    Header,
    /// An entry of the tree.
    Entry(NodeId),
    /// An object with a type and no usable id.
    MissingId,
    /// JSON that is no entry, or another header.
    Other,
    /// Not JSON.
    Malformed,
}

impl Record {
    pub(super) fn of(line: LineRef<'_>, what: What) -> Self {
        Self {
            offset: line.position.byte,
            len: u32::try_from(line.bytes.len()).unwrap_or(u32::MAX),
            line: u32::try_from(line.position.line).unwrap_or(u32::MAX),
            what,
        }
    }

    pub(super) fn position(&self) -> Position {
        Position { byte: self.offset, line: u64::from(self.line) }
    }

    pub(super) fn end(&self) -> u64 {
        self.offset + u64::from(self.len)
    }

    pub(super) fn node(&self) -> Option<NodeId> {
        match self.what {
            What::Entry(node) => Some(node),
            _ => None,
        }
    }
}
