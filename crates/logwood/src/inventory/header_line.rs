//! The header as a line of its file, and copies of the file in which that line says something else.

use std::io::{self, Write};

use crate::entry::{HeaderFault, HeaderSearch, HeaderStep, SessionHeader, parse_line};
use crate::json::{Raw, trim_js_bytes};
use crate::line::LineReader;
use crate::storage::{Sequential, StoredFile};

/// A header is read in small blocks, since it is rarely long and the rest of the file is not wanted.
const HEADER_BLOCK: usize = 4096;
/// Bytes that are copied at once.
const BLOCK: usize = 256 * 1024;

/// Where the header of a file stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLine {
    /// The header.
    pub header: SessionHeader,
    /// Where its line starts, in bytes.
    start: u64,
    /// The line as it stands, without LF.
    line: Vec<u8>,
}

impl HeaderLine {
    /// Reads a file up to its header.
    ///
    /// # Errors
    /// What the system says; inside, why the file is no session.
    pub fn find(file: &mut dyn StoredFile) -> io::Result<Result<Self, HeaderFault>> {
        let mut reader = LineReader::with_block(Sequential::new(file), HEADER_BLOCK);
        let mut search = HeaderSearch::default();
        while let Some(line) = reader.next_line()? {
            match parse_line(line.bytes) {
                None => {}
                Some(Err(_)) => search.bad_line(line),
                Some(Ok(parsed)) => match search.line(line, &parsed) {
                    HeaderStep::NotYet => {}
                    HeaderStep::Found { header, .. } => {
                        let start = line.position.byte;
                        return Ok(Ok(Self { header, start, line: line.bytes.to_vec() }));
                    }
                    HeaderStep::Refused(fault) => return Ok(Err(fault)),
                },
            }
        }
        Ok(Err(search.at_end()))
    }

    /// Copies a whole file with another header text; what stands around the text (a byte order mark, a CR) and every other byte stay.
    ///
    /// # Errors
    /// The system's, of either file.
    pub fn copy_with(
        &self,
        file: &mut dyn StoredFile,
        out: &mut dyn Write,
        change: impl FnOnce(Raw<'_>) -> Vec<u8>,
    ) -> io::Result<()> {
        copy_range(file, out, 0, Some(self.start))?;
        let text = trim_js_bytes(&self.line);
        let before = text.as_ptr().addr().saturating_sub(self.line.as_ptr().addr());
        out.write_all(self.line.get(..before).unwrap_or_default())?;
        out.write_all(&change(self.header.raw()))?;
        out.write_all(self.line.get(before + text.len()..).unwrap_or_default())?;
        copy_range(file, out, self.start + self.line.len() as u64, None)
    }
}

/// Copies a whole file.
///
/// # Errors
/// The system's, of either file.
pub fn copy_all(file: &mut dyn StoredFile, out: &mut dyn Write) -> io::Result<()> {
    copy_range(file, out, 0, None)
}

/// Copies the bytes from `start` up to `end`, or to the end of the file.
fn copy_range(
    file: &mut dyn StoredFile,
    out: &mut dyn Write,
    start: u64,
    end: Option<u64>,
) -> io::Result<()> {
    let mut block = vec![0; BLOCK];
    let mut at = start;
    loop {
        let left = end.map_or(BLOCK as u64, |end| end.saturating_sub(at)).min(BLOCK as u64);
        let room = block.get_mut(..left as usize).unwrap_or_default();
        if room.is_empty() {
            return Ok(());
        }
        match file.read_at(at, room) {
            Ok(0) if end.is_some() => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(0) => return Ok(()),
            Ok(count) => {
                out.write_all(room.get(..count).unwrap_or_default())?;
                at += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
