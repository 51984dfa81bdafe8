//! Brings version 1 and 2 entries to version 3, as pure functions over entries (spec 2.4).
//!
//! Nothing here touches the disk: a migrated session looks migrated at once and its file changes with the next write.

mod ids;
#[cfg(test)]
mod tests;
mod upgrade;

pub use ids::entry_id;
pub use upgrade::{EntryUpgrade, FirstKept, Steps, upgrade_entry, upgrade_header};
