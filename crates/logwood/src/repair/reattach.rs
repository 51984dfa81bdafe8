//! Finds a new parent for entries whose parent is not in the file (cases 03, 29); only when that was asked for.

use std::collections::HashMap;

use crate::json::Raw;

use super::grouping::Union;
use super::pieces::{Record, Unit};

/// Takes the entries of a session in file order.
pub(super) struct Reattaching<'u, 'a> {
    is_wanted: bool,
    nodes: Vec<Node<'u, 'a>>,
    places: HashMap<String, usize>,
}

/// One id; its place is that of its first line, its parent that of its last.
struct Node<'u, 'a> {
    id: String,
    parent: Parent,
    line: usize,
    unit: &'u Unit<'a>,
}

enum Parent {
    None,
    Named(String),
    /// The entry had neither id nor parent: where it hung is not known.
    Unknown,
}

/// An orphan and what it is hung on.
pub(super) struct Found<'u, 'a> {
    pub(super) id: String,
    pub(super) parent: String,
    /// The number of its last line in the new file, which is the one that counts.
    pub(super) line: usize,
    /// What that line was.
    pub(super) unit: &'u Unit<'a>,
}

impl<'u, 'a> Reattaching<'u, 'a> {
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, nodes: Vec::new(), places: HashMap::new() }
    }

    /// Takes an entry; `line` is its number in the new file.
    pub(super) fn entry(
        &mut self,
        id: &str,
        record: &Record<'_>,
        is_given: bool,
        line: usize,
        unit: &'u Unit<'a>,
    ) {
        if !self.is_wanted {
            return;
        }
        let named = record.parent.filter(|parent| parent.is_truthy());
        let named = named.map(|parent| parent.as_str().unwrap_or_else(|| parent.text()));
        let parent = match named {
            Some(parent) => Parent::Named(parent.into_owned()),
            None if is_given && record.parent.is_none_or(|p| !Raw::is_null(p)) => Parent::Unknown,
            None => Parent::None,
        };
        let next = self.nodes.len();
        let at = *self.places.entry(id.to_owned()).or_insert(next);
        let node = Node { id: id.to_owned(), parent, line, unit };
        match self.nodes.get_mut(at) {
            Some(earlier) => *earlier = node,
            None => self.nodes.push(node),
        }
    }

    /// The orphans that have an entry before them to hang on. An entry of their own branch is none.
    pub(super) fn finish(self) -> Vec<Found<'u, 'a>> {
        let parents: Vec<Option<usize>> =
            self.nodes.iter().map(|node| self.parent_of(node)).collect();
        let mut branches = Union::new(self.nodes.len());
        for (at, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                branches.join(at, *parent);
            }
        }
        let ids: Vec<String> = self.nodes.iter().map(|node| node.id.clone()).collect();
        let mut found = Vec::new();
        for (at, node) in self.nodes.into_iter().enumerate() {
            let is_orphan = match &node.parent {
                Parent::None => false,
                Parent::Unknown => true,
                Parent::Named(_) => parents.get(at).is_some_and(Option::is_none),
            };
            let before = (0..at).rev().find(|before| is_orphan && !branches.is_joined(*before, at));
            if let Some(parent) = before {
                branches.join(parent, at);
                let parent = ids.get(parent).cloned().unwrap_or_default();
                found.push(Found { id: node.id, parent, line: node.line, unit: node.unit });
            }
        }
        found
    }

    fn parent_of(&self, node: &Node<'u, 'a>) -> Option<usize> {
        match &node.parent {
            Parent::Named(parent) => self.places.get(parent).copied(),
            Parent::None | Parent::Unknown => None,
        }
    }
}
