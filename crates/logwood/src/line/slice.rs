use memchr::memchr;

use super::{LineRef, Position};

/// The lines of bytes that are in memory already; the plain twin of [`LineReader`](super::LineReader).
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    rest: &'a [u8],
    next: Position,
}

impl<'a> Lines<'a> {
    /// The lines of `bytes`, which start at `position` of the whole.
    pub fn starting_at(bytes: &'a [u8], position: Position) -> Self {
        Self { rest: bytes, next: position }
    }

    /// The lines of a whole file.
    pub fn of(bytes: &'a [u8]) -> Self {
        Self::starting_at(bytes, Position { byte: 0, line: 1 })
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = LineRef<'a>;

    fn next(&mut self) -> Option<LineRef<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr(b'\n', self.rest);
        let (bytes, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.get(1..).unwrap_or_default();
        let position = self.next;
        self.next.byte += bytes.len() as u64 + u64::from(end.is_some());
        self.next.line += 1;
        Some(LineRef { bytes, position, complete: end.is_some() })
    }
}
