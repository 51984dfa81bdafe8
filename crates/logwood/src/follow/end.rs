//! The end of what is known of a file, by which it is known again.

use std::io;

use sha2::{Digest, Sha256};

use crate::line::{LineRef, Seam};
use crate::storage::StoredFile;

/// The last bytes before a place of a file: themselves, or what a cursor keeps of them.
#[derive(Debug, Clone, Copy)]
pub(super) enum End {
    /// The bytes.
    Seen(Seam),
    /// Their sum.
    Summed(Sum),
}

/// How many bytes, whether the last of them is an LF, and 64 bits of their SHA-256.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sum {
    length: usize,
    in_line: bool,
    hash: u64,
}

impl Default for End {
    fn default() -> Self {
        Self::Seen(Seam::default())
    }
}

impl PartialEq for End {
    fn eq(&self, other: &Self) -> bool {
        self.sum() == other.sum()
    }
}

impl Eq for End {}

impl End {
    /// The end of the first `offset` bytes of a file.
    pub(super) fn of(file: &mut dyn StoredFile, offset: u64) -> io::Result<Self> {
        let mut seam = Seam::default();
        seam.push(&before(file, offset, Seam::LENGTH)?);
        Ok(Self::Seen(seam))
    }

    /// Takes a line that was read behind it.
    pub(super) fn push(&mut self, line: LineRef<'_>) {
        if let Self::Seen(seam) = self {
            seam.push(line.bytes);
            if line.complete {
                seam.push(b"\n");
            }
        }
    }

    /// Whether it still stands before `offset`; from then on it is bytes.
    pub(super) fn stands(&mut self, file: &mut dyn StoredFile, offset: u64) -> io::Result<bool> {
        let found = before(file, offset, self.length())?;
        let stands = match self {
            Self::Seen(seam) => seam.bytes() == found,
            Self::Summed(sum) => *sum == Sum::of(&found),
        };
        if stands && matches!(self, Self::Summed(_)) {
            *self = Self::of(file, offset)?;
        }
        Ok(stands)
    }

    /// Whether what was taken last had no line end yet.
    pub(super) fn is_in_line(&self) -> bool {
        self.sum().in_line
    }

    fn length(&self) -> usize {
        match self {
            Self::Seen(seam) => seam.bytes().len(),
            Self::Summed(sum) => sum.length,
        }
    }

    fn sum(&self) -> Sum {
        match self {
            Self::Seen(seam) => Sum::of(seam.bytes()),
            Self::Summed(sum) => *sum,
        }
    }

    /// As a cursor holds it: `48:0123456789abcdef`, with a `+` behind the number where the line has no end.
    pub(super) fn text(&self) -> String {
        let Sum { length, in_line, hash } = self.sum();
        format!("{length}{}:{hash:016x}", if in_line { "+" } else { "" })
    }

    /// Reads what [`text`](Self::text) wrote.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (length, hash) = text.split_once(':')?;
        let (length, in_line) = match length.strip_suffix('+') {
            Some(length) => (length, true),
            None => (length, false),
        };
        let length = length.parse().ok().filter(|length| *length <= Seam::LENGTH)?;
        let hash = u64::from_str_radix(hash, 16).ok()?;
        Some(Self::Summed(Sum { length, in_line, hash }))
    }
}

impl Sum {
    fn of(bytes: &[u8]) -> Self {
        let digest: [u8; 32] = Sha256::digest(bytes).into();
        let [a, b, c, d, e, f, g, h, ..] = digest;
        let hash = u64::from_be_bytes([a, b, c, d, e, f, g, h]);
        Self { length: bytes.len(), in_line: bytes.last().is_some_and(|last| *last != b'\n'), hash }
    }
}

/// At most `length` bytes before `offset`; fewer where the file is shorter.
fn before(file: &mut dyn StoredFile, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let start = offset.saturating_sub(length as u64);
    let mut bytes = vec![0; (offset - start) as usize];
    let mut done = 0;
    while done < bytes.len() {
        let room = bytes.get_mut(done..).unwrap_or_default();
        match file.read_at(start + done as u64, room) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(done);
    Ok(bytes)
}
