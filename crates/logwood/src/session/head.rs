//! The envelope of an entry, told without reading its body.

use crate::json::iso_from_ms;
use crate::migration::Steps;
use crate::tree::NodeId;

use super::manager::SessionManager;
use super::record::HeadKind;

/// What an entry says of itself beside its body, as its line says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryHead<'a> {
    /// The id.
    pub id: &'a str,
    /// The id of the parent; none for a root.
    pub parent_id: Option<&'a str>,
    /// The type.
    pub kind: &'static str,
    /// Who speaks, for a message that says so.
    pub role: Option<&'static str>,
    /// The time.
    pub timestamp: String,
}

impl SessionManager {
    /// What an entry says of itself, without reading it. None where its line says it in other words than these, as a type that is not
    /// known; then [`entry_text`](crate::context::Entries::entry_text) tells.
    pub fn entry_head(&self, node: NodeId) -> Option<EntryHead<'_>> {
        let tree = &self.loaded.tree;
        let record = self.loaded.record(node).filter(|_| self.loaded.steps == Steps::None)?;
        let parent_id = match record.head {
            HeadKind::Unknown => return None,
            HeadKind::Root => None,
            // Where a loop of parents was cut, the tree does not know what stands on the line.
            HeadKind::Child => {
                let parent = tree.parent(node).map(|parent| tree.id(parent));
                Some(parent.or_else(|| tree.missing_parent(node))?)
            }
        };
        let role = Some(tree.role(node).as_str());
        Some(EntryHead {
            id: tree.id(node),
            parent_id,
            kind: tree.kind(node).as_str(),
            role: role.filter(|role| !matches!(*role, "" | "unknown")),
            timestamp: iso_from_ms(tree.timestamp_ms(node)?)?,
        })
    }
}
