//! The one public error type and its kinds.
//!
//! [`Error`] is opaque: its [`ErrorKind`] is the stable word that the line protocol and `--json` show (design section 5),
//! its text is for people and has three parts: what failed with the path, why, and what to do next.

mod kind;
mod report;
mod wording;

pub use kind::ErrorKind;
pub use report::{Error, Result};
