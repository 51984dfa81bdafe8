//! Cuts the input into lines: LF only, one trailing CR dropped, a line that is too long passed over (case 88).

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is read, in bytes without its line end: 512 MiB (design section 3).
pub const LINE_LIMIT: usize = 512 * 1024 * 1024;

/// A buffer larger than this is given back after the line that needed it.
const KEEP: usize = 1024 * 1024;

/// One line of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame<'a> {
    /// The bytes of the line, without LF and without one CR before it.
    Line(&'a [u8]),
    /// The line is longer than the limit; it was passed over and not kept.
    TooLong,
}

/// Reads lines from `input`. U+2028 and the like end no line; the last line needs no LF.
///
/// ```
/// use logwood_rpc::{Frame, FrameReader};
///
/// let mut frames = FrameReader::new(&b"{}\r\n[]"[..]);
/// assert_eq!(frames.next_frame()?, Some(Frame::Line(b"{}")));
/// assert_eq!(frames.next_frame()?, Some(Frame::Line(b"[]")));
/// assert_eq!(frames.next_frame()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct FrameReader<R> {
    input: R,
    limit: usize,
    line: Vec<u8>,
}

impl<R: BufRead> FrameReader<R> {
    /// A reader with the limit of the protocol, [`LINE_LIMIT`].
    pub fn new(input: R) -> Self {
        Self::with_limit(input, LINE_LIMIT)
    }

    /// A reader with another limit, in bytes.
    pub fn with_limit(input: R, limit: usize) -> Self {
        Self { input, limit, line: Vec::new() }
    }

    /// The next line; none when the input has ended.
    ///
    /// # Errors
    /// What reading the input gives.
    pub fn next_frame(&mut self) -> io::Result<Option<Frame<'_>>> {
        self.line.clear();
        self.line.shrink_to(KEEP);
        let mut started = false;
        let mut too_long = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                break;
            }
            started = true;
            let end = memchr::memchr(b'\n', chunk);
            let piece = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
            // One byte more than the limit may still be a CR.
            too_long = too_long || self.line.len() + piece.len() > self.limit.saturating_add(1);
            if too_long {
                self.line = Vec::new();
            } else {
                self.line.extend_from_slice(piece);
            }
            let used = piece.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        Ok(started.then(|| self.frame(too_long)))
    }

    fn frame(&self, too_long: bool) -> Frame<'_> {
        let line = self.line.strip_suffix(b"\r").unwrap_or(&self.line);
        if too_long || line.len() > self.limit { Frame::TooLong } else { Frame::Line(line) }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    fn frames(input: &[u8], limit: usize, block: usize) -> Vec<String> {
        let mut reader = FrameReader::with_limit(BufReader::with_capacity(block, input), limit);
        let mut all = Vec::new();
        while let Some(frame) = reader.next_frame().unwrap() {
            all.push(match frame {
                Frame::Line(line) => String::from_utf8_lossy(line).into_owned(),
                Frame::TooLong => "(too long)".to_owned(),
            });
        }
        all
    }

    #[test]
    fn only_lf_ends_a_line_and_the_last_one_needs_none() {
        for block in [1, 2, 3, 64] {
            let lines = frames("a\u{2028}b\r\n\n\rc\n{\"x\":\r1}\r\r\nlast".as_bytes(), 99, block);
            assert_eq!(lines, ["a\u{2028}b", "", "\rc", "{\"x\":\r1}\r", "last"]);
            assert_eq!(frames(b"", 99, block), [""; 0]);
            assert_eq!(frames(b"\n", 99, block), [""]);
        }
    }

    #[test]
    fn a_line_over_the_limit_is_passed_over_and_the_next_one_is_read() {
        for block in [1, 2, 3, 64] {
            let lines = frames(b"1234\n12345\n1234\r\n12345\r\n123456789\nok\n123456", 4, block);
            let over = "(too long)";
            assert_eq!(lines, ["1234", over, "1234", over, over, "ok", over]);
        }
    }

    /// Gives `left` bytes of one endless line, then nothing.
    struct Endless {
        left: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            let count = buf.len().min(self.left);
            buf[..count].fill(b'x');
            self.left -= count;
            Ok(count)
        }
    }

    #[test]
    fn a_line_over_the_limit_is_not_kept_in_memory() {
        let input = BufReader::with_capacity(1 << 16, Endless { left: 64 << 20 });
        let mut reader = FrameReader::with_limit(input, 1 << 20);
        assert_eq!(reader.next_frame().unwrap(), Some(Frame::TooLong));
        assert!(reader.line.capacity() <= 4 << 20, "{}", reader.line.capacity());
    }
}
