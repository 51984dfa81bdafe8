//! The step that tests the clients of the line protocol (`clients/`) and the examples of `examples/parsing` beside them.
//!
//! Where Python or Node is missing, their part skips, and says so.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::browser::on_path;
use crate::count::Totals;
use crate::npm::{Fault, Packages};
use crate::step::{Outcome, cargo, counted, plain, root, timed};
use crate::{complain, say};

const PACKAGES: Packages = Packages("clients/typescript");

/// Builds the program and tests the clients at it.
pub(crate) fn run() -> ExitCode {
    let built = plain(cargo(&["build", "--quiet", "--package", "logwood-cli"]));
    let ok = built.ok && timed("clients", step).ok;
    if ok { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The step of `cargo xtask test`; the program is built before it.
pub(crate) fn step() -> Outcome {
    both(python(), typescript)
}

fn both(first: Outcome, second: impl FnOnce() -> Outcome) -> Outcome {
    let second = if first.ok { second() } else { return first };
    Outcome { ok: second.ok, totals: first.totals + second.totals }
}

fn python() -> Outcome {
    let Some(python) = on_path(&["python3"]) else {
        return skipped("Python", "there is no python3");
    };
    let run = |script: &str| {
        let mut command = Command::new(&python);
        command.arg(root().join(script)).env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    let mut tests = run("clients/python/test_logwood.py");
    tests.arg(program());
    both(counted(tests), || prints_the_same(run("examples/parsing/parse_session.py")))
}

fn typescript() -> Outcome {
    if on_path(&["node"]).is_none() {
        return skipped("TypeScript", "there is no node");
    }
    match PACKAGES.install() {
        Ok(_) => {}
        Err(Fault::Absent(why)) => return skipped("TypeScript", &why),
        Err(Fault::Ours(why)) => return failed(&why),
    }
    let Some(place) = PACKAGES.place() else {
        return skipped("TypeScript", "the packages are not installed");
    };
    if let Err(error) = copy_sources(&place) {
        return failed(&error.to_string());
    }
    let node = |script: &str| {
        let mut command = Command::new("node");
        command.arg(place.join(script)).current_dir(&place);
        command
    };
    both(plain(node("node_modules/typescript/bin/tsc")), || {
        let mut tests = node("out/test.js");
        tests.arg(program()).arg(root().join("examples"));
        both(counted(tests), || prints_the_same(node("out/parse_session.js")))
    })
}

/// Beside the packages, so that the compiler finds them.
fn copy_sources(place: &Path) -> io::Result<()> {
    let sources = ["clients/typescript", "examples/parsing"];
    for source in sources {
        for entry in fs::read_dir(root().join(source))? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default();
            if path.extension().is_some_and(|end| end == "ts") || name == "tsconfig.json" {
                fs::copy(&path, place.join(name))?;
            }
        }
    }
    Ok(())
}

/// Runs a program over the example sessions, whose output must be the expected one.
fn prints_the_same(mut command: Command) -> Outcome {
    let script = command.get_args().next().unwrap_or_default().display().to_string();
    command.args(example_sessions()).stdin(Stdio::null()).stderr(Stdio::inherit());
    let expected = fs::read(root().join("examples/parsing/expected.txt"));
    match (command.output(), expected) {
        (Ok(output), Ok(expected)) if output.status.success() && output.stdout == expected => {
            Outcome { ok: true, totals: Totals { passed: 1, failed: 0 } }
        }
        (Err(error), _) | (_, Err(error)) => failed(&format!("{script}: {error}")),
        (Ok(_), Ok(_)) => failed(&format!("{script} does not print examples/parsing/expected.txt")),
    }
}

/// The session files of the example store, in the order of their paths.
fn example_sessions() -> Vec<PathBuf> {
    let agent = root().join("examples/agent");
    let mut open = vec![agent.join("sessions"), agent.join("subagent-sessions")];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn program() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    target.unwrap_or_else(|| root().join("target")).join("debug/logwood")
}

fn failed(why: &str) -> Outcome {
    complain(&format!("clients: {why}"));
    Outcome { ok: false, totals: Totals::default() }
}

fn skipped(what: &str, why: &str) -> Outcome {
    say(&format!("clients: SKIPPED, the client for {what} is not tested: {why}"));
    Outcome { ok: true, totals: Totals::default() }
}
