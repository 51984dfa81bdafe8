//! Finding things in many sessions: what of a session can be searched, one filter language for every command, a search that
//! scans files, and a rebuildable SQLite catalog that makes listing, searching and counting fast.
//!
//! Derived data only: the session files are the truth, and nothing is lost with the catalog.

pub mod catalog;
pub mod filter;
pub mod search;
pub mod text;
