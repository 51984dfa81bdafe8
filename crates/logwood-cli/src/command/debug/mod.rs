//! `logwood debug`: the way from bytes to a context made visible, one stage after the other (ARCHITECTURE.md).

mod args;
mod context;
mod entries;
mod lines;
mod tree;

pub(crate) use args::{DebugArgs, run};
