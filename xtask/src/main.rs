//! The chores of this repository: `cargo xtask test`, `tidy`, `deep`, `fuzz`, `peers`, `browser`, `clients`, `bench`.
//!
//! One file for each chore; `step` runs commands and times them, `count` reads the totals of test runners.

mod bench;
mod browser;
mod clients;
mod count;
mod deep;
mod fuzz;
mod npm;
mod peers;
mod readme;
mod step;
mod test;
mod tidy;

use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask CHORE

chores:
  test          everything a change must pass: format, lints, tidy, build, tests, doctests, documentation
  tidy          the rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can hold
  deep          the long tests (named deep_*, marked #[ignore]) in release
  fuzz [SECS]   every fuzz target for 60 seconds, or SECS
  peers         installs the programs that logwood is tested beside, when npm is there
  browser       opens exported pages in headless Chromium, when it, node and npm are there
  clients       tests the clients of the line protocol in Python and TypeScript, when these are there
  bench [ARG]…  the benchmarks in release; arguments go to the benchmark program
";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next();
    let rest: Vec<String> = args.collect();
    match chore.as_deref() {
        Some("test") => test::run(),
        Some("tidy") => tidy::run(),
        Some("deep") => deep::run(),
        Some("fuzz") => fuzz::run(&rest),
        Some("peers") => peers::run(),
        Some("browser") => browser::run(),
        Some("clients") => clients::run(),
        Some("bench") => bench::run(&rest),
        Some("help" | "--help" | "-h") => help(),
        _ => misuse(),
    }
}

fn help() -> ExitCode {
    say(USAGE.trim_end());
    ExitCode::SUCCESS
}

fn misuse() -> ExitCode {
    complain(USAGE.trim_end());
    ExitCode::from(2)
}

/// One line to standard output; a closed pipe is no failure of the chore.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// One line to standard error.
fn complain(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
