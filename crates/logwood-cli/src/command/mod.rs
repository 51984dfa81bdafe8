//! One file for each command; `run.rs` reads the command line and calls the one that it names.

pub(crate) mod rpc;
mod run;
pub(crate) mod show;
pub(crate) mod tree;

pub(crate) use run::main;
