//! The protocol from the outside: one binary, a module for each subject.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper that fails, fails its test"
)]

mod commands;
mod deep;
mod document;
mod export;
mod framing;
mod listing;
mod performance;
mod random;
mod refusals;
mod remove;
mod search;
mod statistics;
mod subagents;
mod subscribe;
mod support;
mod table;
mod window;
mod writing;
