//! How a session takes entries: of version 2 and 3 by their ids, of version 1 by their order.

use std::borrow::Cow;

use crate::entry::{EntryKind, Envelope, Role};
use crate::json::{Raw, is_written_as_iso, parse_iso_ms};
use crate::line::LineRef;
use crate::migration::entry_id;
use crate::problem::{Problem, ProblemKind};
use crate::tree::{Inserted, NewNode, NodeId};

use super::loaded::{Kept, Loaded};
use super::record::{HeadKind, Span, What};

impl Loaded {
    /// An entry with an id.
    pub(super) fn entry(&mut self, line: LineRef<'_>, envelope: &Envelope<'_>) {
        let id = envelope.usable_id().and_then(Raw::as_str).unwrap_or_default();
        let parent = envelope.parent_id.and_then(parent_text);
        let node = self.insert(line, envelope, &id, parent.as_deref());
        let kept = envelope.first_kept_entry_id.and_then(Raw::as_str);
        let kept = kept.map_or(Kept::Missing, |id| Kept::Named(id.into_owned()));
        self.apply(envelope, node, kept);
    }

    /// An entry of version 1: its place gives it id and parent (spec 2.4).
    pub(super) fn version_1_entry(&mut self, line: LineRef<'_>, envelope: &Envelope<'_>) {
        self.version_1.all_have_ids &=
            envelope.usable_id().is_some() && envelope.parent_id.is_some();
        let index = line.position.line.saturating_sub(1);
        let id = entry_id(self.header.id(), index, |id| self.tree.find(id).is_some());
        let parent = self.tree.leaf().map(|leaf| self.tree.id(leaf).to_owned());
        let node = self.insert(line, envelope, &id, parent.as_deref());
        self.version_1.parsed.push(Some(node));
        let kept = self.kept_by_index(envelope);
        self.apply(envelope, node, kept);
    }

    /// What `firstKeptEntryIndex` names: a parsed record up to this one, counted with the header as 0.
    fn kept_by_index(&self, envelope: &Envelope<'_>) -> Kept {
        let Some(index) = envelope.first_kept_entry_index.and_then(Raw::as_f64) else {
            let named = envelope.first_kept_entry_id.and_then(Raw::as_str);
            return named.map_or(Kept::Missing, |id| Kept::Named(id.into_owned()));
        };
        let whole = index.fract() == 0.0 && index >= 0.0;
        let record = whole.then(|| self.version_1.parsed.get(index as usize)).flatten();
        record.copied().flatten().map_or(Kept::DroppedIndex, Kept::Index)
    }

    fn insert(
        &mut self,
        line: LineRef<'_>,
        envelope: &Envelope<'_>,
        id: &str,
        parent: Option<&str>,
    ) -> NodeId {
        let timestamp_ms = self.timestamp_of(line, envelope);
        let kind = envelope.entry_kind();
        let role = if kind == EntryKind::Message { envelope.role() } else { Role::None };
        let node = self.insert_node(line, &NewNode { id, parent, timestamp_ms, kind, role });
        if let (Some(record), Some(message)) = (self.records.last_mut(), plain_message(envelope)) {
            record.message = Span::of(message.bytes(), line.bytes);
        }
        if let Some(record) = self.records.last_mut() {
            record.head = head_kind(envelope, kind, role, timestamp_ms);
        }
        node
    }

    /// Puts an entry into the tree and keeps its record.
    pub(super) fn insert_node(&mut self, line: LineRef<'_>, new: &NewNode<'_>) -> NodeId {
        self.has_assistant |= new.role == Role::Assistant;
        let inserted = self.tree.insert(new);
        let node = inserted.node();
        let record = self.push(line, What::Entry(node));
        match inserted {
            Inserted::New(_) => self.latest.push(record),
            Inserted::Again(_) => {
                let problem = Problem::at(ProblemKind::DuplicateId, line.position);
                self.problems.push(problem.with_entry(new.id));
                if let Some(latest) = self.latest.get_mut(node.index()) {
                    *latest = record;
                }
            }
        }
        node
    }

    /// What an entry changes beyond the tree: labels, the name, what a compaction keeps.
    fn apply(&mut self, envelope: &Envelope<'_>, node: NodeId, kept: Kept) {
        self.first_kept.remove(&node);
        match envelope.entry_kind() {
            EntryKind::Label => self.apply_label(envelope, node),
            EntryKind::SessionInfo => {
                self.name = envelope.display_name();
                self.name_entry = Some(node);
            }
            EntryKind::Compaction => {
                self.first_kept.insert(node, kept);
                self.new_compactions.push(node);
            }
            _ => {}
        }
    }

    fn apply_label(&mut self, envelope: &Envelope<'_>, node: NodeId) {
        let Some(target) = envelope.target_id.and_then(Raw::as_str) else { return };
        let label = envelope.label.and_then(Raw::as_str);
        self.tree.labels_mut().apply(&target, label.as_deref());
        if let Some(record) = self.latest.get(node.index()) {
            self.label_targets.push((*record, target.into_owned()));
        }
    }
}

impl Loaded {
    /// The time of an entry; one that cannot be read is a finding.
    fn timestamp_of(&mut self, line: LineRef<'_>, envelope: &Envelope<'_>) -> Option<i64> {
        let text = envelope.timestamp.and_then(Raw::as_string_bytes);
        let time = text.and_then(parse_iso_ms);
        if time.is_none() {
            self.problem(ProblemKind::InvalidTimestamp, line.position);
        }
        time
    }
}

/// The message of an entry, where a context takes it as it stands: one whose content need not be filled in.
fn plain_message<'a>(envelope: &Envelope<'a>) -> Option<Raw<'a>> {
    let message = envelope.message.filter(|_| envelope.entry_kind() == EntryKind::Message)?;
    let filled = envelope.head.content.is_some_and(|content| !content.is_null());
    let needs_content =
        matches!(envelope.role(), Role::User | Role::Assistant | Role::ToolResult | Role::System);
    (message.is_object() && (filled || !needs_content)).then_some(message)
}

/// The id that a `parentId` names; null, missing, empty and other false values name none (spec 1.3).
fn parent_text(parent: Raw<'_>) -> Option<Cow<'_, str>> {
    parent.is_truthy().then(|| {
        parent.as_str().unwrap_or_else(|| Cow::Owned(format!("{} (not text)", parent.text())))
    })
}

/// Whether the tree knows the envelope as it is written.
fn head_kind(
    envelope: &Envelope<'_>,
    kind: EntryKind,
    role: Role,
    timestamp_ms: Option<i64>,
) -> HeadKind {
    let word = envelope.head.role.filter(|role| role.as_string_bytes().is_some());
    let known = matches!(role, Role::None | Role::Unknown);
    let same_role = match word {
        Some(word) => !known && word.is_str(role.as_str()),
        None => known,
    };
    let time = envelope.timestamp.and_then(Raw::as_string_bytes);
    let same_time = timestamp_ms.zip(time).is_some_and(|(ms, text)| is_written_as_iso(text, ms));
    if kind == EntryKind::Unknown || envelope.lone_surrogate || !same_role || !same_time {
        return HeadKind::Unknown;
    }
    match envelope.parent_id.filter(|parent| !parent.is_null()) {
        None => HeadKind::Root,
        Some(parent) if parent.as_string_bytes().is_some_and(|id| !id.is_empty()) => {
            HeadKind::Child
        }
        Some(_) => HeadKind::Unknown,
    }
}
