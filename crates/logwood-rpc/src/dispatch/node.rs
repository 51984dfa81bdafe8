//! The envelope of an entry as the tree and windows show it: id, parentId, type, role?, then what the caller adds, timestamp, label?.

use logwood::context::Entries as _;
use logwood::entry::Envelope;
use logwood::error::{Error, ErrorKind, Result};
use logwood::json::{JsonWriter, Raw};
use logwood::session::SessionManager;
use logwood::tree::NodeId;

/// Writes envelopes of one session.
pub(super) struct Envelopes<'a> {
    session: &'a SessionManager,
}

impl<'a> Envelopes<'a> {
    pub(super) fn of(session: &'a SessionManager) -> Self {
        Self { session }
    }

    /// Writes the members of one entry; its line is read only where the session does not know them by heart.
    pub(super) fn head(&self, data: &mut JsonWriter<'_>, node: NodeId) -> Result<()> {
        let Some(head) = self.session.entry_head(node) else {
            return self.members(data, node, |_, _, _| {});
        };
        data.key("id").str(head.id).key("parentId");
        match head.parent_id {
            Some(parent) => data.str(parent),
            None => data.null(),
        };
        data.key("type").str(head.kind);
        if let Some(role) = head.role {
            data.key("role").str(role);
        }
        data.key("timestamp").str(&head.timestamp);
        self.label(data, node);
        Ok(())
    }

    fn label(&self, data: &mut JsonWriter<'_>, node: NodeId) {
        if let Some(label) = self.session.tree().label(node) {
            data.key("label").str(label);
        }
    }

    /// Writes the members of one entry; `extra`, which is given the entry's text too, stands before the timestamp, where dreb has the preview (spec 8.13).
    pub(super) fn members(
        &self,
        data: &mut JsonWriter<'_>,
        node: NodeId,
        extra: impl FnOnce(&mut JsonWriter<'_>, &Envelope<'_>, &[u8]),
    ) -> Result<()> {
        let tree = self.session.tree();
        let text = self.session.entry_text(node)?;
        let envelope = Envelope::scan(&text).map_err(|fault| {
            Error::new(ErrorKind::ChangedOnDisk, "cannot read an entry").with_why(fault.to_string())
        })?;
        data.key("id").str(tree.id(node));
        text_member(data, "parentId", envelope.parent_id);
        text_member(data, "type", envelope.kind);
        if let Some(role) = envelope.head.role.filter(|role| is_text(*role)) {
            data.key("role").raw_lossy(role.bytes());
        }
        extra(data, &envelope, &text);
        text_member(data, "timestamp", envelope.timestamp);
        self.label(data, node);
        Ok(())
    }
}

/// Writes a text of the entry as it is stored; null where it has none.
fn text_member(data: &mut JsonWriter<'_>, key: &str, value: Option<Raw<'_>>) {
    let value = value.filter(|value| is_text(*value)).unwrap_or_else(Raw::null);
    data.key(key).raw_lossy(value.bytes());
}

fn is_text(value: Raw<'_>) -> bool {
    value.as_string_bytes().is_some()
}
