use super::{NodeId, SessionTree};

/// Answers in constant time whether one node lies below another; made once for a tree, in linear time.
#[derive(Debug, Clone)]
pub struct Descent {
    /// For each node its place in a walk, parents first, and how many nodes its subtree has.
    spans: Vec<(u32, u32)>,
}

impl Descent {
    /// Whether `node` is `ancestor` or lies below it.
    pub fn is_below(&self, node: NodeId, ancestor: NodeId) -> bool {
        let (Some((at, _)), Some((from, size))) =
            (self.spans.get(node.index()), self.spans.get(ancestor.index()))
        else {
            return false;
        };
        (*from..from + size).contains(at)
    }
}

impl SessionTree {
    /// Prepares questions about who lies below whom.
    pub fn descent(&self) -> Descent {
        let order = self.preorder();
        let mut spans = vec![(0, 1); self.len()];
        for (place, node) in order.iter().enumerate() {
            if let Some(span) = spans.get_mut(node.index()) {
                span.0 = place as u32;
            }
        }
        for node in order.iter().rev() {
            let size = spans.get(node.index()).map_or(0, |span| span.1);
            let parent = self.parent(*node);
            if let Some(span) = parent.and_then(|parent| spans.get_mut(parent.index())) {
                span.1 += size;
            }
        }
        Descent { spans }
    }

    fn preorder(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.len());
        let mut stack: Vec<_> = self.roots().collect();
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(self.children(node));
        }
        order
    }
}
