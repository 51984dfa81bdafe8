//! Puts entries into the tree: parents that come later, ids that come again, and loops of parents.

use std::sync::Arc;

use super::node::{NONE, Node};
use super::{NewNode, NodeId, SessionTree};

/// What became of an entry that was put in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inserted {
    /// A new node.
    New(NodeId),
    /// A node that was there: its place stays, what it says is now this entry's (rule F75, case 26).
    Again(NodeId),
}

impl Inserted {
    /// The node.
    pub fn node(self) -> NodeId {
        match self {
            Self::New(node) | Self::Again(node) => node,
        }
    }
}

/// What [`SessionTree::link`] found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkFault {
    /// The parent of the node is not in the session; the node counts as a root (case 29).
    Orphan(NodeId, String),
    /// The parents of the node led back to it; it comes first in the file, so it counts as a root (case 28).
    Cycle(NodeId),
}

impl SessionTree {
    /// Makes room for about this many more entries, so that a large session is not moved while it grows.
    pub fn reserve(&mut self, count: usize) {
        self.ids.reserve(count);
        self.nodes.reserve(count);
    }

    /// Puts an entry in. Children are linked by the next [`link`](Self::link), or at once when nothing is out of order.
    pub fn insert(&mut self, new: &NewNode<'_>) -> Inserted {
        let (number, fresh) = self.ids.insert(new.id);
        if fresh {
            self.nodes.push(Node::new(new));
        } else {
            self.replace(number, new);
        }
        self.point_to_parent(number, new.parent);
        if fresh && !self.wanted.is_empty() {
            self.adopt(number, new.id);
        }
        self.leaf = Some(NodeId(number));
        if fresh && self.linked {
            self.attach(number);
        }
        if fresh { Inserted::New(NodeId(number)) } else { Inserted::Again(NodeId(number)) }
    }

    /// Links children and breaks loops. Call it after the last of a run of inserts: its work is that of the run, and only where the run
    /// brought a parent after its child, an id again, or a loop, it is linear in the number of entries.
    ///
    /// Returns what it had to mend since the last call, in file order.
    pub fn link(&mut self) -> Vec<LinkFault> {
        let mut faults = self.report();
        if self.may_cycle {
            faults.extend(self.break_cycles().into_iter().map(LinkFault::Cycle));
            self.may_cycle = false;
        }
        if !self.linked {
            self.relink();
        }
        faults.sort_by_key(|fault| match fault {
            LinkFault::Orphan(node, _) | LinkFault::Cycle(node) => *node,
        });
        faults
    }

    fn replace(&mut self, number: u32, new: &NewNode<'_>) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            *node = Node::new(new);
        }
        self.waiting.remove(&number);
        self.orphans.remove(&number);
        self.linked = false;
        self.may_cycle = true;
    }

    /// Points a node at its parent, or notes the parent's id until it appears.
    fn point_to_parent(&mut self, number: u32, parent: Option<&str>) {
        let Some(parent) = parent else { return };
        match self.ids.find(parent) {
            Some(parent) => self.set_parent(number, parent),
            None => {
                let parent: Arc<str> = parent.into();
                self.wanted.entry(Arc::clone(&parent)).or_default().push(number);
                self.waiting.insert(number, parent);
                self.unreported.push(number);
            }
        }
    }

    fn set_parent(&mut self, number: u32, parent: u32) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.parent = parent;
        }
        self.may_cycle |= parent >= number;
    }

    /// Gives the nodes that wait for a new node to it.
    fn adopt(&mut self, parent: u32, id: &str) {
        for number in self.wanted.remove(id).unwrap_or_default() {
            // It may have come again since, with another parent.
            if self.waiting.get(&number).is_some_and(|wanted| &**wanted == id) {
                self.waiting.remove(&number);
                self.orphans.remove(&number);
                self.set_parent(number, parent);
                self.linked = false;
            }
        }
    }

    /// The nodes that began to wait since the last link and still do are orphans, each reported once.
    fn report(&mut self) -> Vec<LinkFault> {
        let mut faults = Vec::new();
        for number in std::mem::take(&mut self.unreported) {
            let Some(parent) = self.waiting.get(&number) else { continue };
            if self.orphans.insert(number) {
                faults.push(LinkFault::Orphan(NodeId(number), parent.to_string()));
            }
        }
        faults
    }

    /// Finds every loop of parents and cuts it at the node that comes first in the file.
    fn break_cycles(&mut self) -> Vec<NodeId> {
        // The walk in which a node was first seen; 0 is none.
        let mut seen = vec![0u32; self.nodes.len()];
        let mut cut = Vec::new();
        for (walk, start) in (1u32..).zip(0..self.nodes.len()) {
            let mut at = start as u32;
            while at != NONE && seen.get(at as usize) == Some(&0) {
                if let Some(mark) = seen.get_mut(at as usize) {
                    *mark = walk;
                }
                at = self.parent_number(at);
            }
            if at != NONE && seen.get(at as usize) == Some(&walk) {
                let first = self.first_of_loop(at);
                self.cut_parent(first);
                cut.push(NodeId(first));
            }
        }
        cut
    }

    fn first_of_loop(&self, member: u32) -> u32 {
        let mut first = member;
        let mut at = self.parent_number(member);
        while at != member && at != NONE {
            first = first.min(at);
            at = self.parent_number(at);
        }
        first
    }

    fn cut_parent(&mut self, number: u32) {
        if let Some(node) = self.nodes.get_mut(number as usize) {
            node.parent = NONE;
        }
        self.linked = false;
    }

    fn relink(&mut self) {
        self.nodes.iter_mut().for_each(Node::unlink);
        (self.first_root, self.last_root) = (NONE, NONE);
        for number in 0..self.nodes.len() {
            self.attach(number as u32);
        }
        self.linked = true;
    }

    /// Puts a node last among its siblings, which keeps them in file order.
    fn attach(&mut self, number: u32) {
        let parent = self.parent_number(number);
        let before = match self.nodes.get_mut(parent as usize) {
            Some(parent) => {
                if parent.first_child == NONE {
                    parent.first_child = number;
                }
                std::mem::replace(&mut parent.last_child, number)
            }
            None => {
                if self.first_root == NONE {
                    self.first_root = number;
                }
                std::mem::replace(&mut self.last_root, number)
            }
        };
        if let Some(before) = self.nodes.get_mut(before as usize) {
            before.next_sibling = number;
        }
    }
}
