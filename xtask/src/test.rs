//! `cargo xtask test`: everything a change must pass, cheapest first; stops at the first step that fails.

use std::process::{Command, ExitCode, Stdio};

use crate::browser;
use crate::clients;
use crate::count::Totals;
use crate::fuzz;
use crate::peers;
use crate::readme;
use crate::say;
use crate::step::{Outcome, cargo, counted, plain, timed};
use crate::tidy;

/// What a step does, under its name.
type Step = (&'static str, fn() -> Outcome);

/// The steps in order.
const STEPS: [Step; 12] = [
    ("format", format),
    ("tidy", tidy::step),
    ("lints", lints),
    ("build", build),
    ("peers", peers::step),
    ("tests", tests),
    ("clients", clients::step),
    ("browser", browser::step),
    ("readme", readme::step),
    ("doctests", doctests),
    ("documentation", documentation),
    ("fuzz targets", fuzz::check),
];

/// Runs the steps; the last line of the output is `N passed, N failed`, where a step that fails without
/// a failing test counts as one failure.
pub(crate) fn run() -> ExitCode {
    let (ok, totals) = all_steps();
    say(&format!("{} passed, {} failed", totals.passed, totals.failed));
    if ok && totals.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn all_steps() -> (bool, Totals) {
    let mut totals = Totals::default();
    for (name, work) in STEPS {
        let outcome = timed(name, work);
        totals = totals + outcome.totals.with_step(outcome.ok);
        if !outcome.ok {
            return (false, totals);
        }
    }
    (true, totals)
}

fn format() -> Outcome {
    plain(cargo(&["fmt", "--all", "--", "--check"]))
}

fn lints() -> Outcome {
    plain(cargo(&["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

/// The program itself, so that tests and readers find it built.
fn build() -> Outcome {
    plain(cargo(&["build", "--quiet", "--package", "logwood-cli"]))
}

/// Unit and integration tests of the whole workspace.
fn tests() -> Outcome {
    counted(peers::told(if has_nextest() { with_nextest() } else { with_harness() }))
}

fn with_nextest() -> Command {
    let mut command = cargo(&["nextest", "run", "--workspace", "--no-fail-fast"]);
    command.args(["--no-tests", "pass", "--status-level", "slow"]);
    command
}

fn with_harness() -> Command {
    cargo(&["test", "--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"])
}

fn doctests() -> Outcome {
    counted(cargo(&["test", "--quiet", "--workspace", "--doc", "--no-fail-fast"]))
}

/// Only the libraries: the program and the library share a name, and so would their pages.
fn documentation() -> Outcome {
    let mut command = cargo(&["doc", "--quiet", "--workspace", "--no-deps", "--lib"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    plain(command)
}

/// Whether `cargo nextest` is installed; it runs the same tests faster.
pub(crate) fn has_nextest() -> bool {
    let mut probe = cargo(&["nextest", "--version"]);
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}
