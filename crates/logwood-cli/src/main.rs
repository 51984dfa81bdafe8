//! The program `logwood`: session files of coding agents on the command line.
#![expect(dead_code, reason = "the commands to come use it; goes with the last of them")]

mod app;
mod args;
mod command;
mod entry_ref;
mod error;
mod exit;
mod output;
mod session_ref;
mod tree_view;

fn main() -> std::process::ExitCode {
    command::main(std::env::args_os().skip(1)).into()
}
