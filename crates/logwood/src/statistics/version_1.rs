use std::collections::HashSet;

use crate::entry::{Envelope, SessionHeader};
use crate::line::LineRef;
use crate::migration::{Steps, entry_id};

/// What is needed to give the entries of version 1 the ids that an open session and the migration give them, so that copies of an answer
/// are known again.
#[derive(Debug)]
pub(super) struct Version1 {
    header_id: String,
    ids: HashSet<String>,
    /// Whether it may be a tree after all: no version is named, and every entry so far brought its id and parent (rule F86).
    in_doubt: bool,
}

impl Version1 {
    /// For a header that names version 1 or none.
    pub(super) fn of(header: &SessionHeader) -> Option<Self> {
        (Steps::of(header) == Steps::AssignIds).then(|| Self {
            header_id: header.id().to_owned(),
            ids: HashSet::new(),
            in_doubt: !header.has_version(),
        })
    }

    pub(super) fn is_in_doubt(&self) -> bool {
        self.in_doubt
    }

    /// Takes the next entry and gives its id.
    pub(super) fn entry(&mut self, line: LineRef<'_>, envelope: &Envelope<'_>) -> String {
        self.in_doubt &= envelope.usable_id().is_some() && envelope.parent_id.is_some();
        let index = line.position.line.saturating_sub(1);
        let id = entry_id(&self.header_id, index, |id| self.ids.contains(id));
        self.ids.insert(id.clone());
        id
    }
}
