//! A short part of a text around what was found in it.

use std::ops::Range;

use super::needle::{Haystack, Needle, Place};
use crate::text::unfold_range;

/// How many characters before the first place are shown.
const BEFORE: usize = 40;

/// How many characters are shown in all.
const LENGTH: usize = 160;

/// How many places are marked at most.
const MOST_MARKS: usize = 20;

/// A part of a text in one line, with what was found in it marked. Control characters are still in it: a terminal must not get it raw.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The text; runs of white space are one space, `…` stands for what is left out before and after.
    pub text: String,
    /// What was found, as ranges of bytes in the text, in order and apart.
    pub marks: Vec<Range<usize>>,
}

impl Snippet {
    /// A text as it is, with nothing marked.
    pub(super) fn of(text: String) -> Self {
        Self { text, marks: Vec::new() }
    }

    /// The part of a text around the first place of the needles; its start where there is none.
    pub(super) fn around(haystack: &Haystack<'_>, needles: &[&Needle]) -> Self {
        let marks = marks(haystack, needles);
        let first = marks.first().map_or(0, |mark| mark.start);
        let window = window(haystack.text, first);
        let mut snippet = Self::default();
        if window.start > 0 {
            snippet.text.push('…');
        }
        let mut at = window.start;
        for mark in marks.iter().filter(|mark| mark.start < window.end) {
            let mark = mark.start.max(at)..mark.end.min(window.end);
            snippet.push(haystack.text, at..mark.start);
            let start = snippet.text.len();
            snippet.push(haystack.text, mark.clone());
            if snippet.text.len() > start {
                snippet.marks.push(start..snippet.text.len());
            }
            at = mark.end.max(at);
        }
        snippet.push(haystack.text, at..window.end);
        if window.end < haystack.text.len() {
            snippet.text.push('…');
        }
        snippet
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        for c in text.get(range).unwrap_or_default().chars() {
            match c.is_whitespace() {
                true if self.text.ends_with(' ') => {}
                true => self.text.push(' '),
                false => self.text.push(c),
            }
        }
    }
}

/// Every place of the needles in the text, in order and apart.
fn marks(haystack: &Haystack<'_>, needles: &[&Needle]) -> Vec<Range<usize>> {
    let mut all: Vec<_> = needles.iter().flat_map(|needle| places(haystack, needle)).collect();
    all.sort_by_key(|mark| (mark.start, mark.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for mark in all {
        match apart.last_mut() {
            Some(last) if mark.start <= last.end => last.end = last.end.max(mark.end),
            _ => apart.push(mark),
        }
    }
    apart
}

fn places(haystack: &Haystack<'_>, needle: &Needle) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    let mut first = 0;
    while let Some(place) = needle.find_from(haystack, from).filter(|_| found.len() < MOST_MARKS) {
        let (end, range) = match place {
            Place::Folded(range) => (range.end, unfold_range(haystack.text, range)),
            Place::Text(range) => (range.end, range),
        };
        if found.is_empty() {
            first = range.start;
        }
        if range.start > first + LENGTH * 4 {
            break;
        }
        // A regular expression may match nothing; go on behind the next character.
        from = if end > from { end } else { next_char(haystack, from) };
        if !range.is_empty() {
            found.push(range);
        }
        if from >= haystack.text.len().max(haystack.folded.len()) {
            break;
        }
    }
    found
}

fn next_char(haystack: &Haystack<'_>, from: usize) -> usize {
    let rest = haystack.text.get(from..).unwrap_or_default();
    from + rest.chars().next().map_or(1, char::len_utf8)
}

/// The part to show: from some characters before `first` on, at a word where there is one near.
fn window(text: &str, first: usize) -> Range<usize> {
    let before = text.get(..first).unwrap_or_default();
    let start = before.char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at);
    let near = text.get(start..first).unwrap_or_default();
    let word = near.find(char::is_whitespace).filter(|_| start > 0).map_or(0, |at| at + 1);
    let start = text.ceil_char_boundary(start + word);
    let rest = text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(LENGTH).map_or(text.len(), |(at, _)| start + at);
    start..end
}
