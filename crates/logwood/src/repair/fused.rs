//! Finds the whole records on a line that is not JSON.

use crate::entry::{Envelope, RecordKind};
use crate::json::{Cursor, Raw, trim_js_bytes};
use crate::line::{LineRef, Position};
use crate::problem::ProblemKind;

use super::pieces::{Record, Unit, What};

/// How often a line may be scanned in search of records, so that no input makes it slow.
const SCANS: usize = 64;

/// A piece of a line: up to where it goes, and the record it is, if it is one.
type Piece<'a> = (usize, Option<Record<'a>>);

/// Cuts a line that is not JSON: whole records at its start or its end (or beside a run of NUL bytes) are units of their own,
/// and so is what stands between them.
pub(super) fn split<'a>(line: LineRef<'a>, units: &mut Vec<Unit<'a>>) {
    let mut pieces = Vec::new();
    let mut start = 0;
    for chunk in line.bytes.chunk_by(|a, b| (*a == 0) == (*b == 0)) {
        match chunk.first() {
            Some(0) => pieces.push((start + chunk.len(), None)),
            _ => pieces.extend(cut(chunk).into_iter().map(|(end, what)| (start + end, what))),
        }
        start += chunk.len();
    }
    add(line, &pieces, units);
}

/// Adds the pieces as units; fragments side by side are one.
fn add<'a>(line: LineRef<'a>, pieces: &[Piece<'a>], units: &mut Vec<Unit<'a>>) {
    let mut start = 0;
    for (at, (end, record)) in pieces.iter().enumerate() {
        let goes_on =
            record.is_none() && pieces.get(at + 1).is_some_and(|(_, next)| next.is_none());
        if goes_on {
            continue;
        }
        let bytes = line.bytes.get(start..*end).unwrap_or_default();
        let byte = line.position.byte + start as u64;
        units.push(Unit {
            bytes,
            position: Position { byte, line: line.position.line },
            whole_line: bytes.len() == line.bytes.len(),
            what: match record {
                Some(record) => What::Record(*record),
                None => What::Fragment(kind_of_piece(line, bytes)),
            },
        });
        start = *end;
    }
}

fn kind_of_piece(line: LineRef<'_>, bytes: &[u8]) -> ProblemKind {
    match memchr::memchr(0, bytes) {
        Some(_) => ProblemKind::NulBytes,
        None if bytes.len() == line.bytes.len() => ProblemKind::of_bad_line(line),
        None => ProblemKind::MalformedLine,
    }
}

/// Cuts a text without NUL bytes: the records it starts with, and those that reach its end.
fn cut(text: &[u8]) -> Vec<Piece<'_>> {
    let first = Run::from(text, 0);
    let mut search = first.end;
    let mut pieces = first.pieces;
    let mut budget = text.len().saturating_mul(SCANS);
    while let Some(at) = next_object(text, search) {
        let run = Run::from(text, at);
        if run.end == text.len() {
            pieces.push((at, None));
            pieces.extend(run.pieces);
            break;
        }
        budget = budget.saturating_sub(run.scanned);
        if budget == 0 {
            break;
        }
        // No record inside of one that was whole can reach the end either.
        search = run.end.max(at + 1);
    }
    if pieces.last().is_none_or(|(end, _)| *end < text.len()) {
        pieces.push((text.len(), None));
    }
    pieces
}

/// Where the next object with a member starts.
fn next_object(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    memchr::memmem::find(rest, b"{\"").map(|at| from + at)
}

/// Whole records, one behind the other.
struct Run<'a> {
    pieces: Vec<Piece<'a>>,
    /// Behind the last record and what is left of its line end; where the run starts when there is none.
    end: usize,
    /// How many bytes were looked at.
    scanned: usize,
}

impl<'a> Run<'a> {
    fn from(text: &'a [u8], start: usize) -> Self {
        let mut run = Self { pieces: Vec::new(), end: start, scanned: 0 };
        loop {
            let rest = text.get(run.end..).unwrap_or_default();
            let (found, scanned) = record_at(rest);
            run.scanned += scanned;
            let Some((length, record)) = found else { return run };
            run.end += length;
            run.pieces.push((run.end, Some(record)));
        }
    }
}

/// The record a text starts with and its length, the white space of its own line included; and how many bytes were looked at.
fn record_at(text: &[u8]) -> (Option<(usize, Record<'_>)>, usize) {
    let trimmed = trim_js_bytes(text);
    let before = trimmed.as_ptr().addr().saturating_sub(text.as_ptr().addr());
    match Cursor::new(trimmed).value() {
        Err(error) => (None, error.at + 1),
        Ok(value) => {
            let scanned = 2 * value.bytes().len();
            let end = before + value.bytes().len();
            let rest = text.get(end..).unwrap_or_default();
            // JSON knows fewer kinds of white space than a line; what is left of a line is trimmed as a line is.
            let is_last = trim_js_bytes(rest).is_empty();
            // The CR of a line end that lost its LF stays with its line.
            let length =
                if is_last { text.len() } else { end + usize::from(rest.starts_with(b"\r")) };
            (record(value).map(|record| (length, record)), scanned)
        }
    }
}

/// The record that a value is: a header, or an entry and not a block of a message.
fn record(value: Raw<'_>) -> Option<Record<'_>> {
    let envelope = Envelope::scan(value.bytes()).ok()?;
    let record = Record::of(value.bytes(), &envelope);
    let dated = envelope.timestamp.and_then(Raw::as_string_bytes).is_some();
    let placed = dated || envelope.parent_id.is_some();
    let is_one = match record.kind {
        RecordKind::Header => record.header().is_some(),
        RecordKind::Entry | RecordKind::MissingId => {
            record.is_entry() && placed && envelope.kind.and_then(Raw::as_string_bytes).is_some()
        }
        RecordKind::NotAnEntry => false,
    };
    is_one.then_some(record)
}
