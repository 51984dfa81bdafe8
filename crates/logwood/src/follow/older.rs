//! Files of version 1 and 2: read whole by the room that gives them ids, so that an entry has the id here that it has everywhere.

use std::path::Path;
use std::sync::Arc;

use crate::error::Result;
use crate::session::{SessionManager, SessionOptions};
use crate::storage::Storage;

use super::event::{Appended, Change};
use super::mark::Mark;

/// Opens a file of an older version.
pub(super) fn open(storage: &Arc<dyn Storage>, path: &Path) -> Result<SessionManager> {
    SessionOptions::new().storage(Arc::clone(storage)).read_only(true).open(path)
}

/// Takes the entries behind the mark.
pub(super) fn take(
    session: &SessionManager,
    mark: &mut Mark,
    tell: &mut dyn FnMut(Change, &Mark),
) -> Result<()> {
    let done = usize::try_from(mark.entries.unwrap_or(0)).unwrap_or(usize::MAX);
    for line in session.entries().skip(done) {
        let text = session.line_text(&line)?.into_owned();
        mark.count(session.tree().id(line.node));
        let appended = Appended { text, byte: line.position.byte, line: Some(line.position.line) };
        tell(Change::EntryAppended(appended), mark);
    }
    Ok(())
}

/// Moves a mark behind the last entry.
pub(super) fn last(session: &SessionManager, head: &Mark) -> Mark {
    let mut mark = head.clone();
    session.entries().for_each(|line| mark.count(session.tree().id(line.node)));
    mark
}

/// Finds the entry that was delivered last, as [`super::find::again`] does in a file of version 3.
pub(super) fn again(session: &SessionManager, head: &Mark, wanted: &Mark) -> Option<Mark> {
    let mut mark = head.clone();
    let mut found = (wanted.entries == Some(0)).then(|| head.clone());
    for line in session.entries() {
        let id = session.tree().id(line.node);
        mark.count(id);
        let same_id = wanted.last_id.as_deref() == Some(id);
        let same_number = wanted.entries.is_some() && mark.entries == wanted.entries;
        if same_number && (same_id || wanted.older) {
            return Some(mark);
        }
        if same_id && found.is_none() {
            found = Some(mark.clone());
        }
    }
    found
}
