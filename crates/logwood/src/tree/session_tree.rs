use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::entry::{EntryKind, Role};

use super::ids::IdTable;
use super::labels::Labels;
use super::node::{NO_TIME, NONE, Node};
use super::{NodeId, Walk};

/// The entries of a session by id and parent.
///
/// Nothing in here recurses and every walk ends: loops of parents are cut when they are linked (rule F77).
///
/// ```
/// use logwood::entry::{EntryKind, Role};
/// use logwood::tree::{NewNode, SessionTree};
///
/// let mut tree = SessionTree::default();
/// for (id, parent) in [("a", None), ("b", Some("a")), ("c", Some("a"))] {
///     let (kind, role) = (EntryKind::Message, Role::User);
///     tree.insert(&NewNode { id, parent, timestamp_ms: None, kind, role });
/// }
/// tree.link();
/// let leaf = tree.leaf().unwrap();
/// let path: Vec<_> = tree.branch(leaf).iter().map(|node| tree.id(*node)).collect();
/// assert_eq!(path, ["a", "c"]);
/// ```
#[derive(Debug, Clone)]
pub struct SessionTree {
    pub(super) ids: IdTable,
    pub(super) nodes: Vec<Node>,
    pub(super) first_root: u32,
    pub(super) last_root: u32,
    pub(super) leaf: Option<NodeId>,
    pub(super) labels: Labels,
    /// Nodes whose parent is not in the session (yet), with the parent's id.
    pub(super) waiting: BTreeMap<u32, Arc<str>>,
    /// The same by that id; a node that waits no longer, or for another one, may still stand here.
    pub(super) wanted: HashMap<Arc<str>, Vec<u32>>,
    /// Those that began to wait since the last link.
    pub(super) unreported: Vec<u32>,
    /// Those of them that were reported.
    pub(super) orphans: BTreeSet<u32>,
    pub(super) may_cycle: bool,
    pub(super) linked: bool,
}

impl Default for SessionTree {
    fn default() -> Self {
        Self {
            ids: IdTable::default(),
            nodes: Vec::new(),
            first_root: NONE,
            last_root: NONE,
            leaf: None,
            labels: Labels::default(),
            waiting: BTreeMap::new(),
            wanted: HashMap::new(),
            unreported: Vec::new(),
            orphans: BTreeSet::new(),
            may_cycle: false,
            linked: true,
        }
    }
}

impl SessionTree {
    /// How many nodes there are; an id that stands on several lines is one node.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node with this id.
    #[doc(alias = "getEntry")]
    pub fn find(&self, id: &str) -> Option<NodeId> {
        self.ids.find(id).map(NodeId)
    }

    /// The id of a node.
    pub fn id(&self, node: NodeId) -> &str {
        self.ids.text_of(node.0)
    }

    /// Every node, in file order of first appearance.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// The parent of a node; none for a root, an orphan, and where a loop was cut.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        some(self.parent_number(node.0))
    }

    /// The id of the parent that a node asked for and that is not in the session.
    pub fn missing_parent(&self, node: NodeId) -> Option<&str> {
        self.waiting.get(&node.0).map(|parent| &**parent)
    }

    /// The type of a node's entry.
    pub fn kind(&self, node: NodeId) -> EntryKind {
        self.nodes.get(node.index()).map_or(EntryKind::Unknown, |node| node.kind)
    }

    /// Who speaks in a node's message.
    pub fn role(&self, node: NodeId) -> Role {
        self.nodes.get(node.index()).map_or(Role::None, |node| node.role)
    }

    /// The time of a node's entry in milliseconds since 1970, where it can be read.
    pub fn timestamp_ms(&self, node: NodeId) -> Option<i64> {
        let time = self.nodes.get(node.index()).map_or(NO_TIME, |node| node.timestamp);
        (time != NO_TIME).then_some(time)
    }

    /// The current position: after loading the last entry of the file; none is the position before every entry.
    #[doc(alias = "getLeafId")]
    pub fn leaf(&self) -> Option<NodeId> {
        self.leaf
    }

    /// Moves the current position (spec 4.10); writes nothing.
    #[doc(alias = "branch")]
    #[doc(alias = "resetLeaf")]
    pub fn move_leaf(&mut self, to: Option<NodeId>) {
        self.leaf = to;
    }

    /// The roots, in file order (spec 4.9).
    pub fn roots(&self) -> Siblings<'_> {
        Siblings { tree: self, next: self.first_root }
    }

    /// The children of a node, in file order (spec 4.8).
    #[doc(alias = "getChildren")]
    pub fn children(&self, node: NodeId) -> Siblings<'_> {
        let first = self.nodes.get(node.index()).map_or(NONE, |node| node.first_child);
        Siblings { tree: self, next: first }
    }

    /// The path from the root to a node, both included.
    #[doc(alias = "getBranch")]
    pub fn branch(&self, to: NodeId) -> Vec<NodeId> {
        let mut path: Vec<_> = self.ancestors(to).collect();
        path.reverse();
        path
    }

    /// A node, its parent, and so on up to its root.
    pub fn ancestors(&self, from: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(Some(from), |node| self.parent(*node))
    }

    /// The deepest node that is on both paths; none where they have different roots.
    pub fn common_ancestor(&self, a: NodeId, b: NodeId) -> Option<NodeId> {
        let (a, b) = (self.branch(a), self.branch(b));
        a.iter().zip(&b).take_while(|(a, b)| a == b).last().map(|(node, _)| *node)
    }

    /// Every node from the roots down, parents first, siblings by time (spec 4.9); roots in file order.
    #[doc(alias = "getTree")]
    pub fn walk(&self) -> Walk<'_> {
        Walk::new(self)
    }

    /// The labels.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// The labels, to be changed by a label entry.
    pub fn labels_mut(&mut self) -> &mut Labels {
        &mut self.labels
    }

    /// The label of a node.
    #[doc(alias = "getLabel")]
    pub fn label(&self, node: NodeId) -> Option<&str> {
        self.labels.get(self.id(node))
    }

    pub(super) fn parent_number(&self, number: u32) -> u32 {
        self.nodes.get(number as usize).map_or(NONE, |node| node.parent)
    }

    /// The time by which siblings are sorted: one that cannot be read comes last.
    pub(super) fn sort_time(&self, node: NodeId) -> i64 {
        self.nodes.get(node.index()).map_or(NO_TIME, |node| node.timestamp)
    }
}

fn some(number: u32) -> Option<NodeId> {
    (number != NONE).then_some(NodeId(number))
}

/// Iterator over siblings in file order.
#[derive(Debug, Clone)]
pub struct Siblings<'a> {
    tree: &'a SessionTree,
    next: u32,
}

impl Iterator for Siblings<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        let node = some(self.next)?;
        self.next = self.tree.nodes.get(node.index()).map_or(NONE, |node| node.next_sibling);
        Some(node)
    }
}
