//! One entry of a session as an article of the page.

use logwood::context::Entries;
use logwood::entry::{Content, ContentBlock, Entry, EntryData, Message, ToolCallBlock};
use logwood::error::Result;
use logwood::tree::{NodeId, SessionTree};

use super::body::{push_block, push_body, push_end, push_note};
use super::escape::push_text;
use super::results::Results;
use super::tool::{push_arguments, push_result};
use crate::highlight::Highlighter;
use crate::is_hidden;
use crate::tree_view::format_call;

/// Puts entries into articles.
pub(super) struct Articles<'a, E> {
    pub(super) entries: &'a E,
    pub(super) results: Results,
    /// Whether each entry is on the path that is shown first.
    pub(super) on_path: Vec<bool>,
    pub(super) highlighter: Highlighter,
    /// The home directory, shown as `~` in the paths of calls.
    pub(super) home: Option<&'a str>,
    /// Whether messages are shown that their extension hides from people.
    pub(super) hidden: bool,
    /// How many of those were left out.
    pub(super) left_out: usize,
}

impl<E: Entries> Articles<'_, E> {
    /// Adds the article of an entry behind `before`, and says so; nothing for entries that are not shown in the column of messages.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub(super) fn push(&mut self, page: &mut String, before: &str, node: NodeId) -> Result<bool> {
        if self.results.is_placed(node) {
            return Ok(false);
        }
        let text = self.entries.entry_text(node)?;
        let Ok(entry) = Entry::parse(&text) else { return Ok(false) };
        let Some((class, who, about)) = heading(entry) else { return Ok(false) };
        if is_hidden(entry) && !self.hidden {
            self.left_out += 1;
            return Ok(false);
        }
        page.push_str(before);
        let results = self.results.of_answer(node);
        self.open(page, node, class, &results);
        push_heading(page, self.entries.tree(), node, who, &about, entry);
        page.push_str("<div class=\"body\">");
        match entry.data() {
            EntryData::Message(message @ Message::Assistant(answer)) => {
                self.push_answer(page, node, message.content())?;
                push_end(page, answer);
            }
            _ => push_body(page, entry, &mut self.highlighter),
        }
        page.push_str("</div></noscript></article>\n");
        Ok(true)
    }

    /// The article knows the results in it before it is filled: a browser with scripts reads what is in `noscript` as one piece of
    /// text, and the page makes elements of it when they are wanted. That is what opens long sessions fast.
    fn open(&self, page: &mut String, node: NodeId, class: &str, results: &[NodeId]) {
        let number = node.index();
        let hidden = if self.is_on_path(node) { "" } else { " hidden" };
        let results: Vec<_> = results.iter().map(|node| node.index().to_string()).collect();
        let results = match results.is_empty() {
            true => String::new(),
            false => format!(" data-r=\"{}\"", results.join(" ")),
        };
        page.push_str(&format!(
            "<article id=\"n{number}\" class=\"{class}\" data-n=\"{number}\"{results} tabindex=\"-1\"{hidden}><noscript>"
        ));
    }

    fn is_on_path(&self, node: NodeId) -> bool {
        self.on_path.get(node.index()).copied().unwrap_or(false)
    }

    fn push_answer(&mut self, page: &mut String, node: NodeId, content: Content<'_>) -> Result<()> {
        if let Content::Text(_) = content {
            super::markdown::push_markdown(page, &content.text(""), &mut self.highlighter);
        }
        for (place, block) in content.blocks().enumerate() {
            match block {
                ContentBlock::ToolCall(call) => self.push_call(page, node, place, call)?,
                block => push_block(page, block, &mut self.highlighter),
            }
        }
        Ok(())
    }

    /// A call, and below it its result on each branch.
    fn push_call(
        &mut self,
        page: &mut String,
        answer: NodeId,
        place: usize,
        call: ToolCallBlock<'_>,
    ) -> Result<()> {
        page.push_str("<section class=\"call\"><h3>");
        push_text(page, &format_call(call, self.home));
        page.push_str("</h3>");
        push_arguments(page, call, &mut self.highlighter);
        let results = self.results.of(answer, place).to_vec();
        for node in &results {
            let text = self.entries.entry_text(*node)?;
            if let Ok(EntryData::Message(Message::ToolResult(result))) =
                Entry::parse(&text).map(Entry::data)
            {
                let class = if result.is_error() { "result failed" } else { "result" };
                let (number, hidden) =
                    (node.index(), if self.is_on_path(*node) { "" } else { " hidden" });
                page.push_str(&format!(
                    "<div id=\"n{number}\" class=\"{class}\" data-n=\"{number}\" tabindex=\"-1\"{hidden}>"
                ));
                if result.is_error() {
                    push_note(page, "note error", "Failed");
                }
                push_result(page, result, Some(call), &mut self.highlighter);
                page.push_str("</div>");
            }
        }
        if results.is_empty() {
            push_note(page, "note", "no result");
        }
        page.push_str("</section>");
        Ok(())
    }
}

/// Who speaks, when, under which label; and the buttons.
fn push_heading(
    page: &mut String,
    tree: &SessionTree,
    node: NodeId,
    who: &str,
    about: &str,
    entry: Entry<'_>,
) {
    page.push_str("<header><h2>");
    page.push_str(who);
    page.push_str("</h2>");
    if !about.is_empty() {
        page.push_str(" <span class=\"about\">");
        push_text(page, about);
        page.push_str("</span>");
    }
    if let Some(label) = tree.label(node) {
        page.push_str(" <span class=\"label\">");
        push_text(page, label);
        page.push_str("</span>");
    }
    if let Some(time) = entry.timestamp() {
        page.push_str(" <time datetime=\"");
        push_text(page, &time);
        page.push_str("\">");
        push_text(page, &time);
        page.push_str("</time>");
    }
    let name = format!("{who} {}", node.index() + 1);
    page.push_str(&format!(
        " <button type=\"button\" class=\"copy\" aria-label=\"Copy the text of {name}\">copy</button>\
         <button type=\"button\" class=\"link\" aria-label=\"Copy a link to {name}\">link</button></header>"
    ));
}

/// The class of an article, who speaks, and about what; none for what is not shown among the messages (spec 8.10).
fn heading(entry: Entry<'_>) -> Option<(&'static str, &'static str, String)> {
    let heading = |class, who, about: String| Some((class, who, about));
    match entry.data() {
        EntryData::Message(Message::Missing) => None,
        EntryData::Message(message) => Some(message_heading(message)),
        EntryData::CustomMessage(custom) => {
            heading("custom", "Custom", custom.custom_type().unwrap_or_default().into_owned())
        }
        EntryData::Compaction(compaction) => {
            let before = compaction.tokens_before().unwrap_or(0.0).max(0.0) as u64;
            heading(
                "compaction",
                "Compaction",
                format!("of {} tokens", crate::plain::tokens(before)),
            )
        }
        EntryData::BranchSummary(_) => heading("branch", "Branch summary", String::new()),
        EntryData::ModelChange(_) => heading("change", "Model", String::new()),
        _ => None,
    }
}

fn message_heading(message: Message<'_>) -> (&'static str, &'static str, String) {
    match message {
        Message::User(_) => ("user", "User", String::new()),
        Message::Assistant(answer) => {
            ("assistant", "Assistant", answer.model().unwrap_or_default().into_owned())
        }
        Message::ToolResult(result) => {
            let class = if result.is_error() { "tool failed" } else { "tool" };
            (class, "Tool result", result.tool_name().unwrap_or_default().into_owned())
        }
        Message::BashExecution(_) => ("bash", "Shell", String::new()),
        Message::Custom(custom) => {
            ("custom", "Custom", custom.custom_type().unwrap_or_default().into_owned())
        }
        other => {
            let role = other.raw().and_then(|raw| raw.get_str("role")).unwrap_or_default();
            ("other", "Message", role.into_owned())
        }
    }
}
