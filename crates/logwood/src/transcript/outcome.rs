//! What a transcript tells about its agent: the task, and how it ended (spec 6.11).

use std::io::{self, Read as _};
use std::path::Path;

use crate::entry::{Content, ContentBlock, EntryKind, Envelope, Role, parse_line};
use crate::json::{collapse_js_space, trim_js, truncate_utf16, utf16_len};
use crate::line::LineReader;
use crate::storage::{Sequential, Storage, StoredFile};

/// The task is looked for in the lines that start within the first so many bytes.
const HEAD: u64 = 256 * 1024;
/// The last answer is looked for from the end in blocks of so many bytes; a longer line makes them larger.
const TAIL: u64 = 64 * 1024;
/// UTF-16 units of a task, and those before the dots of a longer one.
const LONGEST_TASK: usize = 120;
const CUT_TASK: usize = 117;

/// How a subagent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AgentStatus {
    /// Its last answer is whole.
    Completed,
    /// Its last answer broke off, or it has none: it was stopped before (F-32; dreb takes that for completed).
    Failed,
}

impl AgentStatus {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// The text of the first user message that has some, on one line and cut to 120 characters; none where it starts with none.
pub(super) fn task_of(storage: &dyn Storage, path: &Path) -> io::Result<Option<String>> {
    let mut file = storage.open(path)?;
    let mut reader = LineReader::with_block(Sequential::new(&mut *file), TAIL as usize);
    while let Some(line) = reader.next_line()? {
        if line.position.byte >= HEAD {
            break;
        }
        let Some(Ok(parsed)) = parse_line(line.bytes) else { continue };
        if is_message(&parsed.envelope, Role::User) {
            let text = text_of(Content::of(parsed.envelope.head.content));
            if !text.is_empty() {
                return Ok(Some(shortened(text)));
            }
        }
    }
    Ok(None)
}

fn is_message(envelope: &Envelope<'_>, role: Role) -> bool {
    envelope.entry_kind() == EntryKind::Message && envelope.role() == role
}

/// Text blocks trimmed and joined by LF, each run of white space as one space.
fn text_of(content: Content<'_>) -> String {
    match content {
        Content::Blocks(_) => {
            let blocks: Vec<_> = content
                .blocks()
                .filter_map(|block| match block {
                    ContentBlock::Text(text) => Some(trim_js(&text.text()?).to_owned()),
                    _ => None,
                })
                .collect();
            collapse_js_space(&blocks.join("\n"))
        }
        other => collapse_js_space(&other.text("")),
    }
}

fn shortened(text: String) -> String {
    if utf16_len(&text) <= LONGEST_TASK {
        return text;
    }
    format!("{}...", truncate_utf16(&text, CUT_TASK))
}

/// How the agent of a transcript ended, by the last answer of its (last) file.
pub(super) fn status_of(storage: &dyn Storage, path: &Path) -> io::Result<AgentStatus> {
    let whole = last_answer_is_whole(&mut *storage.open(path)?)?;
    Ok(if whole == Some(true) { AgentStatus::Completed } else { AgentStatus::Failed })
}

/// Reads from the end; none where there is no answer.
fn last_answer_is_whole(file: &mut dyn StoredFile) -> io::Result<Option<bool>> {
    // What stands from `end` on is known to hold none.
    let mut end = file.metadata()?.len;
    let mut size = TAIL;
    let mut block = Vec::new();
    while end > 0 {
        let from = end.saturating_sub(size);
        block.clear();
        Sequential::starting_at(file, from).take(end - from).read_to_end(&mut block)?;
        // The first line of the block has its start before it.
        let start = match memchr::memchr(b'\n', &block) {
            _ if from == 0 => 0,
            Some(at) if at + 1 < block.len() => at + 1,
            _ => {
                size = size.saturating_mul(4);
                continue;
            }
        };
        let lines = block.get(start..).unwrap_or_default().rsplit(|byte| *byte == b'\n');
        if let Some(whole) = lines.filter_map(answer).next() {
            return Ok(Some(whole));
        }
        end = from + start as u64;
    }
    Ok(None)
}

/// Whether an answer is whole; none where the line is no answer.
fn answer(line: &[u8]) -> Option<bool> {
    memchr::memmem::find(line, b"assistant")?;
    let envelope = parse_line(line)?.ok()?.envelope;
    is_message(&envelope, Role::Assistant).then(|| {
        let reason = envelope.head.stop_reason;
        !reason.is_some_and(|reason| reason.is_str("error") || reason.is_str("aborted"))
    })
}
