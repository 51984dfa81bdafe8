//! A compaction: what is summarised, what stays, and the entry that says so (spec 5.6).

use crate::context::{Entries, Plan, plan, read_message};
use crate::entry::{CompactionDraft, EntryKind};
use crate::error::Result;
use crate::json::Raw;
use crate::tree::NodeId;

use super::cut::cut;
use super::files::FileLists;
use super::serialise::Conversation;
use super::tokens::Counter;
use super::words::{
    Instructions, NO_HISTORY, SUMMARY_HEADINGS, TURN_BREAK, TURN_HEADINGS, prompt, task,
};

/// How a session is compacted; dreb's values unless told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionOptions {
    /// How many tokens are to stay free for the answer and the summary.
    pub reserve_tokens: u64,
    /// About how many tokens of the latest messages stay.
    pub keep_recent_tokens: u64,
    /// From where on is summarised when there was a compaction before.
    pub scope: Scope,
}

impl Default for CompactionOptions {
    fn default() -> Self {
        Self { reserve_tokens: 16_384, keep_recent_tokens: 20_000, scope: Scope::default() }
    }
}

/// From where on a second compaction summarises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// From the first entry that the one before kept: so nothing is lost. As the newest pi.
    #[default]
    Kept,
    /// From behind the one before. As dreb; what that one kept is then neither kept nor summarised (F-25).
    AfterCompaction,
}

/// What can be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Preparation {
    /// There is something to summarise.
    Ready(CompactionPlan),
    /// There is not.
    Nothing(Nothing),
}

/// Why there is nothing to compact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nothing {
    /// The path is empty.
    Empty,
    /// Its last entry is a compaction.
    AlreadyCompacted,
    /// All of it stays.
    TooSmall,
}

/// What a compaction summarises and keeps.
#[derive(Debug, Clone, PartialEq)]
pub struct CompactionPlan {
    first_kept: NodeId,
    first_kept_id: String,
    tokens_before: u64,
    history: Conversation,
    turn: Conversation,
    previous: Option<String>,
    files: FileLists,
}

impl CompactionPlan {
    /// Plans the compaction of the path to `leaf`.
    ///
    /// # Errors
    /// When an entry of the path cannot be read any more.
    #[doc(alias = "prepareCompaction")]
    pub fn prepare(
        entries: &impl Entries,
        leaf: Option<NodeId>,
        options: &CompactionOptions,
    ) -> Result<Preparation> {
        let tree = entries.tree();
        let path = leaf.map(|leaf| tree.branch(leaf)).unwrap_or_default();
        match path.last().map(|last| tree.kind(*last)) {
            None => return Ok(Preparation::Nothing(Nothing::Empty)),
            Some(EntryKind::Compaction) => {
                return Ok(Preparation::Nothing(Nothing::AlreadyCompacted));
            }
            Some(_) => {}
        }
        let reader = Reader { entries, plan: plan(entries, leaf)? };
        let before = path.iter().rposition(|node| tree.kind(*node) == EntryKind::Compaction);
        let start = reader.start(&path, before, options.scope)?;
        let mut estimate = |node| reader.estimate(node);
        let at = cut(tree, &path, start, options.keep_recent_tokens, &mut estimate)?;
        let history_end = at.turn_start.unwrap_or(at.first_kept);
        let part = |from: usize, to: usize| path.get(from..to).unwrap_or_default();
        let mut files = FileLists::default();
        let previous = match before.and_then(|before| path.get(before)) {
            Some(node) => reader.previous_summary(*node, &mut files)?,
            None => None,
        };
        let history = reader.conversation(part(start, history_end), &mut files)?;
        let turn = reader.conversation(part(history_end, at.first_kept), &mut files)?;
        let Some(first_kept) = path.get(at.first_kept).copied() else {
            return Ok(Preparation::Nothing(Nothing::TooSmall));
        };
        if history.messages + turn.messages == 0 {
            return Ok(Preparation::Nothing(Nothing::TooSmall));
        }
        let tokens_before = reader.tokens(part(before.unwrap_or(0), path.len()))?;
        let first_kept_id = tree.id(first_kept).to_owned();
        Ok(Preparation::Ready(Self {
            first_kept,
            first_kept_id,
            tokens_before,
            history,
            turn,
            previous,
            files,
        }))
    }

    /// The first entry that stays.
    pub fn first_kept(&self) -> NodeId {
        self.first_kept
    }

    /// The id of the first entry that stays.
    pub fn first_kept_entry_id(&self) -> &str {
        &self.first_kept_id
    }

    /// How many tokens the context has before.
    pub fn tokens_before(&self) -> u64 {
        self.tokens_before
    }

    /// What is summarised, as text; empty where only the beginning of a turn is.
    pub fn history(&self) -> &str {
        &self.history.text
    }

    /// The beginning of the turn that the cut splits, as text, to be summarised apart.
    pub fn turn_prefix(&self) -> Option<&str> {
        Some(self.turn.text.as_str()).filter(|text| !text.is_empty())
    }

    /// The summary of the compaction before, which the new one takes the place of.
    pub fn previous_summary(&self) -> Option<&str> {
        self.previous.as_deref()
    }

    /// The files that were read and changed up to the cut.
    pub fn files(&self) -> &FileLists {
        &self.files
    }

    /// Asks a model for the summary of the history; none where there is none. The words are logwood's, the headings dreb's.
    pub fn history_prompt(&self, instructions: Instructions<'_>) -> Option<String> {
        let of = match self.previous {
            None => "Summarise the conversation above.",
            Some(_) => {
                "Bring the previous summary up to date with the conversation above, which came after it; keep of it what still holds."
            }
        };
        let task = task(of, &SUMMARY_HEADINGS);
        let ask = || prompt(self.history(), self.previous_summary(), &task, instructions);
        (!self.history().is_empty()).then(ask)
    }

    /// Asks a model for the summary of the beginning of the split turn; none where no turn is split.
    pub fn turn_prompt(&self) -> Option<String> {
        let of = "The conversation above is the beginning of a turn whose end is kept as it is. Summarise what the end cannot be understood without.";
        let task = task(of, &TURN_HEADINGS);
        self.turn_prefix().map(|turn| prompt(turn, None, &task, Instructions::Default))
    }

    /// The entry, given what the model wrote about the history and about the beginning of the turn; append it at the leaf.
    ///
    /// Without a history the summary before stays, where there is one (dreb loses it here), else it says `No prior history.`
    pub fn finish(&self, history: Option<&str>, turn: Option<&str>) -> CompactionDraft {
        let mut summary = history.or(self.previous_summary()).unwrap_or(NO_HISTORY).to_owned();
        if let Some(turn) = turn.filter(|_| self.turn_prefix().is_some()) {
            summary.extend([TURN_BREAK, turn]);
        }
        summary.push_str(&self.files.text());
        CompactionDraft {
            summary,
            first_kept_entry_id: Some(self.first_kept_id.clone()),
            tokens_before: self.tokens_before as f64,
            details: Some(self.files.details()),
            from_hook: Some(false),
            ..CompactionDraft::default()
        }
    }
}

/// Reads messages of one path, with the edits that act on it.
pub(super) struct Reader<'a, E> {
    pub(super) entries: &'a E,
    pub(super) plan: Plan,
}

impl<E: Entries> Reader<'_, E> {
    /// The place from which on is summarised.
    fn start(&self, path: &[NodeId], before: Option<usize>, scope: Scope) -> Result<usize> {
        let Some(before) = before else { return Ok(0) };
        let Some(node) = path.get(before).filter(|_| scope == Scope::Kept) else {
            return Ok(before + 1);
        };
        let text = self.entries.entry_text(*node)?;
        let id = Raw::parse(&text).ok().and_then(|entry| entry.get_str("firstKeptEntryId"));
        let kept = id.and_then(|id| self.entries.tree().find(&id));
        let place = kept.and_then(|kept| path.iter().take(before).position(|node| *node == kept));
        Ok(place.unwrap_or(before + 1))
    }

    pub(super) fn estimate(&self, node: NodeId) -> Result<u64> {
        let mut tokens = 0;
        read_message(self.entries, &self.plan, node, &mut |message| {
            tokens = crate::context::estimate_tokens(message.role, message.raw);
        })?;
        Ok(tokens)
    }

    /// The size of the context that these entries give.
    fn tokens(&self, nodes: &[NodeId]) -> Result<u64> {
        let mut counter = Counter::default();
        for node in nodes.iter().rev() {
            let mut known = false;
            read_message(self.entries, &self.plan, *node, &mut |message| {
                known = counter.count(message.role, message.raw);
            })?;
            if known {
                break;
            }
        }
        Ok(counter.tokens)
    }

    /// The text of the messages, compactions left out, and their files.
    fn conversation(&self, nodes: &[NodeId], files: &mut FileLists) -> Result<Conversation> {
        let mut conversation = Conversation::default();
        for node in nodes {
            match self.entries.tree().kind(*node) {
                EntryKind::Compaction => continue,
                EntryKind::BranchSummary => self.summary_files(*node, files)?,
                _ => {}
            }
            read_message(self.entries, &self.plan, *node, &mut |message| {
                files.add_message(message.raw);
                conversation.push(message);
            })?;
        }
        Ok(conversation)
    }

    fn previous_summary(&self, node: NodeId, files: &mut FileLists) -> Result<Option<String>> {
        let text = self.entries.entry_text(node)?;
        let entry = Raw::parse(&text).unwrap_or_else(|_| Raw::null());
        files.add_summary(entry);
        let summary = entry.get_str("summary").filter(|summary| !summary.is_empty());
        Ok(summary.map(|summary| summary.into_owned()))
    }

    pub(super) fn summary_files(&self, node: NodeId, files: &mut FileLists) -> Result<()> {
        let text = self.entries.entry_text(node)?;
        files.add_summary(Raw::parse(&text).unwrap_or_else(|_| Raw::null()));
        Ok(())
    }
}
