use std::collections::HashMap;

use crate::entry::{EntryKind, Role};
use crate::error::Result;
use crate::json::{JsonKind, Raw};
use crate::tree::NodeId;

use super::Entries;

/// What the entries of one path give to a context, before any message is read.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// One step for each entry of the path, root first.
    pub steps: Vec<(NodeId, Step)>,
    /// The compaction that counts: the last one on the path.
    pub compaction: Option<NodeId>,
    /// What the last context edit of a target does.
    pub(super) edits: HashMap<NodeId, Edit>,
}

/// What becomes of one entry of the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It gives its message.
    Message,
    /// It is the compaction that counts: it gives its system message, if it has one, and its summary, before all else.
    Summary,
    /// It is bookkeeping and never gives a message.
    Bookkeeping,
    /// A compaction put its summary in its place.
    Compacted,
    /// A context edit takes it out.
    Edited,
}

/// What a `context_edit` does to its target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Edit {
    /// Takes it out.
    Remove,
    /// Gives it this content (JSON text).
    Replace(Vec<u8>),
}

/// Decides what each entry from the root to `leaf` gives; without a leaf, nothing does.
///
/// # Errors
/// When a compaction or a context edit cannot be read any more.
pub fn plan(entries: &impl Entries, leaf: Option<NodeId>) -> Result<Plan> {
    let tree = entries.tree();
    let path = leaf.map(|leaf| tree.branch(leaf)).unwrap_or_default();
    let at = path.iter().rposition(|node| tree.kind(*node) == EntryKind::Compaction);
    let first_kept = match at {
        Some(at) => first_kept(entries, &path, at)?,
        None => 0,
    };
    let selected = |place: usize| place >= first_kept && Some(place) != at;
    let edits = edits(entries, path.iter().enumerate().filter(|(i, _)| selected(*i)))?;
    let compaction = at.and_then(|at| path.get(at)).copied();
    let step_of = |place: usize, node: NodeId| match () {
        () if Some(place) == at => Step::Summary,
        () if place < first_kept => compacted(tree.kind(node)),
        () if edits.get(&node) == Some(&Edit::Remove) => Step::Edited,
        () => step(tree.kind(node), tree.role(node), at.is_some_and(|at| place < at)),
    };
    let steps = path.iter().enumerate().map(|(i, node)| (*node, step_of(i, *node))).collect();
    Ok(Plan { steps, compaction, edits })
}

/// The place on the path where the kept range of the compaction at `at` starts; its own place when it keeps nothing.
fn first_kept(entries: &impl Entries, path: &[NodeId], at: usize) -> Result<usize> {
    let Some(compaction) = path.get(at) else { return Ok(at) };
    let text = entries.entry_text(*compaction)?;
    let entry = Raw::parse(&text).unwrap_or_else(|_| Raw::null());
    let id = entry.get_str("firstKeptEntryId");
    let node = id.and_then(|id| entries.tree().find(&id));
    let before = path.iter().take(at);
    let place = node.and_then(|node| before.enumerate().find(|(_, on)| **on == node));
    Ok(place.map_or(at, |(place, _)| place))
}

/// The last edit of each target among the selected entries (newer-dialects).
fn edits<'a>(
    entries: &impl Entries,
    selected: impl Iterator<Item = (usize, &'a NodeId)>,
) -> Result<HashMap<NodeId, Edit>> {
    let tree = entries.tree();
    let mut edits = HashMap::new();
    for (_, node) in selected {
        if tree.kind(*node) != EntryKind::ContextEdit {
            continue;
        }
        let text = entries.entry_text(*node)?;
        if let Some((target, edit)) = read_edit(&text)
            && let Some(target) = tree.find(&target)
            && may_be_edited(tree.kind(target), tree.role(target))
        {
            edits.insert(target, edit);
        }
    }
    Ok(edits)
}

fn read_edit(text: &[u8]) -> Option<(String, Edit)> {
    let entry = Raw::parse(text).ok()?;
    let target = entry.get_str("targetId")?.into_owned();
    let replacement = entry.get("replacement")?;
    if replacement.is_null() {
        return Some((target, Edit::Remove));
    }
    let content = replacement.get("content")?;
    let usable = matches!(content.kind(), JsonKind::String | JsonKind::Array);
    usable.then(|| (target, Edit::Replace(content.bytes().to_vec())))
}

fn may_be_edited(kind: EntryKind, role: Role) -> bool {
    kind == EntryKind::CustomMessage
        || matches!(role, Role::User | Role::Assistant | Role::ToolResult)
}

fn compacted(kind: EntryKind) -> Step {
    if gives(kind) { Step::Compacted } else { Step::Bookkeeping }
}

fn step(kind: EntryKind, role: Role, before_compaction: bool) -> Step {
    match kind {
        EntryKind::Compaction => Step::Compacted,
        EntryKind::Message if role == Role::System && before_compaction => Step::Compacted,
        kind if gives(kind) => Step::Message,
        _ => Step::Bookkeeping,
    }
}

fn gives(kind: EntryKind) -> bool {
    matches!(
        kind,
        EntryKind::Message
            | EntryKind::CustomMessage
            | EntryKind::BranchSummary
            | EntryKind::Compaction
    )
}
