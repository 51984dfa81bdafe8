//! The bytes of a session's lines: kept for a small session, read by position for a large one.

use std::borrow::Cow;
use std::io;
use std::sync::{Mutex, PoisonError};

use crate::entry::Envelope;
use crate::json::Cursor;
use crate::line::BLOCK;
use crate::storage::StoredFile;

use super::record::Record;

/// Up to this size, in bytes, a session is simply kept in memory (design section 2, "Memory").
pub(super) const KEEP_LIMIT: u64 = 8 * 1024 * 1024;

/// Where the bytes of lines come from.
#[derive(Debug)]
pub(super) enum Bodies {
    /// The whole file as it was read; also a session that has no file.
    Kept(Vec<u8>),
    /// The file, read where it is asked for.
    Stored(Mutex<Window>),
}

/// A file and the part of it that was read last.
#[derive(Debug)]
pub(super) struct Window {
    file: Box<dyn StoredFile>,
    start: u64,
    bytes: Vec<u8>,
}

/// Why a line cannot be read any more.
#[derive(Debug)]
pub(super) enum BodyError {
    /// The system says so.
    Io(io::Error),
    /// What stands there now is another line.
    Changed,
}

impl Bodies {
    pub(super) fn stored(file: Box<dyn StoredFile>) -> Self {
        Self::Stored(Mutex::new(Window { file, start: 0, bytes: Vec::new() }))
    }

    /// The bytes of a line; `id` is what the line must name, where it names one.
    pub(super) fn line(
        &self,
        record: &Record,
        id: Option<&str>,
    ) -> Result<Cow<'_, [u8]>, BodyError> {
        match self {
            Self::Kept(bytes) => {
                let range = record.offset as usize..record.end() as usize;
                bytes.get(range).map(Cow::Borrowed).ok_or(BodyError::Changed)
            }
            Self::Stored(_) => {
                let mut copy = Vec::new();
                self.look(record, id, &mut |line| copy.extend_from_slice(line))?;
                Ok(Cow::Owned(copy))
            }
        }
    }

    /// Shows the bytes of a line to `look`, without a copy.
    pub(super) fn look(
        &self,
        record: &Record,
        id: Option<&str>,
        look: &mut dyn FnMut(&[u8]),
    ) -> Result<(), BodyError> {
        let Self::Stored(window) = self else {
            look(&self.line(record, id)?);
            return Ok(());
        };
        let mut window = window.lock().unwrap_or_else(PoisonError::into_inner);
        let line = window.line(record)?;
        if id.is_some_and(|id| !names(line, id)) {
            return Err(BodyError::Changed);
        }
        look(line);
        Ok(())
    }
}

impl Window {
    /// One line, checked to still stand between two line ends: another program may have rewritten the file in place.
    fn line(&mut self, record: &Record) -> Result<&[u8], BodyError> {
        let from = record.offset.saturating_sub(1);
        let before = (record.offset - from) as usize;
        let length = record.len as usize;
        let bytes = self.at(from, before + length + 1)?;
        let starts = before == 0 || bytes.first() == Some(&b'\n');
        let ends = bytes.get(before + length).is_none_or(|byte| *byte == b'\n');
        let line = bytes.get(before..before + length).filter(|_| starts && ends);
        line.ok_or(BodyError::Changed)
    }

    /// At most `length` bytes from `from` on; fewer at the end of the file.
    fn at(&mut self, from: u64, length: usize) -> Result<&[u8], BodyError> {
        let end = from + length as u64;
        if from < self.start || end > self.start + self.bytes.len() as u64 {
            self.read(from, length.max(BLOCK)).map_err(BodyError::Io)?;
        }
        let start = (from - self.start) as usize;
        let end = (start + length).min(self.bytes.len());
        Ok(self.bytes.get(start..end).unwrap_or_default())
    }

    fn read(&mut self, from: u64, length: usize) -> io::Result<()> {
        self.start = from;
        self.bytes.resize(length, 0);
        let mut done = 0;
        while let Some(room) = self.bytes.get_mut(done..).filter(|room| !room.is_empty()) {
            match self.file.read_at(from + done as u64, room) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.bytes.clear();
                    return Err(error);
                }
            }
        }
        self.bytes.truncate(done);
        Ok(())
    }
}

/// Whether a line's id is this one. The first `id` is tried before the whole line, since it mostly stands before the message.
fn names(line: &[u8], id: &str) -> bool {
    first_id_is(line, id) || Envelope::scan(line).is_ok_and(|e| e.id.is_some_and(|v| v.is_str(id)))
}

fn first_id_is(line: &[u8], id: &str) -> bool {
    let mut found = None;
    let mut cursor = Cursor::new(line);
    // The error ends the walk early; what was found before it is all that is wanted.
    let _ = cursor.members(|key, cursor| {
        let value = cursor.value()?;
        if key.is("id") {
            found = Some(value);
            cursor.stop()?;
        }
        Ok(())
    });
    found.is_some_and(|value| value.is_str(id))
}
