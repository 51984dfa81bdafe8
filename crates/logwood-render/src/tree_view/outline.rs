//! What each entry of a session says in a row.

use std::collections::HashMap;

use logwood::context::Entries;
use logwood::entry::{ContentBlock, Entry, EntryData, Message};
use logwood::error::Result;
use logwood::json::trim_js;
use logwood::tree::{NodeId, SessionTree};

use super::text::{one_line, row_text};
use super::tool_call::format_call;
use super::{Filter, Layout};

/// The texts of all rows, read once in file order.
pub struct Outline<'a> {
    tree: &'a SessionTree,
    /// By number of node.
    says: Vec<Says>,
}

/// What one entry says.
struct Says {
    text: String,
    /// It is an answer without text that ended as it should (spec 7.7, visibility 1).
    silent: bool,
}

impl<'a> Outline<'a> {
    /// Reads every entry; `home` is shown as `~` in the paths of tool calls.
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub fn read(entries: &'a impl Entries, home: Option<&str>) -> Result<Self> {
        let tree = entries.tree();
        let mut calls = HashMap::new();
        let mut results = Vec::new();
        let mut says = Vec::with_capacity(tree.len());
        for node in tree.nodes() {
            let bytes = entries.entry_text(node)?;
            let entry = Entry::parse(&bytes).ok();
            if let Some(EntryData::Message(message)) = entry.map(Entry::data) {
                note_calls(message, home, &mut calls);
                results.extend(call_of_result(message).map(|call| (node, call)));
            }
            says.push(entry.map_or_else(Says::nothing, Says::of));
        }
        for (node, call) in results {
            if let (Some(says), Some(text)) = (says.get_mut(node.index()), calls.get(&call)) {
                says.text.clone_from(text);
            }
        }
        Ok(Self { tree, says })
    }

    /// The text of an entry's row.
    pub fn text(&self, node: NodeId) -> &str {
        self.says.get(node.index()).map_or("", |says| &says.text)
    }

    /// Whether the entry is shown.
    pub fn is_visible(&self, node: NodeId, filter: Filter) -> bool {
        let silent = self.says.get(node.index()).is_some_and(|says| says.silent);
        (!silent || self.tree.leaf() == Some(node)) && filter.shows(self.tree, node)
    }

    /// A row for every entry, those without a text too.
    pub fn everything(&self) -> Layout {
        Layout::new(self.tree, |_| true, |_| false)
    }

    /// The rows of the entries that are `visible`.
    pub fn layout_of(&self, visible: impl Fn(NodeId) -> bool) -> Layout {
        Layout::new(self.tree, visible, |_| false)
    }

    /// The rows of a filter.
    pub fn layout(&self, filter: Filter) -> Layout {
        Layout::new(self.tree, |node| self.is_visible(node, filter), |_| false)
    }
}

impl Says {
    fn of(entry: Entry<'_>) -> Self {
        Self { text: one_line(&row_text(entry)), silent: is_silent(entry) }
    }

    fn nothing() -> Self {
        Self { text: String::new(), silent: false }
    }
}

/// Remembers the calls of an answer, for the rows of their results.
fn note_calls(message: Message<'_>, home: Option<&str>, calls: &mut HashMap<String, String>) {
    for block in message.content().blocks() {
        if let (Message::Assistant(_), ContentBlock::ToolCall(call)) = (message, block)
            && let Some(id) = call.id()
        {
            calls.insert(id.into_owned(), one_line(&format_call(call, home)));
        }
    }
}

fn call_of_result(message: Message<'_>) -> Option<String> {
    match message {
        Message::ToolResult(result) => result.tool_call_id().map(std::borrow::Cow::into_owned),
        _ => None,
    }
}

fn is_silent(entry: Entry<'_>) -> bool {
    let EntryData::Message(message @ Message::Assistant(answer)) = entry.data() else {
        return false;
    };
    let ended_well =
        answer.stop_reason().is_none_or(|reason| matches!(&*reason, "" | "stop" | "toolUse"));
    ended_well && trim_js(&message.content().text("")).is_empty()
}
