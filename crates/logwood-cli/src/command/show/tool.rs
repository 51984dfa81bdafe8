//! Calls of tools, and results that are better shown otherwise than as their text.

use anstyle::{AnsiColor, Style};
use logwood::entry::{Content, ContentBlock, ToolCallBlock, ToolResultMessage};

use crate::output::style;

/// The calls of an answer.
pub(crate) fn calls(content: Content<'_>) -> impl Iterator<Item = ToolCallBlock<'_>> {
    content.blocks().filter_map(|block| match block {
        ContentBlock::ToolCall(call) => Some(call),
        _ => None,
    })
}

/// The change that an edit made (spec 1.8).
pub(super) fn diff(result: ToolResultMessage<'_>) -> Option<String> {
    let edit = result.tool_name().is_some_and(|name| name == "edit") && !result.is_error();
    let diff = result.details().filter(|_| edit)?.get_str("diff")?;
    (!diff.trim().is_empty()).then(|| diff.trim_end().to_owned())
}

/// Lines that came are green, lines that went are red.
pub(super) fn diff_style(line: &str) -> Style {
    match line.as_bytes().first() {
        Some(b'+') => AnsiColor::Green.on_default(),
        Some(b'-') => AnsiColor::Red.on_default(),
        _ => style::DIM,
    }
}
