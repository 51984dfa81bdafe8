//! A call of a tool and what came back.

use logwood::entry::{ContentBlock, Message, ToolCallBlock, ToolResultMessage};
use logwood::json::{JsonKind, Raw};

use super::escape::push_text;
use super::image::push_image;
use super::markdown::push_code;
use crate::highlight::Highlighter;
use crate::plain::without_escapes;
use crate::tool::{diff, extension};

/// How many lines stand open; the others unfold.
const PREVIEW: usize = 10;
const PREVIEW_OF_SHELL: usize = 5;
/// More characters than this of one line unfold too.
const PREVIEW_CHARS: usize = 2_000;

/// What a call says beside its name.
pub(super) fn push_arguments(
    page: &mut String,
    call: ToolCallBlock<'_>,
    highlighter: &mut Highlighter,
) {
    let arguments = call.arguments().unwrap_or_else(Raw::null);
    let name = call.name().unwrap_or_default();
    match (&*name, arguments.get_str("command"), arguments.get_str("content")) {
        ("bash", Some(command), _) => {
            let mut code = "$ ".to_owned();
            code.push_str(&command);
            push_long(page, &code, "bash", PREVIEW, highlighter);
        }
        ("write", _, Some(content)) => {
            push_long(page, &content, &extension(arguments), PREVIEW, highlighter);
        }
        ("read" | "edit" | "ls" | "grep" | "find", ..) => {}
        _ => push_members(page, arguments, highlighter),
    }
}

/// The arguments of a tool that is not known, one after the other.
fn push_members(page: &mut String, arguments: Raw<'_>, highlighter: &mut Highlighter) {
    if !arguments.is_object() || arguments.members().next().is_none() {
        return;
    }
    page.push_str("<dl class=\"args\">");
    for (key, value) in arguments.members() {
        page.push_str("<dt>");
        push_text(page, &key.text());
        page.push_str("</dt><dd>");
        let text = value.as_str().unwrap_or_else(|| value.text());
        let language = if value.kind() == JsonKind::String { "" } else { "json" };
        push_long(page, &text, language, PREVIEW, highlighter);
        page.push_str("</dd>");
    }
    page.push_str("</dl>");
}

/// What a tool gave back; `call` is known where the result stands below it.
pub(super) fn push_result(
    page: &mut String,
    result: ToolResultMessage<'_>,
    call: Option<ToolCallBlock<'_>>,
    highlighter: &mut Highlighter,
) {
    if let Some(diff) = diff(result) {
        push_long(page, &diff, "diff", PREVIEW * 4, highlighter);
        return;
    }
    let content = Message::ToolResult(result).content();
    let text = content.text("\n");
    let name = result.tool_name().unwrap_or_default();
    let arguments = call.and_then(ToolCallBlock::arguments).unwrap_or_else(Raw::null);
    let (language, preview) = match &*name {
        "read" if !result.is_error() => (extension(arguments), PREVIEW),
        "bash" => (String::new(), PREVIEW_OF_SHELL),
        _ => (String::new(), PREVIEW),
    };
    push_long(page, text.trim_end(), &language, preview, highlighter);
    for block in content.blocks() {
        if let ContentBlock::Image(image) = block {
            push_image(page, image);
        }
    }
}

/// A text as it stands: the first lines, and a fold with the rest.
pub(super) fn push_long(
    page: &mut String,
    text: &str,
    language: &str,
    preview: usize,
    highlighter: &mut Highlighter,
) {
    let text = without_escapes(text);
    if text.is_empty() {
        return;
    }
    let cut = cut(&text, preview);
    let (head, rest) = (text.get(..cut).unwrap_or(&text), text.get(cut..).unwrap_or_default());
    page.push_str("<pre class=\"code\">");
    push_code(page, head, language, highlighter);
    page.push_str("</pre>");
    if !rest.is_empty() {
        let lines = rest.lines().count();
        let lines =
            if lines == 1 { "1 more line".to_owned() } else { format!("{lines} more lines") };
        page.push_str("<details class=\"more\"><summary>");
        page.push_str(&lines);
        page.push_str("</summary><pre class=\"code\">");
        push_code(page, rest, language, highlighter);
        page.push_str("</pre></details>");
    }
}

/// Where the preview of a text ends.
fn cut(text: &str, lines: usize) -> usize {
    let end = text.split_inclusive('\n').take(lines).map(str::len).sum::<usize>();
    let within = text.char_indices().nth(PREVIEW_CHARS).map_or(text.len(), |(at, _)| at);
    // One or two lines are not worth a fold.
    let left = text.get(end..).unwrap_or_default();
    match end <= within && left.lines().count() <= 2 && left.len() < PREVIEW_CHARS {
        true => text.len(),
        false => end.min(within),
    }
}
