//! The cases from practice (`cases/`) against the library; `doc/cases.md` is their table.

mod context;
mod damage;
mod deletion;
mod facts;
mod header;
mod import;
mod listing;
mod migration;
mod performance;
mod repair;
mod statistics;
mod support;
mod transcript;
mod tree;
mod writing;
mod writing_forks;
#[cfg(unix)]
mod writing_modes;
