//! What a session says of itself as a whole.

use std::collections::BTreeSet;

use logwood::context::Entries as _;
use logwood::entry::{Entry, Role};
use logwood::error::Result;
use logwood::json::truncate_utf16;
use logwood::session::SessionManager;
use logwood::statistics::{Money, Tokens, usage_of};

use crate::plain::tokens;
use crate::redact::{Redactor, Report};

/// How much of a message stands for a name, in UTF-16 units.
const LONGEST_TITLE: usize = 80;

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
            title: session
                .session_name()
                .or(session.title())
                .map(str::to_owned)
                .or_else(|| first_words(session)),
            cwd: session.cwd().to_owned(),
            created: header.timestamp().map(std::borrow::Cow::into_owned),
            parent: header.parent_session().map(std::borrow::Cow::into_owned),
            usage: Vec::new(),
        }
    }

    /// Adds what the session used, over all its branches: models, tokens, cost in US dollars where it is known (spec 8.10).
    ///
    /// # Errors
    /// When an entry cannot be read any more.
    pub fn with_usage(mut self, session: &SessionManager) -> Result<Self> {
        let mut models = BTreeSet::new();
        let (mut sum, mut cost) = (Tokens::default(), None);
        for record in usage_of(session)? {
            models.extend(record.model.label());
            sum.input += record.tokens.input;
            sum.output += record.tokens.output;
            sum.cache_read += record.tokens.cache_read;
            sum.cache_write += record.tokens.cache_write;
            if let Some(more) = record.cost {
                let before = cost.map_or(0, Money::picodollars);
                cost = Some(Money::from_picodollars(before + more.picodollars()));
            }
        }
        let mut fact = |name: &str, value: String| self.usage.push((name.to_owned(), value));
        if !models.is_empty() {
            fact("Models", models.into_iter().collect::<Vec<_>>().join(", "));
        }
        if sum.total() > 0 {
            fact("Tokens", token_text(sum));
        }
        if let Some(cost) = cost {
            fact("Cost", format!("${:.3}", cost.dollars()));
        }
        Ok(self)
    }

    /// The facts without secrets.
    pub(crate) fn redacted(&self, redactor: &Redactor, report: &mut Report) -> Self {
        let mut text = |text: &str| redactor.redact(text, report).into_owned();
        Self {
            id: self.id.clone(),
            title: self.title.as_deref().map(&mut text),
            cwd: text(&self.cwd),
            created: self.created.clone(),
            parent: self.parent.as_deref().map(&mut text),
            usage: self.usage.clone(),
        }
    }
}

/// The first message of a person in one line; none where there is none, or it cannot be read.
fn first_words(session: &SessionManager) -> Option<String> {
    let tree = session.tree();
    let node = tree.nodes().find(|node| tree.role(*node) == Role::User)?;
    let text = session.entry_text(node).ok()?;
    let words = Entry::parse(&text).ok()?.preview();
    (!words.is_empty()).then(|| truncate_utf16(&words, LONGEST_TITLE).to_owned())
}

fn token_text(sum: Tokens) -> String {
    let parts =
        [("↑", sum.input), ("↓", sum.output), ("R", sum.cache_read), ("W", sum.cache_write)];
    let known = parts.iter().filter(|(_, count)| *count > 0);
    known.map(|(mark, count)| format!("{mark}{}", tokens(*count))).collect::<Vec<_>>().join(" ")
}
