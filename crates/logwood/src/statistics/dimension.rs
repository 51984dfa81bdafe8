/// What a table is by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// The local day of the answer.
    Day,
    /// Its ISO week.
    Week,
    /// Its month.
    Month,
    /// The session; what its subagents did is its own, and is shown apart beside it.
    Session,
    /// The model that answered, where it is known, else the one that was asked for, with its provider.
    Model,
    /// The provider.
    Provider,
    /// The working directory of the session, or of the one that a subagent worked for.
    Project,
    /// The store.
    Store,
    /// The agent type of subagents; none for the sessions of people.
    AgentType,
    /// What it was for: an answer, a summary, a tool, a usage entry.
    Source,
}

impl Dimension {
    /// All of them, with their stable words.
    pub const ALL: [(&'static str, Self); 10] = [
        ("day", Self::Day),
        ("week", Self::Week),
        ("month", Self::Month),
        ("session", Self::Session),
        ("model", Self::Model),
        ("provider", Self::Provider),
        ("project", Self::Project),
        ("store", Self::Store),
        ("agent", Self::AgentType),
        ("source", Self::Source),
    ];

    /// The stable word.
    pub fn as_str(self) -> &'static str {
        Self::ALL.iter().find(|(_, dimension)| *dimension == self).map_or("", |(word, _)| word)
    }

    /// The dimension that a stable word names.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(name, _)| *name == word).map(|(_, dimension)| *dimension)
    }

    /// Whether its values follow one another in time.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Day | Self::Week | Self::Month)
    }
}
