//! What people are not shown.

use logwood::entry::{Entry, EntryData, Message};

/// Whether people are not shown the entry: a message of an extension that says so (`display` false); it is in the context all the same.
pub fn is_hidden(entry: Entry<'_>) -> bool {
    let raw = match entry.data() {
        EntryData::CustomMessage(custom) => custom.raw(),
        EntryData::Message(Message::Custom(custom)) => custom.raw(),
        _ => return false,
    };
    raw.get("display").is_some_and(|display| !display.is_truthy())
}
