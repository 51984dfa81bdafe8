//! The patterns at work on one text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use regex::{Regex, RegexSet};

use super::kinds::{Check, KINDS, SECRET_NAME};
use super::own::{self, OwnPatternError};
use super::value::{MARK, NOBODY, is_count, is_opaque, is_person, is_secret, is_somebodys};

/// A place in a text that holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it is, such as `github-token`.
    pub kind: String,
    /// Where it is, in bytes.
    pub range: Range<usize>,
}

/// How many secrets were found, by kind; never what they are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report(BTreeMap<String, u64>);

impl Report {
    /// Kinds and how many there were of each, by name.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(kind, count)| (kind.as_str(), *count))
    }

    /// How many there were in all.
    pub fn total(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn count(&mut self, kind: &str) {
        *self.0.entry(kind.to_owned()).or_default() += 1;
    }
}

/// Knows what secrets look like.
///
/// ```
/// use logwood_render::redact::{Redactor, Report};
///
/// let mut report = Report::default();
/// let text = Redactor::new().redact("mail ana@lighthouse.dev", &mut report).into_owned();
/// assert_eq!(text, "mail [redacted:email]");
/// assert_eq!(report.kinds().collect::<Vec<_>>(), [("email", 1)]);
/// ```
#[derive(Debug, Clone)]
pub struct Redactor {
    /// All patterns at once, to know in one look which of them match.
    set: RegexSet,
    patterns: Vec<Pattern>,
}

#[derive(Debug, Clone)]
struct Pattern {
    kind: Cow<'static, str>,
    regex: Regex,
    check: Check,
}

impl Default for Redactor {
    fn default() -> Self {
        Self::new()
    }
}

impl Redactor {
    /// The patterns that are built in.
    #[expect(
        clippy::missing_panics_doc,
        reason = "the patterns are constants, and a test makes them"
    )]
    pub fn new() -> Self {
        Self::build(&[]).expect("the built-in patterns are regular expressions")
    }

    /// The built-in patterns and those of a person, whose file has one `kind: pattern` a line; lines that are blank or begin with
    /// `#` say nothing. A group named `s` is what is taken out, else all of the match.
    ///
    /// # Errors
    /// When a line is no such pattern.
    pub fn with_own(text: &str) -> Result<Self, OwnPatternError> {
        let own = own::parse(text)?;
        Self::build(&own).map_err(OwnPatternError::together)
    }

    fn build(own: &[own::OwnPattern]) -> Result<Self, regex::Error> {
        let built_in = KINDS.iter().map(|(kind, pattern, check)| {
            // A letter of another script is no part of a token (Chinese puts no blank before one), and such a boundary is found fast.
            let pattern = pattern.replace("SECRET_NAME", SECRET_NAME).replace(r"\b", r"(?-u:\b)");
            (Cow::Borrowed(*kind), pattern, *check)
        });
        let own = own
            .iter()
            .map(|own| (Cow::Owned(own.kind.clone()), own.pattern.clone(), Check::Certain));
        let all: Vec<_> = own.chain(built_in).collect();
        let set = RegexSet::new(all.iter().map(|(_, pattern, _)| pattern))?;
        let patterns = all
            .into_iter()
            .map(|(kind, pattern, check)| Ok(Pattern { kind, regex: Regex::new(&pattern)?, check }))
            .collect::<Result<_, regex::Error>>()?;
        Ok(Self { set, patterns })
    }

    /// The secrets of a text, in order, none over another.
    pub fn find(&self, text: &str) -> Vec<Finding> {
        let mut found: Vec<(usize, Finding)> = Vec::new();
        for number in self.set.matches(text) {
            if let Some(pattern) = self.patterns.get(number) {
                found.extend(pattern.find(text).into_iter().map(|finding| (number, finding)));
            }
        }
        found.sort_by_key(|(number, finding)| (finding.range.start, *number));
        let mut apart: Vec<Finding> = Vec::with_capacity(found.len());
        for (_, finding) in found {
            match apart.last_mut() {
                // Of two that share characters nothing may stay, so the first one takes in the second.
                Some(last) if finding.range.start < last.range.end => {
                    last.range.end = last.range.end.max(finding.range.end);
                }
                _ => apart.push(finding),
            }
        }
        apart
    }

    /// The text with a mark in place of every secret: `[redacted:KIND]`, and `redacted` for the name in a home directory. The same text
    /// gives the same one always, and one that went through here is left as it is.
    pub fn redact<'t>(&self, text: &'t str, report: &mut Report) -> Cow<'t, str> {
        let found = self.find(text);
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for finding in found {
            report.count(&finding.kind);
            out.push_str(text.get(from..finding.range.start).unwrap_or_default());
            if finding.kind == "home" {
                out.push_str(NOBODY);
            } else {
                out.push_str(&marked(&finding.kind));
            }
            from = finding.range.end;
        }
        out.push_str(text.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Whether the value of a member of this name is secret: `password`, `GITHUB_TOKEN`.
    pub(super) fn names_secret(&self, key: &str, value: &str) -> bool {
        if key.len() > LONGEST_NAME {
            return false;
        }
        let key = key.to_ascii_lowercase().replace(['_', '-'], "");
        let names = [
            "password",
            "passwd",
            "passphrase",
            "secret",
            "token",
            "apikey",
            "accesskey",
            "privatekey",
            "credential",
            "credentials",
            "passwords",
            "apikeys",
            "connectionstring",
            "encryptionkey",
            "authorization",
        ];
        let ends = names.iter().any(|name| key.ends_with(name));
        ends && is_secret(value, true)
    }
}

/// A longer key is no name, in bytes.
const LONGEST_NAME: usize = 256;

/// What stands in place of a secret.
pub(super) fn marked(kind: &str) -> String {
    format!("{MARK}:{kind}]")
}

impl Pattern {
    fn find(&self, text: &str) -> Vec<Finding> {
        let mut found = Vec::new();
        for captures in self.regex.captures_iter(text) {
            let Some(secret) = captures.name("s").or_else(|| captures.get(0)) else { continue };
            let before = text.get(..secret.start()).and_then(|before| before.chars().next_back());
            let quoted = matches!(before, Some('"' | '\'' | '“'));
            let value = secret.as_str();
            let name = text.get(captures.get(0).map_or(0, |all| all.start())..secret.start());
            let real = match self.check {
                Check::Certain => !value.starts_with(MARK),
                Check::Opaque => is_opaque(value),
                Check::Named => is_secret(value, true),
                Check::Assigned => is_secret(value, quoted) && !is_count(name.unwrap_or(""), value),
                Check::Address => is_somebodys(value),
                Check::Home => is_person(value),
            };
            if real {
                found.push(Finding { kind: self.kind.clone().into_owned(), range: secret.range() });
            }
        }
        found
    }
}

/// A secret as it may be shown: its first characters where it is long, and how many it has.
pub fn mask(secret: &str) -> String {
    let count = secret.chars().count();
    let shown: String = secret.chars().take(if count >= 12 { 4 } else { 0 }).collect();
    format!("{shown}…({count})")
}
