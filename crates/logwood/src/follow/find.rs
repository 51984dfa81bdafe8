//! Finds a place in a file: its header, its end, and the entry that was delivered last.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::entry::{HeaderSearch, HeaderStep, RecordKind, SessionHeader, parse_line};
use crate::error::{Error, Result};
use crate::json::Raw;
use crate::line::{LineReader, LineRef, Position, ReverseLines};
use crate::storage::{Sequential, Storage, StoredFile};

use super::end::End;
use super::mark::Mark;
use super::session::WHAT;

/// A header further behind than this, in bytes, is not looked for: a foreign log that grows must not be read again and again.
const FARTHEST: u64 = 1024 * 1024;

/// Headers are short, and the rest of the file is not wanted.
const BLOCK: usize = 4096;

/// The header of a file.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) header: SessionHeader,
    /// Behind the header line.
    pub(super) mark: Mark,
}

/// The header; none where there is none yet, or the file is no session.
pub(super) fn header(file: &mut dyn StoredFile) -> io::Result<Option<Head>> {
    let mut reader = LineReader::with_block(Sequential::new(file), BLOCK);
    let mut search = HeaderSearch::default();
    let mut end = End::default();
    while let Some(line) = reader.next_line()? {
        match parse_line(line.bytes) {
            None => {}
            Some(Err(_)) => search.bad_line(line),
            Some(Ok(parsed)) => match search.line(line, &parsed) {
                HeaderStep::NotYet => {}
                HeaderStep::Found { header, .. } => {
                    let mark = Mark::behind_header(&header, line, end);
                    return Ok(Some(Head { header, mark }));
                }
                HeaderStep::Refused(_) => return Ok(None),
            },
        }
        end.push(line);
        if line.position.byte > FARTHEST {
            return Ok(None);
        }
    }
    Ok(None)
}

/// Moves a mark behind the last whole line of a file of version 3; of the file only its end is read.
pub(super) fn last(file: &mut dyn StoredFile, head: Mark) -> io::Result<Mark> {
    let len = file.metadata()?.len;
    let mut mark = Mark { lines: None, entries: None, ..head.clone() };
    let mut offset = len;
    let mut lines = ReverseLines::new(len, |at, room: &mut [u8]| file.read_at(at, room));
    while let Some(line) = lines.next_line()?.filter(|line| line.position.byte >= head.offset) {
        if !line.complete && !is_whole(line) {
            offset = line.position.byte;
        } else if let Some(id) = entry_id(line) {
            mark.last_id = Some(id);
            break;
        }
    }
    if mark.last_id.is_none() {
        mark.entries = Some(0);
    }
    mark.offset = offset.max(head.offset);
    mark.end = End::of(file, mark.offset)?;
    Ok(mark)
}

/// Finds, behind the header of a file of version 3, the entry that was delivered last, and moves there.
///
/// The entry with the same number and id is it; else the first one with that id. Ids that a migration of another program gave are not
/// known: of a file that was of an older version the number alone counts.
pub(super) fn again(
    file: &mut dyn StoredFile,
    head: &Mark,
    wanted: &Mark,
) -> io::Result<Option<Mark>> {
    if wanted.entries == Some(0) {
        return Ok(Some(head.clone()));
    }
    let position = Position { byte: head.offset, line: 0 };
    let mut reader = LineReader::starting_at(Sequential::starting_at(file, head.offset), position);
    let mut mark = head.clone();
    let mut first = None;
    let mut by_number = None;
    while let Some(line) = reader.next_line()? {
        if !line.complete && !is_whole(line) {
            break;
        }
        mark.pass(line);
        let Some(id) = entry_id(line) else { continue };
        mark.count(&id);
        let same_id = wanted.last_id.as_ref() == Some(&id);
        let same_number = wanted.entries.is_some() && mark.entries == wanted.entries;
        if same_id && same_number {
            return Ok(Some(mark));
        }
        if same_number && wanted.older {
            by_number = Some(mark.clone());
        }
        if same_id && first.is_none() {
            first = Some(mark.clone());
        }
    }
    Ok(by_number.or(first))
}

fn is_whole(line: LineRef<'_>) -> bool {
    matches!(parse_line(line.bytes), Some(Ok(parsed)) if parsed.envelope.is_object)
}

/// The id of the entry on a line.
fn entry_id(line: LineRef<'_>) -> Option<Arc<str>> {
    let envelope = parse_line(line.bytes)?.ok()?.envelope;
    let is_entry = envelope.record_kind() == RecordKind::Entry;
    let id = envelope.usable_id().filter(|_| is_entry).and_then(Raw::as_str)?;
    Some((&*id).into())
}

/// Opens a file for one look at it.
pub(super) fn open(storage: &dyn Storage, path: &Path) -> Result<Box<dyn StoredFile>> {
    storage.open(path).map_err(|error| Error::io(WHAT, path, error))
}
