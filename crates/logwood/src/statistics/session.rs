//! One open session: what `get_session_stats` says, over the context, the current branch and the whole file (spec 8.7).

use std::collections::HashSet;

use crate::context::Entries as _;
use crate::entry::{Content, ContentBlock, EntryKind, Envelope, Role, parse_line};
use crate::error::Result;
use crate::json::Raw;
use crate::session::SessionManager;
use crate::tree::NodeId;

use super::collect::Current;
use super::read::{UsageReader, usage_of_message};
use super::{Totals, UsageKey, usage_of};

/// How many messages there are, by who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageCounts {
    /// User messages.
    pub user: u64,
    /// Assistant messages.
    pub assistant: u64,
    /// Tool call blocks of assistant messages.
    pub tool_calls: u64,
    /// Tool results.
    pub tool_results: u64,
    /// All messages, of any role.
    pub total: u64,
}

/// What some part of a session has and costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Its messages.
    pub messages: MessageCounts,
    /// Its tokens and cost.
    pub totals: Totals,
}

/// An open session in three extents. A fork counts what it copied: this is about one session and not about money spent once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionStatistics {
    /// The messages that a model would get, as dreb counts them: after a compaction what it left out is not counted.
    pub context: Extent,
    /// Every entry from the root to the current position, with the usage of summaries, tools and usage entries.
    pub branch: Extent,
    /// Every entry of the session, also those of abandoned branches; each id once.
    pub file: Extent,
}

impl SessionStatistics {
    /// Counts a session at its current position.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    #[doc(alias = "getSessionStats")]
    pub fn of(session: &SessionManager) -> Result<Self> {
        let mut found = Self { context: context(session)?, ..Self::default() };
        let current = Current::of(session.tree());
        for node in session.tree().nodes() {
            let counts = counts_of(session, node)?;
            found.file.messages.add(counts);
            if current.has(node) {
                found.branch.messages.add(counts);
            }
        }
        let of_subagent = session.header().agent_type().is_some();
        let mut seen: HashSet<UsageKey> = HashSet::new();
        for record in usage_of(session)?.iter().filter(|record| seen.insert(record.key())) {
            found.file.totals.add(record, of_subagent);
            if record.current_branch {
                found.branch.totals.add(record, of_subagent);
            }
        }
        Ok(found)
    }
}

impl MessageCounts {
    fn of(role: Role, tool_calls: u64) -> Self {
        Self {
            user: u64::from(role == Role::User),
            assistant: u64::from(role == Role::Assistant),
            tool_calls,
            tool_results: u64::from(role == Role::ToolResult),
            total: 1,
        }
    }

    fn add(&mut self, other: Self) {
        self.user += other.user;
        self.assistant += other.assistant;
        self.tool_calls += other.tool_calls;
        self.tool_results += other.tool_results;
        self.total += other.total;
    }
}

/// The messages of the context; only assistant messages cost something there, as in dreb.
fn context(session: &SessionManager) -> Result<Extent> {
    let mut extent = Extent::default();
    let of_subagent = session.header().agent_type().is_some();
    let mut reader = UsageReader::default();
    for message in session.context()?.messages() {
        let role = message.raw.get_str("role").map_or(Role::Unknown, |word| Role::from_word(&word));
        let calls =
            if role == Role::Assistant { tool_calls(message.raw.get("content")) } else { 0 };
        extent.messages.add(MessageCounts::of(role, calls));
        if role == Role::Assistant {
            let record = usage_of_message(&mut reader, message.raw);
            extent.totals.add(&record, of_subagent);
        }
    }
    Ok(extent)
}

/// What an entry counts; nothing where it is no message. Only answers are read, for their tool calls.
fn counts_of(session: &SessionManager, node: NodeId) -> Result<MessageCounts> {
    let tree = session.tree();
    if tree.kind(node) != EntryKind::Message {
        return Ok(MessageCounts::default());
    }
    let role = tree.role(node);
    let mut calls = 0;
    if role == Role::Assistant {
        session.read_entry(node, &mut |text| calls = tool_calls(content(text)))?;
    }
    Ok(MessageCounts::of(role, calls))
}

fn content(entry: &[u8]) -> Option<Raw<'_>> {
    let parsed = parse_line(entry)?.ok()?;
    let Envelope { head, .. } = parsed.envelope;
    head.content
}

fn tool_calls(content: Option<Raw<'_>>) -> u64 {
    let blocks = Content::of(content).blocks();
    blocks.filter(|block| matches!(block, ContentBlock::ToolCall(_))).count() as u64
}
