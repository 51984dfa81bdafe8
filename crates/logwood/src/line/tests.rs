//! The reader against a plain split, through sources that give few bytes at a time.

use std::io::Read;

use proptest::prelude::*;

use super::{BLOCK, LineReader};

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

proptest! {
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
    }
}
