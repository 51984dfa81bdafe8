//! What is looked for in texts, prepared once for a search.

use std::ops::Range;

use memchr::memmem::Finder;
use regex::Regex;

use crate::filter::{Ask, Term};
use crate::text::{Piece, fold};

/// Parts of ids are found from this many characters on; shorter ones would be in most ids.
const SHORTEST_ID_PART: usize = 4;

/// A word, a phrase, the start of a word, or a regular expression.
#[derive(Debug)]
pub(super) struct Needle {
    pub(super) negated: bool,
    /// As it was written; none for a regular expression.
    pub(super) written: Option<String>,
    /// The folded text, empty for a regular expression.
    pub(super) folded: String,
    how: How,
}

#[derive(Debug)]
enum How {
    Anywhere(Finder<'static>),
    WordStart(Finder<'static>),
    Regex(Regex),
}

/// A text and its folded form.
#[derive(Debug)]
pub(super) struct Haystack<'a> {
    pub(super) text: &'a str,
    pub(super) folded: &'a [u8],
}

/// Where a needle was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Folded(Range<usize>),
    /// By a regular expression, in the text as it is.
    Text(Range<usize>),
}

impl Needle {
    /// That of a term; none for one that is not about texts.
    pub(super) fn of(term: &Term) -> Option<Self> {
        let negated = term.negated;
        match &term.ask {
            Ask::Text { text, prefix } => {
                let folded = fold(text);
                let finder = Finder::new(&folded).into_owned();
                let how = if *prefix { How::WordStart(finder) } else { How::Anywhere(finder) };
                Some(Self { negated, written: Some(text.clone()), folded, how })
            }
            Ask::Regex(pattern) => {
                let how = How::Regex(pattern.regex().clone());
                Some(Self { negated, written: None, folded: String::new(), how })
            }
            _ => None,
        }
    }

    /// The first place where it is.
    pub(super) fn find(&self, haystack: &Haystack<'_>) -> Option<Place> {
        self.find_from(haystack, 0)
    }

    /// The first place from a place of the haystack on, of the folded form or, for a regular expression, of the text.
    pub(super) fn find_from(&self, haystack: &Haystack<'_>, from: usize) -> Option<Place> {
        let rest = haystack.folded.get(from..).unwrap_or_default();
        let place = |at: usize| Place::Folded(from + at..from + at + self.folded.len());
        match &self.how {
            How::Anywhere(finder) => finder.find(rest).map(place),
            How::WordStart(finder) => {
                let mut places = finder.find_iter(rest);
                places.find(|at| starts_word(haystack.folded, from + at)).map(place)
            }
            How::Regex(regex) => {
                let found = regex.find_at(haystack.text, from.min(haystack.text.len()))?;
                Some(Place::Text(found.range()))
            }
        }
    }

    /// How much of an id it is, if any: an id is found whole or by a part that is long enough.
    pub(super) fn find_in_id(&self, id: &Piece<'_>) -> Option<IdPart> {
        self.written.as_ref()?;
        let id = fold(&id.text);
        let long_enough = self.folded.chars().count() >= SHORTEST_ID_PART;
        match () {
            () if id == self.folded => Some(IdPart::Whole),
            () if long_enough && id.starts_with(&self.folded) => Some(IdPart::Start),
            () if long_enough && id.contains(&self.folded) => Some(IdPart::Inside),
            () => None,
        }
    }
}

/// How much of an id was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IdPart {
    Whole,
    Start,
    Inside,
}

/// Whether a word starts at a place of a folded text.
pub(super) fn starts_word(folded: &[u8], at: usize) -> bool {
    let before = folded.get(..at).unwrap_or_default();
    let tail = before.get(before.len().saturating_sub(4)..).unwrap_or_default();
    !String::from_utf8_lossy(tail).ends_with(is_word)
}

/// Whether a word ends at a place of a folded text.
pub(super) fn ends_word(folded: &[u8], at: usize) -> bool {
    let after = folded.get(at..).unwrap_or_default();
    let head = after.get(..after.len().min(4)).unwrap_or_default();
    !String::from_utf8_lossy(head).starts_with(is_word)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
