//! Entries by type (spec 1.4, newer-dialects), decoded on demand.

use std::borrow::Cow;

use crate::json::{Raw, SyntaxError, parse_iso_ms};

use super::fields::views;
use super::{EntryKind, Message};

/// One entry, as its line says it.
///
/// ```
/// use logwood::entry::{Entry, EntryData};
///
/// let line = br#"{"type":"label","id":"b","parentId":"a","timestamp":"2025-01-01T00:00:00.000Z","targetId":"a","label":"here"}"#;
/// let entry = Entry::parse(line)?;
/// assert_eq!(entry.parent_id().as_deref(), Some("a"));
/// let EntryData::Label(label) = entry.data() else { unreachable!() };
/// assert_eq!(label.label().as_deref(), Some("here"));
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<'a>(Raw<'a>);

/// What an entry says, by type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant has the type of its name")]
pub enum EntryData<'a> {
    Message(Message<'a>),
    ThinkingLevelChange(ThinkingLevelChange<'a>),
    ModelChange(ModelChange<'a>),
    Compaction(Compaction<'a>),
    BranchSummary(BranchSummary<'a>),
    Custom(Custom<'a>),
    CustomMessage(CustomMessageEntry<'a>),
    Label(Label<'a>),
    SessionInfo(SessionInfoEntry<'a>),
    Usage(UsageEntry<'a>),
    ContextEdit(ContextEdit<'a>),
    Unknown(Raw<'a>),
}

impl<'a> Entry<'a> {
    /// Reads the JSON text of an entry.
    ///
    /// # Errors
    /// The place where the text stops being JSON.
    pub fn parse(text: &'a [u8]) -> Result<Self, SyntaxError> {
        Raw::parse(text).map(Self)
    }

    /// The whole entry.
    pub fn raw(self) -> Raw<'a> {
        self.0
    }

    /// The type.
    pub fn kind(self) -> EntryKind {
        self.type_word().map_or(EntryKind::Unknown, |word| EntryKind::from_word(&word))
    }

    /// The value of `type`, known or not.
    pub fn type_word(self) -> Option<Cow<'a, str>> {
        self.0.get_str("type")
    }

    /// The id.
    pub fn id(self) -> Option<Cow<'a, str>> {
        self.0.get_str("id")
    }

    /// The id of the parent; none for a root.
    pub fn parent_id(self) -> Option<Cow<'a, str>> {
        self.0.get_str("parentId").filter(|parent| !parent.is_empty())
    }

    /// The time as it is written.
    pub fn timestamp(self) -> Option<Cow<'a, str>> {
        self.0.get_str("timestamp")
    }

    /// The time in milliseconds since 1970, where it can be read.
    pub fn timestamp_ms(self) -> Option<i64> {
        parse_iso_ms(self.timestamp()?.as_bytes())
    }

    /// What it says.
    pub fn data(self) -> EntryData<'a> {
        let raw = self.0;
        match self.kind() {
            EntryKind::Message => match raw.get("message").filter(|message| message.is_object()) {
                Some(message) => EntryData::Message(Message::of(message)),
                None => EntryData::Message(Message::Missing),
            },
            EntryKind::ThinkingLevelChange => {
                EntryData::ThinkingLevelChange(ThinkingLevelChange(raw))
            }
            EntryKind::ModelChange => EntryData::ModelChange(ModelChange(raw)),
            EntryKind::Compaction => EntryData::Compaction(Compaction(raw)),
            EntryKind::BranchSummary => EntryData::BranchSummary(BranchSummary(raw)),
            EntryKind::Custom => EntryData::Custom(Custom(raw)),
            EntryKind::CustomMessage => EntryData::CustomMessage(CustomMessageEntry(raw)),
            EntryKind::Label => EntryData::Label(Label(raw)),
            EntryKind::SessionInfo => EntryData::SessionInfo(SessionInfoEntry(raw)),
            EntryKind::Usage => EntryData::Usage(UsageEntry(raw)),
            EntryKind::ContextEdit => EntryData::ContextEdit(ContextEdit(raw)),
            EntryKind::Unknown => EntryData::Unknown(raw),
        }
    }
}

views! {
    /// The thinking level changed.
    ThinkingLevelChange {
        /// One of `off minimal low medium high xhigh max`, or any other word.
        thinking_level: str = "thinkingLevel",
    }

    /// The model changed; pi may name a virtual model here.
    ModelChange {
        /// The provider.
        provider: str = "provider",
        /// The model's id at the provider.
        model_id: str = "modelId",
    }

    /// Earlier messages were replaced by a summary.
    Compaction {
        /// The summary.
        summary: str = "summary",
        /// The first entry that stays in the context; its own id when nothing does (newer-dialects).
        first_kept_entry_id: str = "firstKeptEntryId",
        /// How many tokens the context had before, as an estimate.
        tokens_before: f64 = "tokensBefore",
        /// What its maker stored with it; dreb stores `readFiles` and `modifiedFiles`.
        details: raw = "details",
        /// Whether an extension made it; missing means no.
        from_hook: truthy = "fromHook",
        /// What the summary cost (pi).
        usage: raw = "usage",
        /// The prompt and tools at this point (pi).
        system_message: raw = "systemMessage",
    }

    /// What happened on a branch that was left.
    BranchSummary {
        /// Where it came from: the abandoned leaf, or in dreb's files the target; never resolved (spec 14.1).
        from_id: str = "fromId",
        /// The summary.
        summary: str = "summary",
        /// What its maker stored with it.
        details: raw = "details",
        /// Whether an extension made it; missing means no.
        from_hook: truthy = "fromHook",
        /// What the summary cost (pi).
        usage: raw = "usage",
    }

    /// State of an extension.
    Custom {
        /// Whose it is.
        custom_type: str = "customType",
        /// The state.
        data: raw = "data",
    }

    /// A message of an extension that the model gets.
    CustomMessageEntry {
        /// Whose it is.
        custom_type: str = "customType",
        /// Text, or a list of text and image blocks.
        content: raw = "content",
        /// Whether people are shown it; the model gets it either way.
        display: truthy = "display",
        /// What the model is not sent.
        details: raw = "details",
    }

    /// A label was set, moved or cleared.
    Label {
        /// The entry that is labelled.
        target_id: str = "targetId",
        /// The label; missing, null and empty clear it.
        label: str = "label",
    }

    /// The display name of the session changed (a row of a listing is `SessionInfo`, another thing).
    SessionInfoEntry {
        /// The name; empty clears it.
        name: str = "name",
    }

    /// Usage that belongs to no assistant message (pi).
    UsageEntry {
        /// What it was for, such as `cache_warm`.
        kind: str = "kind",
        /// The provider.
        provider: str = "provider",
        /// The model's id at the provider.
        model: str = "model",
        /// The usage.
        usage: raw = "usage",
        /// A note for people.
        note: str = "note",
    }

    /// Replaces or hides an earlier entry in the context (pi).
    ContextEdit {
        /// The entry it acts on.
        target_id: str = "targetId",
        /// Null hides the target; an object with `content` replaces its content.
        replacement: raw = "replacement",
    }
}
