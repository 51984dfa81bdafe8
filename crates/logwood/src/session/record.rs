//! The lines of a session file, as they were met.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::line::{LineRef, Position};
use crate::tree::NodeId;

/// One line that is not blank; 40 bytes at most, since a session may have a million of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    /// Bytes from the start of the file.
    pub(super) offset: u64,
    /// Bytes before the LF.
    pub(super) len: u32,
    /// Line number from 1, saturating.
    pub(super) line: u32,
    pub(super) what: What,
    /// Where in the line a message stands that goes into a context as it is; of length 0 where there is none.
    pub(super) message: Span,
    /// What of its envelope can be told from the tree alone.
    pub(super) head: HeadKind,
}

/// Whether type, role, parent and time of an entry stand on its line as the tree would write them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum HeadKind {
    /// They may be written otherwise: the line has to be read.
    #[default]
    Unknown,
    /// They do, and there is no parent.
    Root,
    /// They do, and there is a parent.
    Child,
}

/// A part of a line, in bytes from its start, and a sum over the whole line, by which it is known again.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    start: u32,
    pub(super) len: u32,
    sum: u32,
}

impl Span {
    /// Where `part` stands in `whole`, of which it is a slice; nowhere when they are too long.
    pub(super) fn of(part: &[u8], whole: &[u8]) -> Self {
        let start = part.as_ptr().addr().wrapping_sub(whole.as_ptr().addr());
        match (u32::try_from(start), u32::try_from(part.len())) {
            (Ok(start), Ok(len)) if start as usize + part.len() <= whole.len() => {
                Self { start, len, sum: sum_of(whole) }
            }
            _ => Self::default(),
        }
    }

    /// The part of a line that was read again; none when it is not the same line any more.
    pub(super) fn slice(self, line: &[u8]) -> Option<&[u8]> {
        let start = self.start as usize;
        let part = line.get(start..start + self.len as usize)?;
        (!part.is_empty() && sum_of(line) == self.sum).then_some(part)
    }
}

/// 32 bits that another line has by chance once in four thousand million; the same in every run.
fn sum_of(line: &[u8]) -> u32 {
    FixedState::default().hash_one(line) as u32
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
            message: Span::default(),
            head: HeadKind::Unknown,
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
