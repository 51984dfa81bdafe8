//! One file for each command; `run.rs` reads the command line and calls the one that it names.

mod advice;
pub(crate) mod append;
pub(crate) mod arbitration;
pub(crate) mod branch;
pub(crate) mod catalog;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod context;
pub(crate) mod debug;
pub(crate) mod delete;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod fork;
pub(crate) mod import;
pub(crate) mod label;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod migrate;
pub(crate) mod name;
pub(crate) mod navigate;
pub(crate) mod new;
pub(crate) mod perf;
pub(crate) mod relocate;
pub(crate) mod repair;
pub(crate) mod restore;
pub(crate) mod rpc;
mod run;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod tree;
pub(crate) mod watch;
pub(crate) mod where_;

pub(crate) use advice::advice;
pub(crate) use run::main;
