use crate::entry::{EntryKind, Role};
use crate::error::Result;
use crate::json::Raw;
use crate::tree::NodeId;

use super::Entries;
use super::message::{compaction_summary, compaction_system, message_of};
use super::plan::{Edit, Plan, Step, plan};
use super::settings::{ModelRef, Settings, settings_at};

/// The messages a model would get at one position of a session, with its model and thinking level.
///
/// Every message carries the id of the entry it came from, beside the message and not inside it.
#[derive(Debug, Clone, Default)]
pub struct SessionContext {
    text: Vec<u8>,
    ids: String,
    rows: Vec<Row>,
    settings: Settings,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    node: NodeId,
    role: Role,
    text_end: usize,
    id_end: usize,
}

/// One message of a context.
#[derive(Debug, Clone, Copy)]
pub struct ContextMessage<'a> {
    /// The entry it came from.
    pub node: NodeId,
    /// The id of that entry.
    pub entry_id: &'a str,
    /// Who speaks.
    pub role: Role,
    /// The message as JSON.
    pub raw: Raw<'a>,
}

impl SessionContext {
    /// The context at `leaf`; empty without one (spec 5.1).
    ///
    /// # Errors
    /// When an entry of the path cannot be read any more.
    #[doc(alias = "buildSessionContext")]
    pub fn build(entries: &impl Entries, leaf: Option<NodeId>) -> Result<Self> {
        let plan = plan(entries, leaf)?;
        let mut context = Self { settings: settings_at(entries, leaf)?, ..Self::default() };
        context.push_compaction(entries, &plan)?;
        for (node, step) in &plan.steps {
            if *step == Step::Message {
                context.push_entry(entries, &plan, *node)?;
            }
        }
        Ok(context)
    }

    /// The messages in order.
    pub fn messages(
        &self,
    ) -> impl ExactSizeIterator<Item = ContextMessage<'_>> + DoubleEndedIterator {
        (0..self.rows.len()).map(|at| self.message(at))
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no message.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The thinking level: `off` unless the path changes it.
    pub fn thinking_level(&self) -> &str {
        &self.settings.thinking_level
    }

    /// The model that answers: the last model change or assistant message of the path.
    pub fn model(&self) -> Option<&ModelRef> {
        self.settings.model.as_ref()
    }

    /// Model and thinking level in full.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    fn message(&self, at: usize) -> ContextMessage<'_> {
        let before = at.checked_sub(1).and_then(|before| self.rows.get(before));
        let (text_start, id_start) = before.map_or((0, 0), |row| (row.text_end, row.id_end));
        let row = self.rows.get(at).copied();
        let (text_end, id_end) = row.map_or((text_start, id_start), |r| (r.text_end, r.id_end));
        ContextMessage {
            node: row.map_or_else(NodeId::default, |row| row.node),
            role: row.map_or(Role::None, |row| row.role),
            entry_id: self.ids.get(id_start..id_end).unwrap_or_default(),
            raw: Raw::trusted(self.text.get(text_start..text_end).unwrap_or_default()),
        }
    }

    fn push_compaction(&mut self, entries: &impl Entries, plan: &Plan) -> Result<()> {
        let Some(node) = plan.compaction else { return Ok(()) };
        let text = entries.entry_text(node)?;
        let id = entries.tree().id(node);
        if let Some(system) = compaction_system(&text) {
            self.push(node, id, Role::System, &system);
        }
        let summary = compaction_summary(&text, entries.tree().timestamp_ms(node));
        self.push(node, id, Role::CompactionSummary, &summary);
        Ok(())
    }

    fn push_entry(&mut self, entries: &impl Entries, plan: &Plan, node: NodeId) -> Result<()> {
        let tree = entries.tree();
        let (time, edit) = (tree.timestamp_ms(node), plan.edits.get(&node));
        let (id, role) = (tree.id(node), tree.role(node));
        let as_it_stands = edit.is_none()
            && entries.read_plain_message(node, &mut |text| self.push(node, id, role, text))?;
        if as_it_stands {
            return Ok(());
        }
        entries.read_entry(node, &mut |text| {
            if let Ok((role, message)) = message_of(text, time, edit) {
                self.push(node, tree.id(node), role, &message);
            }
        })
    }

    fn push(&mut self, node: NodeId, id: &str, role: Role, message: &[u8]) {
        self.text.extend_from_slice(message);
        self.ids.push_str(id);
        let (text_end, id_end) = (self.text.len(), self.ids.len());
        self.rows.push(Row { node, role, text_end, id_end });
    }

    /// The same settings with other messages.
    pub(super) fn with_messages<'a>(
        &self,
        messages: impl Iterator<Item = (ContextMessage<'a>, Vec<u8>)>,
    ) -> Self {
        let mut context = Self { settings: self.settings.clone(), ..Self::default() };
        for (message, text) in messages {
            context.push(message.node, message.entry_id, message.role, &text);
        }
        context
    }
}

/// Shows the message that an entry gives by itself, whether a compaction put its summary in its place or not; of a compaction that is its
/// summary. Nothing is shown of bookkeeping, and of what an edit of the plan takes out.
pub(crate) fn read_message(
    entries: &impl Entries,
    plan: &Plan,
    node: NodeId,
    look: &mut dyn FnMut(&ContextMessage<'_>),
) -> Result<()> {
    let (tree, edit) = (entries.tree(), plan.edits.get(&node));
    if edit == Some(&Edit::Remove) {
        return Ok(());
    }
    let (time, entry_id) = (tree.timestamp_ms(node), tree.id(node));
    let mut show = |role, text: &[u8]| {
        look(&ContextMessage { node, entry_id, role, raw: Raw::trusted(text) });
    };
    entries.read_entry(node, &mut |text| match tree.kind(node) {
        EntryKind::Compaction => show(Role::CompactionSummary, &compaction_summary(text, time)),
        _ => {
            if let Ok((role, message)) = message_of(text, time, edit) {
                show(role, &message);
            }
        }
    })
}
