//! Reads a file for a memory: from the start, or on from where reading stopped; never further than the file was long at first.

use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use crate::entry::HeaderFault;
use crate::line::{LineReader, Position};
use crate::storage::{Sequential, StoredFile};

use super::Facts;
use super::checkpoint::{Checkpoint, Marks};
use super::summary::Summary;

/// How many bytes at either end of what was read tell whether it is still there.
const MARK: usize = 1024;

/// What reading gave.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) verdict: Result<Facts, HeaderFault>,
    /// Where to go on, where the file can be continued.
    pub(super) checkpoint: Option<Vec<u8>>,
    /// Whether the lines of before are still there, and only new ones were read.
    pub(super) grown: bool,
    /// Whether it was as long as it was said to be, so that it may be remembered.
    pub(super) whole: bool,
}

/// Reads `size` bytes of a file into its facts, those before `from` left out where they are what they were.
///
/// # Errors
/// What the system says.
pub(super) fn read(
    file: &mut dyn StoredFile,
    size: u64,
    from: Option<Checkpoint>,
    buffer: &mut Vec<u8>,
) -> io::Result<Reading> {
    let from = from.filter(|from| from.marks.size <= size);
    let resumed = match from {
        Some(from) => resume(file, from)?,
        None => None,
    };
    let grown = resumed.is_some();
    let (at, summary, ends) = resumed
        .unwrap_or_else(|| (Position { byte: 0, line: 1 }, Summary::default(), Ends::default()));
    let mut source = Marked {
        left: size.saturating_sub(at.byte),
        source: Sequential::starting_at(file, at.byte),
        ends,
    };
    let reader = LineReader::starting_at(&mut source, at).with_buffer(std::mem::take(buffer));
    let (verdict, stop, used) = summarise(reader, summary)?;
    *buffer = used;
    let whole = source.left == 0 || verdict.is_err();
    let checkpoint = stop.map(|stop| {
        let marks = Marks { size, hash: source.ends.hash() };
        let has_facts = stop.unfinished;
        Checkpoint { next: stop.next, marks, summary: stop.summary, has_facts }.to_bytes()
    });
    Ok(Reading { verdict, checkpoint: checkpoint.filter(|_| whole), grown, whole })
}

/// The state after the last whole line.
struct Stop {
    next: Position,
    summary: Summary,
    /// Whether a line without an end came after it.
    unfinished: bool,
}

type Summarised = (Result<Facts, HeaderFault>, Option<Stop>, Vec<u8>);

fn summarise<R: Read>(mut reader: LineReader<R>, mut summary: Summary) -> io::Result<Summarised> {
    let mut stop = None;
    while let Some(line) = reader.next_line()? {
        if !line.complete {
            let summary = summary.clone();
            stop = Some(Stop { next: line.position, summary, unfinished: true });
        }
        if let Err(fault) = summary.line(line) {
            return Ok((Err(fault), None, reader.into_buffer()));
        }
    }
    let next = reader.position();
    let verdict = summary.finish();
    let stop = stop.unwrap_or(Stop { next, summary, unfinished: false });
    Ok((verdict, Some(stop).filter(|stop| stop.summary.has_header), reader.into_buffer()))
}

/// Where to go on, if the file is still what it was so far.
fn resume(
    file: &mut dyn StoredFile,
    from: Checkpoint,
) -> io::Result<Option<(Position, Summary, Ends)>> {
    let mark = from.marks.size.min(MARK as u64);
    let head = read_exact(file, 0, mark)?;
    let tail = read_exact(file, from.marks.size - mark, mark)?;
    let (Some(head), Some(tail)) = (head, tail) else { return Ok(None) };
    if (Ends { head: head.clone(), tail: tail.clone() }).hash() != from.marks.hash {
        return Ok(None);
    }
    // The ends as they were before the line that comes next.
    let again = from.marks.size - from.next.byte;
    let mut ends = Ends { head, tail };
    ends.head.truncate(usize::try_from(from.next.byte).unwrap_or(usize::MAX));
    let kept = (ends.tail.len() as u64).saturating_sub(again);
    ends.tail.truncate(usize::try_from(kept).unwrap_or_default());
    Ok(Some((from.next, from.summary, ends)))
}

/// Bytes at a place; none where the file is too short.
fn read_exact(file: &mut dyn StoredFile, at: u64, length: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    Sequential::starting_at(file, at).take(length).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 == length).then_some(bytes))
}

/// The first and the last bytes of a stream.
#[derive(Debug, Default)]
struct Ends {
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Ends {
    fn take(&mut self, bytes: &[u8]) {
        let room = MARK.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
        let last = bytes.get(bytes.len().saturating_sub(MARK)..).unwrap_or_default();
        let surplus = (self.tail.len() + last.len()).saturating_sub(MARK).min(self.tail.len());
        self.tail.drain(..surplus);
        self.tail.extend_from_slice(last);
    }

    fn hash(&self) -> [u8; 16] {
        let mut hash = Sha256::new();
        hash.update(&self.head);
        hash.update(&self.tail);
        let mut short = [0; 16];
        short.iter_mut().zip(hash.finalize()).for_each(|(short, byte)| *short = byte);
        short
    }
}

/// A stream that ends after so many bytes and keeps its ends.
struct Marked<'a> {
    source: Sequential<'a>,
    left: u64,
    ends: Ends,
}

impl Read for Marked<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buf.len());
        let room = buf.get_mut(..most).unwrap_or_default();
        if room.is_empty() {
            return Ok(0);
        }
        let count = self.source.read(room)?;
        self.left -= count as u64;
        self.ends.take(room.get(..count).unwrap_or_default());
        Ok(count)
    }
}
