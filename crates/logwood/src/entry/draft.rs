use crate::json::{JsonWriter, ObjectWriter, Raw, SyntaxError, set_member};

use super::{EntryKind, JsonText, Role};

/// Bytes that a line has around its body, at most as a rule.
const FRAME: usize = 192;

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

    /// The object as a value to read.
    pub(super) fn raw(&self) -> Raw<'_> {
        Raw::trusted(&self.0)
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

impl EntryDraft {
    /// The line of the entry, without LF, with its members in dreb's order (spec 1.4).
    pub fn line(&self, id: &str, parent: Option<&str>, timestamp: &str) -> Vec<u8> {
        let mut line = Vec::with_capacity(self.size() + FRAME);
        self.line_into(&mut line, id, parent, timestamp);
        line
    }

    /// Puts the line, without LF, at the end of `out`.
    pub(crate) fn line_into(
        &self,
        out: &mut Vec<u8>,
        id: &str,
        parent: Option<&str>,
        timestamp: &str,
    ) {
        if let Self::Raw(raw) = self {
            return out.extend(raw.line(id, parent, timestamp));
        }
        let base = |o: &mut ObjectWriter<'_>| {
            o.field_str("id", id).field_str_or_null("parentId", parent);
            o.field_str("timestamp", timestamp);
        };
        JsonWriter::new(out).object(|o| {
            o.field_str("type", self.type_word());
            match self {
                Self::Custom { .. } | Self::CustomMessage { .. } => {
                    self.body(o);
                    base(o);
                }
                _ => {
                    base(o);
                    self.body(o);
                }
            }
        });
    }

    /// About how many bytes its body takes, where that may be much.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Message(message) => message.as_str().len(),
            Self::CustomMessage { content, .. } => content.as_str().len(),
            Self::Raw(raw) => raw.0.len(),
            _ => 0,
        }
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
    fn body(&self, o: &mut ObjectWriter<'_>) {
        match self {
            Self::Message(message) => value(o, "message", message),
            Self::ThinkingLevelChange { thinking_level } => {
                o.field_str("thinkingLevel", thinking_level);
            }
            Self::ModelChange { provider, model_id } => {
                o.field_str("provider", provider).field_str("modelId", model_id);
            }
            Self::Compaction(compaction) => compaction.body(o),
            Self::BranchSummary(summary) => summary.body(o),
            Self::Custom { custom_type, data } => {
                o.field_str("customType", custom_type);
                optional(o, "data", data.as_ref());
            }
            Self::CustomMessage { custom_type, content, display, details } => {
                o.field_str("customType", custom_type);
                value(o, "content", content);
                o.field_bool("display", *display);
                optional(o, "details", details.as_ref());
            }
            Self::Label { target_id, label } => {
                o.field_str("targetId", target_id).field_opt_str("label", label.as_deref());
            }
            Self::SessionInfo { name } => {
                o.field_str("name", name);
            }
            Self::CarriedName { name } => optional(o, "name", name.as_ref()),
            Self::Usage { kind, provider, model, usage, note } => {
                o.field_str("kind", kind).field_str("provider", provider);
                o.field_str("model", model);
                value(o, "usage", usage);
                o.field_opt_str("note", note.as_deref());
            }
            Self::ContextEdit { target_id, content } => {
                o.field_str("targetId", target_id);
                replacement(o, content.as_ref());
            }
            Self::Raw(_) => {}
        }
    }
}

impl CompactionDraft {
    fn body(&self, o: &mut ObjectWriter<'_>) {
        o.field_str("summary", &self.summary)
            .field_opt_str("firstKeptEntryId", self.first_kept_entry_id.as_deref())
            .field_f64("tokensBefore", self.tokens_before);
        optional(o, "details", self.details.as_ref());
        optional(o, "usage", self.usage.as_ref());
        from_hook(o, self.from_hook);
        optional(o, "systemMessage", self.system_message.as_ref());
    }
}

impl BranchSummaryDraft {
    fn body(&self, o: &mut ObjectWriter<'_>) {
        o.field_str("fromId", &self.from_id).field_str("summary", &self.summary);
        optional(o, "details", self.details.as_ref());
        optional(o, "usage", self.usage.as_ref());
        from_hook(o, self.from_hook);
    }
}

fn value(o: &mut ObjectWriter<'_>, key: &str, value: &JsonText) {
    o.field_raw(key, value.as_str().as_bytes());
}

fn optional(o: &mut ObjectWriter<'_>, key: &str, text: Option<&JsonText>) {
    if let Some(text) = text {
        value(o, key, text);
    }
}

fn from_hook(o: &mut ObjectWriter<'_>, from_hook: Option<bool>) {
    if let Some(from_hook) = from_hook {
        o.field_bool("fromHook", from_hook);
    }
}

fn replacement(o: &mut ObjectWriter<'_>, content: Option<&JsonText>) {
    match content {
        None => o.field_null("replacement"),
        Some(content) => o.field_object("replacement", |o| value(o, "content", content)),
    };
}
