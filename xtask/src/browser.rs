//! The step that opens exported pages in headless Chromium (`browser/test.mjs`), when Chromium, Node and npm are there.
//!
//! Where one is missing the step skips, and says so.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::count::Totals;
use crate::npm::{Fault, Packages};
use crate::say;
use crate::step::{Outcome, cargo, counted, plain, root, timed};

const PACKAGES: Packages = Packages("browser");
/// Names of Chromium and its kin; Debian's is the first.
const BROWSERS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Builds the program and opens its pages.
pub(crate) fn run() -> ExitCode {
    let built = plain(cargo(&["build", "--quiet", "--package", "logwood-cli"]));
    let ok = built.ok && timed("browser", step).ok;
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The step of `cargo xtask test`.
pub(crate) fn step() -> Outcome {
    let Some(chromium) = on_path(&BROWSERS) else { return skipped("there is no Chromium") };
    if on_path(&["node"]).is_none() {
        return skipped("there is no node");
    }
    match PACKAGES.install() {
        Ok(_) => {}
        Err(Fault::Absent(why)) => return skipped(&why),
        Err(Fault::Ours(why)) => {
            say(&format!("browser: {why}"));
            return Outcome { ok: false, totals: Totals::default() };
        }
    }
    match PACKAGES.place() {
        Some(place) => counted(test(&place, &chromium)),
        None => skipped("the packages are not installed"),
    }
}

fn test(place: &Path, chromium: &Path) -> Command {
    let mut command = Command::new("node");
    command.arg(root().join("browser/test.mjs")).arg(place).arg(chromium);
    command.arg(root().join("target/debug/logwood"));
    command.current_dir(root()).stdin(Stdio::null());
    command
}

fn skipped(why: &str) -> Outcome {
    say(&format!("browser: SKIPPED, exported pages are not opened in a browser: {why}"));
    Outcome { ok: true, totals: Totals::default() }
}

/// The first of these programs that is there.
pub(crate) fn on_path(names: &[&str]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let places =
        names.iter().flat_map(|name| std::env::split_paths(&path).map(move |dir| dir.join(name)));
    places.into_iter().find(|file| file.is_file())
}
