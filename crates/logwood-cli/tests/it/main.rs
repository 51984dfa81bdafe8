//! The program from the outside: one binary, a module for each subject.
#![expect(clippy::unwrap_used, reason = "a helper that fails, fails its test")]

mod catalog;
mod color;
mod completions;
mod conformance;
mod delete;
mod exit_codes;
mod export;
mod help;
mod help_export;
mod help_search;
mod help_show;
mod help_write;
mod json;
mod list;
mod output;
mod perf;
mod places;
mod presence;
mod read_only;
mod reference;
mod repair;
mod rpc;
mod safety;
mod search;
mod show;
mod show_choice;
mod stats;
mod subagents;
mod support;
mod tail;
mod titles;
mod untouched;
mod watch;
mod writing;
mod writing_trees;
