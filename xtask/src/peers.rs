//! `cargo xtask peers`: installs the programs that logwood is tested beside (`peers/package.json`) into `target/peers`, when npm is there.
//!
//! Without npm, or when its registry does not answer, the tests beside them skip, and this says so; only a lock file that does not
//! fit is a failure.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::count::Totals;
use crate::say;
use crate::step::{Outcome, root, timed};

/// How long npm may take; the packages are some 500 MB on the disk.
const LIMIT: Duration = Duration::from_secs(300);
/// Tells the tests where the installed packages are.
const VARIABLE: &str = "LOGWOOD_PEERS";
const FILES: [&str; 2] = ["package.json", "package-lock.json"];

/// Installs, and says where.
pub(crate) fn run() -> ExitCode {
    let outcome = timed("peers", step);
    match place() {
        Some(place) => say(&format!("{VARIABLE}={}", place.display())),
        None => say("nothing is installed"),
    }
    if outcome.ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The step of `cargo xtask test`.
pub(crate) fn step() -> Outcome {
    let ok = match install() {
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
    if let Some(place) = place() {
        command.env(VARIABLE, place);
    }
    command
}

/// Why nothing was installed.
enum Fault {
    /// npm or its registry is not there: nobody's fault here.
    Absent(String),
    /// The files of this repository are wrong.
    Ours(String),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Self::Absent(error.to_string())
    }
}

/// Where the peers of the present lock file are installed.
fn place() -> Option<PathBuf> {
    let folder = folder();
    let wanted = fs::read(root().join("peers/package-lock.json")).ok()?;
    (fs::read(stamp(&folder)).ok()? == wanted).then_some(folder)
}

fn folder() -> PathBuf {
    root().join("target").join("peers")
}

/// A copy of the lock file, written when everything is installed.
fn stamp(folder: &Path) -> PathBuf {
    folder.join("installed.json")
}

fn install() -> Result<String, Fault> {
    if place().is_some() {
        return Ok("installed already".to_owned());
    }
    let folder = folder();
    fs::create_dir_all(&folder)?;
    for file in FILES {
        fs::copy(root().join("peers").join(file), folder.join(file))?;
    }
    npm_ci(&folder)?;
    fs::copy(folder.join("package-lock.json"), stamp(&folder))?;
    Ok("installed from npm".to_owned())
}

fn npm_ci(folder: &Path) -> Result<(), Fault> {
    let log = folder.join("npm.log");
    let mut command = Command::new("npm");
    command.args(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]);
    command.args(["--loglevel", "error", "--fetch-retries", "1", "--fetch-timeout", "60000"]);
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command.stderr(fs::File::create(&log)?);
    let child = command.spawn().map_err(|error| Fault::Absent(format!("npm: {error}")))?;
    let ok = ended_well(child)?;
    let said = fs::read_to_string(&log).unwrap_or_default();
    let first = said.lines().next().unwrap_or("npm took too long").to_owned();
    match ok {
        true => Ok(()),
        false if said.contains("EUSAGE") || said.contains("EINTEGRITY") => {
            Err(Fault::Ours(format!("peers/package-lock.json does not fit: {first}")))
        }
        false => Err(Fault::Absent(first)),
    }
}

/// Waits for the end, not longer than the limit; false when it failed or had to be stopped.
fn ended_well(mut child: Child) -> io::Result<bool> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if start.elapsed() > LIMIT {
            child.kill()?;
            child.wait()?;
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}
