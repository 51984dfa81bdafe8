//! The words of `is:` and `role:`.

use logwood::entry::{EntryKind, Role};

use super::{Speaker, State};

const STATES: [(&str, State); 6] = [
    ("fork", State::Fork),
    ("subagent", State::Subagent),
    ("error", State::Error),
    ("interrupted", State::Interrupted),
    ("abandoned", State::Abandoned),
    ("live", State::Live),
];

/// Of two words for the same the first one is printed.
const SPEAKERS: [(&str, Speaker); 9] = [
    ("user", Speaker::User),
    ("assistant", Speaker::Assistant),
    ("tool", Speaker::Tool),
    ("bash", Speaker::Bash),
    ("custom", Speaker::Custom),
    ("summary", Speaker::Summary),
    ("system", Speaker::System),
    ("toolResult", Speaker::Tool),
    ("bashExecution", Speaker::Bash),
];

impl State {
    /// The word after `is:`.
    pub fn as_str(self) -> &'static str {
        STATES.iter().find(|(_, state)| *state == self).map_or("", |(word, _)| word)
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        STATES.iter().find(|(known, _)| *known == word).map(|(_, state)| *state)
    }

    pub(super) fn words() -> String {
        list(STATES.iter().map(|(word, _)| *word))
    }
}

impl Speaker {
    /// The word after `role:`.
    pub fn as_str(self) -> &'static str {
        SPEAKERS.iter().find(|(_, speaker)| *speaker == self).map_or("", |(word, _)| word)
    }

    pub(super) fn from_word(word: &str) -> Option<Self> {
        let known = |(known, _): &&(&str, Self)| known.eq_ignore_ascii_case(word);
        SPEAKERS.iter().find(known).map(|(_, speaker)| *speaker)
    }

    pub(super) fn words() -> String {
        list(
            SPEAKERS
                .iter()
                .map(|(word, _)| *word)
                .filter(|word| !word.contains(char::is_uppercase)),
        )
    }

    /// Who speaks in an entry, if anybody.
    pub fn of(kind: EntryKind, role: Role) -> Option<Self> {
        match (kind, role) {
            (EntryKind::CustomMessage, _) | (_, Role::Custom | Role::HookMessage) => {
                Some(Self::Custom)
            }
            (EntryKind::Compaction | EntryKind::BranchSummary, _)
            | (_, Role::BranchSummary | Role::CompactionSummary) => Some(Self::Summary),
            (_, Role::User) => Some(Self::User),
            (_, Role::Assistant) => Some(Self::Assistant),
            (_, Role::ToolResult) => Some(Self::Tool),
            (_, Role::BashExecution) => Some(Self::Bash),
            (_, Role::System) => Some(Self::System),
            _ => None,
        }
    }
}

/// `a, b or c`.
fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<_> = words.collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
