//! `logwood watch`: sessions as they grow.
//!
//! `run` looks and waits, `print` says what happened, `cursor` keeps in a file how far it came.

mod cursor;
mod print;
mod run;

pub(crate) use run::{WatchArgs, run};
