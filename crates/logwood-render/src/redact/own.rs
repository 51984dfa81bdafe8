//! Patterns that a person adds.

use std::fmt;

/// One pattern of a person's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OwnPattern {
    pub(super) kind: String,
    pub(super) pattern: String,
}

/// A line of a file of patterns that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPatternError {
    line: Option<usize>,
    why: String,
}

impl OwnPatternError {
    pub(super) fn together(error: regex::Error) -> Self {
        Self { line: None, why: error.to_string() }
    }

    /// The line, from 1 on; none when the patterns together are too large.
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for OwnPatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}

impl std::error::Error for OwnPatternError {}

/// Reads `kind: pattern` lines.
pub(super) fn parse(text: &str) -> Result<Vec<OwnPattern>, OwnPatternError> {
    let lines = text.lines().enumerate();
    lines
        .map(|(at, line)| (at + 1, line.trim()))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| one(line).map_err(|why| OwnPatternError { line: Some(number), why }))
        .collect()
}

fn one(line: &str) -> Result<OwnPattern, String> {
    let (kind, pattern) =
        line.split_once(':').ok_or("a pattern is written `kind: regular expression`")?;
    let (kind, pattern) = (kind.trim(), pattern.trim());
    if kind.is_empty() || !kind.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Err("a kind is made of letters, digits and `-`".to_owned());
    }
    let regex = regex::Regex::new(pattern).map_err(|error| error.to_string())?;
    if regex.is_match("") {
        return Err("the pattern matches where nothing is".to_owned());
    }
    Ok(OwnPattern { kind: kind.to_owned(), pattern: pattern.to_owned() })
}
