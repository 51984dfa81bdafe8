//! What tests of logwood need: the conformance runner, the cases from practice, storages that fail or keep count, a plain oracle.
//!
//! Not published; only tests depend on it.

pub mod cases;
pub mod conformance;
pub mod generate;
pub mod json;
pub mod oracle;
pub mod storage;
