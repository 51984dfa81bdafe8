//! What tests of logwood need: the conformance runner, the cases from practice, generators of sessions, a plain oracle.
//!
//! Not published; only tests depend on it.

pub mod cases;
pub mod conformance;
pub mod json;
