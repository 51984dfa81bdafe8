//! A place in a file.

/// Where a line starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Bytes from the start of the file, counted from 0.
    pub byte: u64,
    /// Line number, counted from 1; blank lines count.
    pub line: u64,
}

/// One line without its LF.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineRef<'a> {
    /// The bytes before the LF.
    pub bytes: &'a [u8],
    /// Where the line starts.
    pub position: Position,
    /// Whether an LF ends it; only the last line can lack one.
    pub complete: bool,
}
