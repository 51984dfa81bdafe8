//! The performance log: how fast models answered, one record a line, in the file that dreb writes too (spec 9).
//!
//! [`PerformanceLog`] reads, records and prunes; safe while dreb or another logwood does the same, since all take the same
//! [`LockFile`](crate::storage::LockFile). [`PerformanceDraft`] is an answer to record and knows which are not worth it,
//! [`PerformanceRecord`] a line, [`Performance`] what a log says: each model with its [`Rolling`] figures and its [`Delta`].
//!
//! What dreb gets wrong here and logwood does not (F-31): a short run prunes too, a torn last line spoils no record after it,
//! what other processes recorded is seen, and a lock is removed by its owner only.

mod data;
mod draft;
mod figures;
mod log;
mod prune;
mod record;
#[cfg(test)]
mod tests;

pub use data::{ModelPerformance, Performance, Sample, UnusableLine};
pub use draft::{PerformanceDraft, Unrecorded};
pub use figures::{Delta, Direction, Rolling};
pub use log::{PerformanceLog, Recording};
pub use prune::Pruned;
pub use record::{PerformanceRecord, Unusable};
