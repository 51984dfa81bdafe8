use std::borrow::Cow;

use crate::entry::{EntryKind, Role};
use crate::error::Result;
use crate::json::Raw;
use crate::tree::NodeId;

use super::message::{Missing, compaction_summary, compaction_system, message_of};
use super::plan::{Plan, Step, plan};
use super::{Entries, estimate_tokens};

/// What one entry of the path gave to the context, or why it gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExplainRow {
    /// The entry.
    pub node: NodeId,
    /// Its id.
    pub entry_id: String,
    /// Its type.
    pub kind: EntryKind,
    /// What came of it.
    pub outcome: Outcome,
    /// Who speaks in the message it gave or would have given.
    pub role: Role,
    /// Whether a context edit changed its content.
    pub edited: bool,
    /// The token estimate of what it gave (spec 5.5); 0 where it gave nothing.
    pub tokens: u64,
}

/// What came of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Its message is in the context.
    Message,
    /// It is never a message: a label, a name, a setting, a custom entry, an edit, usage, an unknown type.
    Bookkeeping,
    /// A later compaction put a summary in its place.
    Compacted,
    /// A context edit took it out.
    Edited,
    /// It is in the context, and the model does not get it: `excludeFromContext`, or a role that no model knows.
    Excluded,
    /// There is nothing in it.
    Empty,
    /// It has no message.
    Broken,
}

impl Outcome {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::Bookkeeping => "bookkeeping",
            Self::Compacted => "compacted",
            Self::Edited => "edited",
            Self::Excluded => "excluded",
            Self::Empty => "empty",
            Self::Broken => "broken",
        }
    }
}

/// One row for each entry from the root to `leaf`.
///
/// # Errors
/// When an entry of the path cannot be read any more.
pub fn explain(entries: &impl Entries, leaf: Option<NodeId>) -> Result<Vec<ExplainRow>> {
    let plan = plan(entries, leaf)?;
    plan.steps.iter().map(|(node, step)| row(entries, &plan, *node, *step)).collect()
}

fn row(entries: &impl Entries, plan: &Plan, node: NodeId, step: Step) -> Result<ExplainRow> {
    let tree = entries.tree();
    let mut row = ExplainRow {
        node,
        entry_id: tree.id(node).to_owned(),
        kind: tree.kind(node),
        outcome: Outcome::Bookkeeping,
        role: tree.role(node),
        edited: plan.edits.contains_key(&node),
        tokens: 0,
    };
    match step {
        Step::Bookkeeping => {}
        Step::Compacted => row.outcome = Outcome::Compacted,
        Step::Edited => row.outcome = Outcome::Edited,
        Step::Summary => summarise(&mut row, &entries.entry_text(node)?),
        Step::Message => {
            let text = entries.entry_text(node)?;
            let edit = plan.edits.get(&node);
            fill(&mut row, message_of(&text, tree.timestamp_ms(node), edit));
        }
    }
    Ok(row)
}

fn summarise(row: &mut ExplainRow, text: &[u8]) {
    row.outcome = Outcome::Message;
    row.role = Role::CompactionSummary;
    let system = compaction_system(text).map_or(0, |system| tokens(Role::System, &system));
    row.tokens = system + tokens(row.role, &compaction_summary(text, None));
}

fn fill(row: &mut ExplainRow, message: std::result::Result<(Role, Cow<'_, [u8]>), Missing>) {
    match message {
        Err(Missing::Empty) => row.outcome = Outcome::Empty,
        Err(Missing::Broken) => row.outcome = Outcome::Broken,
        Ok((role, text)) => {
            row.role = role;
            let excluded = is_excluded(role, &text);
            row.outcome = if excluded { Outcome::Excluded } else { Outcome::Message };
            row.tokens = if excluded { 0 } else { tokens(role, &text) };
        }
    }
}

fn is_excluded(role: Role, text: &[u8]) -> bool {
    let flag = || Raw::parse(text).ok()?.get("excludeFromContext");
    match role {
        Role::BashExecution => flag().is_some_and(Raw::is_truthy),
        Role::Unknown | Role::HookMessage => true,
        _ => false,
    }
}

fn tokens(role: Role, text: &[u8]) -> u64 {
    Raw::parse(text).map_or(0, |message| estimate_tokens(role, message))
}
