//! What a file says about its session, apart from where the file lies: what a listing can remember.

use std::path::PathBuf;
use std::sync::Arc;

use crate::problem::Problem;

use super::info::{DAY_MS, SessionInfo, SessionKind, SessionStatus};
use super::known::FileKey;

/// What the lines of a session file say, for a row of a listing.
///
/// It holds until the file changes: what depends on the place of the file or on the time of day is added by
/// [`into_row`](Self::into_row).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub(super) id: String,
    pub(super) cwd: String,
    pub(super) name: Option<String>,
    pub(super) title: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) version: u32,
    /// The time of the header, where it has one.
    pub(super) created_ms: Option<i64>,
    /// The latest user or assistant message; 0 where there is none.
    pub(super) activity_ms: i64,
    pub(super) messages: u64,
    pub(super) entries: u64,
    pub(super) branches: u64,
    pub(super) first_message: Option<String>,
    pub(super) models: Vec<String>,
    pub(super) status: SessionStatus,
    pub(super) problems: Vec<Problem>,
}

impl Facts {
    /// The session id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The working directory; empty where the header names none.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// The display name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it is a session of its own, a fork, or a subagent's.
    pub fn kind(&self) -> SessionKind {
        match (&self.agent_type, &self.parent) {
            (Some(_), _) => SessionKind::Subagent,
            (None, Some(_)) => SessionKind::Fork,
            (None, None) => SessionKind::Main,
        }
    }

    /// Its last activity in milliseconds since 1970, as [`SessionInfo::modified_ms`] says it.
    pub fn modified_ms(&self, file: &FileKey) -> i64 {
        match (self.activity_ms, self.created_ms) {
            (activity, _) if activity > 0 => activity,
            (_, created) => created.unwrap_or_else(|| file.modified_ms()),
        }
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let texts = [&self.name, &self.title, &self.parent, &self.first_message];
        let texts = texts.into_iter().flatten().map(String::len).sum::<usize>();
        texts + self.cwd.len() + 64 * (1 + self.models.len() + self.problems.len())
    }

    /// The row of the file at `path`; by `now_ms` sessions of the future are marked.
    pub fn into_row(
        self,
        path: PathBuf,
        store: Arc<str>,
        file: &FileKey,
        now_ms: Option<i64>,
    ) -> SessionInfo {
        let modified_ms = self.modified_ms(file);
        SessionInfo {
            path,
            store,
            kind: self.kind(),
            id: self.id,
            cwd: self.cwd,
            name: self.name,
            title: self.title,
            parent_session_path: self.parent,
            created_ms: self.created_ms.unwrap_or_else(|| file.modified_ms()),
            modified_ms,
            message_count: self.messages,
            first_message: self.first_message,
            all_messages_text: None,
            agent_type: self.agent_type,
            version: self.version,
            size: file.size,
            file_modified_ms: file.modified_ms(),
            entry_count: self.entries,
            branch_count: self.branches,
            models: self.models,
            status: self.status,
            is_future: now_ms.is_some_and(|now| modified_ms > now + DAY_MS),
            problems: self.problems,
        }
    }
}
