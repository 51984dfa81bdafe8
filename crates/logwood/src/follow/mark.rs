//! How far a file was followed, and what it looked like then.

use std::sync::Arc;

use crate::entry::SessionHeader;
use crate::line::LineRef;
use crate::storage::{FileId, Metadata};

use super::end::End;

/// Where following begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Start {
    /// Only what comes from now on is told.
    #[default]
    Now,
    /// What is there already is told first.
    Beginning,
}

/// How far a session was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) session_id: Arc<str>,
    /// Whether the file was of version 1 or 2: then entries are counted, and there is no place in the file.
    pub(super) older: bool,
    /// The bytes of the file that were taken.
    pub(super) offset: u64,
    /// The lines that were taken; none where following began at the end of the file.
    pub(super) lines: Option<u64>,
    /// The entry lines that were taken; none as above.
    pub(super) entries: Option<u64>,
    /// The id of the last of them.
    pub(super) last_id: Option<Arc<str>>,
    /// What stands before `offset`.
    pub(super) end: End,
}

impl Mark {
    /// Behind the header line.
    pub(super) fn behind_header(header: &SessionHeader, line: LineRef<'_>, end: End) -> Self {
        let mut mark = Self {
            session_id: header.id().into(),
            older: header.version_number() < 3.0,
            offset: 0,
            lines: Some(line.position.line.saturating_sub(1)),
            entries: Some(0),
            last_id: None,
            end,
        };
        mark.pass(line);
        mark
    }

    /// Moves behind a line.
    pub(super) fn pass(&mut self, line: LineRef<'_>) {
        self.lines = self.lines.map(|lines| lines + 1);
        self.pass_rest(line);
    }

    /// Moves behind the rest of a line whose start was passed before.
    pub(super) fn pass_rest(&mut self, line: LineRef<'_>) {
        self.offset = line.position.byte + line.bytes.len() as u64 + u64::from(line.complete);
        self.end.push(line);
    }

    /// Counts an entry.
    pub(super) fn count(&mut self, id: &str) {
        self.entries = self.entries.map(|entries| entries + 1);
        self.last_id = Some(id.into());
    }
}

/// What a file looked like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) len: u64,
    modified_ns: i64,
    pub(super) identity: Option<FileId>,
}

impl Stamp {
    pub(super) fn of(metadata: &Metadata) -> Self {
        let Metadata { len, modified_ns, identity, .. } = *metadata;
        Self { len, modified_ns, identity }
    }

    /// As a cursor holds it; text, since its numbers are larger than those of JavaScript.
    pub(super) fn text(&self) -> String {
        let Self { len, modified_ns, identity } = self;
        match identity {
            Some(FileId { device, inode }) => format!("{len}:{modified_ns}:{device}:{inode}"),
            None => format!("{len}:{modified_ns}"),
        }
    }

    /// Reads what [`text`](Self::text) wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let len = parts.next()?.parse().ok()?;
        let modified_ns = parts.next()?.parse().ok()?;
        let identity = match (parts.next(), parts.next()) {
            (Some(device), Some(inode)) => {
                Some(FileId { device: device.parse().ok()?, inode: inode.parse().ok()? })
            }
            _ => None,
        };
        Some(Self { len, modified_ns, identity })
    }
}
