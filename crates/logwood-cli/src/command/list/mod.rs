//! `logwood list`: the sessions of this directory, or of all, as a table, as JSON, or in a form of the caller's.

mod family;
mod format;
mod order;
mod run;
mod table;

pub(crate) use family::family;
pub(crate) use run::{ListArgs, run};
