//! What an entry says, as lines below its heading.

use std::borrow::Cow;
use std::rc::Rc;

use anstyle::Style;
use logwood::entry::{
    AssistantMessage, BashExecutionMessage, Content, ContentBlock, ImageBlock, Message,
    ThinkingBlock, ToolCallBlock,
};
use logwood::json::{js_number_text, trim_js};

use super::tool;
use crate::output::{Line, cut, style, wrap};
use crate::words::size;

/// How many lines of a thought, a result and a summary are shown unless all are wanted.
const THOUGHT_LINES: usize = 3;
const RESULT_LINES: usize = 4;
const SUMMARY_LINES: usize = 12;

/// How bodies are set.
pub(super) struct Setting {
    /// The columns that a body has.
    pub(super) columns: usize,
    /// Whether nothing is shortened.
    pub(super) full: bool,
    /// The home directory.
    pub(super) home: Option<String>,
}

/// A body being put together.
pub(super) struct Body {
    setting: Rc<Setting>,
    /// The lines so far.
    pub(super) lines: Vec<Line>,
}

impl Body {
    pub(super) fn new(setting: &Rc<Setting>) -> Self {
        Self { setting: Rc::clone(setting), lines: Vec::new() }
    }

    /// A message; of an answer all but its calls.
    pub(super) fn message(&mut self, message: Message<'_>) {
        match message {
            Message::Assistant(answer) => self.answer(answer, message.content()),
            Message::ToolResult(_) => self.result(message),
            Message::BashExecution(bash) => self.bash(bash),
            Message::BranchSummary(branch) => self.summary(branch.summary()),
            Message::CompactionSummary(compaction) => self.summary(compaction.summary()),
            Message::System(_) => {
                self.shortened(&message.content().text("\n"), style::PLAIN, SUMMARY_LINES)
            }
            _ => self.content(message.content()),
        }
    }

    /// Text and images.
    pub(super) fn content(&mut self, content: Content<'_>) {
        if let Content::Text(_) = content {
            self.text(&content.text(""));
        }
        content.blocks().for_each(|block| self.block(block));
    }

    /// A summary, shortened.
    pub(super) fn summary(&mut self, summary: Option<Cow<'_, str>>) {
        self.shortened(&summary.unwrap_or_default(), style::PLAIN, SUMMARY_LINES);
    }

    /// A call in one line.
    pub(super) fn call(&mut self, call: ToolCallBlock<'_>) {
        let text = logwood_render::tree_view::format_call(call, self.setting.home.as_deref());
        self.line(style::TOOL, &cut(&text.replace('\n', " "), self.setting.columns));
    }

    /// A result below its call, or on its own: its change for an edit, else its text.
    pub(super) fn result(&mut self, message: Message<'_>) {
        let Message::ToolResult(result) = message else { return };
        let bar = if result.is_error() { style::ERROR } else { style::DIM };
        if let Some(diff) = tool::diff(result) {
            self.barred(bar, &diff, tool::diff_style);
            return;
        }
        let text = message.content().text("\n");
        let text = text.trim_end();
        let plain = if result.is_error() { style::PLAIN } else { style::DIM };
        if !text.is_empty() {
            self.barred(bar, text, |_| plain);
        }
        let images: Vec<_> = message.content().blocks().filter_map(image).collect();
        for image in &images {
            self.lines.push(Line::new().add(bar, "  │ ").add(style::DIM, image_note(*image)));
        }
        if text.is_empty() && images.is_empty() {
            self.lines.push(Line::new().add(bar, "  │ ").add(style::DIM, "(empty)"));
        }
    }

    /// What stands for a result that is not there.
    pub(super) fn no_result(&mut self) {
        self.lines.push(Line::new().add(style::DIM, "  │ (no result)"));
    }

    fn answer(&mut self, answer: AssistantMessage<'_>, content: Content<'_>) {
        self.content(content);
        let reason = answer.stop_reason().unwrap_or_default();
        if matches!(&*reason, "" | "stop" | "toolUse") {
            return;
        }
        let why = answer.error_message().filter(|why| !why.is_empty());
        let why = why.map_or(String::new(), |why| format!(": {why}"));
        for line in wrap(&format!("({reason}{why})"), self.setting.columns) {
            self.line(style::ERROR, &line);
        }
    }

    fn block(&mut self, block: ContentBlock<'_>) {
        match block {
            ContentBlock::Text(text) => self.text(&text.text().unwrap_or_default()),
            ContentBlock::Thinking(thinking) => self.thinking(thinking),
            ContentBlock::Image(image) => self.line(style::DIM, &image_note(image)),
            ContentBlock::ToolCall(_) => {}
            other => {
                let text = format!("[block: {}]", other.raw().text());
                self.line(style::DIM, &cut(&text, self.setting.columns));
            }
        }
    }

    fn text(&mut self, text: &str) {
        let text = trim_end(text);
        if !trim_js(text).is_empty() {
            self.shortened(text, style::PLAIN, usize::MAX);
        }
    }

    fn thinking(&mut self, thinking: ThinkingBlock<'_>) {
        let text = thinking.thinking().unwrap_or_default();
        let text = if thinking.redacted() { "[Reasoning redacted]".into() } else { text };
        if !trim_js(&text).is_empty() {
            self.framed("┆ ", trim_js(&text), style::THOUGHT, THOUGHT_LINES);
        }
    }

    fn bash(&mut self, bash: BashExecutionMessage<'_>) {
        let command = bash.command().unwrap_or_default();
        self.shortened(&format!("$ {command}"), style::TOOL, RESULT_LINES);
        let output = bash.output().unwrap_or_default();
        if !output.trim_end().is_empty() {
            self.barred(style::DIM, output.trim_end(), |_| style::DIM);
        }
        let code = bash.exit_code().filter(|code| *code != 0.0);
        let notes = [
            bash.cancelled().then(|| "(cancelled)".to_owned()),
            code.map(|code| format!("(exit code {})", js_number_text(code))),
            bash.full_output_path()
                .filter(|path| bash.truncated() && !path.is_empty())
                .map(|path| format!("(shortened; all of it in {path})")),
        ];
        for note in notes.into_iter().flatten() {
            self.line(style::ERROR, &cut(&note, self.setting.columns));
        }
    }

    /// Wrapped text, at most `most` lines of it unless all are wanted.
    fn shortened(&mut self, text: &str, style: Style, most: usize) {
        self.framed("", text, style, most);
    }

    /// The same behind a frame, so that it can be told from an answer without colours too.
    fn framed(&mut self, frame: &str, text: &str, style: Style, most: usize) {
        let lines = wrap(trim_end(text), self.setting.columns - frame.chars().count());
        let most = if self.setting.full { usize::MAX } else { most };
        let left = lines.len().saturating_sub(most);
        // One more line takes no more room than saying that there is one.
        let (shown, left) = if left == 1 { (most + 1, 0) } else { (most, left) };
        lines.iter().take(shown).for_each(|line| self.line(style, &format!("{frame}{line}")));
        if left > 0 {
            self.line(style::DIM, &format!("{frame}… {left} more lines"));
        }
    }

    /// Text behind a bar: its lines cut unless all are wanted.
    fn barred(&mut self, bar: Style, text: &str, style_of: impl Fn(&str) -> Style) {
        let columns = self.setting.columns.saturating_sub(2);
        let all = text.split('\n').count();
        let most = if self.setting.full || all == RESULT_LINES + 1 { all } else { RESULT_LINES };
        for line in text.split('\n').take(most) {
            let style = style_of(line);
            let pieces =
                if self.setting.full { wrap(line, columns) } else { vec![cut(line, columns)] };
            for piece in pieces {
                self.lines.push(Line::new().add(bar, "  │ ").add(style, piece));
            }
        }
        if all > most {
            let left = format!("… {} more lines", all - most);
            self.lines.push(Line::new().add(bar, "  │ ").add(style::DIM, left));
        }
    }

    fn line(&mut self, style: Style, text: &str) {
        self.lines.push(Line::new().plain("  ").add(style, text));
    }
}

fn image(block: ContentBlock<'_>) -> Option<ImageBlock<'_>> {
    match block {
        ContentBlock::Image(image) => Some(image),
        _ => None,
    }
}

/// `[image: image/png, 12 KiB]`.
fn image_note(image: ImageBlock<'_>) -> String {
    let data = image.data().unwrap_or_default();
    let bytes = data.trim_end_matches('=').len() * 3 / 4;
    format!("[image: {}, {}]", image.mime_type().unwrap_or_default(), size(bytes))
}

/// Without empty lines at the end.
fn trim_end(text: &str) -> &str {
    text.trim_end_matches(logwood::json::is_js_space)
}
