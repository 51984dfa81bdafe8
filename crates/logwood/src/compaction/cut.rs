//! Where a path is cut in two: what is summarised and what stays (spec 5.6).

use crate::entry::{EntryKind, Role};
use crate::error::Result;
use crate::tree::{NodeId, SessionTree};

/// A cut of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// The place of the first entry that stays.
    pub(super) first_kept: usize,
    /// Where the turn begins that the cut splits; none where there is no turn, the cut itself where it splits none.
    pub(super) turn_start: Option<usize>,
}

/// Cuts `path` at or after `start`, so that about `keep` tokens stay; `estimate` says how many a message entry has.
pub(super) fn cut(
    tree: &SessionTree,
    path: &[NodeId],
    start: usize,
    keep: u64,
    estimate: &mut dyn FnMut(NodeId) -> Result<u64>,
) -> Result<Cut> {
    let kind = |place: usize| path.get(place).map(|node| tree.kind(*node));
    let role = |place: usize| path.get(place).map(|node| tree.role(*node));
    let is_cut_point = |place: &usize| match kind(*place) {
        Some(EntryKind::Message) => role(*place) != Some(Role::ToolResult),
        kind => matches!(kind, Some(EntryKind::BranchSummary | EntryKind::CustomMessage)),
    };
    let Some(first) = (start..path.len()).find(is_cut_point) else {
        return Ok(Cut { first_kept: start, turn_start: None });
    };
    let full = where_full(tree, path, start, keep, estimate)?;
    let mut first_kept =
        full.and_then(|full| (full..path.len()).find(is_cut_point)).unwrap_or(first);
    let is_before = |place: usize| {
        !matches!(kind(place), Some(EntryKind::Message | EntryKind::Compaction) | None)
    };
    while first_kept > start && is_before(first_kept - 1) {
        first_kept -= 1;
    }
    let is_turn_start = |place: &usize| match kind(*place) {
        Some(EntryKind::Message) => {
            matches!(role(*place), Some(Role::User | Role::BashExecution))
        }
        kind => matches!(kind, Some(EntryKind::BranchSummary | EntryKind::CustomMessage)),
    };
    // A cut at the start of a turn splits none: what is before it in the turn is nothing.
    let turn_start = (start..=first_kept).rev().find(is_turn_start);
    Ok(Cut { first_kept, turn_start })
}

/// The place, going back from the end, at which the messages reach `keep` tokens.
fn where_full(
    tree: &SessionTree,
    path: &[NodeId],
    start: usize,
    keep: u64,
    estimate: &mut dyn FnMut(NodeId) -> Result<u64>,
) -> Result<Option<usize>> {
    let mut sum = 0;
    for (place, node) in path.iter().enumerate().skip(start).rev() {
        if tree.kind(*node) == EntryKind::Message {
            sum += estimate(*node)?;
            if sum >= keep {
                return Ok(Some(place));
            }
        }
    }
    Ok(None)
}
