//! Lines from the end of a file backwards, so that its last ones cost nothing of the rest.

use std::io;

use memchr::memrchr;

use super::LineRef;
use super::Position;

/// How much is read at first, in bytes; each further read takes twice as much, up to [`BLOCK`](super::BLOCK).
const FIRST: usize = 4 * 1024;

/// Cuts bytes that are read by position into lines at LF, the last line first; memory is one block and the longest line.
///
/// The line numbers of what it gives are 0: nobody counted the lines before them.
///
/// ```
/// use logwood::line::ReverseLines;
///
/// let text = b"{}\n\n{\"torn";
/// let mut lines = ReverseLines::new(text.len() as u64, |offset, room: &mut [u8]| {
///     let rest = &text[offset as usize..];
///     let count = rest.len().min(room.len());
///     room[..count].copy_from_slice(&rest[..count]);
///     Ok(count)
/// });
/// let mut ends = Vec::new();
/// while let Some(line) = lines.next_line()? {
///     ends.push((line.position.byte, line.bytes.len(), line.complete));
/// }
/// assert_eq!(ends, [(4, 6, false), (3, 0, true), (0, 2, true)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct ReverseLines<R> {
    read_at: R,
    /// The bytes from `start` on; what follows the first `end` of them was given out.
    buffer: Vec<u8>,
    start: u64,
    end: usize,
    /// Whether the byte behind `end` is an LF.
    complete: bool,
    /// From here to `end` there is no LF.
    searched: usize,
    block: usize,
    done: bool,
}

impl<R: FnMut(u64, &mut [u8]) -> io::Result<usize>> ReverseLines<R> {
    /// The lines of the first `len` bytes; `read_at` reads once into its second argument from the byte of its first on.
    pub fn new(len: u64, read_at: R) -> Self {
        Self {
            read_at,
            buffer: Vec::new(),
            start: len,
            end: 0,
            complete: false,
            searched: 0,
            block: FIRST,
            done: false,
        }
    }

    /// The line before the one that was given last; none before the first one.
    ///
    /// # Errors
    /// What reading gives; `UnexpectedEof` when there are fewer bytes than was said.
    pub fn next_line(&mut self) -> io::Result<Option<LineRef<'_>>> {
        if self.done {
            return Ok(None);
        }
        if self.buffer.is_empty() && !self.begin()? {
            self.done = true;
            return Ok(None);
        }
        let begin = loop {
            let fresh = self.buffer.get(..self.searched).unwrap_or_default();
            match memrchr(b'\n', fresh) {
                Some(at) => break at + 1,
                None if self.start == 0 => break 0,
                None => self.fill()?,
            }
        };
        Ok(Some(self.take(begin)))
    }

    /// Reads the last block and passes over the LF at its end.
    fn begin(&mut self) -> io::Result<bool> {
        if self.start == 0 {
            return Ok(false);
        }
        self.fill()?;
        self.complete = self.buffer.last() == Some(&b'\n');
        self.end = self.buffer.len() - usize::from(self.complete);
        self.searched = self.end;
        Ok(true)
    }

    /// Gives out what stands between `begin` and `end`.
    fn take(&mut self, begin: usize) -> LineRef<'_> {
        let (end, complete) = (self.end, self.complete);
        let byte = self.start + begin as u64;
        self.done = byte == 0;
        self.complete = true;
        self.end = begin.saturating_sub(1);
        self.searched = self.end;
        let bytes = self.buffer.get(begin..end).unwrap_or_default();
        LineRef { bytes, position: Position { byte, line: 0 }, complete }
    }

    /// Reads a block before what is there; what was given out goes.
    fn fill(&mut self) -> io::Result<()> {
        let size = (self.start.min(self.block as u64)) as usize;
        self.block = (self.block * 2).min(super::BLOCK.max(self.end));
        let mut grown = vec![0; size + self.end];
        let (room, kept) = grown.split_at_mut(size);
        kept.copy_from_slice(self.buffer.get(..self.end).unwrap_or_default());
        self.start -= size as u64;
        self.read_full(room)?;
        self.buffer = grown;
        self.end += size;
        self.searched = size;
        Ok(())
    }

    fn read_full(&mut self, room: &mut [u8]) -> io::Result<()> {
        let mut done = 0;
        while done < room.len() {
            let rest = room.get_mut(done..).unwrap_or_default();
            match (self.read_at)(self.start + done as u64, rest) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => done += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}
