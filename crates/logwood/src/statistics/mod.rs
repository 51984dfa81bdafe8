//! What sessions cost: from entries to usage records, and from the records of many sessions to tables (spec 8.7, 6.14; design section 2, "Money").
//!
//! A [`UsageRecord`] is one answer, summary, tool run or usage entry that a model was paid for. [`UsageCollector`] picks them out of lines as
//! they go by, holding ids and no bodies; [`usage_of`] asks an open session. What is missing or impossible is unknown, never zero.

mod collect;
mod key;
mod money;
mod open;
mod read;
mod record;
#[cfg(test)]
mod tests;
mod version_1;

pub use collect::UsageCollector;
pub use key::UsageKey;
pub use money::Money;
pub use open::usage_of;
pub use record::{ModelName, Tokens, UsageRecord, UsageSource};
