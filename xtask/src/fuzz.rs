//! `cargo xtask fuzz [SECONDS]`: every fuzz target for a while, 60 seconds each by default; `test` only compiles them.
//!
//! The targets are built with the compiler's own coverage counters, so neither a nightly toolchain nor cargo-fuzz is needed. What a run
//! finds lies in `fuzz/artifacts/`, and becomes a test with the smallest input.

use std::process::{Command, ExitCode};

use crate::step::{Outcome, cargo, plain, root, timed};
use crate::{complain, say};

/// The targets, as `fuzz/Cargo.toml` names them.
const TARGETS: [&str; 3] = ["line_reader", "json_room", "open_append_reopen"];

/// The counters that libFuzzer reads.
const FLAGS: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Cdebug-assertions --cfg fuzzing";

const DEFAULT_SECONDS: u32 = 60;

/// Runs every target; ends with `N passed, N failed`.
pub(crate) fn run(args: &[String]) -> ExitCode {
    let seconds = match args {
        [] => Some(DEFAULT_SECONDS),
        [seconds] => seconds.parse().ok(),
        _ => None,
    };
    let Some(seconds) = seconds else {
        complain("usage: cargo xtask fuzz [SECONDS]");
        return ExitCode::from(2);
    };
    if !timed("build", build).ok {
        return ExitCode::FAILURE;
    }
    let failed = TARGETS.iter().filter(|name| !timed(name, || fuzz(name, seconds)).ok).count();
    say(&format!("{} passed, {failed} failed", TARGETS.len() - failed));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Compiles the targets without counters, to see that they still fit the library.
pub(crate) fn check() -> Outcome {
    plain(in_fuzz(&["check", "--quiet"]))
}

fn build() -> Outcome {
    let mut command = in_fuzz(&["build", "--release", "--quiet"]);
    // With a target named, the flags do not reach build scripts, which must not be counted.
    command.args(["--target", env!("LOGWOOD_HOST")]).env("RUSTFLAGS", FLAGS);
    plain(command)
}

fn in_fuzz(args: &[&str]) -> Command {
    let mut command = cargo(args);
    command.arg("--manifest-path").arg(root().join("fuzz/Cargo.toml"));
    command.arg("--target-dir").arg(root().join("target/fuzz"));
    command
}

fn fuzz(name: &str, seconds: u32) -> Outcome {
    let folder = |kind: &str| root().join("fuzz").join(kind).join(name);
    let (corpus, artifacts) = (folder("corpus"), folder("artifacts"));
    for folder in [&corpus, &artifacts] {
        if let Err(error) = std::fs::create_dir_all(folder) {
            complain(&format!("cannot make {}: {error}", folder.display()));
        }
    }
    let program = root().join("target/fuzz").join(env!("LOGWOOD_HOST")).join("release").join(name);
    let mut command = Command::new(program);
    command.arg(&corpus).arg(format!("-max_total_time={seconds}")).arg("-verbosity=0");
    command.arg(format!("-artifact_prefix={}/", artifacts.display()));
    plain(command)
}
