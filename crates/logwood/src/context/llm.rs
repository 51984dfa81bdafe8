//! What a provider is sent for a message of the context (spec 5.2, 5.3).
//!
//! Texts are put together as JSON text, still escaped, so nothing of them is lost or changed.

use std::borrow::Cow;

use crate::entry::Role;
use crate::json::{JsonKind, Raw, js_number_text};

use super::ContextMessage;
use super::message::text_block;

const BRANCH_PREFIX: &str = "The following is a summary of a branch that this conversation came back from:\\n\\n<summary>\\n";
const BRANCH_SUFFIX: &str = "</summary>";
const COMPACTION_PREFIX: &str = "The conversation history before this point was compacted into the following summary:\\n\\n<summary>\\n";
const COMPACTION_SUFFIX: &str = "\\n</summary>";

/// The message for the model; none where the model gets nothing of it (an excluded bash run, an unknown role).
#[doc(alias = "convertToLlm")]
pub fn llm_message<'a>(message: &ContextMessage<'a>) -> Option<Cow<'a, [u8]>> {
    let raw = message.raw;
    match message.role {
        Role::User | Role::Assistant | Role::ToolResult | Role::System => {
            Some(Cow::Borrowed(raw.bytes()))
        }
        Role::BashExecution => bash(raw).map(Cow::Owned),
        Role::Custom => Some(Cow::Owned(custom(raw))),
        Role::BranchSummary => Some(Cow::Owned(summary(raw, BRANCH_PREFIX, BRANCH_SUFFIX))),
        Role::CompactionSummary => {
            Some(Cow::Owned(summary(raw, COMPACTION_PREFIX, COMPACTION_SUFFIX)))
        }
        Role::HookMessage | Role::Unknown | Role::None => None,
    }
}

fn bash(raw: Raw<'_>) -> Option<Vec<u8>> {
    let is = |key: &str| raw.get(key).is_some_and(Raw::is_truthy);
    if is("excludeFromContext") {
        return None;
    }
    Some(user_text(raw, &bash_text(raw, &is)))
}

/// The text of a bash run between the quotes of a JSON string (spec 5.3).
fn bash_text(raw: Raw<'_>, is: &dyn Fn(&str) -> bool) -> Vec<u8> {
    let mut text = [b"Ran `", inner(raw, "command"), b"`\\n"].concat();
    match inner(raw, "output") {
        b"" => text.extend_from_slice(b"(no output)"),
        output => text.extend([b"```\\n", output, b"\\n```"].concat()),
    }
    if is("cancelled") {
        text.extend_from_slice(b"\\n\\n(command cancelled)");
    } else if let Some(code) = exit_code(raw) {
        text.extend([b"\\n\\nCommand exited with code ", &*code].concat());
    }
    let full = inner(raw, "fullOutputPath");
    if is("truncated") && !full.is_empty() {
        text.extend([b"\\n\\n[Output truncated. Full output: ", full, b"]"].concat());
    }
    text
}

/// What stands for the exit code, unless it is 0 or missing; text counts as it is, as JavaScript puts it together.
fn exit_code(raw: Raw<'_>) -> Option<Cow<'_, [u8]>> {
    let code = raw.get("exitCode")?;
    match code.kind() {
        JsonKind::Number => {
            let number = raw.get_f64("exitCode").filter(|number| *number != 0.0)?;
            Some(Cow::Owned(js_number_text(number).into_bytes()))
        }
        JsonKind::String => code.as_string_bytes().map(Cow::Borrowed),
        JsonKind::Bool => Some(Cow::Borrowed(code.bytes())),
        JsonKind::Null | JsonKind::Array | JsonKind::Object => None,
    }
}

fn custom(raw: Raw<'_>) -> Vec<u8> {
    let content = match raw.get("content") {
        Some(content) if content.kind() == JsonKind::String => text_block(content.bytes()),
        Some(content) if !content.is_null() => content.bytes().to_vec(),
        _ => b"[]".to_vec(),
    };
    user(raw, &content)
}

fn summary(raw: Raw<'_>, prefix: &str, suffix: &str) -> Vec<u8> {
    user_text(raw, &[prefix.as_bytes(), inner(raw, "summary"), suffix.as_bytes()].concat())
}

/// A user message with one text block; `text` is what stands between the quotes.
fn user_text(raw: Raw<'_>, text: &[u8]) -> Vec<u8> {
    user(raw, &text_block(&[b"\"", text, b"\""].concat()))
}

/// A user message at the time of the message it stands for.
fn user(raw: Raw<'_>, content: &[u8]) -> Vec<u8> {
    let mut out = [br#"{"role":"user","content":"#, content].concat();
    if let Some(time) = raw.get("timestamp") {
        out.extend([br#","timestamp":"#, time.bytes()].concat());
    }
    out.push(b'}');
    out
}

/// The bytes of a string member between its quotes; empty where there is none.
fn inner<'a>(raw: Raw<'a>, key: &str) -> &'a [u8] {
    raw.get(key).and_then(Raw::as_string_bytes).unwrap_or_default()
}
