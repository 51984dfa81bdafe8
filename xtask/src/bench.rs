//! `cargo xtask bench`: builds the program and the benchmarks in release and passes the arguments on.

use std::process::ExitCode;

use crate::step::{cargo, plain};

/// Runs the benchmark program with `args`.
pub(crate) fn run(args: &[String]) -> ExitCode {
    if !plain(cargo(&["build", "--quiet", "--release", "--package", "logwood-cli"])).ok {
        return ExitCode::FAILURE;
    }
    let mut command = cargo(&["run", "--quiet", "--release", "--package", "logwood-bench", "--"]);
    command.args(args);
    if plain(command).ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
