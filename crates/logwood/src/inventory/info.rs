use std::path::PathBuf;
use std::sync::Arc;

use crate::problem::Problem;

/// One row of a listing: what a session file says about itself (spec 6.1). Not to be confused with the entry type `session_info`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// The file, as it was found; not resolved.
    pub path: PathBuf,
    /// The name of the store it was found in; empty where a folder was listed that belongs to none.
    pub store: Arc<str>,
    /// The session id.
    pub id: String,
    /// The working directory; empty where the header names none.
    pub cwd: String,
    /// The display name.
    #[doc(alias = "getSessionName")]
    pub name: Option<String>,
    /// The title that oh-my-pi keeps before or in the header; only for display, and only where there is no name.
    pub title: Option<String>,
    /// The session it came from, as its header says it (`branchedFrom` of very old files counts).
    pub parent_session_path: Option<String>,
    /// When it was made, in milliseconds since 1970: the header's time, else the file's.
    pub created_ms: i64,
    /// Its last activity, in milliseconds since 1970: the latest user or assistant message, else the header's time, else the file's.
    pub modified_ms: i64,
    /// How many message entries it has, of any role, on any branch.
    pub message_count: u64,
    /// The text of the first user message that has one.
    pub first_message: Option<String>,
    /// The text of every user and assistant message, joined by a space; only where it was asked for.
    pub all_messages_text: Option<String>,
    /// Whether it is a session of its own, a fork, or a subagent's.
    pub kind: SessionKind,
    /// The agent of a subagent's session.
    pub agent_type: Option<String>,
    /// The format version.
    pub version: u32,
    /// Size of the file in bytes.
    pub size: u64,
    /// The file's time of change, in milliseconds since 1970.
    pub file_modified_ms: i64,
    /// How many entries it has; an id that stands on several lines counts each time.
    pub entry_count: u64,
    /// How many entries are the end of a branch.
    pub branch_count: u64,
    /// Every model that answered, as `provider/model`, in order of appearance.
    pub models: Vec<String>,
    /// How the conversation ended.
    pub status: SessionStatus,
    /// Whether its last activity lies more than a day ahead of the clock (case 48).
    pub is_future: bool,
    /// What was wrong and survivable.
    pub problems: Vec<Problem>,
}

impl SessionInfo {
    /// The text by which a person finds the session, and whose it is: its name, else its title, else its first message.
    pub fn heading(&self) -> (Heading, &str) {
        match (&self.name, &self.title) {
            (Some(name), _) => (Heading::Name, name),
            (None, Some(title)) => (Heading::Title, title),
            (None, None) => (Heading::FirstMessage, self.first_message_or_placeholder()),
        }
    }

    /// The first message, else the placeholder that says that there is none (spec 6.1).
    pub fn first_message_or_placeholder(&self) -> &str {
        self.first_message.as_deref().unwrap_or("(no messages)")
    }

    /// The time that sorts it among others: a time ahead of the clock counts as the file's, and as oldest when that is ahead too.
    pub fn sort_ms(&self, now_ms: Option<i64>) -> i64 {
        match now_ms {
            Some(now) if self.is_future && self.file_modified_ms > now + DAY_MS => i64::MIN,
            Some(_) if self.is_future => self.file_modified_ms,
            _ => self.modified_ms,
        }
    }
}

/// A day in milliseconds.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// What the heading of a row is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Heading {
    /// The name that a person gave it.
    Name,
    /// The title that a program gave it.
    Title,
    /// Its first message, or the placeholder.
    FirstMessage,
}

/// What a session is to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words of the protocol, described at `SessionInfo::kind`")]
pub enum SessionKind {
    Main,
    Fork,
    Subagent,
}

impl SessionKind {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Fork => "fork",
            Self::Subagent => "subagent",
        }
    }
}

/// How a conversation ended, going by the last user, assistant or tool message of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SessionStatus {
    /// There is no message.
    #[default]
    Empty,
    /// The model answered.
    Complete,
    /// The model did not answer, or waits for a tool.
    Interrupted,
    /// The answer ended in an error.
    Error,
    /// The person stopped the answer.
    Aborted,
}

impl SessionStatus {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Error => "error",
            Self::Aborted => "aborted",
        }
    }
}
