//! The one line that stands for an entry in a tree (spec 8.13, "Preview text").

use std::borrow::Cow;

use logwood::entry::{Content, EntryKind, Envelope, Role};
use logwood::json::{Raw, collapse_js_space, js_number_text, truncate_utf16};

/// The longest preview, in UTF-16 units.
const UNITS: usize = 200;

/// The preview of an entry, given its envelope and its text: white space collapsed, trimmed, cut at 200.
pub(super) fn preview(entry: &Envelope<'_>, text: &[u8]) -> String {
    let line = match entry.entry_kind() {
        EntryKind::Message => message(entry),
        kind => Raw::parse(text).map(|body| bookkeeping(kind, body)).unwrap_or_default(),
    };
    truncate_utf16(&collapse_js_space(&line), UNITS).to_owned()
}

fn bookkeeping(kind: EntryKind, entry: Raw<'_>) -> String {
    let of = |key: &str| entry.get_str(key).unwrap_or_default();
    match kind {
        EntryKind::CustomMessage => {
            let text = Content::of(entry.get("content")).text("");
            format!("[{}]: {text}", of("customType"))
        }
        EntryKind::Compaction => format!("[compaction: {}k tokens]", thousands(entry)),
        EntryKind::BranchSummary => format!("[branch summary]: {}", of("summary")),
        EntryKind::ModelChange => format!("[model: {}]", of("modelId")),
        EntryKind::ThinkingLevelChange => format!("[thinking: {}]", of("thinkingLevel")),
        EntryKind::Custom => format!("[custom: {}]", of("customType")),
        EntryKind::Label => format!("[label: {}]", or(of("label"), "(cleared)")),
        EntryKind::SessionInfo => format!("[title: {}]", or(of("name"), "empty")),
        _ => format!("[{}]", of("type")),
    }
}

fn message(entry: &Envelope<'_>) -> String {
    let message = entry.message.unwrap_or_else(Raw::null);
    let of = |key: &str| message.get_str(key).unwrap_or_default();
    match entry.role() {
        Role::User => Content::of(entry.head.content).text("").into_owned(),
        Role::Assistant => assistant(entry, message),
        Role::ToolResult => format!("[{}]", or(of("toolName"), "tool")),
        Role::BashExecution => format!("[bash]: {}", of("command")),
        _ => format!("[{}]", of("role")),
    }
}

fn assistant(entry: &Envelope<'_>, message: Raw<'_>) -> String {
    let text = Content::of(entry.head.content).text("");
    if !collapse_js_space(&text).is_empty() {
        return text.into_owned();
    }
    if entry.head.stop_reason.is_some_and(|reason| reason.is_str("aborted")) {
        return "(aborted)".to_owned();
    }
    or(message.get_str("errorMessage").unwrap_or_default(), "(no content)").into_owned()
}

/// `tokensBefore` in thousands, rounded as `Math.round` does.
fn thousands(entry: Raw<'_>) -> String {
    let tokens = entry.get_f64("tokensBefore").unwrap_or_default();
    js_number_text((tokens / 1000.0 + 0.5).floor())
}

fn or<'a>(text: Cow<'a, str>, other: &'static str) -> Cow<'a, str> {
    if text.is_empty() { Cow::Borrowed(other) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> String {
        preview(&Envelope::scan(line.as_bytes()).unwrap(), line.as_bytes())
    }

    fn of_message(message: &str) -> String {
        of(&format!(r#"{{"type":"message","id":"a","message":{message}}}"#))
    }

    #[test]
    fn messages() {
        let cases = [
            (r#"{"role":"user","content":" a\n\n b\u00a0"}"#, "a b"),
            (
                r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}"#,
                "ab",
            ),
            (r#"{"role":"user","content":null}"#, ""),
            (
                r#"{"role":"assistant","content":[{"type":"text","text":"yes"}],"stopReason":"aborted"}"#,
                "yes",
            ),
            (
                r#"{"role":"assistant","content":[{"type":"text","text":" "}],"stopReason":"aborted","errorMessage":"e"}"#,
                "(aborted)",
            ),
            (
                r#"{"role":"assistant","content":[],"stopReason":"error","errorMessage":"over\nloaded"}"#,
                "over loaded",
            ),
            (r#"{"role":"assistant","content":[]}"#, "(no content)"),
            (r#"{"role":"toolResult","toolName":"grep","content":[]}"#, "[grep]"),
            (r#"{"role":"toolResult","content":[]}"#, "[tool]"),
            (r#"{"role":"bashExecution","command":"ls  -l"}"#, "[bash]: ls -l"),
            (r#"{"role":"custom"}"#, "[custom]"),
            (r#"{"role":"weather"}"#, "[weather]"),
            ("null", "[]"),
        ];
        for (message, want) in cases {
            assert_eq!(of_message(message), want, "{message}");
        }
    }

    #[test]
    fn other_entries() {
        let cases = [
            (
                r#"{"type":"custom_message","customType":"note","content":[{"type":"text","text":"x"}]}"#,
                "[note]: x",
            ),
            (r#"{"type":"compaction","tokensBefore":12500}"#, "[compaction: 13k tokens]"),
            (r#"{"type":"compaction","tokensBefore":12499}"#, "[compaction: 12k tokens]"),
            (r#"{"type":"branch_summary","summary":"went\tback"}"#, "[branch summary]: went back"),
            (r#"{"type":"model_change","modelId":"m"}"#, "[model: m]"),
            (r#"{"type":"thinking_level_change","thinkingLevel":"high"}"#, "[thinking: high]"),
            (r#"{"type":"custom","customType":"x"}"#, "[custom: x]"),
            (r#"{"type":"label","label":"start"}"#, "[label: start]"),
            (r#"{"type":"label"}"#, "[label: (cleared)]"),
            (r#"{"type":"session_info","name":"N"}"#, "[title: N]"),
            (r#"{"type":"session_info"}"#, "[title: empty]"),
            (r#"{"type":"weather_report"}"#, "[weather_report]"),
        ];
        for (entry, want) in cases {
            assert_eq!(of(entry), want, "{entry}");
        }
    }

    #[test]
    fn two_hundred_units_and_no_half_character() {
        let long = format!("{}😀x", "a".repeat(199));
        assert_eq!(
            of_message(&format!(r#"{{"role":"user","content":"{long}"}}"#)),
            "a".repeat(199)
        );
        let fits = format!("{}😀x", "a".repeat(198));
        let want = format!("{}😀", "a".repeat(198));
        assert_eq!(of_message(&format!(r#"{{"role":"user","content":"{fits}"}}"#)), want);
    }
}
