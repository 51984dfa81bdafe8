//! The summary of a branch that is left (spec 5.7).

use crate::context::{ContextMessage, Entries, estimate_tokens, plan, read_message};
use crate::entry::{EntryKind, JsonText, Role};
use crate::error::Result;
use crate::tree::{NodeId, SessionTree};

use super::files::FileLists;
use super::plan::Reader;
use super::serialise::Conversation;
use super::words::{BRANCH_HEADINGS, BRANCH_PREAMBLE, Instructions, NO_CONTENT, prompt, task};

/// How much of a branch a model is given; dreb's values unless told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchSummaryOptions {
    /// How many tokens the model takes.
    pub context_window: u64,
    /// How many of them stay free for the prompt and the answer.
    pub reserve_tokens: u64,
}

impl Default for BranchSummaryOptions {
    fn default() -> Self {
        Self { context_window: 128_000, reserve_tokens: 16_384 }
    }
}

/// What is summarised when one goes from one entry to another.
#[derive(Debug, Clone, PartialEq)]
pub struct BranchSummaryPlan {
    entries: Vec<NodeId>,
    conversation: Conversation,
    tokens: u64,
    files: FileLists,
}

/// What is stored: give it to [`SessionManager::navigate`](crate::session::SessionManager::navigate) or
/// [`branch_with_summary`](crate::session::SessionManager::branch_with_summary).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BranchSummary {
    /// The text of the summary.
    pub summary: String,
    /// The files, as dreb stores them with it.
    pub details: JsonText,
}

impl BranchSummaryPlan {
    /// How long the answer of the model may be, in tokens.
    pub const RESPONSE_TOKENS: u64 = 2048;

    /// Plans the summary of what is left on the way from `from` (the old leaf) to `to`; none is the position before every entry.
    ///
    /// The newest messages come first, until the window is full; results of tools are left out.
    ///
    /// ```
    /// use logwood::compaction::{BranchSummaryOptions, BranchSummaryPlan, Instructions};
    /// use logwood::entry::{BlockDraft, user_message};
    /// use logwood::session::SessionOptions;
    ///
    /// # fn ask_the_model(_prompt: &str) -> String { "## Goal\nA cache.".to_owned() }
    /// let mut session = SessionOptions::new().in_memory("/home/ana/shop");
    /// let start = session.append_message(user_message(&[BlockDraft::Text("plan it".into())], 1))?;
    /// session.append_message(user_message(&[BlockDraft::Text("try a cache".into())], 2))?;
    ///
    /// let (from, to) = (session.tree().leaf(), session.tree().find(&start));
    /// let plan = BranchSummaryPlan::prepare(&session, from, to, &BranchSummaryOptions::default())?;
    /// assert_eq!(plan.conversation(), Some("[User]: try a cache"));
    /// let written = plan.prompt(Instructions::Default).map(|prompt| ask_the_model(&prompt));
    /// let made = plan.finish(written.as_deref());
    /// session.branch_with_summary(Some(&start), made.summary, Some(made.details), Some(false))?;
    /// # Ok::<(), logwood::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// When an entry of the branch cannot be read any more.
    #[doc(alias = "collectEntriesForBranchSummary")]
    pub fn prepare(
        entries: &impl Entries,
        from: Option<NodeId>,
        to: Option<NodeId>,
        options: &BranchSummaryOptions,
    ) -> Result<Self> {
        let left = left_behind(entries.tree(), from, to);
        let reader = Reader { entries, plan: plan(entries, from)? };
        let mut files = FileLists::default();
        for node in &left {
            if is_summary(entries.tree().kind(*node)) {
                reader.summary_files(*node, &mut files)?;
            }
        }
        let budget = options.context_window.saturating_sub(options.reserve_tokens);
        let (taken, tokens) = reader.newest(&left, budget, &mut files)?;
        let mut conversation = Conversation::default();
        for node in taken.iter().rev() {
            let push = &mut |message: &ContextMessage<'_>| conversation.push(message);
            read_message(entries, &reader.plan, *node, push)?;
        }
        Ok(Self { entries: left, conversation, tokens, files })
    }

    /// The entries of the branch that is left, the oldest first.
    pub fn entries(&self) -> &[NodeId] {
        &self.entries
    }

    /// The conversation to summarise, as text; none where nothing was said.
    pub fn conversation(&self) -> Option<&str> {
        Some(self.conversation.text.as_str()).filter(|text| !text.is_empty())
    }

    /// How many tokens the messages have that are to be summarised, as an estimate.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The files that were read and changed on the branch.
    pub fn files(&self) -> &FileLists {
        &self.files
    }

    /// Asks a model for the summary; none where nothing was said. The words are logwood's, the headings dreb's.
    pub fn prompt(&self, instructions: Instructions<'_>) -> Option<String> {
        let of = "Summarise the conversation above, a branch that the user left to go on from an earlier point.";
        let task = task(of, &BRANCH_HEADINGS);
        self.conversation().map(|text| prompt(text, None, &task, instructions))
    }

    /// What is stored, given what the model wrote.
    pub fn finish(&self, written: Option<&str>) -> BranchSummary {
        let summary = match written.filter(|_| self.conversation().is_some()) {
            Some(written) => format!("{BRANCH_PREAMBLE}{written}{}", self.files.text()),
            None => NO_CONTENT.to_owned(),
        };
        BranchSummary { summary, details: self.files.details() }
    }
}

/// From the old leaf up to the deepest common ancestor, that one left out; the oldest first.
fn left_behind(tree: &SessionTree, from: Option<NodeId>, to: Option<NodeId>) -> Vec<NodeId> {
    let Some(from) = from else { return Vec::new() };
    let common = to.and_then(|to| tree.common_ancestor(from, to));
    let is_left = |node: &NodeId| Some(*node) != common;
    let mut left: Vec<_> = tree.ancestors(from).take_while(is_left).collect();
    left.reverse();
    left
}

fn is_summary(kind: EntryKind) -> bool {
    matches!(kind, EntryKind::Compaction | EntryKind::BranchSummary)
}

impl<E: Entries> Reader<'_, E> {
    /// The newest entries whose messages fit, the newest first, and how many tokens they have; 0 is no limit. A summary that does not
    /// fit is taken while there is a tenth left.
    fn newest(
        &self,
        nodes: &[NodeId],
        budget: u64,
        files: &mut FileLists,
    ) -> Result<(Vec<NodeId>, u64)> {
        let (mut taken, mut sum) = (Vec::new(), 0);
        for node in nodes.iter().rev() {
            let mut tokens = None;
            read_message(self.entries, &self.plan, *node, &mut |message| {
                if message.role != Role::ToolResult {
                    files.add_message(message.raw);
                    tokens = Some(estimate_tokens(message.role, message.raw));
                }
            })?;
            let Some(tokens) = tokens else { continue };
            let is_over = budget > 0 && sum + tokens > budget;
            let kind = self.entries.tree().kind(*node);
            if !is_over || (is_summary(kind) && sum * 10 < budget * 9) {
                taken.push(*node);
                sum += tokens;
            }
            if is_over {
                break;
            }
        }
        Ok((taken, sum))
    }
}
