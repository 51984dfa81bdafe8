//! The message that one entry gives, as JSON text.

use std::borrow::Cow;

use crate::entry::{EntryKind, Envelope, Role};
use crate::json::{JsonKind, Raw, set_member};

use super::plan::Edit;

/// Why an entry that could give a message gives none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Missing {
    /// There is nothing in it.
    Empty,
    /// It has no message object.
    Broken,
}

/// The message of an entry of type message, custom_message or branch_summary.
pub(super) fn message_of<'a>(
    text: &'a [u8],
    time: Option<i64>,
    edit: Option<&Edit>,
) -> Result<(Role, Cow<'a, [u8]>), Missing> {
    let envelope = Envelope::scan(text).map_err(|_| Missing::Broken)?;
    match envelope.entry_kind() {
        EntryKind::Message => stored_message(&envelope, edit),
        EntryKind::CustomMessage => {
            Ok((Role::Custom, Cow::Owned(custom_message(text, time, edit))))
        }
        EntryKind::BranchSummary => {
            branch_summary(text, time).map(|message| (Role::BranchSummary, Cow::Owned(message)))
        }
        _ => Err(Missing::Empty),
    }
}

/// The summary message of a compaction.
pub(super) fn compaction_summary(text: &[u8], time: Option<i64>) -> Vec<u8> {
    let entry = parse(text);
    object("compactionSummary", entry, &["summary", "tokensBefore"], time)
}

/// The system message that a compaction folded, where it has one.
pub(super) fn compaction_system(text: &[u8]) -> Option<Vec<u8>> {
    let system = parse(text).get("systemMessage").filter(|system| system.is_object())?;
    Some(with_content(system, system.get("content"), Role::System).into_owned())
}

fn stored_message<'a>(
    envelope: &Envelope<'a>,
    edit: Option<&Edit>,
) -> Result<(Role, Cow<'a, [u8]>), Missing> {
    let message = envelope.message.filter(|m| m.is_object()).ok_or(Missing::Broken)?;
    let role = envelope.role();
    let text = match edit {
        Some(Edit::Replace(content)) => {
            Cow::Owned(set_member(message, "content", &edited(content, role)))
        }
        _ => with_content(message, envelope.head.content, role),
    };
    Ok((role, text))
}

/// A string that replaces the content of an assistant message or tool result becomes one text block.
fn edited(content: &[u8], role: Role) -> Cow<'_, [u8]> {
    let is_string = content.first() == Some(&b'"');
    if is_string && matches!(role, Role::Assistant | Role::ToolResult) {
        Cow::Owned(text_block(content))
    } else {
        Cow::Borrowed(content)
    }
}

/// One text block around a string that is JSON text already.
pub(super) fn text_block(string: &[u8]) -> Vec<u8> {
    [br#"[{"type":"text","text":"#, string, b"}]"].concat()
}

/// Null and missing content count as empty (newer-dialects, conformance 109).
fn with_content<'a>(message: Raw<'a>, content: Option<Raw<'a>>, role: Role) -> Cow<'a, [u8]> {
    let empty: &[u8] = match role {
        Role::User | Role::Assistant | Role::ToolResult => b"[]",
        Role::System => b"\"\"",
        _ => return Cow::Borrowed(message.bytes()),
    };
    match content {
        Some(content) if !content.is_null() => Cow::Borrowed(message.bytes()),
        _ => Cow::Owned(set_member(message, "content", empty)),
    }
}

fn custom_message(text: &[u8], time: Option<i64>, edit: Option<&Edit>) -> Vec<u8> {
    let entry = parse(text);
    let message = object("custom", entry, &["customType", "content", "display", "details"], time);
    match (edit, Raw::parse(&message)) {
        (Some(Edit::Replace(content)), Ok(raw)) => set_member(raw, "content", content),
        _ => message,
    }
}

fn branch_summary(text: &[u8], time: Option<i64>) -> Result<Vec<u8>, Missing> {
    let entry = parse(text);
    let summary = entry.get("summary").filter(|summary| summary.kind() == JsonKind::String);
    match summary {
        Some(summary) if summary.is_truthy() => {
            Ok(object("branchSummary", entry, &["summary", "fromId"], time))
        }
        _ => Err(Missing::Empty),
    }
}

/// A message of `role` with these members of the entry, as far as it has them, and the entry's time (null where it cannot be read).
fn object(role: &str, entry: Raw<'_>, members: &[&str], time: Option<i64>) -> Vec<u8> {
    let mut out = format!(r#"{{"role":"{role}""#).into_bytes();
    for key in members {
        if let Some(value) = entry.get(key) {
            out.extend_from_slice(format!(r#","{key}":"#).as_bytes());
            out.extend_from_slice(value.bytes());
        }
    }
    let time = time.map_or_else(|| "null".to_owned(), |time| time.to_string());
    out.extend_from_slice(format!(r#","timestamp":{time}}}"#).as_bytes());
    out
}

fn parse(text: &[u8]) -> Raw<'_> {
    Raw::parse(text).unwrap_or_else(|_| Raw::null())
}
