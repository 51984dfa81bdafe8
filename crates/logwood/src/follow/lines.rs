//! Takes the lines that were appended.

use std::io;

use crate::entry::{RecordKind, parse_line};
use crate::json::{Raw, trim_js_bytes};
use crate::line::{LineReader, LineRef, Position};
use crate::problem::{Problem, ProblemKind};
use crate::storage::{Sequential, StoredFile};

use super::event::{Appended, Change};
use super::mark::Mark;

/// What an event takes of the room beside its text, in bytes.
const EVENT: usize = 256;

/// Takes whole lines behind the mark until the file ends or `room`, in bytes, is used up; says whether the file ended.
pub(super) fn take(
    file: &mut dyn StoredFile,
    mark: &mut Mark,
    room: &mut usize,
    tell: &mut dyn FnMut(Change, &Mark),
) -> io::Result<bool> {
    let position = Position { byte: mark.offset, line: 0 };
    let mut reader = LineReader::starting_at(Sequential::starting_at(file, mark.offset), position);
    if mark.end.is_in_line() && !finish_line(&mut reader, mark, tell)? {
        return Ok(true);
    }
    loop {
        if *room == 0 {
            return Ok(false);
        }
        let Some(line) = reader.next_line()? else { return Ok(true) };
        let Some(change) = change_of(line, mark) else { return Ok(true) };
        mark.pass(line);
        match change {
            Taken::Blank => {}
            Taken::Skipped(kind) => {
                *room = room.saturating_sub(EVENT);
                tell(Change::LineSkipped(Problem::at(kind, place(line, mark))), mark);
            }
            Taken::Entry(id, text) => {
                *room = room.saturating_sub(EVENT + text.len());
                mark.count(&id);
                let (byte, line) = (line.position.byte, mark.lines);
                tell(Change::EntryAppended(Appended { text, byte, line }), mark);
            }
        }
    }
}

/// What a line is.
enum Taken {
    Blank,
    Skipped(ProblemKind),
    Entry(String, Vec<u8>),
}

/// None for a line that may go on.
fn change_of(line: LineRef<'_>, mark: &Mark) -> Option<Taken> {
    let parsed = match parse_line(line.bytes) {
        None if line.complete => return Some(Taken::Blank),
        Some(Err(_)) if line.complete => {
            return Some(Taken::Skipped(ProblemKind::of_bad_line(line)));
        }
        Some(Ok(parsed)) => parsed,
        None | Some(Err(_)) => return None,
    };
    // Of a number the rest may be missing; an object is whole when it is closed.
    if !line.complete && !parsed.envelope.is_object {
        return None;
    }
    Some(match parsed.envelope.record_kind() {
        RecordKind::Entry => {
            let id = parsed.envelope.usable_id().and_then(Raw::as_str).unwrap_or_default();
            Taken::Entry(id.into_owned(), parsed.text.to_vec())
        }
        RecordKind::Header if mark.offset > 0 => Taken::Skipped(ProblemKind::DuplicateHeader),
        RecordKind::Header => Taken::Blank,
        RecordKind::MissingId => Taken::Skipped(ProblemKind::MissingId),
        RecordKind::NotAnEntry => Taken::Skipped(ProblemKind::NotAnEntry),
    })
}

/// Passes over what follows, on its line, a record that was taken before its line had an end; false while that end is not there.
fn finish_line(
    reader: &mut LineReader<Sequential<'_>>,
    mark: &mut Mark,
    tell: &mut dyn FnMut(Change, &Mark),
) -> io::Result<bool> {
    let Some(line) = reader.next_line()?.filter(|line| line.complete) else { return Ok(false) };
    let fused = !trim_js_bytes(line.bytes).is_empty();
    mark.pass_rest(line);
    if fused {
        tell(Change::LineSkipped(Problem::at(ProblemKind::MalformedLine, place(line, mark))), mark);
    }
    Ok(true)
}

/// The place of a line that was passed; its number is 0 where lines are not counted.
fn place(line: LineRef<'_>, mark: &Mark) -> Position {
    Position { byte: line.position.byte, line: mark.lines.unwrap_or(0) }
}
