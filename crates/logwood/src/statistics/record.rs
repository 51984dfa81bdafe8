use std::ops::AddAssign;
use std::sync::Arc;

use super::{Money, UsageKey};

/// One thing that a model was paid for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRecord {
    /// The id of the entry; none for a line that has no usable one, which is on no branch.
    pub entry_id: Option<Box<str>>,
    /// The entry's time in milliseconds since 1970, where it can be read.
    pub entry_ms: Option<i64>,
    /// The message's own time in milliseconds since 1970, where it has one within the range of dates.
    pub message_ms: Option<i64>,
    /// What it was for.
    pub source: UsageSource,
    /// Who answered; shared by the records of a session.
    pub model: Arc<ModelName>,
    /// The tokens; what is missing or impossible counts 0 (rule F70, case 65).
    pub tokens: Tokens,
    /// The cost; none where it is missing, no number or negative, which is not the same as nothing (case 65).
    pub cost: Option<Money>,
    /// Whether the entry is on the way from the root to the position after loading; else its branch was abandoned.
    pub current_branch: bool,
}

impl UsageRecord {
    /// When it was, in milliseconds since 1970: the message's time, else the entry's.
    pub fn time_ms(&self) -> Option<i64> {
        self.message_ms.or(self.entry_ms)
    }

    /// What is the same for all copies of one answer (design section 2, "Money").
    pub fn key(&self) -> UsageKey {
        UsageKey::of(self)
    }
}

/// What a usage was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UsageSource {
    /// An assistant message; every one gives a record, also without usage.
    Answer,
    /// The summary of a compaction (rule F117).
    Summary,
    /// The summary of a branch that was left (rule F117).
    BranchSummary,
    /// A tool that asked a model itself (rule F118).
    Tool,
    /// A usage entry, such as a warmed cache (rules F50, F122).
    UsageEntry,
}

const SOURCES: [(&str, UsageSource); 5] = [
    ("answer", UsageSource::Answer),
    ("summary", UsageSource::Summary),
    ("branch_summary", UsageSource::BranchSummary),
    ("tool", UsageSource::Tool),
    ("usage_entry", UsageSource::UsageEntry),
];

impl UsageSource {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        SOURCES.iter().find(|(_, source)| *source == self).map_or("", |(word, _)| word)
    }

    /// The source that a stable word names.
    pub fn from_word(word: &str) -> Option<Self> {
        SOURCES.iter().find(|(name, _)| *name == word).map(|(_, source)| *source)
    }
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct ModelName {
    /// The provider.
    pub provider: Option<String>,
    /// The model that was asked for.
    pub requested: Option<String>,
    /// The model that really answered, where the provider says so (`responseModel`, rule F118).
    pub answered: Option<String>,
}

impl ModelName {
    /// The model that the cost belongs to: the one that answered where it is known, else the one that was asked for.
    pub fn charged(&self) -> Option<&str> {
        self.answered.as_deref().or(self.requested.as_deref())
    }

    /// `provider/model` of the charged model; none where neither is known, as for summaries and tools.
    pub fn label(&self) -> Option<String> {
        match (self.provider.as_deref(), self.charged()) {
            (Some(provider), Some(model)) => Some(format!("{provider}/{model}")),
            (None, Some(only)) | (Some(only), None) => Some(only.to_owned()),
            (None, None) => None,
        }
    }
}

/// Counts of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Tokens {
    /// Input tokens that no cache held.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
    /// Tokens read from the cache.
    pub cache_read: u64,
    /// Tokens written to the cache.
    pub cache_write: u64,
}

impl Tokens {
    /// All of them (spec 8.7: the sum of the four).
    pub fn total(self) -> u64 {
        let parts = [self.output, self.cache_read, self.cache_write];
        parts.into_iter().fold(self.input, u64::saturating_add)
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_write = self.cache_write.saturating_add(other.cache_write);
    }
}
