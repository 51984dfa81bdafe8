//! What is wrong with a query.

use std::fmt;
use std::ops::Range;

use logwood::error::{Error, ErrorKind};

/// Why a query cannot be read: what is wrong, where, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    what: String,
    advice: String,
    query: String,
    range: Range<usize>,
}

impl FilterError {
    pub(super) fn new(
        query: &str,
        range: Range<usize>,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { what: what.into(), advice: advice.into(), query: query.to_owned(), range }
    }

    /// The part of the query that is wrong, in bytes.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// What is wrong, in words.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// What to do.
    pub fn advice(&self) -> &str {
        &self.advice
    }

    fn part(&self) -> &str {
        self.query.get(self.range.clone()).unwrap_or_default()
    }

    /// The character it starts at, from 1.
    fn character(&self) -> usize {
        self.query.get(..self.range.start).unwrap_or_default().chars().count() + 1
    }
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} at character {} (`{}`); {}",
            self.what,
            self.character(),
            self.part(),
            self.advice
        )
    }
}

impl std::error::Error for FilterError {}

/// As an error of the library: `invalid_argument`.
impl From<FilterError> for Error {
    fn from(error: FilterError) -> Self {
        let why = format!("{} at character {} (`{}`)", error.what, error.character(), error.part());
        Self::new(ErrorKind::InvalidArgument, "cannot read the query")
            .with_why(why)
            .with_hint(error.advice)
    }
}
