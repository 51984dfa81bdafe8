//! Prints what a session file holds, line by line: `cargo run --example parse_session FILE…`. The same as
//! `examples/parsing/parse_session.ts` and `.py`; what needs a tree (branches, contexts) starts at `SessionManager`.

use std::borrow::Cow;
use std::io::Write as _;
use std::path::Path;

use logwood::entry::{Entry, EntryData, SessionHeader, parse_line};
use logwood::json::{Raw, js_number_text, stringify};
use logwood::line::Lines;
use logwood::storage::{LocalStorage, read_all};

fn main() -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let bytes = read_all(&LocalStorage, Path::new(&path))?;
        std::io::stdout().write_all(describe(&bytes).as_bytes())?;
    }
    Ok(())
}

/// A line of text for each line of the file that says something.
pub(crate) fn describe(bytes: &[u8]) -> String {
    // Bytes that are not UTF-8 are shown as U+FFFD.
    let text = String::from_utf8_lossy(bytes);
    // A line that is not JSON is nothing to tell: a program may have died while it wrote it.
    let lines = Lines::of(text.as_bytes()).filter_map(|line| parse_line(line.bytes)?.ok());
    lines.filter_map(|parsed| one(parsed.text)).map(|text| text + "\n").collect()
}

fn one(line: &[u8]) -> Option<String> {
    if let Some(header) = SessionHeader::parse(line) {
        return Some(format!("Session v{}: {}", header.version(), header.id()));
    }
    let entry = Entry::parse(line).ok().filter(|entry| entry.raw().is_object())?;
    let id = or_dash(entry.id());
    Some(match entry.data() {
        EntryData::Message(message) => {
            let raw = message.raw();
            let role = or_dash(raw.and_then(|raw| raw.get_str("role")));
            let content = json(raw.and_then(|raw| raw.get("content")));
            format!("[{id}] {role}: {content}")
        }
        EntryData::Compaction(compaction) => {
            let tokens = or_dash(compaction.tokens_before().map(js_number_text).map(Cow::Owned));
            format!("[{id}] Compaction: {tokens} tokens summarized")
        }
        EntryData::BranchSummary(branch) => {
            format!("[{id}] Branch from {}", or_dash(branch.from_id()))
        }
        EntryData::Custom(custom) => {
            format!("[{id}] Custom ({}): {}", or_dash(custom.custom_type()), json(custom.data()))
        }
        EntryData::CustomMessage(custom) => {
            let kind = or_dash(custom.custom_type());
            format!("[{id}] Extension message ({kind}): {}", json(custom.content()))
        }
        EntryData::Label(label) => {
            let target = or_dash(label.target_id());
            format!("[{id}] Label {} on {target}", json(label.raw().get("label")))
        }
        EntryData::ModelChange(model) => {
            format!("[{id}] Model: {}/{}", or_dash(model.provider()), or_dash(model.model_id()))
        }
        EntryData::ThinkingLevelChange(level) => {
            format!("[{id}] Thinking: {}", or_dash(level.thinking_level()))
        }
        _ => return None,
    })
}

fn or_dash(text: Option<Cow<'_, str>>) -> Cow<'_, str> {
    text.unwrap_or(Cow::Borrowed("-"))
}

/// A value as `JSON.stringify` writes it.
fn json(value: Option<Raw<'_>>) -> String {
    let text = stringify(value.unwrap_or_else(Raw::null).bytes());
    String::from_utf8_lossy(&text).into_owned()
}
