use std::path::PathBuf;
use std::sync::Arc;

use crate::inventory::{SessionInfo, SessionKind};

/// The session that usage belongs to, as far as tables need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageOwner {
    /// The file.
    pub path: PathBuf,
    /// The name of the store it was found in.
    pub store: Arc<str>,
    /// The session id.
    pub id: String,
    /// The working directory; empty where the header names none.
    pub cwd: String,
    /// What a person knows the session by: its name, title or first message; empty where it has none.
    pub heading: String,
    /// Whether it is a session of its own, a fork, or a subagent's.
    pub kind: SessionKind,
    /// The agent of a subagent's session.
    pub agent_type: Option<String>,
    /// When it was made, in milliseconds since 1970: of the copies of one answer the oldest session's counts.
    pub created_ms: i64,
}

impl From<&SessionInfo> for UsageOwner {
    fn from(row: &SessionInfo) -> Self {
        let heading = row.name.as_ref().or(row.title.as_ref()).or(row.first_message.as_ref());
        Self {
            path: row.path.clone(),
            store: Arc::clone(&row.store),
            id: row.id.clone(),
            cwd: row.cwd.clone(),
            heading: heading.cloned().unwrap_or_default(),
            kind: row.kind,
            agent_type: row.agent_type.clone(),
            created_ms: row.created_ms,
        }
    }
}
