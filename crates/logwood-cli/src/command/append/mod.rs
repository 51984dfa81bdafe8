//! `logwood append`: messages and entries at the end of a session.

mod input;
mod run;

pub(crate) use run::{AppendArgs, run};
