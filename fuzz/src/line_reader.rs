//! The streaming reader gives the lines of a plain split, whatever the source gives at once.
#![no_main]

use std::io::Read;

use libfuzzer_sys::fuzz_target;
use logwood::line::{LineReader, Lines};

/// Gives at most `step` bytes a read.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let count = self.1.min(buf.len());
        (&mut self.0).take(count as u64).read(buf)
    }
}

fuzz_target!(|input: &[u8]| {
    let [step, bytes @ ..] = input else { return };
    let mut plain = bytes.split_inclusive(|byte| *byte == b'\n');
    let mut lines = Lines::of(bytes);
    let mut reader = LineReader::with_block(Dribble(bytes, usize::from(*step) + 1), 16);
    while let Some(line) = reader.next_line().expect("memory can be read") {
        let piece = plain.next().expect("a line for each piece");
        assert_eq!(line.complete, piece.ends_with(b"\n"));
        assert_eq!(line.bytes, piece.strip_suffix(b"\n").unwrap_or(piece));
        assert_eq!(Some(line), lines.next());
    }
    assert!(plain.next().is_none() && lines.next().is_none());
});
