//! The cases from practice (`cases/`) against the library, as far as they read one file; `doc/cases.md` is their table.

mod context;
mod damage;
mod header;
mod migration;
mod support;
mod tree;
