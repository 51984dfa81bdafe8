//! `cargo xtask peers`: installs the programs that logwood is tested beside (`peers/package.json`) into `target/peers`, when npm is there.
//!
//! Without npm, or when its registry does not answer, the tests beside them skip, and this says so; only a lock file that does not
//! fit is a failure.

use std::process::{Command, ExitCode};

use crate::count::Totals;
use crate::npm::{Fault, Packages};
use crate::say;
use crate::step::{Outcome, timed};

const PACKAGES: Packages = Packages("peers");
/// Tells the tests where the installed packages are.
const VARIABLE: &str = "LOGWOOD_PEERS";

/// Installs, and says where.
pub(crate) fn run() -> ExitCode {
    let outcome = timed("peers", step);
    match PACKAGES.place() {
        Some(place) => say(&format!("{VARIABLE}={}", place.display())),
        None => say("nothing is installed"),
    }
    if outcome.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The step of `cargo xtask test`.
pub(crate) fn step() -> Outcome {
    let ok = match PACKAGES.install() {
        Ok(how) => {
            say(&format!("peers: {how}"));
            true
        }
        Err(Fault::Absent(why)) => {
            say(&format!("peers: SKIPPED, logwood is not tested beside pi: {why}"));
            true
        }
        Err(Fault::Ours(why)) => {
            say(&format!("peers: {why}"));
            false
        }
    };
    Outcome { ok, totals: Totals::default() }
}

/// Tells tests where the peers are, when they are installed.
pub(crate) fn told(mut command: Command) -> Command {
    if let Some(place) = PACKAGES.place() {
        command.env(VARIABLE, place);
    }
    command
}
