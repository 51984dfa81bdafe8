//! A branch of a session as Markdown, to be read, kept beside code, or pasted somewhere.

use std::fmt::Write as _;
use std::io::{self, Write};

use logwood::context::Entries;
use logwood::entry::{
    Content, ContentBlock, Entry, EntryData, ImageBlock, Message, ToolCallBlock, ToolResultMessage,
};
use logwood::error::Result;
use logwood::json::{Raw, js_number_text, stringify, trim_js};
use logwood::tree::NodeId;

use crate::about::About;
use crate::is_hidden;
use crate::plain::{clean, clean_lines, one_line, size, tokens, without_escapes};
use crate::tool::{diff, extension};
use crate::tree_view::format_call;

/// How much of them the one line of a call shows (spec 7.7), in bytes or less.
const SHOWN_OF_A_COMMAND: usize = 50;
const SHOWN_OF_ARGUMENTS: usize = 40;

/// What is written.
#[derive(Debug, Clone, Copy, Default)]
pub struct MarkdownOptions<'a> {
    /// The home directory, shown as `~` in the paths of tool calls.
    pub home: Option<&'a str>,
    /// The branch that is written; none for that of the current position.
    pub leaf: Option<NodeId>,
    /// Whether messages are written that their extension hides from people (`display` false).
    pub hidden: bool,
    /// Whether what the model thought is left out.
    pub without_thinking: bool,
}

/// Writes a branch as Markdown: what people and models said as it is, calls of tools with their results in fences, thoughts and
/// summaries folded. Control characters show as their pictures.
///
/// The inner error is that of `out`.
///
/// # Errors
/// When an entry cannot be read any more.
pub fn markdown(
    entries: &impl Entries,
    about: &About,
    options: &MarkdownOptions<'_>,
    out: &mut impl Write,
) -> Result<io::Result<()>> {
    let mut text = head(about);
    let tree = entries.tree();
    let mut written = Ok(());
    for node in options.leaf.or(tree.leaf()).map(|leaf| tree.branch(leaf)).unwrap_or_default() {
        let line = entries.entry_text(node)?;
        if let Ok(entry) = Entry::parse(&line)
            && (options.hidden || !is_hidden(entry))
        {
            push_entry(&mut text, entry, tree.label(node), options);
        }
        written = out.write_all(text.as_bytes());
        text.clear();
        if written.is_err() {
            break;
        }
    }
    Ok(written.and_then(|()| out.write_all(text.as_bytes())).and_then(|()| out.flush()))
}

fn head(about: &About) -> String {
    let mut text = format!("# {}\n\n", one_line(about.title.as_deref().unwrap_or("(no name)")));
    let facts = [
        ("Session", Some(about.id.as_str())),
        ("Directory", Some(about.cwd.as_str())),
        ("Created", about.created.as_deref()),
        ("Parent", about.parent.as_deref()),
    ];
    let usage = about.usage.iter().map(|(name, value)| (name.as_str(), Some(value.as_str())));
    for (name, value) in facts.into_iter().chain(usage) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            let _ = writeln!(text, "- {name}: {}", code(value));
        }
    }
    text
}

fn push_entry(
    text: &mut String,
    entry: Entry<'_>,
    label: Option<&str>,
    options: &MarkdownOptions<'_>,
) {
    match entry.data() {
        EntryData::Message(message) => push_message(text, entry, message, label, options),
        EntryData::CustomMessage(custom) => {
            heading(text, entry, "Custom", &custom.custom_type().unwrap_or_default(), label);
            push_content(text, Content::of(custom.content()), options);
        }
        EntryData::Compaction(compaction) => {
            let before = compaction.tokens_before().unwrap_or(0.0).max(0.0) as u64;
            heading(text, entry, "Compaction", &format!("of {} tokens", tokens(before)), label);
            push_fold(text, "Summary", &compaction.summary().unwrap_or_default());
        }
        EntryData::BranchSummary(branch) => {
            heading(text, entry, "Branch summary", "", label);
            push_fold(text, "Summary", &branch.summary().unwrap_or_default());
        }
        EntryData::ModelChange(model) => {
            let (provider, id) = (model.provider(), model.model_id());
            let name = format!("{}/{}", provider.unwrap_or_default(), id.unwrap_or_default());
            let _ = writeln!(text, "\n*Switched to model {}*", code(&name));
        }
        _ => {}
    }
}

fn push_message(
    text: &mut String,
    entry: Entry<'_>,
    message: Message<'_>,
    label: Option<&str>,
    options: &MarkdownOptions<'_>,
) {
    match message {
        Message::Missing => {}
        Message::User(_) => {
            heading(text, entry, "User", "", label);
            push_content(text, message.content(), options);
        }
        Message::Assistant(answer) => {
            heading(text, entry, "Assistant", &answer.model().unwrap_or_default(), label);
            push_content(text, message.content(), options);
            let why = answer.error_message().unwrap_or_default();
            if let Some(reason @ ("aborted" | "error" | "length")) = answer.stop_reason().as_deref()
            {
                let why =
                    if why.is_empty() { String::new() } else { format!(": {}", one_line(&why)) };
                let _ = writeln!(text, "\n**({reason}{})**", clean(&why));
            }
        }
        Message::ToolResult(result) => push_result(text, message, result),
        Message::BashExecution(bash) => {
            heading(text, entry, "Shell", "", label);
            push_fence(
                text,
                &format!(
                    "$ {}\n{}",
                    bash.command().unwrap_or_default(),
                    bash.output().unwrap_or_default()
                ),
                "",
            );
            if let Some(exit) = bash.exit_code().filter(|exit| *exit != 0.0) {
                let _ = writeln!(text, "\n*exit code {}*", js_number_text(exit));
            }
        }
        Message::Custom(custom) => {
            heading(text, entry, "Custom", &custom.custom_type().unwrap_or_default(), label);
            push_content(text, message.content(), options);
        }
        other => {
            let role = other.raw().and_then(|raw| raw.get_str("role")).unwrap_or_default();
            heading(text, entry, "Message", &role, label);
            push_content(text, message.content(), options);
        }
    }
}

fn heading(text: &mut String, entry: Entry<'_>, who: &str, about: &str, label: Option<&str>) {
    let _ = write!(text, "\n## {who}");
    if !about.is_empty() {
        let _ = write!(text, " · {}", clean(&one_line(about)));
    }
    if let Some(label) = label {
        let _ = write!(text, " · [{}]", clean(&one_line(label)));
    }
    if let Some(time) = entry.timestamp() {
        let _ = write!(text, " · {}", clean(&one_line(&time)));
    }
    text.push('\n');
}

fn push_content(text: &mut String, content: Content<'_>, options: &MarkdownOptions<'_>) {
    if let Content::Text(_) = content {
        push_text(text, &content.text(""));
    }
    for block in content.blocks() {
        match block {
            ContentBlock::Text(block) => push_text(text, &block.text().unwrap_or_default()),
            ContentBlock::Thinking(_) if options.without_thinking => {}
            ContentBlock::Thinking(thinking) if thinking.redacted() => {
                text.push_str("\n*[Reasoning redacted]*\n");
            }
            ContentBlock::Thinking(thinking) => {
                push_fold(text, "Thinking", &thinking.thinking().unwrap_or_default());
            }
            ContentBlock::Image(image) => push_image(text, image),
            ContentBlock::ToolCall(call) => {
                let _ = writeln!(text, "\n**{}**", code(&format_call(call, options.home)));
                push_arguments(text, call);
            }
            other => push_fence(text, &other.raw().text(), "json"),
        }
    }
}

/// The arguments, where the one line of the call does not show them whole.
fn push_arguments(text: &mut String, call: ToolCallBlock<'_>) {
    let arguments = call.arguments().unwrap_or_else(Raw::null);
    let name = call.name().unwrap_or_default();
    match (&*name, arguments.get_str("command"), arguments.get_str("content")) {
        ("bash", Some(command), _) => {
            if command.len() > SHOWN_OF_A_COMMAND || command.contains('\n') {
                push_fence(text, &command, "sh");
            }
        }
        ("write", _, Some(content)) => push_fence(text, &content, &extension(arguments)),
        // What an edit changed stands in its result.
        ("read" | "edit" | "ls" | "grep" | "find", ..) => {}
        _ => {
            let whole = stringify(arguments.bytes());
            if whole.len() > SHOWN_OF_ARGUMENTS {
                push_fence(text, &String::from_utf8_lossy(&whole), "json");
            }
        }
    }
}

fn push_text(text: &mut String, said: &str) {
    if !trim_js(said).is_empty() {
        let _ = write!(text, "\n{}\n", clean_lines(trim_js(said)));
    }
}

fn push_result(text: &mut String, message: Message<'_>, result: ToolResultMessage<'_>) {
    if result.is_error() {
        text.push_str("\n*failed:*\n");
    }
    match diff(result) {
        Some(diff) => push_fence(text, &diff, "diff"),
        None => push_fence(text, &message.content().text("\n"), ""),
    }
    for block in message.content().blocks() {
        if let ContentBlock::Image(image) = block {
            push_image(text, image);
        }
    }
}

fn push_image(text: &mut String, image: ImageBlock<'_>) {
    let mime = image.mime_type().unwrap_or_default();
    let bytes = image.data().map_or(0, |data| data.len() / 4 * 3);
    let _ = writeln!(text, "\n*[image, {}, {}]*", clean(&one_line(&mime)), size(bytes));
}

/// A fence longer than any in the text.
fn push_fence(text: &mut String, inside: &str, language: &str) {
    let inside = without_escapes(inside);
    let inside = clean_lines(inside.trim_end());
    if inside.is_empty() {
        return;
    }
    let longest = inside.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = write!(text, "\n{fence}{language}\n{inside}\n{fence}\n");
}

fn push_fold(text: &mut String, title: &str, inside: &str) {
    let inside = trim_js(inside);
    if !inside.is_empty() {
        let _ = write!(
            text,
            "\n<details><summary>{title}</summary>\n\n{}\n\n</details>\n",
            clean_lines(inside)
        );
    }
}

/// Text in code marks, whatever marks it holds.
fn code(text: &str) -> String {
    let text = clean(&one_line(text)).into_owned();
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let marks = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{marks}{space}{text}{space}{marks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_hold_whatever_is_in_them() {
        let mut text = String::new();
        push_fence(&mut text, "a\n````\nb\x1b[1m\x07", "sh");
        assert_eq!(text, "\n`````sh\na\n````\nb␇\n`````\n");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a\nb"), "`a b`");
    }
}
