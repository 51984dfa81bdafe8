//! Cuts a file into what a repair can move: whole lines, and the pieces of lines that are not JSON.

use crate::entry::{EntryKind, Envelope, RecordKind, SessionHeader, parse_line};
use crate::json::{Cursor, Raw, trim_js_bytes};
use crate::line::{Lines, Position};
use crate::problem::ProblemKind;

use super::fused;

/// A line, or a piece of one; the units of a file, one after the other, are all of its bytes but the line ends.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) position: Position,
    /// Whether it is all of its line.
    pub(super) whole_line: bool,
    pub(super) what: What<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum What<'a> {
    Blank,
    Record(Record<'a>),
    /// Text that is not JSON, and what a look at the file calls it.
    Fragment(ProblemKind),
}

/// What has to be known of a record to move it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record<'a> {
    /// The JSON text, without white space around it.
    pub(super) text: &'a [u8],
    pub(super) kind: RecordKind,
    /// The member `id`, whatever it is.
    pub(super) id: Option<Raw<'a>>,
    pub(super) parent: Option<Raw<'a>>,
    /// Whether the type is one that this program knows.
    is_known: bool,
    /// Whether it looks like an entry of a session and of nothing else.
    pub(super) is_telling: bool,
    /// Whether only version 2 writes such a message.
    pub(super) is_hook: bool,
}

/// Every unit of a file, in its order.
pub(super) fn units(bytes: &[u8]) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for line in Lines::of(bytes) {
        let what = match parse_line(line.bytes) {
            None => What::Blank,
            Some(Ok(parsed)) => What::Record(Record::of(parsed.text, &parsed.envelope)),
            Some(Err(_)) => {
                fused::split(line, &mut units);
                continue;
            }
        };
        units.push(Unit { bytes: line.bytes, position: line.position, whole_line: true, what });
    }
    units
}

impl<'a> Record<'a> {
    pub(super) fn of(text: &'a [u8], envelope: &Envelope<'a>) -> Self {
        let is_known = envelope.entry_kind() != EntryKind::Unknown;
        let has_message = envelope.message.is_some_and(Raw::is_object);
        let has_time = envelope.timestamp.and_then(Raw::as_string_bytes).is_some();
        Self {
            text,
            kind: envelope.record_kind(),
            id: envelope.id,
            parent: envelope.parent_id,
            is_known,
            is_telling: is_known && has_time && (envelope.parent_id.is_some() || has_message),
            is_hook: envelope.head.role.is_some_and(|role| role.is_str("hookMessage")),
        }
    }

    /// Whether it is an entry, or would be one if it had an id.
    pub(super) fn is_entry(&self) -> bool {
        match self.kind {
            RecordKind::Entry => true,
            RecordKind::MissingId => self.is_known || self.parent.is_some(),
            RecordKind::Header | RecordKind::NotAnEntry => false,
        }
    }

    /// The header that it is, if it is one that can be read.
    pub(super) fn header(&self) -> Option<SessionHeader> {
        (self.kind == RecordKind::Header).then(|| SessionHeader::parse(self.text)).flatten()
    }
}

impl<'a> Unit<'a> {
    pub(super) fn record(&self) -> Option<&Record<'a>> {
        match &self.what {
            What::Record(record) => Some(record),
            What::Blank | What::Fragment(_) => None,
        }
    }

    pub(super) fn is_entry(&self) -> bool {
        self.record().is_some_and(Record::is_entry)
    }

    /// Whether it is what is left of a header: one without an id that is text, or the start of one.
    pub(super) fn is_broken_header(&self) -> bool {
        match &self.what {
            What::Blank => false,
            What::Record(record) => record.kind == RecordKind::Header && record.header().is_none(),
            What::Fragment(_) => starts_as_a_header(trim_js_bytes(self.bytes)),
        }
    }
}

/// Whether a text starts as a header does, as far as it goes.
fn starts_as_a_header(text: &[u8]) -> bool {
    let start = br#"{"type":"session""#;
    let common = start.len().min(text.len());
    common > 2 && text.get(..common) == start.get(..common)
}

/// The members of an object that may be cut off, as far as they are whole.
pub(super) fn whole_members(text: &[u8]) -> Vec<(String, Raw<'_>)> {
    let mut members = Vec::new();
    // Where the text stops being an object, what was whole before stays.
    let _ = Cursor::new(trim_js_bytes(text)).members(|key, cursor| {
        let value = cursor.value()?;
        // A number at the end may have lost its last digits.
        if cursor.peek().is_some() {
            members.push((key.text().into_owned(), value));
        }
        Ok(())
    });
    members
}
