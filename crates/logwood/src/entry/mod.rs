//! Gives a JSON line its meaning: header, entries, messages, content blocks, usage.
//!
//! [`Envelope`] is what one pass over a line picks for trees and listings. [`Entry`], [`Message`] and [`ContentBlock`] are typed views
//! over the raw text: they decode a member when it is asked for and lose nothing, since the text stays what it is.

mod arbitration;
mod arbitration_check;
mod arbitration_draft;
#[cfg(test)]
mod arbitration_tests;
mod content;
mod draft;
#[cfg(test)]
mod draft_tests;
mod envelope;
mod fields;
mod header;
mod header_search;
mod kind;
mod line;
mod message;
mod message_draft;
mod preview;
mod secrets;
#[cfg(test)]
mod tests;
mod text;
mod view;

pub use arbitration::{Arbitration, Route};
pub use arbitration_check::ArbitrationFault;
pub use arbitration_draft::{ArbitrationDraft, ArbitrationError, ArbitrationOutcome, RouteDraft};
pub use content::{
    Content, ContentBlock, Cost, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, Usage,
};
pub use draft::{BranchSummaryDraft, CompactionDraft, EntryDraft, RawEntry};
pub use envelope::{Envelope, MessageHead, RecordKind};
pub use header::SessionHeader;
pub use header_search::{HeaderFault, HeaderSearch, HeaderStep};
pub use kind::{EntryKind, Role};
pub use line::{ParsedLine, parse_line};
pub use message::{
    AssistantMessage, BashExecutionMessage, BranchSummaryMessage, CompactionSummaryMessage,
    CustomMessage, Message, SystemMessage, ToolResultMessage, UserMessage,
};
pub use message_draft::{
    AssistantDraft, BashExecutionDraft, BlockDraft, ToolResultDraft, UsageDraft, user_message,
};
pub use text::JsonText;
pub use view::{
    BranchSummary, Compaction, ContextEdit, Custom, CustomMessageEntry, Entry, EntryData, Label,
    ModelChange, SessionInfoEntry, ThinkingLevelChange, UsageEntry,
};
