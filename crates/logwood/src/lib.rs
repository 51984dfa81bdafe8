//! The session store of coding agents: reads and writes their JSONL session trees and never loses a byte.

pub mod line;

pub mod json;

pub mod entry;

pub mod migration;

pub mod tree;

pub mod context;

pub mod compaction;

pub mod location;

pub mod storage;

pub mod session;

pub mod inventory;

pub mod transcript;

pub mod repair;

pub mod deletion;

pub mod import;

pub mod relocation;

pub mod performance;

pub mod statistics;

pub mod follow;

pub mod error;

pub mod problem;

pub mod env;

/// The examples of README.md, so that they are compiled with the doctests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
