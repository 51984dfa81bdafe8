//! A query into terms.

use jiff::tz::TimeZone;

use super::date;
use super::lex::{Part, parts};
use super::{Ask, Comparison, FilterError, Pattern, Speaker, State, Term, Value};

/// What a query means, as terms that must all hold.
///
/// ```
/// use logwood_catalog::filter::{Filter, Surroundings};
///
/// let filter = Filter::parse(r#"timeout "connection reset" tool:bash -is:fork"#, &Surroundings::default())?;
/// assert_eq!(filter.terms().len(), 4);
/// assert_eq!(filter.to_string(), r#"timeout "connection reset" tool:bash -is:fork"#);
///
/// let error = Filter::parse("after:soon", &Surroundings::default()).unwrap_err();
/// assert!(error.to_string().contains("at character 1"));
/// # Ok::<(), logwood_catalog::filter::FilterError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    terms: Vec<Term>,
}

/// What a query is read in: `after:2d` counts from the clock, days begin by the zone, `~` is the home directory.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// Milliseconds since 1970.
    pub now_ms: i64,
    /// The zone of dates.
    pub zone: TimeZone,
    /// The home directory, where there is one.
    pub home: Option<String>,
}

/// 1970, UTC, no home.
impl Default for Surroundings {
    fn default() -> Self {
        Self { now_ms: 0, zone: TimeZone::UTC, home: None }
    }
}

impl Filter {
    /// Reads a query; a blank one has no terms and holds of everything.
    ///
    /// # Errors
    /// What is wrong, where, and what to do.
    pub fn parse(query: &str, surroundings: &Surroundings) -> Result<Self, FilterError> {
        let read = Reader { query, surroundings };
        let terms = parts(query)?.into_iter().filter_map(|part| read.term(part).transpose());
        Ok(Self { terms: terms.collect::<Result<_, _>>()? })
    }

    /// A filter of these terms.
    pub fn of(terms: Vec<Term>) -> Self {
        Self { terms }
    }

    /// The terms, in the order of the query.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}

struct Reader<'a> {
    query: &'a str,
    surroundings: &'a Surroundings,
}

impl Reader<'_> {
    /// The term of a part; none for empty quotes.
    fn term(&self, part: Part) -> Result<Option<Term>, FilterError> {
        let negated = part.negated;
        let ask = match part.prefix {
            None => text(&part),
            Some(prefix) => Some(self.prefixed(prefix, &part)?),
        };
        Ok(ask.map(|ask| Term { negated, ask }))
    }

    fn prefixed(&self, prefix: &str, part: &Part) -> Result<Ask, FilterError> {
        if part.text.trim().is_empty() {
            let advice = format!(
                "write it behind the colon; to search for the text itself put it in quotes: \"{prefix}:\""
            );
            return Err(self.error(part, format!("{prefix}: wants something to look for"), advice));
        }
        let value = || value(part);
        Ok(match prefix {
            "re" => Ask::Regex(self.pattern(part)?),
            "cwd" => Ask::Cwd(self.path(value())),
            "store" => Ask::Store(value()),
            "model" => Ask::Model(value()),
            "tool" => Ask::Tool(value()),
            "file" => Ask::File(self.path(value())),
            "label" => Ask::Label(value()),
            "name" => Ask::Name(value()),
            "role" => Ask::Role(self.word(part, Speaker::from_word, "role", &Speaker::words())?),
            "is" => Ask::Is(self.word(part, State::from_word, "state", &State::words())?),
            "cost" => self.cost(part)?,
            "after" => Ask::After(self.time(part)?),
            _ => Ask::Before(self.time(part)?),
        })
    }

    fn pattern(&self, part: &Part) -> Result<Pattern, FilterError> {
        Pattern::new(part.text.clone()).map_err(|error| {
            let text = error.to_string();
            let why = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let advice = "mend the pattern, or leave `re:` out to search for the text as it stands";
            self.error(part, format!("this is no regular expression ({why})"), advice)
        })
    }

    /// `~` at the start is the home directory.
    fn path(&self, value: Value) -> Value {
        let Value::Part(text) = &value else { return value };
        let below =
            text.strip_prefix('~').filter(|below| below.is_empty() || below.starts_with('/'));
        match (below, &self.surroundings.home) {
            (Some(below), Some(home)) => Value::Part(format!("{home}{below}")),
            _ => value,
        }
    }

    fn word<T>(
        &self,
        part: &Part,
        read: impl Fn(&str) -> Option<T>,
        what: &str,
        words: &str,
    ) -> Result<T, FilterError> {
        read(&part.text).ok_or_else(|| {
            self.error(part, format!("there is no {what} of this name"), format!("write {words}"))
        })
    }

    fn cost(&self, part: &Part) -> Result<Ask, FilterError> {
        let signs = Comparison::SIGNS.iter();
        let read = signs.filter_map(|(sign, comparison)| {
            let number: f64 = part.text.strip_prefix(sign)?.trim().parse().ok()?;
            number.is_finite().then_some(Ask::Cost(*comparison, number))
        });
        read.take(1).last().ok_or_else(|| {
            let advice = "write cost:>1, cost:<=0.5 or the like, in US dollars";
            self.error(part, "this is no comparison with a number", advice)
        })
    }

    fn time(&self, part: &Part) -> Result<i64, FilterError> {
        date::parse(&part.text, self.surroundings).ok_or_else(|| {
            let advice = "write a date (2026-01-31, 2026-01, 2026-01-31T14:00), today, yesterday, or how long ago: 30min, 6h, 2d, 3w, 2mo, 1y";
            self.error(part, "this is no date", advice)
        })
    }

    fn error(
        &self,
        part: &Part,
        what: impl Into<String>,
        advice: impl Into<String>,
    ) -> FilterError {
        FilterError::new(self.query, part.range.clone(), what, advice)
    }
}

/// Anything, a part or a start.
fn value(part: &Part) -> Value {
    let start = part.text.strip_suffix('*').filter(|_| !part.quoted);
    let start = start.or_else(|| part.star.then_some(part.text.as_str()));
    match start {
        Some("") => Value::Any,
        Some(start) if ends_in_word(start) => Value::Start(start.to_owned()),
        _ => Value::Part(part.text.clone()),
    }
}

/// A word, a phrase or the start of a word.
fn text(part: &Part) -> Option<Ask> {
    let text = part.text.trim();
    if text.is_empty() {
        return None;
    }
    let start = text.strip_suffix('*').filter(|start| !part.quoted && ends_in_word(start));
    let prefix = start.is_some() || (part.star && ends_in_word(text));
    Some(Ask::Text { text: start.unwrap_or(text).to_owned(), prefix })
}

/// Whether a star behind this means the start of a word; `*` alone or behind a sign is itself.
pub(super) fn ends_in_word(text: &str) -> bool {
    text.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}
