//! What happens to files: cut, flipped, padded, doubled, moved between systems.

use proptest::collection::vec;
use proptest::prelude::*;

use super::session::session;

/// A number in 0..=65535 that picks a place of the file.
type Place = u16;

/// One thing that happens to a file.
#[derive(Clone, Debug)]
pub enum Mutation {
    /// Everything from a place on is gone.
    Cut(Place),
    /// One bit of a byte is another.
    Flip(Place, u8),
    /// NUL bytes stand in between.
    Nul(Place, u8),
    /// NUL bytes stand at the end.
    Padding(u8),
    /// A line stands there twice.
    DoubleLine(Place),
    /// A line is gone.
    DropLine(Place),
    /// A line stands at another place.
    MoveLine(Place, Place),
    /// Two lines lost the line end between them.
    FuseLines(Place),
    /// A byte order mark at the start of a line.
    Bom(Place),
    /// Line ends of Windows.
    Crlf,
    /// A line that is something else.
    Insert(Place, Vec<u8>),
}

/// A random mutation.
pub fn mutation() -> impl Strategy<Value = Mutation> {
    let place = any::<Place>;
    prop_oneof![
        2 => place().prop_map(Mutation::Cut),
        3 => (place(), 0..8_u8).prop_map(|(at, bit)| Mutation::Flip(at, bit)),
        1 => (place(), 1..20_u8).prop_map(|(at, count)| Mutation::Nul(at, count)),
        1 => (1..200_u8).prop_map(Mutation::Padding),
        2 => place().prop_map(Mutation::DoubleLine),
        2 => place().prop_map(Mutation::DropLine),
        1 => (place(), place()).prop_map(|(from, to)| Mutation::MoveLine(from, to)),
        1 => place().prop_map(Mutation::FuseLines),
        1 => place().prop_map(Mutation::Bom),
        1 => Just(Mutation::Crlf),
        2 => (place(), super::bytes(6)).prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
    ]
}

/// A session of up to `entries` entries to which up to four things happened.
pub fn damaged_session(entries: usize) -> impl Strategy<Value = Vec<u8>> {
    (session(entries), vec(mutation(), 1..5)).prop_map(|(session, mutations)| {
        mutations.iter().fold(session.text, |text, mutation| mutation.apply(text))
    })
}

impl Mutation {
    /// The file after it happened.
    #[must_use]
    pub fn apply(&self, mut text: Vec<u8>) -> Vec<u8> {
        let len = text.len();
        match self {
            Self::Cut(at) => text.truncate(pick(*at, len)),
            Self::Flip(at, bit) => {
                if let Some(byte) = text.get_mut(pick(*at, len)) {
                    *byte ^= 1 << bit;
                }
            }
            Self::Nul(at, count) => {
                insert(&mut text, pick(*at, len), &vec![0; usize::from(*count)])
            }
            Self::Padding(count) => text.extend(vec![0; usize::from(*count)]),
            Self::Bom(at) => {
                let lines = lines(&text);
                let start = lines.iter().take(pick(*at, lines.len())).map(Vec::len).sum();
                insert(&mut text, start, b"\xEF\xBB\xBF");
            }
            Self::Crlf => return lines(&text).into_iter().flat_map(|line| crlf(&line)).collect(),
            _ => return self.apply_to_lines(lines(&text)).concat(),
        }
        text
    }

    fn apply_to_lines(&self, mut lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let count = lines.len();
        if count == 0 {
            return lines;
        }
        match self {
            Self::DoubleLine(at) => {
                let line = lines.get(pick(*at, count)).cloned().unwrap_or_default();
                lines.insert(pick(*at, count), line);
            }
            Self::DropLine(at) => drop(lines.remove(pick(*at, count))),
            Self::MoveLine(from, to) => {
                let line = lines.remove(pick(*from, count));
                lines.insert(pick(*to, count), line);
            }
            Self::FuseLines(at) => {
                if let Some(line) = lines.get_mut(pick(*at, count)) {
                    line.pop_if(|byte| *byte == b'\n');
                }
            }
            Self::Insert(at, bytes) => lines.insert(pick(*at, count), [bytes, &b"\n"[..]].concat()),
            _ => {}
        }
        lines
    }
}

fn pick(at: Place, len: usize) -> usize {
    usize::from(at) % len.max(1)
}

fn insert(text: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    text.splice(at..at, bytes.iter().copied());
}

/// The lines with their line ends.
fn lines(text: &[u8]) -> Vec<Vec<u8>> {
    text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
}

fn crlf(line: &[u8]) -> Vec<u8> {
    line.strip_suffix(b"\n").map_or(line.to_vec(), |line| [line, b"\r\n"].concat())
}
