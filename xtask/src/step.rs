//! Running one command: announced, timed, its output passed on line by line and shown to a reader of totals.

use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::count::Totals;
use crate::{complain, say};

/// How a step ended: whether it succeeded, and the test totals its output named.
pub(crate) struct Outcome {
    pub(crate) ok: bool,
    pub(crate) totals: Totals,
}

/// `cargo` with these arguments, from the root of the workspace.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// The root of the workspace: cargo names the folder of this package, which lies in it.
pub(crate) fn root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let parent = package.as_deref().and_then(Path::parent);
    parent.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Runs `work` under a heading and says how long it took.
pub(crate) fn timed(name: &str, work: impl FnOnce() -> Outcome) -> Outcome {
    say(&format!("── {name}"));
    let start = Instant::now();
    let outcome = work();
    let word = if outcome.ok { "ok" } else { "FAILED" };
    say(&format!("── {name}: {word} in {:.1} s", start.elapsed().as_secs_f64()));
    outcome
}

/// Runs `command` to its end; its output goes where ours goes.
pub(crate) fn plain(mut command: Command) -> Outcome {
    let ok = match command.status() {
        Ok(status) => status.success(),
        Err(error) => refuse(&command, &error),
    };
    Outcome { ok, totals: Totals::default() }
}

/// Runs `command` to its end and adds up the totals that a test runner prints.
pub(crate) fn counted(mut command: Command) -> Outcome {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Outcome { ok: refuse(&command, &error), totals: Totals::default() },
    };
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let totals = std::thread::scope(|scope| {
        let errors = scope.spawn(|| pass_on(err, complain));
        pass_on(out, say) + errors.join().unwrap_or_default()
    });
    Outcome { ok: child.wait().is_ok_and(|status| status.success()), totals }
}

fn pass_on(stream: Option<impl Read>, tell: fn(&str)) -> Totals {
    let Some(stream) = stream else { return Totals::default() };
    let mut totals = Totals::default();
    for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        totals = totals + Totals::of_line(&line);
        tell(&line);
    }
    totals
}

fn refuse(command: &Command, error: &std::io::Error) -> bool {
    complain(&format!("cannot start {}: {error}", command.get_program().display()));
    false
}
