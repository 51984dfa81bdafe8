//! Tells, from the bytes of a line, that it cannot hold what is asked, so that most lines are never parsed.
//!
//! It must never say so wrongly. A needle is compared folded, and lies in the line as JSON. So a line is only passed over when the
//! longest ASCII part of a needle is not in it in any case, and the line has nothing that could turn into ASCII by decoding or
//! folding: no escape of a printable character, no letter with an accent, no combining mark (`may_become_ascii`, which a test holds
//! against every character there is).

use memchr::memmem;
use regex::bytes::{Regex, RegexBuilder};

use super::needle::Needle;

/// What all lines with a hit have in common.
#[derive(Debug, Default)]
pub(super) struct Prefilter {
    needles: Vec<Raw>,
}

#[derive(Debug)]
enum Raw {
    /// An ASCII text, as it stands in JSON, in any case.
    Ascii(Regex),
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
        let mut other = None;
        self.needles.iter().all(|needle| match needle {
            Raw::Ascii(regex) => {
                regex.is_match(line) || *other.get_or_insert_with(|| may_become_ascii(line))
            }
            Raw::Foreign => !line.is_ascii() || has_escape(line),
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
        let pattern = regex::escape(&escaped);
        RegexBuilder::new(&pattern)
            .unicode(false)
            .case_insensitive(true)
            .build()
            .ok()
            .map(Self::Ascii)
    }
}

/// Whether decoding or folding may give ASCII text that does not stand in the line as it is.
fn may_become_ascii(line: &[u8]) -> bool {
    has_escape(line) || (!line.is_ascii() && line.windows(2).any(folds_to_ascii))
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
            assert!(foreign || may_become_ascii(line.as_bytes()), "{:x} {folded}", c as u32);
        }
    }

    #[test]
    fn frequent_characters_do_not_make_lines_candidates() {
        for line in ["plain", "— “quoted” … → ✓ 灯台 😀 ■ │", r"tab\t line\n \u001b[31m \\users"]
        {
            assert!(!may_become_ascii(line.as_bytes()), "{line}");
        }
        for line in [r"\u0041", r"a\/b", "é", "e\u{301}", r"\u00e9", r"\ud83d"] {
            assert!(may_become_ascii(line.as_bytes()), "{line}");
        }
    }
}
