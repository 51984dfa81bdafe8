//! Terms that ask about a session.

use logwood::inventory::{SessionInfo, SessionKind, SessionStatus};
use logwood::location::same_cwd;

use crate::text::fold;

use super::{Ask, Filter, State, Term, Value};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Grain {
    /// Entries (`search`): times and models are those of the entry.
    Entry,
    /// Sessions (`list`, `stats`, `export`, `delete`): times are those of the session's last activity, so that what was used
    /// yesterday is never older than a week; a model is any that answered in it.
    Session,
}

/// What is known of a session beside its entries.
#[derive(Debug, Clone, Copy)]
pub struct SessionFacts<'a> {
    /// Its row.
    pub row: &'a SessionInfo,
    /// Whether a process has it open for writing.
    pub live: bool,
    /// What it cost in US dollars.
    pub cost: f64,
}

impl Term {
    /// Whether it asks about the session as a whole; else it asks about its entries.
    pub fn is_about_session(&self, grain: Grain) -> bool {
        match &self.ask {
            Ask::Cwd(_) | Ask::Store(_) | Ask::Name(_) | Ask::Cost(..) => true,
            Ask::Is(state) => *state != State::Abandoned,
            Ask::After(_) | Ask::Before(_) | Ask::Model(_) => grain == Grain::Session,
            _ => false,
        }
    }

    /// Whether it holds of a session, the sign included; of a term about entries it is true.
    fn holds_of(&self, facts: &SessionFacts<'_>, grain: Grain) -> bool {
        if !self.is_about_session(grain) {
            return true;
        }
        let row = facts.row;
        let holds = match &self.ask {
            Ask::Cwd(value) => is_at(value, &row.cwd),
            Ask::Store(value) => value.is_whole(&row.store),
            Ask::Name(value) => row.name.as_deref().is_some_and(|name| value.is_in(name)),
            Ask::Model(value) => row.models.iter().any(|model| value.is_in(model)),
            Ask::Cost(comparison, limit) => comparison.holds(facts.cost, *limit),
            Ask::After(ms) => row.modified_ms >= *ms,
            Ask::Before(ms) => row.modified_ms < *ms,
            Ask::Is(state) => is(*state, facts),
            _ => true,
        };
        holds != self.negated
    }
}

impl Filter {
    /// Whether every term that asks about the session holds of it.
    pub fn matches_session(&self, facts: &SessionFacts<'_>, grain: Grain) -> bool {
        self.terms().iter().all(|term| term.holds_of(facts, grain))
    }

    /// Whether some term asks about entries, so that the session has to be read.
    pub fn asks_about_entries(&self, grain: Grain) -> bool {
        self.terms().iter().any(|term| !term.is_about_session(grain))
    }

    /// Whether some term asks about the session as a whole.
    pub fn asks_about_session(&self, grain: Grain) -> bool {
        self.terms().iter().any(|term| term.is_about_session(grain))
    }

    /// Whether some term asks what the session cost, which takes a look at every answer.
    pub fn asks_about_cost(&self) -> bool {
        self.terms().iter().any(|term| matches!(term.ask, Ask::Cost(..)))
    }

    /// Whether some term asks who has the session open.
    pub fn asks_who_is_live(&self) -> bool {
        self.terms().iter().any(|term| term.ask == Ask::Is(State::Live))
    }

    /// Whether a term wants this state, without a minus.
    pub fn asks_for(&self, state: State) -> bool {
        self.terms().iter().any(|term| !term.negated && term.ask == Ask::Is(state))
    }
}

impl Value {
    /// Whether a text has what is asked, folded.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Any => !text.is_empty(),
            Self::Part(part) => fold(text).contains(&fold(part)),
            Self::Start(start) => fold(text).starts_with(&fold(start)),
        }
    }

    /// As [`is_in`](Self::is_in), for names that are asked for whole.
    pub fn is_whole(&self, text: &str) -> bool {
        match self {
            Self::Part(part) => fold(text) == fold(part),
            _ => self.is_in(text),
        }
    }
}

/// A path means the folder and those below it; anything else is a part of the path.
fn is_at(value: &Value, cwd: &str) -> bool {
    let Value::Part(path) = value else { return !cwd.is_empty() };
    if !path.starts_with('/') {
        return value.is_in(cwd);
    }
    let path = path.trim_end_matches('/');
    let below =
        cwd.strip_prefix(path).is_some_and(|below| below.is_empty() || below.starts_with('/'));
    below || same_cwd(cwd, path)
}

fn is(state: State, facts: &SessionFacts<'_>) -> bool {
    match state {
        State::Fork => facts.row.kind == SessionKind::Fork,
        State::Subagent => facts.row.kind == SessionKind::Subagent,
        State::Error => facts.row.status == SessionStatus::Error,
        State::Interrupted => facts.row.status == SessionStatus::Interrupted,
        State::Live => facts.live,
        State::Abandoned => true,
    }
}
