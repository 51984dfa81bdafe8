//! What sessions cost: from entries to usage records, and from the records of many sessions to tables (spec 8.7, 6.14; design section 2, "Money").
//!
//! A [`UsageRecord`] is one answer, summary, tool run or usage entry that a model was paid for. [`UsageCollector`] picks them out of lines as
//! they go by, holding ids and no bodies; [`usage_of`] asks an open session. What is missing or impossible is unknown, never zero.

mod aggregate;
mod calendar;
mod children;
mod collect;
mod dimension;
mod file;
mod key;
mod money;
mod open;
mod owner;
mod read;
mod record;
mod scan;
mod session;
mod table;
#[cfg(test)]
mod tests;
mod totals;
mod version_1;

pub use aggregate::{Prepared, Statistics};
pub use calendar::{Calendar, Period};
pub use collect::UsageCollector;
pub use dimension::Dimension;
pub use key::UsageKey;
pub use money::Money;
pub use open::usage_of;
pub use owner::UsageOwner;
pub use record::{ModelName, Tokens, UsageRecord, UsageSource};
pub use scan::{Scanned, UsageScan};
pub use session::{Extent, MessageCounts, SessionStatistics};
pub use table::{Label, Table, TableRow};
pub use totals::Totals;
