use super::{NodeId, SessionTree};

/// One step of a [`Walk`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visit {
    /// The node.
    pub node: NodeId,
    /// How many ancestors it has.
    pub depth: usize,
}

/// Depth first, parents before children, siblings by time and then by place in the file (spec 4.9); no recursion.
#[derive(Debug)]
pub struct Walk<'a> {
    tree: &'a SessionTree,
    /// What is still to visit, the next one last.
    stack: Vec<Visit>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(tree: &'a SessionTree) -> Self {
        let mut stack: Vec<_> = tree.roots().map(|node| Visit { node, depth: 0 }).collect();
        stack.reverse();
        Self { tree, stack }
    }
}

impl Iterator for Walk<'_> {
    type Item = Visit;

    fn next(&mut self) -> Option<Visit> {
        let visit = self.stack.pop()?;
        let from = self.stack.len();
        let children = self.tree.children(visit.node);
        self.stack.extend(children.map(|node| Visit { node, depth: visit.depth + 1 }));
        if let Some(new @ [_, _, ..]) = self.stack.get_mut(from..) {
            new.sort_by_key(|visit| self.tree.sort_time(visit.node));
            new.reverse();
        }
        Some(visit)
    }
}
