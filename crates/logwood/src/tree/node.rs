use crate::entry::{EntryKind, Role};

/// A place in a [`SessionTree`](super::SessionTree): the number of an entry, counted in file order of first appearance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the tree is told of an entry.
#[derive(Debug, Clone, Copy)]
pub struct NewNode<'a> {
    /// The id; not empty.
    pub id: &'a str,
    /// The id of the parent; none for a root.
    pub parent: Option<&'a str>,
    /// Milliseconds since 1970, where the time can be read.
    pub timestamp_ms: Option<i64>,
    /// The type.
    pub kind: EntryKind,
    /// Who speaks, for a message.
    pub role: Role,
}

/// Stands for "none" in links between nodes.
pub(super) const NONE: u32 = u32::MAX;

/// Stands for a time that cannot be read; sorts after every time that can.
pub(super) const NO_TIME: i64 = i64::MAX;

/// One entry in the tree; 40 bytes, since a session may have a million of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) parent: u32,
    pub(super) first_child: u32,
    pub(super) last_child: u32,
    pub(super) next_sibling: u32,
    pub(super) timestamp: i64,
    pub(super) kind: EntryKind,
    pub(super) role: Role,
}

impl Node {
    pub(super) fn new(new: &NewNode<'_>) -> Self {
        Self {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            timestamp: new.timestamp_ms.unwrap_or(NO_TIME),
            kind: new.kind,
            role: new.role,
        }
    }

    pub(super) fn unlink(&mut self) {
        self.first_child = NONE;
        self.last_child = NONE;
        self.next_sibling = NONE;
    }
}
