//! Messages to be appended, with their members in the order that dreb's runtime gives them (spec 1.5).

use super::JsonText;

/// One block of a message to be appended.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum BlockDraft {
    /// Text.
    Text(String),
    /// Text with the opaque bytes that its provider wants back.
    SignedText(String, String),
    /// What the model thought, with the opaque bytes that its provider wants back.
    Thinking(String, Option<String>),
    /// A picture: base64 data and its type.
    Image(String, String),
    /// A call of a tool: its id, the tool, the arguments.
    ToolCall(String, String, JsonText),
    /// Any other block.
    Other(JsonText),
}

impl BlockDraft {
    fn json(&self) -> JsonText {
        let kind = |kind: &str| ("type", Some(JsonText::string(kind)));
        match self {
            Self::Text(text) => JsonText::object(&[kind("text"), member("text", text)]),
            Self::SignedText(text, signature) => JsonText::object(&[
                kind("text"),
                member("text", text),
                member("textSignature", signature),
            ]),
            Self::Thinking(thinking, signature) => JsonText::object(&[
                kind("thinking"),
                member("thinking", thinking),
                optional("thinkingSignature", signature),
            ]),
            Self::Image(data, mime_type) => JsonText::object(&[
                kind("image"),
                member("data", data),
                member("mimeType", mime_type),
            ]),
            Self::ToolCall(id, name, arguments) => JsonText::object(&[
                kind("toolCall"),
                member("id", id),
                member("name", name),
                ("arguments", Some(arguments.clone())),
            ]),
            Self::Other(block) => block.clone(),
        }
    }
}

/// Tokens and cost of an answer to be appended; costs in US dollars.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct UsageDraft {
    /// Input tokens.
    pub input: f64,
    /// Output tokens.
    pub output: f64,
    /// Tokens read from the cache.
    pub cache_read: f64,
    /// Tokens written to the cache.
    pub cache_write: f64,
    /// All tokens.
    pub total_tokens: f64,
    /// Costs in the order input, output, cache read, cache write, total.
    pub cost: [f64; 5],
}

impl UsageDraft {
    /// The usage as JSON, members in dreb's order (spec 1.7).
    pub fn json(&self) -> JsonText {
        let [input, output, read, write, total] = self.cost;
        let cost = [
            ("input", input),
            ("output", output),
            ("cacheRead", read),
            ("cacheWrite", write),
            ("total", total),
        ];
        JsonText::object(&[
            number("input", self.input),
            number("output", self.output),
            number("cacheRead", self.cache_read),
            number("cacheWrite", self.cache_write),
            number("totalTokens", self.total_tokens),
            ("cost", Some(JsonText::object(&cost.map(|(key, value)| number(key, value))))),
        ])
    }
}

/// A user message: text first, then images.
pub fn user_message(content: &[BlockDraft], timestamp_ms: i64) -> JsonText {
    JsonText::object(&[
        role("user"),
        ("content", Some(blocks(content))),
        number("timestamp", timestamp_ms as f64),
    ])
}

/// An assistant message to be appended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AssistantDraft {
    /// Text, thinking and tool calls in stream order.
    pub content: Vec<BlockDraft>,
    /// The provider's interface; left out where it is not known.
    pub api: Option<String>,
    /// The provider.
    pub provider: String,
    /// The model's id at the provider.
    pub model: String,
    /// Tokens and cost.
    pub usage: UsageDraft,
    /// `stop`, `length`, `toolUse`, `error`, `aborted`.
    pub stop_reason: String,
    /// Milliseconds since 1970.
    pub timestamp_ms: i64,
    /// The provider's id of the response.
    pub response_id: Option<String>,
    /// What went wrong.
    pub error_message: Option<String>,
    /// Milliseconds from the start of the stream to its end.
    pub duration_ms: Option<f64>,
}

impl AssistantDraft {
    /// The message as JSON.
    pub fn json(&self) -> JsonText {
        JsonText::object(&[
            role("assistant"),
            ("content", Some(blocks(&self.content))),
            optional("api", &self.api),
            member("provider", &self.provider),
            member("model", &self.model),
            ("usage", Some(self.usage.json())),
            member("stopReason", &self.stop_reason),
            number("timestamp", self.timestamp_ms as f64),
            optional("responseId", &self.response_id),
            optional("errorMessage", &self.error_message),
            ("durationMs", self.duration_ms.map(JsonText::number)),
        ])
    }
}

/// A tool result to be appended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolResultDraft {
    /// The call it answers.
    pub tool_call_id: String,
    /// The tool.
    pub tool_name: String,
    /// Text and images.
    pub content: Vec<BlockDraft>,
    /// What the model is not sent.
    pub details: Option<JsonText>,
    /// Whether the tool failed.
    pub is_error: bool,
    /// Milliseconds since 1970.
    pub timestamp_ms: i64,
}

impl ToolResultDraft {
    /// The message as JSON.
    pub fn json(&self) -> JsonText {
        JsonText::object(&[
            role("toolResult"),
            member("toolCallId", &self.tool_call_id),
            member("toolName", &self.tool_name),
            ("content", Some(blocks(&self.content))),
            ("details", self.details.clone()),
            ("isError", Some(JsonText::bool(self.is_error))),
            number("timestamp", self.timestamp_ms as f64),
        ])
    }
}

/// A command run by the person, to be appended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BashExecutionDraft {
    /// The command.
    pub command: String,
    /// What it printed.
    pub output: String,
    /// Its exit code; none when it was killed.
    pub exit_code: Option<i32>,
    /// Whether the person stopped it.
    pub cancelled: bool,
    /// Whether the output is shortened.
    pub truncated: bool,
    /// The file with the whole output.
    pub full_output_path: Option<String>,
    /// Whether the model gets nothing of it; none leaves the member out.
    pub exclude_from_context: Option<bool>,
    /// Milliseconds since 1970.
    pub timestamp_ms: i64,
}

impl BashExecutionDraft {
    /// The message as JSON.
    pub fn json(&self) -> JsonText {
        JsonText::object(&[
            role("bashExecution"),
            member("command", &self.command),
            member("output", &self.output),
            ("exitCode", self.exit_code.map(|code| JsonText::number(f64::from(code)))),
            ("cancelled", Some(JsonText::bool(self.cancelled))),
            ("truncated", Some(JsonText::bool(self.truncated))),
            optional("fullOutputPath", &self.full_output_path),
            number("timestamp", self.timestamp_ms as f64),
            ("excludeFromContext", self.exclude_from_context.map(JsonText::bool)),
        ])
    }
}

type Member<'a> = (&'a str, Option<JsonText>);

fn role(role: &str) -> Member<'static> {
    ("role", Some(JsonText::string(role)))
}

fn member<'a>(key: &'a str, text: &str) -> Member<'a> {
    (key, Some(JsonText::string(text)))
}

fn optional<'a>(key: &'a str, text: &Option<String>) -> Member<'a> {
    (key, text.as_deref().map(JsonText::string))
}

fn number(key: &str, number: f64) -> Member<'_> {
    (key, Some(JsonText::number(number)))
}

fn blocks(blocks: &[BlockDraft]) -> JsonText {
    JsonText::array(&blocks.iter().map(BlockDraft::json).collect::<Vec<_>>())
}
