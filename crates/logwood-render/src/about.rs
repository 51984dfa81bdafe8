//! What a session says of itself as a whole.

use logwood::session::SessionManager;

/// The facts of a session that exports begin with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// Its id.
    pub id: String,
    /// Its name, or the first words of its first message where it has none.
    pub title: Option<String>,
    /// The directory it was held in.
    pub cwd: String,
    /// When it was made, as its header says.
    pub created: Option<String>,
    /// The file of the session it came from.
    pub parent: Option<String>,
    /// Facts about tokens and cost, by name, in the order to show them.
    pub usage: Vec<(String, String)>,
}

impl About {
    /// The facts of an open session.
    pub fn of(session: &SessionManager) -> Self {
        let header = session.header();
        Self {
            id: session.session_id().to_owned(),
            title: session.session_name().or(session.title()).map(str::to_owned),
            cwd: session.cwd().to_owned(),
            created: header.timestamp().map(std::borrow::Cow::into_owned),
            parent: header.parent_session().map(std::borrow::Cow::into_owned),
            usage: Vec::new(),
        }
    }
}
