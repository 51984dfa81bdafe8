//! What a filter may ask.

use regex::Regex;

/// One term of a filter.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// Whether it must not hold (`-term`).
    pub negated: bool,
    /// What is asked.
    pub ask: Ask,
}

/// What a term asks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Ask {
    /// This text is there: folded, anywhere in a text (`word`, `"a phrase"`); with `prefix`, at the start of a word (`word*`).
    Text {
        /// The text as it was written; not blank.
        text: String,
        /// Whether it must stand at the start of a word.
        prefix: bool,
    },
    /// This regular expression matches a text (`re:pattern`), without case.
    Regex(Pattern),
    /// The working directory of the session (`cwd:`).
    Cwd(Value),
    /// The store that the session lies in (`store:`).
    Store(Value),
    /// The model that answered, as `provider/model` (`model:`).
    Model(Value),
    /// Who speaks (`role:`).
    Role(Speaker),
    /// The tool that is called or that answers (`tool:`).
    Tool(Value),
    /// A file that a tool call or a summary names (`file:`).
    File(Value),
    /// The label of an entry (`label:`).
    Label(Value),
    /// The display name of the session (`name:`).
    Name(Value),
    /// Not before this time (`after:`), in milliseconds since 1970.
    After(i64),
    /// Before this time (`before:`), in milliseconds since 1970.
    Before(i64),
    /// What the session cost in US dollars (`cost:>1`).
    Cost(Comparison, f64),
    /// What kind of session or entry it is (`is:`).
    Is(State),
}

/// What is asked of a name: any at all (`*`), a part of it, or its start (`ba*`). A tool and a store are named whole.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// There is one.
    Any,
    /// It has this text in it, folded; not blank.
    Part(String),
    /// It starts with this text, folded; ends in a letter, a digit or `_`.
    Start(String),
}

/// A regular expression, compiled.
#[derive(Debug, Clone)]
pub struct Pattern {
    source: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a pattern of the `regex` crate's syntax, which ignores case.
    pub(super) fn new(source: String) -> Result<Self, regex::Error> {
        let regex = regex::RegexBuilder::new(&source).case_insensitive(true).build()?;
        Ok(Self { source, regex })
    }

    /// As it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// What matches.
    pub fn regex(&self) -> &Regex {
        &self.regex
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

/// Who speaks in an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Speaker {
    /// A person (`user`).
    User,
    /// The model (`assistant`).
    Assistant,
    /// A tool that answers (`tool`, also `toolResult`).
    Tool,
    /// A command that a person ran (`bash`, also `bashExecution`).
    Bash,
    /// An extension (`custom`).
    Custom,
    /// The summary of a compaction or a branch (`summary`).
    Summary,
    /// Prompt and tools (`system`).
    System,
}

/// What `is:` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum State {
    /// The session is a fork of another.
    Fork,
    /// The session is a subagent's.
    Subagent,
    /// The last answer of the session failed.
    Error,
    /// The session ends without an answer, or waits for a tool.
    Interrupted,
    /// The entry, or an entry of the session, lies on a branch that was left.
    Abandoned,
    /// A process has the session open for writing.
    Live,
}

/// How a number is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names of the signs")]
pub enum Comparison {
    Less,
    AtMost,
    Equal,
    AtLeast,
    More,
}

impl Comparison {
    /// Every sign, longer ones first.
    pub(super) const SIGNS: [(&'static str, Self); 5] = [
        ("<=", Self::AtMost),
        (">=", Self::AtLeast),
        ("<", Self::Less),
        (">", Self::More),
        ("=", Self::Equal),
    ];

    /// Whether `number` compares so with `limit`.
    pub fn holds(self, number: f64, limit: f64) -> bool {
        match self {
            Self::Less => number < limit,
            Self::AtMost => number <= limit,
            Self::Equal => number == limit,
            Self::AtLeast => number >= limit,
            Self::More => number > limit,
        }
    }

    /// The sign.
    pub fn as_str(self) -> &'static str {
        Self::SIGNS.iter().find(|(_, comparison)| *comparison == self).map_or("", |(sign, _)| sign)
    }
}
