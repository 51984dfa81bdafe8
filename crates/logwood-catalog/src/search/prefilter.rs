//! Tells, from the bytes of a line, that it cannot hold what is asked, so that most lines are never parsed.
//!
//! It must never say so wrongly. A needle is compared folded, and lies in the line as JSON. Its longest ASCII part is looked for in any
//! case first. Where that is not there, only what turns into ASCII by decoding or folding could still give it: an escape of a
//! printable character, a letter with an accent, a combining mark (`folds_to_ascii`, which a test holds against every character
//! there is). Around each of these the line is folded, as far as the part could reach, and looked at again.

use memchr::memmem::{self, Finder};
use regex::bytes::{Regex, RegexBuilder};

use super::needle::Needle;
use crate::text::fold_into;

/// What all lines with a hit have in common.
#[derive(Debug, Default)]
pub(super) struct Prefilter {
    needles: Vec<Raw>,
}

#[derive(Debug)]
enum Raw {
    /// An ASCII text, as it stands in JSON: in any case, and folded.
    Ascii(Regex, Box<Finder<'static>>),
    /// Some character that is not ASCII.
    Foreign,
}

impl Prefilter {
    /// For lines that hold every one of these.
    pub(super) fn of<'n>(needles: impl Iterator<Item = &'n Needle>) -> Self {
        Self { needles: needles.filter_map(Raw::of).collect() }
    }

    /// Whether a line may hold all that is asked.
    pub(super) fn may_match(&self, line: &[u8]) -> bool {
        let mut escape = None;
        let mut has_escape = || *escape.get_or_insert_with(|| has_escape(line));
        self.needles.iter().all(|needle| match needle {
            Raw::Ascii(regex, finder) => {
                regex.is_match(line) || has_escape() || is_near_an_accent(line, finder)
            }
            Raw::Foreign => !line.is_ascii() || has_escape(),
        })
    }
}

impl Raw {
    /// None for a needle that any line may hold.
    fn of(needle: &Needle) -> Option<Self> {
        needle.written.as_ref()?;
        let parts =
            needle.folded.split(|c: char| !c.is_ascii() || c == ' ' || c.is_ascii_control());
        let longest = parts.max_by_key(|part| part.len()).filter(|part| !part.is_empty());
        let Some(longest) = longest else {
            // Of control characters nothing is known: each may be written in several ways.
            return (!needle.folded.is_ascii()).then_some(Self::Foreign);
        };
        let escaped = longest.replace('\\', "\\\\").replace('"', "\\\"");
        let finder = Finder::new(&escaped).into_owned();
        let pattern = regex::escape(&escaped);
        RegexBuilder::new(&pattern)
            .unicode(false)
            .case_insensitive(true)
            .build()
            .ok()
            .map(|regex| Self::Ascii(regex, Box::new(finder)))
    }
}

/// Whether a needle comes out where something folds to ASCII. It reaches no further from there than over as many ASCII bytes as it
/// has itself, since each of them gives at least one.
fn is_near_an_accent(line: &[u8], finder: &Finder<'_>) -> bool {
    let reach = finder.needle().len();
    let mut folded = Vec::new();
    let mut from = 0;
    while let Some(at) = next_accent(line, from) {
        let start = before(line, at, reach);
        let mut end = after(line, at, reach);
        from = at + 2;
        // What is near to it is looked at together.
        while let Some(next) = next_accent(line, from).filter(|next| *next <= end) {
            end = after(line, next, reach);
            from = next + 2;
        }
        folded.clear();
        let region = line.get(start..end).unwrap_or_default();
        fold_into(&String::from_utf8_lossy(region), &mut folded);
        if finder.find(&folded).is_some() {
            return true;
        }
    }
    false
}

/// The next place of something that may fold to ASCII.
fn next_accent(line: &[u8], from: usize) -> Option<usize> {
    let rest = line.get(from..)?;
    let mut at = 0;
    for block in rest.chunks(64) {
        if !block.is_ascii() {
            let pairs = rest.get(at..rest.len().min(at + block.len() + 1))?.windows(2);
            if let Some(found) = pairs.into_iter().position(folds_to_ascii) {
                return Some(from + at + found);
            }
        }
        at += block.len();
    }
    None
}

/// The place so many ASCII bytes before another.
fn before(line: &[u8], at: usize, reach: usize) -> usize {
    let bytes = line.get(..at).unwrap_or_default().iter().enumerate().rev();
    bytes.filter(|(_, byte)| byte.is_ascii()).nth(reach).map_or(0, |(at, _)| at)
}

/// The place behind so many ASCII bytes after another.
fn after(line: &[u8], at: usize, reach: usize) -> usize {
    let bytes = line.get(at..).unwrap_or_default().iter().enumerate();
    bytes
        .filter(|(_, byte)| byte.is_ascii())
        .nth(reach)
        .map_or(line.len(), |(found, _)| at + found + 1)
}

/// Whether these are the first bytes of a character that may fold to ASCII, or that vanishes between ASCII characters.
fn folds_to_ascii(bytes: &[u8]) -> bool {
    match bytes {
        [0x80..=0xc2, _] => false,
        // Latin letters of every kind, and the combining marks.
        [0xc3..=0xc9 | 0xcc..=0xcd, _] => true,
        // More combining marks, Latin Extended Additional, a Greek sign.
        [0xe1, second] => matches!(second, 0xaa | 0xab | 0xb7..=0xbb | 0xbf),
        // Marks around symbols, and the signs of Kelvin and Angstrom.
        [0xe2, second] => matches!(second, 0x83 | 0x84),
        // Ligatures, half marks.
        [0xef, second] => matches!(second, 0xac | 0xb8),
        _ => false,
    }
}

/// Whether there is an escape that stands for a printable character: `\/`, or `\u` with anything but a control character.
fn has_escape(line: &[u8]) -> bool {
    memmem::find(line, b"\\/").is_some()
        || memmem::find_iter(line, b"\\u").any(|at| {
            let digits = line.get(at + 2..at + 6).unwrap_or_default();
            digits.iter().all(u8::is_ascii_hexdigit)
                && !matches!(digits, [b'0', b'0', b'0' | b'1', _])
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    /// Every character that gives ASCII, or that goes without a trace between two ASCII letters, is known.
    #[test]
    fn every_character_that_may_become_ascii_is_known() {
        for c in ('\u{80}'..=char::MAX).filter(|c| !c.is_whitespace()) {
            let folded = fold(&format!("a{c}b"));
            let inner = folded.strip_prefix('a').and_then(|rest| rest.strip_suffix('b'));
            let foreign = inner
                .is_some_and(|inner| !inner.is_empty() && inner.chars().all(|c| !c.is_ascii()));
            let line = format!("x{c}y");
            assert!(
                foreign || next_accent(line.as_bytes(), 0) == Some(1),
                "{:x} {folded}",
                c as u32
            );
        }
    }

    #[test]
    fn frequent_characters_do_not_make_lines_candidates() {
        let is_one =
            |line: &str| has_escape(line.as_bytes()) || next_accent(line.as_bytes(), 0).is_some();
        for line in ["plain", "— “quoted” … → ✓ 灯台 😀 ■ │", r"tab\t line\n \u001b[31m \\users"]
        {
            assert!(!is_one(line), "{line}");
        }
        for line in [r"\u0041", r"a\/b", "é", "e\u{301}", r"\u00e9", r"\ud83d"] {
            assert!(is_one(line), "{line}");
        }
    }

    #[test]
    fn what_is_near_an_accent_is_looked_at() {
        let finder = Finder::new("facade");
        let far = "x".repeat(500);
        for (text, wanted) in [
            ("façade", true),
            ("FAC\u{327}\u{327}\u{327}ADÉ", true),
            ("fa灯çade", false),
            ("fa çade é", false),
            ("ééé façad", false),
        ] {
            for line in
                [text.to_owned(), format!("é{far}{text}{far}é"), format!("{far}é {text} é{far}")]
            {
                assert_eq!(is_near_an_accent(line.as_bytes(), &finder), wanted, "{line}");
            }
        }
    }
}
