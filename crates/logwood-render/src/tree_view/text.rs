//! The text of a row by type and role (spec 7.7, "Text").

use std::borrow::Cow;

use logwood::entry::{Content, Entry, EntryData, Message};
use logwood::json::{trim_js, truncate_utf16};

/// How much of a text can stand in a row, in UTF-16 units.
const LONGEST: usize = 200;
/// How much of an error stands for an answer without text.
const LONGEST_ERROR: usize = 80;

/// What the row of an entry says; the row of a tool result says its call where that is known.
pub(super) fn row_text(entry: Entry<'_>) -> String {
    match entry.data() {
        EntryData::Message(message) => of_message(message),
        EntryData::CustomMessage(custom) => {
            let text = Content::of(custom.content()).text("");
            format!("[{}]: {}", custom.custom_type().unwrap_or_default(), cut(&text))
        }
        EntryData::BranchSummary(branch) => {
            format!("[branch summary]: {}", cut(&branch.summary().unwrap_or_default()))
        }
        EntryData::Unknown(_) | EntryData::Usage(_) | EntryData::ContextEdit(_) => {
            unknown_to_dreb(entry)
        }
        // The other types are named as in previews (spec 8.13).
        _ => entry.preview(),
    }
}

/// A text in one line: line ends and tabs are spaces.
pub(super) fn one_line(text: &str) -> String {
    trim_js(&text.replace(['\n', '\t'], " ")).to_owned()
}

fn of_message(message: Message<'_>) -> String {
    let text = message.content().text("");
    match message {
        Message::User(_) => format!("user: {}", cut(&text)),
        Message::Assistant(_) if !trim_js(&text).is_empty() => format!("assistant: {}", cut(&text)),
        Message::Assistant(answer) => {
            let instead = answer.instead_of_text();
            format!("assistant: {}", truncate_utf16(&instead, LONGEST_ERROR))
        }
        Message::ToolResult(result) => {
            let name = result.tool_name().filter(|name| !name.is_empty());
            format!("[{}]", name.unwrap_or(Cow::Borrowed("tool")))
        }
        Message::BashExecution(bash) => {
            format!("[bash]: {}", cut(&bash.command().unwrap_or_default()))
        }
        _ => {
            let role = message.raw().and_then(|raw| raw.get_str("role"));
            format!("[{}]", role.unwrap_or(Cow::Borrowed("message")))
        }
    }
}

/// Types that dreb's tree leaves without a text are named here, since a bare row tells nothing.
fn unknown_to_dreb(entry: Entry<'_>) -> String {
    format!("[{}]", entry.type_word().unwrap_or_default())
}

fn cut(text: &str) -> &str {
    truncate_utf16(text, LONGEST)
}
