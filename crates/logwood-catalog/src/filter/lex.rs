//! A query into its parts: a sign, a prefix, a text that may be in quotes, a star.

use std::ops::Range;

use super::FilterError;

/// One part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) negated: bool,
    /// The prefix, without its colon.
    pub(super) prefix: Option<&'static str>,
    /// The text, without quotes.
    pub(super) text: String,
    /// Whether it was in quotes.
    pub(super) quoted: bool,
    /// Whether a star stands behind it, which is no part of the text.
    pub(super) star: bool,
    /// Where the part stands in the query, sign and prefix included.
    pub(super) range: Range<usize>,
}

/// Every prefix there is.
pub(super) const PREFIXES: [&str; 13] = [
    "re", "cwd", "store", "model", "role", "tool", "file", "label", "name", "after", "before",
    "cost", "is",
];

/// Cuts a query at white space and quotes.
pub(super) fn parts(query: &str) -> Result<Vec<Part>, FilterError> {
    let mut lexer = Lexer { query, at: 0 };
    let mut parts = Vec::new();
    while let Some(part) = lexer.next_part()? {
        parts.push(part);
    }
    Ok(parts)
}

struct Lexer<'a> {
    query: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.query.get(self.at..).unwrap_or_default()
    }

    fn next_part(&mut self) -> Result<Option<Part>, FilterError> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        if self.rest().is_empty() {
            return Ok(None);
        }
        let start = self.at;
        let negated = self.sign();
        let prefix = self.prefix();
        let quoted = self.rest().starts_with('"');
        let text = match prefix {
            _ if quoted => self.quoted()?,
            Some("re") => self.bare(|_| false).to_owned(),
            _ => self.bare(|c| c == '"').to_owned(),
        };
        let star = quoted && self.eat("*");
        Ok(Some(Part { negated, prefix, text, quoted, star, range: start..self.at }))
    }

    /// One minus before something excludes it; two are the start of a word such as `--force`.
    fn sign(&mut self) -> bool {
        let mut next = self.rest().chars();
        let sign =
            next.next() == Some('-') && next.next().is_some_and(|c| c != '-' && !c.is_whitespace());
        self.at += usize::from(sign);
        sign
    }

    fn prefix(&mut self) -> Option<&'static str> {
        let rest = self.rest();
        let is_next = |prefix: &&&str| {
            rest.strip_prefix(**prefix).is_some_and(|after| after.starts_with(':'))
        };
        let prefix = PREFIXES.iter().find(is_next)?;
        self.at += prefix.len() + 1;
        Some(prefix)
    }

    fn eat(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        self.at += if there { text.len() } else { 0 };
        there
    }

    /// Up to white space, or to where `ends` says so.
    fn bare(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || ends(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// What stands in quotes; `\"` is a quote and `\\` a backslash, any other backslash is itself.
    fn quoted(&mut self) -> Result<String, FilterError> {
        let start = self.at;
        let mut text = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            match (c, chars.peek()) {
                ('"', _) => {
                    self.at = start + at + 1;
                    return Ok(text);
                }
                ('\\', Some((_, next @ ('"' | '\\')))) => {
                    text.push(*next);
                    chars.next();
                }
                _ => text.push(c),
            }
        }
        let what = "a quotation mark is not closed";
        let advice = r#"add the second one; to search for the mark itself write "\"""#;
        Err(FilterError::new(self.query, start..self.query.len(), what, advice))
    }
}
