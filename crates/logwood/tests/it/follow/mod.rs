//! Sessions that grow while somebody looks: whatever happens to the file, every whole entry comes once and in order.
#![expect(clippy::indexing_slicing, reason = "a test fails by a panic")]

mod changes;
mod costs;
mod random;
mod store;

use std::sync::Arc;

use logwood::entry::Entry;
use logwood::follow::{Change, FollowEvent, SessionFollower, Start};
use logwood::storage::{Create, MemoryStorage, Storage as _};

pub(crate) const PATH: &str = "/s.jsonl";
pub(crate) const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"/p\"}\n";

/// An entry line.
pub(crate) fn line(id: &str) -> String {
    format!("{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":null,\"customType\":\"x\"}}\n")
}

/// A file in memory with a header and these entries.
pub(crate) fn disk(ids: &[&str]) -> MemoryStorage {
    let storage = MemoryStorage::new();
    let lines: String = ids.iter().map(|id| line(id)).collect();
    storage.put(PATH, format!("{HEADER}{lines}")).unwrap();
    storage
}

pub(crate) fn follow(storage: &MemoryStorage, start: Start) -> SessionFollower {
    SessionFollower::new(Arc::new(storage.clone()), PATH, start).unwrap()
}

pub(crate) fn append(storage: &MemoryStorage, text: &str) {
    let mut file = storage.open_append(PATH.as_ref(), Create::Never).unwrap();
    assert_eq!(file.append(text.as_bytes()).unwrap(), text.len());
}

/// The id of the entry of an event.
pub(crate) fn id(event: &FollowEvent) -> Option<String> {
    match &event.change {
        Change::EntryAppended(entry) => {
            Some(Entry::parse(&entry.text).unwrap().id().unwrap().into_owned())
        }
        _ => None,
    }
}

/// Events in short: the id of an entry, else a word.
pub(crate) fn words(events: &[FollowEvent]) -> Vec<String> {
    events
        .iter()
        .map(|event| match &event.change {
            Change::EntryAppended(_) => id(event).unwrap(),
            Change::SessionAdded(header) => format!("+{}", header.id()),
            Change::SessionRemoved => format!("-{}", event.session_id),
            Change::SessionRewritten { how, resumed } => {
                format!("{}{}", how.as_str(), if *resumed { "" } else { ", anew" })
            }
            Change::LineSkipped(problem) => {
                format!("{}@{}", problem.kind, problem.position.unwrap().line)
            }
            Change::Unreadable(problem) => format!("unreadable: {}", problem.error),
            other => format!("{other:?}"),
        })
        .collect()
}
