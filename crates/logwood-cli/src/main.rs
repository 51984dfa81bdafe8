//! The program `logwood`: session files of coding agents on the command line.

mod app;
mod args;
mod catalogs;
mod command;
mod confirm;
mod entry_ref;
mod error;
mod exit;
mod hook;
mod json_view;
mod live;
mod meant;
mod now;
mod output;
mod progress;
mod session_ref;
mod stores;
mod transcripts;
mod trash;
mod tree_filter;
mod words;
mod writing;

fn main() -> std::process::ExitCode {
    command::main(std::env::args_os().skip(1)).into()
}
