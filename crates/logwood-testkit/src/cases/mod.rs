//! The cases from practice (`cases/`): one folder each, worked on as a copy.
//!
//! ```
//! use logwood_testkit::cases::Case;
//!
//! let case = Case::load("02")?;
//! assert_eq!(case.fact("/load/leaf_id"), "b2000002");
//! let before = case.snapshot()?;
//! let bytes = std::fs::read(case.input(0)).unwrap();
//! assert_eq!(bytes.len(), 757);
//! assert_eq!(case.snapshot()?, before);
//! # Ok::<(), String>(())
//! ```

mod case;
mod setup;
mod snapshot;
#[cfg(test)]
mod tests;

pub use case::{Case, folder, names};
pub use snapshot::Snapshot;
