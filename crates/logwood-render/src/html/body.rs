//! What an entry says, below its heading.

use logwood::entry::{
    AssistantMessage, BashExecutionMessage, Content, ContentBlock, Entry, EntryData, Message,
    ThinkingBlock,
};
use logwood::json::{js_number_text, trim_js};

use super::escape::push_text;
use super::image::push_image;
use super::markdown::push_markdown;
use super::tool::{push_long, push_result};
use crate::highlight::Highlighter;

const PREVIEW: usize = 10;
const PREVIEW_OF_SHELL: usize = 5;

/// Adds the body of an entry; of an answer all but its calls.
pub(super) fn push_body(page: &mut String, entry: Entry<'_>, highlighter: &mut Highlighter) {
    match entry.data() {
        EntryData::Message(message) => push_message(page, message, highlighter),
        EntryData::CustomMessage(custom) => {
            push_content(page, Content::of(custom.content()), highlighter);
        }
        EntryData::Compaction(compaction) => {
            push_fold(page, "Summary", &compaction.summary().unwrap_or_default(), highlighter);
        }
        EntryData::BranchSummary(branch) => {
            push_fold(page, "Summary", &branch.summary().unwrap_or_default(), highlighter);
        }
        EntryData::ModelChange(model) => {
            let (provider, id) = (model.provider(), model.model_id());
            let text = format!(
                "Switched to model: {}/{}",
                provider.unwrap_or_default(),
                id.unwrap_or_default()
            );
            push_note(page, "note", &text);
        }
        _ => push_long(page, &entry.raw().text(), "json", PREVIEW, highlighter),
    }
}

fn push_message(page: &mut String, message: Message<'_>, highlighter: &mut Highlighter) {
    match message {
        Message::ToolResult(result) => push_result(page, result, None, highlighter),
        Message::BashExecution(bash) => push_bash(page, bash, highlighter),
        Message::BranchSummary(branch) => {
            push_fold(page, "Summary", &branch.summary().unwrap_or_default(), highlighter);
        }
        Message::CompactionSummary(compaction) => {
            push_fold(page, "Summary", &compaction.summary().unwrap_or_default(), highlighter);
        }
        // Its blocks are put in their order, with the calls among them, by the article.
        Message::Assistant(_) => {}
        _ => push_content(page, message.content(), highlighter),
    }
}

/// Text as Markdown, and images.
fn push_content(page: &mut String, content: Content<'_>, highlighter: &mut Highlighter) {
    if let Content::Text(_) = content {
        push_markdown(page, &content.text(""), highlighter);
    }
    for block in content.blocks() {
        push_block(page, block, highlighter);
    }
}

/// One block; nothing for a call.
pub(super) fn push_block(
    page: &mut String,
    block: ContentBlock<'_>,
    highlighter: &mut Highlighter,
) {
    match block {
        ContentBlock::Text(text) => {
            let text = text.text().unwrap_or_default();
            if !trim_js(&text).is_empty() {
                push_markdown(page, &text, highlighter);
            }
        }
        ContentBlock::Thinking(thinking) => push_thinking(page, thinking, highlighter),
        ContentBlock::Image(image) => push_image(page, image),
        ContentBlock::ToolCall(_) => {}
        other => push_long(page, &other.raw().text(), "json", PREVIEW, highlighter),
    }
}

fn push_thinking(page: &mut String, thinking: ThinkingBlock<'_>, highlighter: &mut Highlighter) {
    let text = thinking.thinking().unwrap_or_default();
    if thinking.redacted() {
        push_note(page, "note thinking", "[Reasoning redacted]");
    } else if !trim_js(&text).is_empty() {
        page.push_str("<details class=\"thinking\"><summary>Thinking</summary>");
        push_markdown(page, &text, highlighter);
        page.push_str("</details>");
    }
}

/// Why an answer ended, where it did not end well (spec 8.10).
pub(super) fn push_end(page: &mut String, answer: AssistantMessage<'_>) {
    let error = answer.error_message().unwrap_or_default();
    let text = match answer.stop_reason().as_deref() {
        Some("aborted") => "Aborted".to_owned(),
        Some("error") => {
            format!("Error: {}", if error.is_empty() { "Unknown error" } else { &error })
        }
        Some("length") => "Cut off: the answer reached its longest length".to_owned(),
        _ => return,
    };
    push_note(page, "note error", &text);
}

fn push_bash(page: &mut String, bash: BashExecutionMessage<'_>, highlighter: &mut Highlighter) {
    let command = format!("$ {}", bash.command().unwrap_or_default());
    push_long(page, &command, "bash", PREVIEW, highlighter);
    push_long(
        page,
        bash.output().unwrap_or_default().trim_end(),
        "",
        PREVIEW_OF_SHELL,
        highlighter,
    );
    let ended = match (bash.cancelled(), bash.exit_code()) {
        (true, _) => "cancelled".to_owned(),
        (false, Some(code)) if code != 0.0 => format!("exit code {}", js_number_text(code)),
        _ => String::new(),
    };
    let outside = if bash.exclude_from_context() { "not in the context" } else { "" };
    for note in [ended.as_str(), outside].into_iter().filter(|note| !note.is_empty()) {
        push_note(page, "note", note);
    }
}

fn push_fold(page: &mut String, title: &str, text: &str, highlighter: &mut Highlighter) {
    page.push_str("<details class=\"summary\"><summary>");
    push_text(page, title);
    page.push_str("</summary>");
    push_markdown(page, text, highlighter);
    page.push_str("</details>");
}

pub(super) fn push_note(page: &mut String, class: &str, text: &str) {
    page.push_str("<p class=\"");
    page.push_str(class);
    page.push_str("\">");
    push_text(page, text);
    page.push_str("</p>");
}
