//! Messages by role (spec 1.5, newer-dialects), decoded on demand.

use crate::json::{JsonKind, Raw};

use super::fields::views;
use super::{Content, Role, Usage};

/// A message, by who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant has the type of its name")]
pub enum Message<'a> {
    User(UserMessage<'a>),
    Assistant(AssistantMessage<'a>),
    ToolResult(ToolResultMessage<'a>),
    BashExecution(BashExecutionMessage<'a>),
    Custom(CustomMessage<'a>),
    BranchSummary(BranchSummaryMessage<'a>),
    CompactionSummary(CompactionSummaryMessage<'a>),
    System(SystemMessage<'a>),
    Unknown(Raw<'a>),
    /// The entry has no message object.
    Missing,
}

impl<'a> Message<'a> {
    /// Reads a message object.
    pub fn of(raw: Raw<'a>) -> Self {
        let role = raw.get_str("role").map_or(Role::Unknown, |word| Role::from_word(&word));
        match role {
            Role::User => Self::User(UserMessage(raw)),
            Role::Assistant => Self::Assistant(AssistantMessage(raw)),
            Role::ToolResult => Self::ToolResult(ToolResultMessage(raw)),
            Role::BashExecution => Self::BashExecution(BashExecutionMessage(raw)),
            Role::Custom | Role::HookMessage => Self::Custom(CustomMessage(raw)),
            Role::BranchSummary => Self::BranchSummary(BranchSummaryMessage(raw)),
            Role::CompactionSummary => Self::CompactionSummary(CompactionSummaryMessage(raw)),
            Role::System => Self::System(SystemMessage(raw)),
            Role::Unknown | Role::None => Self::Unknown(raw),
        }
    }

    /// The message as JSON; none where there is none.
    pub fn raw(self) -> Option<Raw<'a>> {
        match self {
            Self::User(message) => Some(message.raw()),
            Self::Assistant(message) => Some(message.raw()),
            Self::ToolResult(message) => Some(message.raw()),
            Self::BashExecution(message) => Some(message.raw()),
            Self::Custom(message) => Some(message.raw()),
            Self::BranchSummary(message) => Some(message.raw()),
            Self::CompactionSummary(message) => Some(message.raw()),
            Self::System(message) => Some(message.raw()),
            Self::Unknown(raw) => Some(raw),
            Self::Missing => None,
        }
    }

    /// The content: text or blocks; empty for roles that have none.
    pub fn content(self) -> Content<'a> {
        Content::of(self.raw().and_then(|raw| raw.get("content")))
    }
}

views! {
    /// What the person says.
    UserMessage {
        /// Text, or a list of text and image blocks.
        content: raw = "content",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// What the model answers.
    AssistantMessage {
        /// A list of text, thinking and tool call blocks in stream order.
        content: raw = "content",
        /// The provider's interface, such as `anthropic-messages`.
        api: str = "api",
        /// The provider.
        provider: str = "provider",
        /// The model's id at the provider.
        model: str = "model",
        /// The model that really answered, where the provider says so (pi).
        response_model: str = "responseModel",
        /// The provider's id of the response.
        response_id: str = "responseId",
        /// `stop`, `length`, `toolUse`, `error`, `aborted`; newer: `pending`, `deferred`.
        stop_reason: str = "stopReason",
        /// What went wrong, for `error` and `aborted`.
        error_message: str = "errorMessage",
        /// Milliseconds from the start of the stream to its end.
        duration_ms: f64 = "durationMs",
        /// The thinking level of this answer (pi).
        thinking_level: str = "thinkingLevel",
        /// What the provider layer noticed (pi).
        diagnostics: raw = "diagnostics",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// What a tool gave back.
    ToolResultMessage {
        /// The call it answers.
        tool_call_id: str = "toolCallId",
        /// The tool.
        tool_name: str = "toolName",
        /// A list of text and image blocks.
        content: raw = "content",
        /// What the model is not sent; known shapes in spec 1.8.
        details: raw = "details",
        /// Whether the tool failed.
        is_error: truthy = "isError",
        /// Milliseconds it took (pi).
        duration_ms: f64 = "durationMs",
        /// Calls that the tool made itself (pi).
        nested_calls: raw = "nestedCalls",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// A command that the person ran.
    BashExecutionMessage {
        /// The command.
        command: str = "command",
        /// What it printed, shortened perhaps.
        output: str = "output",
        /// Its exit code; none when it was killed or cancelled.
        exit_code: f64 = "exitCode",
        /// Whether the person stopped it.
        cancelled: truthy = "cancelled",
        /// Whether the output is shortened.
        truncated: truthy = "truncated",
        /// The file with the whole output.
        full_output_path: str = "fullOutputPath",
        /// Whether the model gets nothing of it (`!!`).
        exclude_from_context: truthy = "excludeFromContext",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// A message of an extension.
    CustomMessage {
        /// Whose it is.
        custom_type: str = "customType",
        /// Text, or a list of text and image blocks.
        content: raw = "content",
        /// Whether people are shown it.
        display: truthy = "display",
        /// What the model is not sent.
        details: raw = "details",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// A branch summary inside a context.
    BranchSummaryMessage {
        /// The summary.
        summary: str = "summary",
        /// As the entry says it.
        from_id: str = "fromId",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// A compaction summary inside a context.
    CompactionSummaryMessage {
        /// The summary.
        summary: str = "summary",
        /// How many tokens the context had before, as an estimate.
        tokens_before: f64 = "tokensBefore",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }

    /// Prompt and tools (pi); replayed in order.
    SystemMessage {
        /// Text, or a list of text blocks.
        content: raw = "content",
        /// Name to text; null removes.
        sections: raw = "sections",
        /// Tools that came.
        tools_added: raw = "toolsAdded",
        /// Tools that went.
        tools_removed: raw = "toolsRemoved",
        /// Milliseconds since 1970.
        timestamp: f64 = "timestamp",
    }
}

impl<'a> AssistantMessage<'a> {
    /// The usage of this answer; every part of a missing one is none.
    pub fn usage(self) -> Option<Usage<'a>> {
        self.0.get("usage").filter(|usage| usage.kind() == JsonKind::Object).map(Usage)
    }
}
