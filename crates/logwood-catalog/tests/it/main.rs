//! What the crate promises its users, with real files.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a helper that fails, fails its test"
)]

mod catalog;
mod catalog_damage;
mod catalog_processes;
mod catalog_same_answer;
mod stores;
