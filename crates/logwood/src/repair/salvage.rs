//! The side file of a repair: what was taken out, piece by piece, byte for byte.
//!
//! It is a sequence of records. Each is one line of JSON, then (but for the first record, which says what was repaired) as many raw
//! bytes as its `length` says, then a LF. So it can be read with a pager, and nothing in it needs an escape.

use crate::json::{Raw, write_object};
use crate::line::Position;

use super::draft::Taken;
use super::plan::Fingerprint;

/// What a repair made, so that it can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) before: Fingerprint,
    pub(super) after: Fingerprint,
    /// The sessions that got a file, with what was written to it.
    pub(super) sessions: Vec<(String, Fingerprint)>,
}

/// A piece of the old file, as the side file keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct SalvagePiece<'a> {
    /// Where it stood in the old file.
    pub position: Position,
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Whether the repaired file has a changed copy of it (an id that was given, a header, a new parent).
    pub is_changed: bool,
}

/// The side file as text.
pub(super) fn text(record: &Record, taken: &[Taken<'_>]) -> Vec<u8> {
    let mut out = record.line();
    out.push(b'\n');
    for piece in taken {
        out.extend(write_object(|line| {
            line.field_u64("line", piece.position.line);
            line.field_u64("byte", piece.position.byte);
            line.field_u64("length", piece.bytes.len() as u64);
            line.field_str("cause", piece.cause.as_str());
            line.field_bool("changed", piece.is_changed);
        }));
        out.push(b'\n');
        out.extend_from_slice(piece.bytes);
        out.push(b'\n');
    }
    out
}

impl Record {
    fn line(&self) -> Vec<u8> {
        write_object(|line| {
            line.field_str("type", "logwood.repair");
            line.field_object("before", |object| fingerprint(object, &self.before));
            line.field_object("after", |object| fingerprint(object, &self.after));
            line.field_array("sessions", |sessions| {
                for (name, content) in &self.sessions {
                    sessions.object(|session| {
                        session.field_str("file", name);
                        fingerprint(session, content);
                    });
                }
            });
        })
    }

    /// Reads the first line of a side file; none when it is something else.
    pub(super) fn parse(salvage: &[u8]) -> Option<Self> {
        let line = Raw::parse(salvage.split(|byte| *byte == b'\n').next()?).ok()?;
        line.get("type").filter(|word| word.is_str("logwood.repair"))?;
        let session = |session: Raw<'_>| {
            Some((session.get_str("file")?.into_owned(), Fingerprint::parse(session)?))
        };
        Some(Self {
            before: Fingerprint::parse(line.get("before")?)?,
            after: Fingerprint::parse(line.get("after")?)?,
            sessions: line.get("sessions")?.elements().filter_map(session).collect(),
        })
    }
}

fn fingerprint(object: &mut crate::json::ObjectWriter<'_>, content: &Fingerprint) {
    object.field_u64("length", content.length);
    object.field_str("sha256", &content.sha256);
}

impl Fingerprint {
    fn parse(object: Raw<'_>) -> Option<Self> {
        let length = object.get_f64("length")? as u64;
        Some(Self { length, sha256: object.get_str("sha256")?.into_owned() })
    }
}

/// The pieces that a side file keeps, up to the first that is not whole.
///
/// ```
/// use logwood::repair::salvage_pieces;
///
/// let side = b"{\"type\":\"logwood.repair\"}\n{\"line\":2,\"byte\":10,\"length\":3,\"changed\":false}\na\nb\n";
/// let pieces = salvage_pieces(side);
/// assert_eq!((pieces[0].position.line, pieces[0].bytes), (2, &b"a\nb"[..]));
/// ```
pub fn salvage_pieces(salvage: &[u8]) -> Vec<SalvagePiece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = after_line(salvage).unwrap_or_default();
    while let Some((piece, next)) = piece(rest) {
        pieces.push(piece);
        rest = next;
    }
    pieces
}

fn piece(text: &[u8]) -> Option<(SalvagePiece<'_>, &[u8])> {
    let body = after_line(text)?;
    let line = Raw::parse(text.get(..text.len() - body.len())?).ok()?;
    let number = |key: &str| line.get_f64(key).map(|number| number as u64);
    let length = usize::try_from(number("length")?).ok()?;
    let bytes = body.get(..length)?;
    let position = Position { byte: number("byte")?, line: number("line")? };
    let is_changed = line.get("changed").and_then(Raw::as_bool).unwrap_or(false);
    let rest = body.get(length..)?.strip_prefix(b"\n")?;
    Some((SalvagePiece { position, bytes, is_changed }, rest))
}

fn after_line(text: &[u8]) -> Option<&[u8]> {
    let end = memchr::memchr(b'\n', text)?;
    text.get(end + 1..)
}
