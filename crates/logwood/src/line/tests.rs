//! The reader against a plain split, through sources that give few bytes at a time.

use std::io::Read;

use proptest::prelude::*;

use super::{BLOCK, LineReader, ReverseLines};

/// Gives at most `step` bytes a read.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(buf.len());
        (&mut self.0).take(count as u64).read(buf)
    }
}

fn read_all(source: impl Read) -> Vec<(u64, u64, Vec<u8>, bool)> {
    let mut reader = LineReader::new(source);
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        lines.push((line.position.line, line.position.byte, line.bytes.to_vec(), line.complete));
    }
    assert!(reader.next_line().unwrap().is_none(), "the end stays the end");
    lines
}

/// The plain rule: split after each LF.
fn split(bytes: &[u8]) -> Vec<(u64, u64, Vec<u8>, bool)> {
    let mut at = 0;
    let pieces = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
    pieces
        .map(|(index, piece)| {
            let start = at;
            at += piece.len() as u64;
            let complete = piece.ends_with(b"\n");
            let body = piece.strip_suffix(b"\n").unwrap_or(piece);
            (index as u64 + 1, start, body.to_vec(), complete)
        })
        .collect()
}

/// The lines backwards, through reads of at most `step` bytes; the numbers of lines are not known there.
fn read_back(bytes: &[u8], step: usize) -> Vec<(u64, u64, Vec<u8>, bool)> {
    let read_at = |offset: u64, room: &mut [u8]| {
        let count = step.min(room.len());
        let rest = &bytes[offset as usize..];
        let count = count.min(rest.len());
        room[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    };
    let mut reader = ReverseLines::new(bytes.len() as u64, read_at);
    let mut lines = Vec::new();
    while let Some(line) = reader.next_line().unwrap() {
        lines.push((line.position.line, line.position.byte, line.bytes.to_vec(), line.complete));
    }
    assert!(reader.next_line().unwrap().is_none(), "the start stays the start");
    lines
}

fn split_back(bytes: &[u8]) -> Vec<(u64, u64, Vec<u8>, bool)> {
    split(bytes).into_iter().rev().map(|(_, byte, line, whole)| (0, byte, line, whole)).collect()
}

proptest! {
    #[test]
    fn lines_backwards_are_those_of_a_plain_split(
        bytes in prop::collection::vec(prop_oneof![2 => Just(b'\n'), 5 => any::<u8>()], 0..300),
        step in 1usize..40,
    ) {
        prop_assert_eq!(read_back(&bytes, step), split_back(&bytes));
    }

    #[test]
    fn lines_are_those_of_a_plain_split(
        bytes in prop::collection::vec(prop_oneof![2 => Just(b'\n'), 5 => any::<u8>()], 0..300),
        step in 1usize..40,
    ) {
        prop_assert_eq!(read_all(Dribble(&bytes, step)), split(&bytes));
    }
}

#[test]
fn lines_longer_than_a_block_stay_whole() {
    let mut bytes = vec![b'x'; 3 * BLOCK + 17];
    bytes.push(b'\n');
    bytes.extend(vec![b'y'; BLOCK]);
    bytes.extend(b"\nlast");
    for step in [1000, BLOCK, usize::MAX] {
        assert_eq!(read_all(Dribble(&bytes, step)), split(&bytes), "step {step}");
        assert_eq!(read_back(&bytes, step), split_back(&bytes), "step {step}");
    }
}

#[test]
fn a_file_that_shrinks_while_it_is_read_backwards_is_an_error() {
    let mut reader = ReverseLines::new(10, |_, _: &mut [u8]| Ok(0));
    assert_eq!(reader.next_line().unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
}
