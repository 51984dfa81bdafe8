//! A conversation as plain text, for a model that summarises it (spec 5.9).

use crate::context::{ContextMessage, llm_message};
use crate::entry::{Content, ContentBlock, Role, ToolCallBlock};
use crate::json::{JsonKind, Raw, stringify, truncate_utf16, utf16_len};

/// The result of a tool is shown up to so many characters, in UTF-16 units.
const RESULT_UNITS: usize = 2000;

/// A conversation as text: each message with who speaks, as the model would get it; what the model gets nothing of is left out, and
/// so is what has no text.
///
/// ```
/// use logwood::compaction::serialise;
/// use logwood::entry::{BlockDraft, user_message};
/// use logwood::session::SessionOptions;
///
/// let mut session = SessionOptions::new().in_memory("/");
/// session.append_message(user_message(&[BlockDraft::Text("plan it".into())], 1))?;
/// assert_eq!(serialise(session.context()?.messages()), "[User]: plan it");
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[doc(alias = "serializeConversation")]
pub fn serialise<'a>(messages: impl IntoIterator<Item = ContextMessage<'a>>) -> String {
    let mut conversation = Conversation::default();
    messages.into_iter().for_each(|message| conversation.push(&message));
    conversation.text
}

/// A conversation that grows message by message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Conversation {
    pub(super) text: String,
    /// How many messages there were, those without text too.
    pub(super) messages: usize,
}

impl Conversation {
    pub(super) fn push(&mut self, message: &ContextMessage<'_>) {
        self.messages += 1;
        let Some(sent) = llm_message(message) else { return };
        let Ok(sent) = Raw::parse(&sent) else { return };
        let content = Content::of(sent.get("content"));
        match message.role {
            Role::Assistant => self.push_answer(content),
            Role::ToolResult => self.part("Tool result", &shortened(&content.text(""))),
            Role::System => {}
            _ => self.part("User", &content.text("")),
        }
    }

    fn push_answer(&mut self, content: Content<'_>) {
        let (mut thoughts, mut texts, mut calls) = (Vec::new(), Vec::new(), Vec::new());
        for block in content.blocks() {
            match block {
                ContentBlock::Thinking(block) => thoughts.extend(block.thinking()),
                ContentBlock::Text(block) => texts.extend(block.text()),
                ContentBlock::ToolCall(block) => calls.push(call(block)),
                _ => {}
            }
        }
        // Blocks that are there count, even where there is no text in them.
        for (who, blocks) in [("Assistant thinking", thoughts), ("Assistant", texts)] {
            if !blocks.is_empty() {
                self.push_part(who, &blocks.join("\n"));
            }
        }
        self.part("Assistant tool calls", &calls.join("; "));
    }

    fn part(&mut self, who: &str, text: &str) {
        if !text.is_empty() {
            self.push_part(who, text);
        }
    }

    fn push_part(&mut self, who: &str, text: &str) {
        if !self.text.is_empty() {
            self.text.push_str("\n\n");
        }
        self.text.extend(["[", who, "]: ", text]);
    }
}

/// `name(key=JSON, key=JSON)`, keys in the order in which JavaScript has them.
fn call(block: ToolCallBlock<'_>) -> String {
    let arguments = block.arguments().filter(|arguments| arguments.kind() == JsonKind::Object);
    let arguments = arguments.map(|arguments| stringify(arguments.bytes())).unwrap_or_default();
    let members = Raw::parse(&arguments).unwrap_or_else(|_| Raw::null());
    let shown: Vec<_> =
        members.members().map(|(key, value)| format!("{}={}", key.text(), value.text())).collect();
    format!("{}({})", block.name().unwrap_or_default(), shown.join(", "))
}

fn shortened(text: &str) -> String {
    let units = utf16_len(text);
    if units <= RESULT_UNITS {
        return text.to_owned();
    }
    // Half of a pair is not kept, and counts to the rest.
    let kept = truncate_utf16(text, RESULT_UNITS);
    format!("{kept}\n\n[... {} more characters truncated]", units - utf16_len(kept))
}
