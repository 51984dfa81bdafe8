//! One line of text for an entry, as trees of the line protocol and of the command show it (spec 8.13).

use std::borrow::Cow;

use crate::json::{collapse_js_space, trim_js, truncate_utf16};

use super::message::AssistantMessage;
use super::{Content, Entry, EntryData, Message};

/// How long a preview is at most, in UTF-16 units.
const LONGEST: usize = 200;

impl Entry<'_> {
    /// The entry in one line: runs of white space are one space, at most 200 UTF-16 units, never half a character (spec 8.13).
    ///
    /// ```
    /// use logwood::entry::Entry;
    ///
    /// let line = br#"{"type":"message","id":"a","message":{"role":"user","content":"two\n\nlines"}}"#;
    /// assert_eq!(Entry::parse(line)?.preview(), "two lines");
    /// # Ok::<(), logwood::json::SyntaxError>(())
    /// ```
    pub fn preview(self) -> String {
        let text = self.preview_text();
        let collapsed = collapse_js_space(&text);
        truncate_utf16(trim_js(&collapsed), LONGEST).to_owned()
    }

    fn preview_text(self) -> String {
        match self.data() {
            EntryData::Message(message) => of_message(message),
            EntryData::CustomMessage(custom) => {
                let text = Content::of(custom.content());
                format!("[{}]: {}", or_empty(custom.custom_type()), text.text(""))
            }
            EntryData::Compaction(compaction) => {
                format!("[compaction: {}k tokens]", kilo(compaction.tokens_before()))
            }
            EntryData::BranchSummary(branch) => {
                format!("[branch summary]: {}", or_empty(branch.summary()))
            }
            EntryData::ModelChange(model) => format!("[model: {}]", or_empty(model.model_id())),
            EntryData::ThinkingLevelChange(level) => {
                format!("[thinking: {}]", or_empty(level.thinking_level()))
            }
            EntryData::Custom(custom) => format!("[custom: {}]", or_empty(custom.custom_type())),
            EntryData::Label(label) => format!("[label: {}]", or(label.label(), "(cleared)")),
            EntryData::SessionInfo(info) => format!("[title: {}]", or(info.name(), "empty")),
            _ => format!("[{}]", or_empty(self.type_word())),
        }
    }
}

impl AssistantMessage<'_> {
    /// What stands for the text of an answer without any: `(aborted)`, its error, or `(no content)`.
    pub fn instead_of_text(self) -> String {
        if self.stop_reason().as_deref() == Some("aborted") {
            return "(aborted)".to_owned();
        }
        or(self.error_message(), "(no content)")
    }
}

fn of_message(message: Message<'_>) -> String {
    match message {
        Message::User(_) => message.content().text("").into_owned(),
        Message::Assistant(answer) => {
            let text = message.content().text("");
            if trim_js(&text).is_empty() { answer.instead_of_text() } else { text.into_owned() }
        }
        Message::ToolResult(result) => format!("[{}]", or(result.tool_name(), "tool")),
        Message::BashExecution(bash) => format!("[bash]: {}", or_empty(bash.command())),
        _ => {
            let role = message.raw().and_then(|raw| raw.get_str("role"));
            format!("[{}]", or(role, "message"))
        }
    }
}

/// Thousands, rounded as JavaScript rounds.
fn kilo(tokens: Option<f64>) -> f64 {
    (tokens.unwrap_or(0.0) / 1000.0 + 0.5).floor()
}

fn or_empty(text: Option<Cow<'_, str>>) -> Cow<'_, str> {
    text.unwrap_or_default()
}

/// The text, or another one where it is missing or empty.
fn or(text: Option<Cow<'_, str>>, other: &str) -> String {
    text.filter(|text| !text.is_empty()).map_or_else(|| other.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::Entry;

    fn preview(rest: &str) -> String {
        let line = format!(r#"{{"id":"a",{rest}}}"#);
        Entry::parse(line.as_bytes()).unwrap().preview()
    }

    fn message(message: &str) -> String {
        preview(&format!(r#""type":"message","message":{message}"#))
    }

    /// Spec 8.13, last paragraph of the table.
    #[test]
    fn every_kind_has_its_preview() {
        for (rest, wanted) in [
            (
                r#""type":"custom_message","customType":"x","content":[{"type":"text","text":"a\tb"}]"#,
                "[x]: a b",
            ),
            (r#""type":"compaction","tokensBefore":12500"#, "[compaction: 13k tokens]"),
            (r#""type":"branch_summary","summary":"s\n\nt""#, "[branch summary]: s t"),
            (r#""type":"model_change","modelId":"m""#, "[model: m]"),
            (r#""type":"thinking_level_change","thinkingLevel":"high""#, "[thinking: high]"),
            (r#""type":"custom","customType":"c""#, "[custom: c]"),
            (r#""type":"label","label":"l""#, "[label: l]"),
            (r#""type":"label""#, "[label: (cleared)]"),
            (r#""type":"session_info","name":"n""#, "[title: n]"),
            (r#""type":"session_info","name":"""#, "[title: empty]"),
            (r#""type":"later""#, "[later]"),
        ] {
            assert_eq!(preview(rest), wanted, "{rest}");
        }
    }

    #[test]
    fn every_role_has_its_preview() {
        for (rest, wanted) in [
            (
                r#"{"role":"user","content":[{"type":"text","text":" a"},{"type":"image"},{"type":"text","text":"b\n"}]}"#,
                "ab",
            ),
            (
                r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]}"#,
                "x",
            ),
            (
                r#"{"role":"assistant","content":[],"stopReason":"aborted","errorMessage":"e"}"#,
                "(aborted)",
            ),
            (r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"e"}"#, "e"),
            (r#"{"role":"assistant","content":[{"type":"text","text":" "}]}"#, "(no content)"),
            (r#"{"role":"toolResult","toolName":"read"}"#, "[read]"),
            (r#"{"role":"toolResult"}"#, "[tool]"),
            (r#"{"role":"bashExecution","command":"ls\n-l"}"#, "[bash]: ls -l"),
            (r#"{"role":"hookMessage"}"#, "[hookMessage]"),
            ("null", "[message]"),
        ] {
            assert_eq!(message(rest), wanted, "{rest}");
        }
    }

    #[test]
    fn a_cut_never_halves_a_character() {
        let text = format!(r#"{{"role":"user","content":"{}😀"}}"#, "a".repeat(199));
        assert_eq!(message(&text), "a".repeat(199));
    }
}
