use crate::json::{Raw, SyntaxError, set_member};

use super::{EntryKind, JsonText, Role};

/// An entry to be appended: what it says, before it gets its id, parent and time.
///
/// ```
/// use logwood::entry::EntryDraft;
///
/// let draft = EntryDraft::Label { target_id: "a1".into(), label: None };
/// assert_eq!(
///     draft.line("b2", Some("a1"), "2025-01-01T00:00:00.000Z"),
///     r#"{"type":"label","id":"b2","parentId":"a1","timestamp":"2025-01-01T00:00:00.000Z","targetId":"a1"}"#.as_bytes(),
/// );
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EntryDraft {
    /// A message; see the message drafts for ready-made ones.
    Message(JsonText),
    /// The thinking level changes.
    ThinkingLevelChange {
        /// The new level.
        thinking_level: String,
    },
    /// The model changes.
    ModelChange {
        /// The provider.
        provider: String,
        /// The model's id at the provider.
        model_id: String,
    },
    /// Earlier messages are replaced by a summary.
    Compaction(CompactionDraft),
    /// What happened on a branch that is left.
    BranchSummary(BranchSummaryDraft),
    /// State of an extension.
    Custom {
        /// Whose it is.
        custom_type: String,
        /// The state.
        data: Option<JsonText>,
    },
    /// A message of an extension that the model gets.
    CustomMessage {
        /// Whose it is.
        custom_type: String,
        /// Text, or a list of text and image blocks.
        content: JsonText,
        /// Whether people are shown it.
        display: bool,
        /// What the model is not sent.
        details: Option<JsonText>,
    },
    /// A label is set, or cleared with none.
    Label {
        /// The entry that is labelled.
        target_id: String,
        /// The label.
        label: Option<String>,
    },
    /// The display name changes; an empty one clears it.
    SessionInfo {
        /// The name; the session trims it.
        name: String,
    },
    /// The display name as another session had it, also without a value (spec 4.11).
    CarriedName {
        /// The value of `name`; none leaves the member out.
        name: Option<JsonText>,
    },
    /// Usage that belongs to no assistant message (pi).
    Usage {
        /// What it was for.
        kind: String,
        /// The provider.
        provider: String,
        /// The model's id at the provider.
        model: String,
        /// The usage.
        usage: JsonText,
        /// A note for people.
        note: Option<String>,
    },
    /// Replaces or hides an earlier entry in the context (pi).
    ContextEdit {
        /// The entry it acts on.
        target_id: String,
        /// The new content; none hides the target.
        content: Option<JsonText>,
    },
    /// Any other entry, kept as it is written.
    Raw(RawEntry),
}

/// A compaction to be appended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CompactionDraft {
    /// The summary.
    pub summary: String,
    /// The first entry that stays in the context.
    pub first_kept_entry_id: Option<String>,
    /// How many tokens the context had before.
    pub tokens_before: f64,
    /// What its maker stores with it.
    pub details: Option<JsonText>,
    /// Whether an extension made it; none leaves the member out.
    pub from_hook: Option<bool>,
    /// What the summary cost (pi).
    pub usage: Option<JsonText>,
    /// The prompt and tools at this point (pi).
    pub system_message: Option<JsonText>,
}

/// A branch summary to be appended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BranchSummaryDraft {
    /// The abandoned leaf, or `root`.
    pub from_id: String,
    /// The summary.
    pub summary: String,
    /// What its maker stores with it.
    pub details: Option<JsonText>,
    /// Whether an extension made it; none leaves the member out.
    pub from_hook: Option<bool>,
    /// What the summary cost (pi).
    pub usage: Option<JsonText>,
}

/// One JSON object on one line whose text is kept; only id, parent and time are put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawEntry(Vec<u8>);

impl RawEntry {
    /// Takes the text of an entry of any type. White space around it goes; line breaks between its members, which would end the line,
    /// become spaces.
    ///
    /// # Errors
    /// The place where the text stops being one JSON object.
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        let raw = Raw::parse(text)?;
        if !raw.is_object() {
            return Err(SyntaxError { at: 0, truncated: false });
        }
        // A line break inside a string is an escape, so every raw one is white space between tokens.
        let line = raw.bytes().iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte });
        Ok(Self(line.collect()))
    }

    /// The value of `type`.
    pub fn type_word(&self) -> Option<String> {
        Raw::trusted(&self.0).get_str("type").map(|word| word.into_owned())
    }

    /// The type.
    pub fn kind(&self) -> EntryKind {
        self.type_word().map_or(EntryKind::Unknown, |word| EntryKind::from_word(&word))
    }

    /// Who speaks, where it is a message.
    pub fn role(&self) -> Option<Role> {
        let message = Raw::trusted(&self.0).get("message")?;
        message.get_str("role").map(|word| Role::from_word(&word))
    }

    fn line(&self, id: &str, parent: Option<&str>, timestamp: &str) -> Vec<u8> {
        let parent = parent.map_or_else(JsonText::null, JsonText::string);
        let members = [
            ("id", JsonText::string(id)),
            ("parentId", parent),
            ("timestamp", JsonText::string(timestamp)),
        ];
        members.iter().fold(self.0.clone(), |text, (key, value)| {
            set_member(Raw::trusted(&text), key, value.as_str().as_bytes())
        })
    }
}

type Member = (&'static str, Option<JsonText>);

impl EntryDraft {
    /// The line of the entry, without LF, with its members in dreb's order (spec 1.4).
    pub fn line(&self, id: &str, parent: Option<&str>, timestamp: &str) -> Vec<u8> {
        if let Self::Raw(raw) = self {
            return raw.line(id, parent, timestamp);
        }
        let kind: Member = ("type", text(self.type_word()));
        let base = [
            ("id", text(id)),
            ("parentId", Some(parent.map_or_else(JsonText::null, JsonText::string))),
            ("timestamp", text(timestamp)),
        ];
        let body = self.body();
        let members: Vec<Member> = match self {
            Self::Custom { .. } | Self::CustomMessage { .. } => {
                [kind].into_iter().chain(body).chain(base).collect()
            }
            _ => [kind].into_iter().chain(base).chain(body).collect(),
        };
        JsonText::object(&members).as_str().as_bytes().to_vec()
    }

    /// The value of `type`.
    pub fn type_word(&self) -> &str {
        match self {
            Self::Message(_) => "message",
            Self::ThinkingLevelChange { .. } => "thinking_level_change",
            Self::ModelChange { .. } => "model_change",
            Self::Compaction(_) => "compaction",
            Self::BranchSummary(_) => "branch_summary",
            Self::Custom { .. } => "custom",
            Self::CustomMessage { .. } => "custom_message",
            Self::Label { .. } => "label",
            Self::SessionInfo { .. } | Self::CarriedName { .. } => "session_info",
            Self::Usage { .. } => "usage",
            Self::ContextEdit { .. } => "context_edit",
            Self::Raw(_) => "",
        }
    }

    /// The members beyond type, id, parent and time.
    fn body(&self) -> Vec<Member> {
        match self {
            Self::Message(message) => vec![("message", Some(message.clone()))],
            Self::ThinkingLevelChange { thinking_level } => {
                vec![("thinkingLevel", text(thinking_level))]
            }
            Self::ModelChange { provider, model_id } => {
                vec![("provider", text(provider)), ("modelId", text(model_id))]
            }
            Self::Compaction(compaction) => compaction.body(),
            Self::BranchSummary(summary) => summary.body(),
            Self::Custom { custom_type, data } => {
                vec![("customType", text(custom_type)), ("data", data.clone())]
            }
            Self::CustomMessage { custom_type, content, display, details } => vec![
                ("customType", text(custom_type)),
                ("content", Some(content.clone())),
                ("display", Some(JsonText::bool(*display))),
                ("details", details.clone()),
            ],
            Self::Label { target_id, label } => {
                vec![("targetId", text(target_id)), ("label", label.as_deref().and_then(text))]
            }
            Self::SessionInfo { name } => vec![("name", text(name))],
            Self::CarriedName { name } => vec![("name", name.clone())],
            Self::Usage { kind, provider, model, usage, note } => vec![
                ("kind", text(kind)),
                ("provider", text(provider)),
                ("model", text(model)),
                ("usage", Some(usage.clone())),
                ("note", note.as_deref().and_then(text)),
            ],
            Self::ContextEdit { target_id, content } => {
                vec![("targetId", text(target_id)), ("replacement", Some(replacement(content)))]
            }
            Self::Raw(_) => Vec::new(),
        }
    }
}

impl CompactionDraft {
    fn body(&self) -> Vec<Member> {
        vec![
            ("summary", text(&self.summary)),
            ("firstKeptEntryId", self.first_kept_entry_id.as_deref().and_then(text)),
            ("tokensBefore", Some(JsonText::number(self.tokens_before))),
            ("details", self.details.clone()),
            ("usage", self.usage.clone()),
            ("fromHook", self.from_hook.map(JsonText::bool)),
            ("systemMessage", self.system_message.clone()),
        ]
    }
}

impl BranchSummaryDraft {
    fn body(&self) -> Vec<Member> {
        vec![
            ("fromId", text(&self.from_id)),
            ("summary", text(&self.summary)),
            ("details", self.details.clone()),
            ("usage", self.usage.clone()),
            ("fromHook", self.from_hook.map(JsonText::bool)),
        ]
    }
}

fn replacement(content: &Option<JsonText>) -> JsonText {
    match content {
        None => JsonText::null(),
        Some(_) => JsonText::object(&[("content", content.clone())]),
    }
}

fn text(text: &str) -> Option<JsonText> {
    Some(JsonText::string(text))
}
