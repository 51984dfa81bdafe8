//! Texts of messages that clients ask for on their own (spec 8.2, 8.7).
//!
//! Texts are joined while half surrogate pairs still stand in them, so that they come out as they are stored.

use logwood::context::Entries as _;
use logwood::entry::{Content, ContentBlock, Envelope, Role};
use logwood::error::Result;
use logwood::json::{JsonWriter, Raw, trim_js_bytes, unescape_wtf8};
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use super::Dispatcher;
use super::row::{CommandSpec, example, gives};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get_last_assistant_text",
        about: "The text of the last assistant message of the context, aborted ones without content left out.",
        fields: &[],
        data: &[gives(
            "text",
            "its text blocks put together and trimmed; null where there is none",
        )],
        example: example(r#"{"type":"get_last_assistant_text"}"#, r#"{"text":"Three steps."}"#),
        run: get_last_assistant_text,
    },
    CommandSpec {
        name: "get_fork_messages",
        about: "The messages that a fork can start from, of all branches, in file order: user messages with text, and assistant messages that ended and wait for no tool.",
        fields: &[],
        data: &[gives("messages", "rows: entryId, text, role")],
        example: example(
            r#"{"type":"get_fork_messages"}"#,
            r#"{"messages":[{"entryId":"aa000001","text":"plan the checkout page","role":"user"},{"entryId":"aa000002","text":"Three steps.","role":"assistant"}]}"#,
        ),
        run: get_fork_messages,
    },
];

fn get_last_assistant_text(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let context = state.session.context()?;
    let answers: Vec<_> =
        context.messages().filter(|row| row.role == Role::Assistant).map(|row| row.raw).collect();
    let last = answers.iter().rev().find(|message| !is_void(**message));
    let text = last.map(|message| text_of(message.get("content"))).unwrap_or_default();
    let text = trim_js_bytes(&text);
    data.key("text");
    if text.is_empty() {
        data.null()
    } else {
        data.wtf8(text)
    };
    Ok(())
}

/// Whether it was aborted before anything was said.
fn is_void(message: Raw<'_>) -> bool {
    let aborted = message.get("stopReason").is_some_and(|reason| reason.is_str("aborted"));
    aborted && text_or_blocks(message.get("content")).is_none()
}

/// The content, unless there is nothing in it.
fn text_or_blocks(content: Option<Raw<'_>>) -> Option<Raw<'_>> {
    content.filter(|content| match Content::of(Some(*content)) {
        Content::Text(text) => text.is_truthy(),
        Content::Blocks(blocks) => blocks.elements().next().is_some(),
        Content::Empty => false,
    })
}

fn get_fork_messages(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let session = &state.session;
    data.key("messages").begin_array();
    for node in session.tree().nodes() {
        match session.tree().role(node) {
            Role::User => fork_row(data, session, node, "user", user_text)?,
            Role::Assistant => fork_row(data, session, node, "assistant", assistant_text)?,
            _ => {}
        }
    }
    data.end_array();
    Ok(())
}

fn fork_row(
    data: &mut JsonWriter<'_>,
    session: &SessionManager,
    node: NodeId,
    role: &str,
    text: fn(&Envelope<'_>) -> Option<Vec<u8>>,
) -> Result<()> {
    let entry = session.entry_text(node)?;
    if let Some(text) = Envelope::scan(&entry).ok().and_then(|envelope| text(&envelope)) {
        data.begin_object().key("entryId").str(session.tree().id(node));
        data.key("text").wtf8(&text).key("role").str(role).end_object();
    }
    Ok(())
}

fn user_text(entry: &Envelope<'_>) -> Option<Vec<u8>> {
    Some(text_of(entry.head.content)).filter(|text| !text.is_empty())
}

/// None where the answer broke off or waits for a tool.
fn assistant_text(entry: &Envelope<'_>) -> Option<Vec<u8>> {
    let reason = entry.head.stop_reason;
    let broken = reason.is_some_and(|reason| reason.is_str("error") || reason.is_str("aborted"));
    let mut blocks = Content::of(entry.head.content).blocks();
    if broken || blocks.any(|block| matches!(block, ContentBlock::ToolCall(_))) {
        return None;
    }
    let text = text_of(entry.head.content);
    Some(if text.is_empty() { b"(assistant response)".to_vec() } else { text })
}

/// The text of a content as WTF-8: a plain string, or the text blocks without anything between them.
fn text_of(content: Option<Raw<'_>>) -> Vec<u8> {
    let decoded =
        |text: Raw<'_>| text.as_string_bytes().map(unescape_wtf8).unwrap_or_default().into_owned();
    match Content::of(content) {
        Content::Text(text) => decoded(text),
        content => {
            let texts = content.blocks().filter_map(|block| match block {
                ContentBlock::Text(block) => block.raw().get("text").map(decoded),
                _ => None,
            });
            texts.flatten().collect()
        }
    }
}
