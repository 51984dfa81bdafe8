//! One JSON text rewritten the way `JSON.stringify(JSON.parse(text))` writes it (spec 0.4).
//!
//! Two passes, both with a stack of their own, so that depth costs no call stack and every byte is looked at a fixed
//! number of times. The first finds the objects whose members JavaScript would fold or reorder; the second writes, following the text
//! from left to right except inside those.

mod rearrange;
mod tokens;

use super::{escape_wtf8_into, normalise_number, unescape_wtf8};
use rearrange::{Rearranged, find_rearranged};
use tokens::{Span, Token, Tokens, inner};

/// The text `JSON.stringify(JSON.parse(raw))` gives for one valid JSON text, numbers that JavaScript would round kept.
///
/// No spacing; of duplicate keys the last value at the place of the first; keys that are array indices first, ascending;
/// numbers by [`normalise_number`]; strings with the escapes JavaScript writes; bytes that are not UTF-8 as U+FFFD. For a
/// text that is not valid JSON the result is some text, without a panic.
///
/// ```
/// let out = logwood::json::stringify(br#"{ "b": 1.0, "a": "\u00e9", "2": [], "b": 1E2 }"#);
/// assert_eq!(out, r#"{"2":[],"b":100,"a":"é"}"#.as_bytes());
/// ```
#[doc(alias = "JSON.stringify")]
#[must_use]
pub fn stringify(raw: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(raw);
    let text = text.as_bytes();
    Writer {
        text,
        objects: &find_rearranged(text),
        steps: Vec::new(),
        out: Vec::with_capacity(text.len()),
    }
    .write()
}

/// Writes a text, taking the members of some objects from their list.
struct Writer<'a> {
    text: &'a [u8],
    objects: &'a [Rearranged],
    steps: Vec<Step>,
    out: Vec<u8>,
}

/// What is still to be written, the next thing last.
enum Step {
    Walk(Span),
    Members { object: usize, next: usize },
}

impl Writer<'_> {
    fn write(mut self) -> Vec<u8> {
        self.steps.push(Step::Walk(Span { start: 0, end: self.text.len() }));
        while let Some(step) = self.steps.pop() {
            match step {
                Step::Walk(span) => self.walk(span),
                Step::Members { object, next } => self.member(object, next),
            }
        }
        self.out
    }

    /// Writes a piece of the text up to its end or to an object that is to be rearranged.
    fn walk(&mut self, span: Span) {
        for (start, token) in Tokens::new(self.text, span) {
            match token {
                Token::Mark(b'{') => {
                    if let Some((object, end)) = self.rearranged_at(start) {
                        self.steps.push(Step::Walk(Span { start: end, end: span.end }));
                        self.steps.push(Step::Members { object, next: 0 });
                        return;
                    }
                    self.out.push(b'{');
                }
                Token::Mark(mark) => self.out.push(mark),
                Token::Text(span) => self.string(span),
                Token::Atom(span) => {
                    self.out.extend_from_slice(&normalise_number(span.of(self.text)))
                }
            }
        }
    }

    fn rearranged_at(&self, start: usize) -> Option<(usize, usize)> {
        let object = self.objects.binary_search_by_key(&start, |object| object.span.start).ok()?;
        Some((object, self.objects.get(object)?.span.end))
    }

    fn member(&mut self, object: usize, next: usize) {
        let members = self.objects.get(object).map_or(&[][..], |object| &object.members);
        let Some(member) = members.get(next) else {
            return self.out.push(b'}');
        };
        self.out.push(if next == 0 { b'{' } else { b',' });
        self.string(member.key);
        self.out.push(b':');
        self.steps.push(Step::Members { object, next: next + 1 });
        self.steps.push(Step::Walk(member.value));
    }

    fn string(&mut self, span: Span) {
        let raw = span.of(self.text);
        if memchr::memchr(b'\\', raw).is_none() {
            return self.out.extend_from_slice(raw);
        }
        self.out.push(b'"');
        escape_wtf8_into(&mut self.out, &unescape_wtf8(inner(raw)));
        self.out.push(b'"');
    }
}

#[cfg(test)]
mod tests;
