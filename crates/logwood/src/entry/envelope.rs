//! What trees, labels, names and listings need of a line, picked in the same pass that validates it.

use crate::json::{Cursor, Raw, SyntaxError, trim_js};

use super::{EntryKind, Role};

/// The fields of one record that are looked at without decoding its message.
///
/// Every field is the raw value of the last member with that key, as JavaScript reads duplicates (rule F12).
#[derive(Debug, Default, Clone, Copy)]
#[expect(missing_docs, reason = "each field is the member of the same name in camel case")]
pub struct Envelope<'a> {
    /// Whether the record is an object at all.
    pub is_object: bool,
    /// Whether a string of the line holds half of a surrogate pair.
    pub lone_surrogate: bool,
    /// The member `type`.
    pub kind: Option<Raw<'a>>,
    pub id: Option<Raw<'a>>,
    pub parent_id: Option<Raw<'a>>,
    pub timestamp: Option<Raw<'a>>,
    pub message: Option<Raw<'a>>,
    pub target_id: Option<Raw<'a>>,
    pub label: Option<Raw<'a>>,
    pub name: Option<Raw<'a>>,
    pub first_kept_entry_id: Option<Raw<'a>>,
    pub first_kept_entry_index: Option<Raw<'a>>,
    /// The fields of `message`.
    pub head: MessageHead<'a>,
}

/// The fields of a message that listings and contexts look at first.
#[derive(Debug, Default, Clone, Copy)]
#[expect(missing_docs, reason = "each field is the member of the same name in camel case")]
pub struct MessageHead<'a> {
    pub role: Option<Raw<'a>>,
    pub content: Option<Raw<'a>>,
    pub timestamp: Option<Raw<'a>>,
    pub provider: Option<Raw<'a>>,
    pub model: Option<Raw<'a>>,
    pub response_model: Option<Raw<'a>>,
    pub usage: Option<Raw<'a>>,
    pub stop_reason: Option<Raw<'a>>,
}

/// What a line of JSON is (design section 2, "Entries").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// An object of type `session`.
    Header,
    /// An object of another type with a non-empty string id.
    Entry,
    /// An object that has a type but no usable id.
    MissingId,
    /// Anything else.
    NotAnEntry,
}

impl<'a> Envelope<'a> {
    /// Validates `line` and picks its fields.
    ///
    /// # Errors
    /// The place where the line stops being JSON.
    pub fn scan(line: &'a [u8]) -> Result<Self, SyntaxError> {
        let mut cursor = Cursor::new(line);
        let mut envelope = Self::default();
        if cursor.peek() == Some(b'{') {
            envelope.is_object = true;
            envelope.scan_members(&mut cursor)?;
        } else {
            cursor.value()?;
        }
        cursor.end()?;
        envelope.lone_surrogate = cursor.saw_lone_surrogate();
        Ok(envelope)
    }

    fn scan_members(&mut self, cursor: &mut Cursor<'a>) -> Result<(), SyntaxError> {
        cursor.members(|key, cursor| {
            let slot = match key.plain().as_ref() {
                b"type" => &mut self.kind,
                b"id" => &mut self.id,
                b"parentId" => &mut self.parent_id,
                b"timestamp" => &mut self.timestamp,
                b"message" => {
                    self.message = Some(self.head.scan(cursor)?);
                    return Ok(());
                }
                b"targetId" => &mut self.target_id,
                b"label" => &mut self.label,
                b"name" => &mut self.name,
                b"firstKeptEntryId" => &mut self.first_kept_entry_id,
                b"firstKeptEntryIndex" => &mut self.first_kept_entry_index,
                _ => return cursor.value().map(drop),
            };
            *slot = Some(cursor.value()?);
            Ok(())
        })
    }

    /// What the line is.
    pub fn record_kind(&self) -> RecordKind {
        if !self.is_object {
            return RecordKind::NotAnEntry;
        }
        let kind = self.kind.filter(|kind| kind.as_string_bytes().is_some());
        match (kind, self.usable_id()) {
            (Some(kind), _) if kind.is_str("session") => RecordKind::Header,
            (_, Some(_)) => RecordKind::Entry,
            (Some(_), None) => RecordKind::MissingId,
            (None, None) => RecordKind::NotAnEntry,
        }
    }

    /// The id, where it is a string that is not empty.
    pub fn usable_id(&self) -> Option<Raw<'a>> {
        self.id.filter(|id| id.as_string_bytes().is_some_and(|inner| !inner.is_empty()))
    }

    /// The display name that a `session_info` entry gives, trimmed; none where it takes the name away (spec 4.8).
    pub fn display_name(&self) -> Option<String> {
        let name = self.name.and_then(Raw::as_str)?;
        Some(trim_js(&name)).filter(|name| !name.is_empty()).map(str::to_owned)
    }

    /// What kind of entry it is.
    pub fn entry_kind(&self) -> EntryKind {
        self.kind
            .and_then(Raw::as_str)
            .map_or(EntryKind::Unknown, |word| EntryKind::from_word(&word))
    }

    /// Who speaks, for an entry of type `message`.
    pub fn role(&self) -> Role {
        match (self.message.filter(|message| message.is_object()), self.head.role) {
            (None, _) => Role::None,
            (Some(_), role) => {
                role.and_then(Raw::as_str).map_or(Role::Unknown, |word| Role::from_word(&word))
            }
        }
    }
}

impl<'a> MessageHead<'a> {
    /// Moves over the value of `message` and picks its fields; those of an earlier duplicate are forgotten.
    fn scan(&mut self, cursor: &mut Cursor<'a>) -> Result<Raw<'a>, SyntaxError> {
        *self = Self::default();
        if cursor.peek() != Some(b'{') {
            return cursor.value();
        }
        cursor.spanned(|cursor| self.scan_members(cursor))
    }

    fn scan_members(&mut self, cursor: &mut Cursor<'a>) -> Result<(), SyntaxError> {
        cursor.members(|key, cursor| {
            let slot = match key.plain().as_ref() {
                b"role" => &mut self.role,
                b"content" => &mut self.content,
                b"timestamp" => &mut self.timestamp,
                b"provider" => &mut self.provider,
                b"model" => &mut self.model,
                b"responseModel" => &mut self.response_model,
                b"usage" => &mut self.usage,
                b"stopReason" => &mut self.stop_reason,
                _ => return cursor.value().map(drop),
            };
            *slot = Some(cursor.value()?);
            Ok(())
        })
    }
}
