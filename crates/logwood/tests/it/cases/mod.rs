//! The cases from practice (`cases/`) against the library; `doc/cases.md` is their table.

mod context;
mod damage;
mod deletion;
mod header;
mod listing;
mod import;
mod migration;
mod support;
mod tree;
