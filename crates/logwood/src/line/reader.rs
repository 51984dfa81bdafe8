//! Lines of a stream, read in blocks into one buffer that is used again.

use std::io::{self, Read};

use memchr::memchr;

use super::{LineRef, Position};

/// How much is read at once, in bytes (dependencies.md: 256 KiB blocks beat whole files and maps).
pub const BLOCK: usize = 256 * 1024;

/// Cuts a stream into lines at LF (rule F2: only LF ends a line); memory is one block, or the longest line if that is longer.
///
/// ```
/// use logwood::line::LineReader;
///
/// let mut reader = LineReader::new(&b"{}\n\n{\"torn"[..]);
/// let mut ends = Vec::new();
/// while let Some(line) = reader.next_line()? {
///     ends.push((line.position.line, line.position.byte, line.bytes.len(), line.complete));
/// }
/// assert_eq!(ends, [(1, 0, 2, true), (2, 3, 0, true), (3, 4, 6, false)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// How much to read at once at first.
    block: usize,
    /// The bytes of the buffer that are read and not yet given out.
    start: usize,
    end: usize,
    /// Up to here the current line is known to have no LF.
    searched: usize,
    next: Position,
    done: bool,
}

impl<R: Read> LineReader<R> {
    /// A reader at the start of `source`.
    pub fn new(source: R) -> Self {
        Self::starting_at(source, Position { byte: 0, line: 1 })
    }

    /// A reader that reads `block` bytes at once, for callers who want the first lines only.
    pub fn with_block(source: R, block: usize) -> Self {
        Self { block: block.max(1), ..Self::new(source) }
    }

    /// A reader that uses the buffer of an earlier one.
    pub fn reusing(source: R, buffer: Vec<u8>) -> Self {
        Self::new(source).with_buffer(buffer)
    }

    /// Uses the buffer of an earlier reader; before the first line only.
    #[must_use]
    pub fn with_buffer(self, buffer: Vec<u8>) -> Self {
        Self { buffer, ..self }
    }

    /// Where the next line starts, if there is one.
    pub fn position(&self) -> Position {
        self.next
    }

    /// The buffer, for the next reader.
    pub fn into_buffer(self) -> Vec<u8> {
        self.buffer
    }

    /// A reader whose source begins at `position` of the whole.
    pub fn starting_at(source: R, position: Position) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            block: BLOCK,
            start: 0,
            end: 0,
            searched: 0,
            next: position,
            done: false,
        }
    }

    /// The next line, or none at the end; a last line without LF comes with `complete` false.
    ///
    /// # Errors
    /// What the source says.
    pub fn next_line(&mut self) -> io::Result<Option<LineRef<'_>>> {
        loop {
            let fresh = self.buffer.get(self.searched..self.end).unwrap_or_default();
            if let Some(at) = memchr(b'\n', fresh) {
                let end = self.searched + at;
                return Ok(Some(self.take(end, true)));
            }
            self.searched = self.end;
            if self.done || !self.fill()? {
                self.done = true;
                let left = self.start < self.end;
                return Ok(left.then(|| self.take(self.end, false)));
            }
        }
    }

    /// Gives out the line up to `end`.
    fn take(&mut self, end: usize, complete: bool) -> LineRef<'_> {
        let (start, position) = (self.start, self.next);
        self.start = end + usize::from(complete);
        self.searched = self.start;
        self.next.byte += (self.start - start) as u64;
        self.next.line += 1;
        LineRef { bytes: self.buffer.get(start..end).unwrap_or_default(), position, complete }
    }

    /// Reads more behind what is there; false at the end of the source.
    fn fill(&mut self) -> io::Result<bool> {
        self.make_room();
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.source.read(room) {
                Ok(count) => {
                    self.end += count;
                    return Ok(count > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the unfinished line to the front and grows the buffer when it fills half of it.
    fn make_room(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.searched -= self.start;
        self.start = 0;
        if self.buffer.len() < self.block || self.end > self.buffer.len() / 2 {
            let size = (self.buffer.len() * 2).max(self.block);
            self.buffer.resize(size, 0);
        }
    }
}
