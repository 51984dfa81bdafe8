//! `cargo xtask deep`: the long tests (files over 1 GiB, trees of a million entries), in release, one at a time.
//!
//! They are named `deep_…` and marked `#[ignore]`; smaller ones of the same shape run in `cargo xtask test`.

use std::process::{Command, ExitCode};

use crate::peers;
use crate::say;
use crate::step::{cargo, counted, timed};
use crate::test::has_nextest;

/// Runs the long tests; ends with `N passed, N failed`.
pub(crate) fn run() -> ExitCode {
    let command = if has_nextest() { with_nextest() } else { with_harness() };
    let outcome = timed("deep", || counted(peers::told(command)));
    let totals = outcome.totals.with_step(outcome.ok);
    say(&format!("{} passed, {} failed", totals.passed, totals.failed));
    if outcome.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn with_nextest() -> Command {
    let mut command = cargo(&["nextest", "run", "--workspace", "--release", "--no-fail-fast"]);
    command.args(["--run-ignored", "only", "--test-threads", "1", "--no-tests", "pass"]);
    command.args(["-E", "test(/(^|::)deep_/)"]);
    command
}

fn with_harness() -> Command {
    let mut command = cargo(&["test", "--workspace", "--release", "--no-fail-fast"]);
    command.args(["--lib", "--bins", "--tests", "--", "--ignored", "--test-threads", "1", "deep_"]);
    command
}
