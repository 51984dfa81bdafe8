//! Where the entries of a session lie, seen from its current position.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use logwood::context::{Step, plan};
use logwood::error::Result;
use logwood::session::{SessionManager, SessionOptions};
use logwood::storage::Storage;
use logwood::tree::NodeId;

use super::Branch;

/// The tree of one session and what of it counts now.
#[derive(Debug)]
pub(super) struct Branches {
    session: SessionManager,
    /// By node; entries that are on the current branch.
    on_path: HashMap<NodeId, Branch>,
    /// The line that says what a node is, by its first byte, in file order.
    lines: Vec<(u64, NodeId, bool)>,
}

/// What is known of a line from its session.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lookup {
    /// It says what this node is.
    Node(NodeId),
    /// A later line with the same id says it.
    Outdated,
    /// The session does not know the line: it has no id, or came after the session was read.
    Unknown,
}

impl Branches {
    /// Reads a session.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub(super) fn read(storage: &Arc<dyn Storage>, path: &Path) -> Result<Self> {
        let options = SessionOptions::new().storage(Arc::clone(storage)).read_only(true);
        let session = options.open(path)?;
        let plan = plan(&session, session.leaf())?;
        let branch =
            |step| if step == Step::Compacted { Branch::Compacted } else { Branch::Current };
        let on_path = plan.steps.into_iter().map(|(node, step)| (node, branch(step))).collect();
        let is_last =
            |node, at| session.entry_line(node).is_some_and(|line| line.position.byte == at);
        let mut lines: Vec<_> = session
            .entries()
            .map(|line| (line.position.byte, line.node, is_last(line.node, line.position.byte)))
            .collect();
        lines.sort_unstable_by_key(|(at, _, _)| *at);
        Ok(Self { session, on_path, lines })
    }

    /// The session.
    pub(super) fn session(&self) -> &SessionManager {
        &self.session
    }

    /// What the line that starts at a byte says.
    pub(super) fn line(&self, byte: u64) -> Lookup {
        let found = self.lines.binary_search_by_key(&byte, |(at, _, _)| *at);
        match found.ok().and_then(|at| self.lines.get(at)) {
            Some((_, node, true)) => Lookup::Node(*node),
            Some(_) => Lookup::Outdated,
            None => Lookup::Unknown,
        }
    }

    /// Where a node lies.
    pub(super) fn of(&self, node: NodeId) -> Branch {
        self.on_path.get(&node).copied().unwrap_or(Branch::Abandoned)
    }
}
