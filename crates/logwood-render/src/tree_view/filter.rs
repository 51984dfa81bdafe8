//! Which entries a tree shows.

use logwood::entry::{EntryKind, Role};
use logwood::tree::{NodeId, SessionTree};

/// The modes of the tree (spec 7.7, visibility 2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Filter {
    /// Everything but bookkeeping: labels, names, settings, custom entries, usage, context edits.
    #[default]
    Default,
    /// As default, without tool results.
    NoTools,
    /// Messages of the person.
    UserOnly,
    /// Entries that have a label.
    LabeledOnly,
    /// Everything.
    All,
}

impl Filter {
    /// Whether this mode shows the entry.
    pub fn shows(self, tree: &SessionTree, node: NodeId) -> bool {
        let (kind, role) = (tree.kind(node), tree.role(node));
        match self {
            Self::Default => !kind.is_bookkeeping(),
            Self::NoTools => !kind.is_bookkeeping() && role != Role::ToolResult,
            Self::UserOnly => kind == EntryKind::Message && role == Role::User,
            Self::LabeledOnly => tree.label(node).is_some(),
            Self::All => true,
        }
    }

    /// How a footer names it; nothing for the default.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Default => "",
            Self::NoTools => " [no-tools]",
            Self::UserOnly => " [user]",
            Self::LabeledOnly => " [labeled]",
            Self::All => " [all]",
        }
    }
}
