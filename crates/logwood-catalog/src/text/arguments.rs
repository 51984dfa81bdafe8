//! The texts and numbers in the arguments of a tool call, at any depth, in one flat walk.

use logwood::json::Raw;
use memchr::{memchr, memchr2};

/// A value that holds no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar<'a> {
    /// The inside of a string, escaped.
    Text(&'a [u8]),
    /// A number as it is written; the value of a member.
    Number(&'a [u8]),
}

/// Every string, and every number that is a member's value, with the key it stands under (for elements of a list, that of the list).
pub(super) fn scalars<'a>(value: Raw<'a>) -> impl Iterator<Item = (&'a [u8], Scalar<'a>)> {
    let mut walk = Walk { text: value.bytes(), at: 0, key: b"" };
    std::iter::from_fn(move || walk.next_scalar())
}

/// Whether a member of this name holds the path of a file or a folder, as the tools of dreb, pi and their like name them.
pub(super) fn names_a_file(key: &[u8]) -> bool {
    const KEYS: [&str; 12] = [
        "path",
        "file_path",
        "filePath",
        "filepath",
        "file",
        "filename",
        "paths",
        "files",
        "notebook_path",
        "readFiles",
        "modifiedFiles",
        "directory",
    ];
    KEYS.iter().any(|known| known.as_bytes() == key)
}

/// Goes over valid JSON from string to string; needs no stack, since braces do not matter to it.
struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    key: &'a [u8],
}

impl<'a> Walk<'a> {
    fn next_scalar(&mut self) -> Option<(&'a [u8], Scalar<'a>)> {
        loop {
            let rest = self.text.get(self.at..)?;
            let start = self.at + memchr(b'"', rest)? + 1;
            let end = string_end(self.text, start);
            let inner = self.text.get(start..end).unwrap_or_default();
            self.at = end + 1;
            if self.byte_after_space() != Some(b':') {
                return Some((self.key, Scalar::Text(inner)));
            }
            self.at += 1;
            self.key = inner;
            if let Some(number) = self.number() {
                return Some((self.key, Scalar::Number(number)));
            }
        }
    }

    fn byte_after_space(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.get(self.at).copied()
    }

    fn number(&mut self) -> Option<&'a [u8]> {
        self.byte_after_space().filter(|byte| *byte == b'-' || byte.is_ascii_digit())?;
        let rest = self.text.get(self.at..)?;
        let is_part = |byte: &&u8| matches!(**byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let length = rest.iter().take_while(is_part).count();
        self.at += length;
        rest.get(..length)
    }
}

/// Where the string that begins at `start` has its closing quote.
fn string_end(text: &[u8], start: usize) -> usize {
    let mut at = start;
    while let Some(found) = text.get(at..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        if text.get(at + found) == Some(&b'"') {
            return at + found;
        }
        at += found + 2;
    }
    text.len()
}
