//! Moving through the tree: what a move leaves behind and gives back, and where a fork may start (spec 4.10, 8.2, 8.3).

use crate::context::Entries;
use crate::entry::{
    BranchSummaryDraft, Content, ContentBlock, EntryDraft, EntryKind, Envelope, JsonText, Role,
};
use crate::error::{Error, ErrorKind, Result};
use crate::tree::NodeId;

use super::create::NewSession;
use super::manager::SessionManager;

/// The `customType` of an entry that only marks a position.
pub const POSITION: &str = "logwood.position";

/// What a navigation leaves behind; nothing by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Navigation {
    /// A summary of the branch that is left; an empty one counts as none.
    pub summary: Option<String>,
    /// What is stored with the summary.
    pub details: Option<JsonText>,
    /// Whether an extension made the summary; false by default, and always written.
    pub from_hook: bool,
    /// A label: on the summary where there is one, else on the target.
    pub label: Option<String>,
}

/// Where a navigation led.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Navigated {
    /// The text of the user or custom message that was chosen, to be edited and sent again.
    pub text: Option<String>,
    /// The id of the summary that was written.
    pub summary_id: Option<String>,
    /// The id of the label that was written.
    pub label_id: Option<String>,
    /// The id of the entry that was written only to mark the position.
    pub position_id: Option<String>,
}

/// A message that a fork can start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forkable {
    /// Its entry.
    pub node: NodeId,
    /// User or assistant.
    pub role: Role,
    /// Its text; `(assistant response)` for an answer without.
    pub text: String,
}

impl SessionManager {
    /// Moves to an entry, or before every entry with none, and appends there a summary of the branch that is left; returns its id.
    ///
    /// The summary names the leaf that is abandoned, `root` when there was none (spec 4.10).
    ///
    /// # Errors
    /// `entry_not_found` when there is no such entry, else as [`append`](Self::append); after any error the position is the old one.
    ///
    /// ```
    /// use logwood::session::SessionOptions;
    ///
    /// let mut session = SessionOptions::new().in_memory("/home/ana/shop");
    /// let level = session.append_thinking_level_change("high")?;
    /// let summary = session.branch_with_summary(None, "Tried to think harder.", None, None)?;
    /// assert_eq!(session.leaf_id(), Some(&*summary));
    /// # Ok::<(), logwood::error::Error>(())
    /// ```
    #[doc(alias = "branchWithSummary")]
    pub fn branch_with_summary(
        &mut self,
        from: Option<&str>,
        summary: impl Into<String>,
        details: Option<JsonText>,
        from_hook: Option<bool>,
    ) -> Result<String> {
        let position = from.map(|id| self.require(id)).transpose()?;
        let from_id = self.leaf_id().unwrap_or("root").to_owned();
        let summary = summary.into();
        let draft = BranchSummaryDraft { from_id, summary, details, from_hook, usage: None };
        self.append_at(position, EntryDraft::BranchSummary(draft))
    }

    /// Goes to an entry as `/tree` of dreb does: a user or custom message is taken back to be edited (the position is its parent, its
    /// text is returned), anything else is the new position itself.
    ///
    /// Without summary and label nothing is written. Going where one is does nothing, whatever else is asked for (spec 8.3).
    ///
    /// # Errors
    /// `entry_not_found`, else as [`append`](Self::append). When nothing was written the position is the old one; when only the label
    /// could not be written, it is the summary.
    #[doc(alias = "navigateTree")]
    pub fn navigate(&mut self, target: &str, leaving: Navigation) -> Result<Navigated> {
        let node = self.require(target)?;
        if self.leaf() == Some(node) {
            return Ok(Navigated::default());
        }
        let text = self.text_to_edit(node)?;
        let position = if text.is_some() { self.tree().parent(node) } else { Some(node) };
        let mut navigated = Navigated { text, ..Navigated::default() };
        let Some(summary) = leaving.summary.filter(|summary| !summary.is_empty()) else {
            navigated.label_id = self.move_and_label(position, target, leaving.label)?;
            return Ok(navigated);
        };
        let position = position.map(|node| self.tree().id(node).to_owned());
        let hook = Some(leaving.from_hook);
        let id = self.branch_with_summary(position.as_deref(), summary, leaving.details, hook)?;
        if let Some(label) = leaving.label.filter(|label| !label.is_empty()) {
            navigated.label_id = Some(self.append_label_change(&id, Some(&label))?);
        }
        navigated.summary_id = Some(id);
        Ok(navigated)
    }

    /// Goes to an entry as [`navigate`](Self::navigate) does, for good: where the file does not end at the new position, a `custom` entry
    /// [`POSITION`] is appended below it, so that every program reopens there (design section 2, "Position").
    ///
    /// # Errors
    /// As [`navigate`](Self::navigate); when the mark cannot be written, the position is the old one.
    ///
    /// ```
    /// use logwood::session::{Navigation, SessionOptions};
    ///
    /// let mut session = SessionOptions::new().in_memory("/home/ana/shop");
    /// let high = session.append_thinking_level_change("high")?;
    /// session.append_thinking_level_change("low")?;
    /// let navigated = session.navigate_durably(&high, Navigation::default())?;
    /// assert_eq!(session.leaf_id(), navigated.position_id.as_deref());
    /// # Ok::<(), logwood::error::Error>(())
    /// ```
    pub fn navigate_durably(&mut self, target: &str, leaving: Navigation) -> Result<Navigated> {
        let before = self.leaf_id().map(str::to_owned);
        let mut navigated = self.navigate(target, leaving)?;
        let position = self.leaf();
        if position == self.end_of_file() {
            return Ok(navigated);
        }
        let mark = EntryDraft::Custom { custom_type: POSITION.to_owned(), data: None };
        self.move_to(before);
        navigated.position_id = Some(self.append_at(position, mark)?);
        Ok(navigated)
    }

    /// Where a program stands that opens the file now.
    fn end_of_file(&self) -> Option<NodeId> {
        self.loaded.records.iter().rev().find_map(super::record::Record::node)
    }

    /// The messages that a fork can start from, of all branches, in file order: user messages with text, and answers that ended and
    /// wait for no tool (spec 8.2).
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    #[doc(alias = "getForkableMessages")]
    pub fn forkable(&self) -> Result<Vec<Forkable>> {
        let mut found = Vec::new();
        for node in self.tree().nodes() {
            let role = self.tree().role(node);
            let text = match role {
                Role::User => Some(self.message_text(node)?).filter(|text| !text.is_empty()),
                Role::Assistant if self.is_finished(node)? => {
                    let text = self.message_text(node)?;
                    Some(if text.is_empty() { "(assistant response)".to_owned() } else { text })
                }
                _ => None,
            };
            found.extend(text.map(|text| Forkable { node, role, text }));
        }
        Ok(found)
    }

    /// Makes a session of its own of the branch up to an answer, or up to just before a user message, whose text is returned to be
    /// edited; this manager is then the new session (spec 8.2). `cwd` is that of the new session; the old one's by default.
    ///
    /// # Errors
    /// `entry_not_found`; `invalid_argument` for what no fork can start from; else as
    /// [`create_branched_session`](Self::create_branched_session).
    pub fn fork(&mut self, entry: &str, cwd: Option<&str>) -> Result<String> {
        let node = self.require(entry).map_err(|_| refused("Invalid entry ID for forking"))?;
        match (self.tree().kind(node), self.tree().role(node)) {
            (EntryKind::Message, Role::Assistant) => {
                if !self.is_finished(node)? {
                    return Err(refused(UNFINISHED));
                }
                self.create_branched_session(entry, cwd)?;
                Ok(String::new())
            }
            (EntryKind::Message, Role::User) => {
                let text = self.message_text(node)?;
                self.fork_before(node, cwd)?;
                Ok(text)
            }
            _ => Err(refused("Invalid entry ID for forking")),
        }
    }

    fn fork_before(&mut self, node: NodeId, cwd: Option<&str>) -> Result<()> {
        if let Some(parent) = self.tree().parent(node) {
            let parent = self.tree().id(parent).to_owned();
            return self.create_branched_session(&parent, cwd).map(drop);
        }
        let parent_session = self.as_parent();
        let cwd = cwd.map(str::to_owned);
        self.new_session(NewSession { cwd, parent_session, ..NewSession::default() }).map(drop)
    }

    /// Appends below a position; after an error the position is the one before.
    fn append_at(&mut self, position: Option<NodeId>, draft: EntryDraft) -> Result<String> {
        let before = self.leaf_id().map(str::to_owned);
        self.set_leaf(position);
        self.append(draft).inspect_err(|_| self.move_to(before))
    }

    /// Moves to the entry with an id: reading the file again may have given a node another number.
    fn move_to(&mut self, id: Option<String>) {
        let node = id.and_then(|id| self.tree().find(&id));
        self.set_leaf(node);
    }

    fn move_and_label(
        &mut self,
        position: Option<NodeId>,
        target: &str,
        label: Option<String>,
    ) -> Result<Option<String>> {
        match label.filter(|label| !label.is_empty()) {
            None => {
                self.set_leaf(position);
                Ok(None)
            }
            label => {
                let draft = EntryDraft::Label { target_id: target.to_owned(), label };
                self.append_at(position, draft).map(Some)
            }
        }
    }

    /// The text of a user or custom message; none for any other entry.
    fn text_to_edit(&self, node: NodeId) -> Result<Option<String>> {
        match (self.tree().kind(node), self.tree().role(node)) {
            (EntryKind::Message, Role::User) => self.message_text(node).map(Some),
            (EntryKind::CustomMessage, _) => {
                let entry = self.entry_text(node)?;
                let content =
                    crate::json::Raw::parse(&entry).ok().and_then(|raw| raw.get("content"));
                Ok(Some(Content::of(content).text("").into_owned()))
            }
            _ => Ok(None),
        }
    }

    fn message_text(&self, node: NodeId) -> Result<String> {
        let entry = self.entry_text(node)?;
        let content = Envelope::scan(&entry).ok().and_then(|entry| entry.head.content);
        Ok(Content::of(content).text("").into_owned())
    }

    /// Whether an answer came to its end and waits for no tool.
    fn is_finished(&self, node: NodeId) -> Result<bool> {
        let entry = self.entry_text(node)?;
        let Ok(entry) = Envelope::scan(&entry) else { return Ok(false) };
        let broken = entry
            .head
            .stop_reason
            .is_some_and(|word| word.is_str("error") || word.is_str("aborted"));
        let mut blocks = Content::of(entry.head.content).blocks();
        Ok(!broken && !blocks.any(|block| matches!(block, ContentBlock::ToolCall(_))))
    }
}

const UNFINISHED: &str =
    "Cannot fork at this assistant turn: it was interrupted or is still waiting on tool results";

/// With dreb's words, which its clients look for.
fn refused(words: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, words)
}
