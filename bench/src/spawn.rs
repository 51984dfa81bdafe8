//! Runs a cell once: its files are read so that they are in the page cache, then a fresh process does the work.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::Fault;
use crate::cell::{Cell, Task};
use crate::child::Measure;
use crate::clock::{Clock, Time};
use crate::corpus::{Input, Manifest};
use crate::op::Op;
use crate::{catalog, limits};

/// Runs `cell` once on its input and checks what it counted.
pub(crate) fn run(cell: Cell, input: &Input) -> Result<Measure, Fault> {
    if cell.corpus.is_single() || needs_contents(cell.task) {
        limits::newlines(&input.path, 1)?;
    }
    let measure = match cell.task {
        Task::Inside(op @ (Op::Inventory | Op::InventoryTwice)) => {
            let held = limits::longest_line(&input.path)?;
            Measure { held, ..own(op, &input.path)?.0 }
        }
        Task::Inside(op) => own(op, &input.path)?.0,
        Task::Whole(op) => {
            let (measure, time) = own(op, &input.path)?;
            Measure { ms: time.ms, waited: time.waited, ..measure }
        }
        Task::Jq => jq(&input.path)?,
        Task::Version => version()?,
        Task::AppendOnce => append_once(&input.path)?,
        Task::Page => page(&input.path)?,
    };
    checked(cell, measure, &input.manifest)
}

/// A task that did less than its input holds was not measured.
fn checked(cell: Cell, measure: Measure, manifest: &Manifest) -> Result<Measure, Fault> {
    match cell.expected(manifest) {
        Some(wanted) if wanted != measure.count => {
            Err(format!("counted {} instead of {wanted}", measure.count).into())
        }
        _ => Ok(measure),
    }
}

fn needs_contents(task: Task) -> bool {
    matches!(
        task,
        Task::Inside(
            Op::Newlines
                | Op::NewlinesTwice
                | Op::WalkStat
                | Op::Inventory
                | Op::InventoryTwice
                | Op::InventoryText
                | Op::Warm
                | Op::WarmTwice
                | Op::Grown
                | Op::Build
                | Op::Recent
                | Op::PerformanceOpen
                | Op::PerformanceSummary
        )
    )
}

/// This program again, with one operation; the measure it printed and the time of the whole process.
fn own(op: Op, path: &Path) -> Result<(Measure, Time), Fault> {
    let mut command = Command::new(std::env::current_exe()?);
    let (output, time) =
        timed(command.args(["child", op.name()]).arg(path).stdout(Stdio::piped()))?;
    Ok((serde_json::from_slice(&output.stdout)?, time))
}

fn jq(path: &Path) -> Result<Measure, Fault> {
    // The answer goes to a file: a pipe would cost jq time that ours does not pay.
    let answer = path.with_extension("jq");
    let sink = std::fs::File::create(&answer)?;
    let mut command = Command::new("jq");
    let (_, time) = timed(command.args(["-r", ".type"]).arg(path).stdout(sink))?;
    let count = limits::newlines(&answer, 1)?.count;
    std::fs::remove_file(&answer)?;
    Ok(whole(time, count))
}

fn version() -> Result<Measure, Fault> {
    let program = beside("logwood")?;
    let (output, time) = timed(Command::new(&program).arg("--version").stdout(Stdio::piped()))?;
    if !output.stdout.starts_with(b"logwood ") {
        return Err(format!("{} --version does not say its name", program.display()).into());
    }
    Ok(whole(time, 1))
}

/// One append by the program to a copy of the session, which is on the disk and in the page cache before; counts the lines after.
fn append_once(path: &Path) -> Result<Measure, Fault> {
    let copy = Copy::of(path)?;
    let mut command = Command::new(beside("logwood")?);
    command.arg("append").arg(&copy.path).args(["--message", "Go on."]);
    let (output, time) = timed(command.stdout(Stdio::piped()))?;
    if output.stdout.trim_ascii().is_empty() {
        return Err("logwood append names no entry".into());
    }
    Ok(whole(time, limits::newlines(&copy.path, 1)?.count))
}

/// A copy of an input beside it, removed at the end.
struct Copy {
    path: PathBuf,
}

impl Copy {
    fn of(path: &Path) -> Result<Self, Fault> {
        let copy = Self { path: path.with_extension(format!("{}.jsonl", std::process::id())) };
        std::fs::copy(path, &copy.path)?;
        // Else the append would bring the whole copy to the disk.
        std::fs::File::open(&copy.path)?.sync_all()?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // What stays behind is in the folder of corpora and harms nobody.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The first page; the run before it fills the catalog where there is none.
fn page(path: &Path) -> Result<Measure, Fault> {
    let program = beside("logwood")?;
    let list = |more: &[&str]| {
        let mut command = Command::new(&program);
        command.args(["list", "--all", "--limit", "50", "--json", "--agent-dir"]).arg(path);
        command.args(more).env("XDG_CACHE_HOME", catalog::folder());
        command.stdout(Stdio::piped());
        command
    };
    list(&[]).output()?;
    let (output, time) = timed(&mut list(&["--cached"]))?;
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let rows = answer.get("sessions").and_then(serde_json::Value::as_array).map_or(0, Vec::len);
    Ok(whole(time, rows as u64))
}

/// Whether the cell's program is there; one of others may be missing.
pub(crate) fn is_there(cell: Cell) -> bool {
    cell.task != Task::Jq || Command::new("jq").arg("--version").output().is_ok()
}

/// What is known of another program's process.
fn whole(time: Time, count: u64) -> Measure {
    Measure { ms: time.ms, count, held: 0, peak: None, waited: time.waited }
}

/// A program that was built beside this one.
fn beside(name: &str) -> Result<PathBuf, Fault> {
    let own = std::env::current_exe()?;
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    Ok(own.with_file_name(name))
}

/// Runs to the end; the time from before the start until its last pipe is closed.
fn timed(command: &mut Command) -> Result<(Output, Time), Fault> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdin(Stdio::null()).stderr(Stdio::piped());
    let clock = Clock::start();
    let mut child = command.spawn().map_err(|why| format!("cannot start {name}: {why}"))?;
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut stdout)?;
    }
    if let Some(mut pipe) = child.stderr.take() {
        pipe.read_to_end(&mut stderr)?;
    }
    // Before `wait`: what the kernel knows of the process goes with it.
    let time = clock.stop_for(child.id());
    let status = child.wait()?;
    if status.success() {
        return Ok((Output { status, stdout, stderr }, time));
    }
    Err(format!("{name} ended with {status}: {}", String::from_utf8_lossy(&stderr).trim()).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{Corpus, Total};

    fn counts(op: Op, corpus: Corpus, count: u64) -> bool {
        let total = Total { files: 2, bytes: 900, lines: 11 };
        let manifest = Manifest { total, files: Vec::new() };
        let measure = Measure { ms: 1.0, count, held: 0, peak: None, waited: None };
        checked(Cell::inside(op, corpus), measure, &manifest).is_ok()
    }

    #[test]
    fn an_operation_that_does_not_all_of_its_work_is_not_measured() {
        assert!(counts(Op::Newlines, Corpus::C, 11) && !counts(Op::Newlines, Corpus::C, 10));
        assert!(counts(Op::Types, Corpus::C, 11) && !counts(Op::Types, Corpus::C, 12));
        for op in [Op::Open, Op::Context, Op::Tree, Op::Children, Op::Fork] {
            assert!(counts(op, Corpus::C, 10) && !counts(op, Corpus::C, 11), "{}", op.name());
        }
        assert!(counts(Op::WalkStat, Corpus::A, 4) && !counts(Op::WalkStat, Corpus::A, 2));
        assert!(counts(Op::WalkStat, Corpus::Bflat, 2));
    }

    #[test]
    fn lines_of_a_store_with_damaged_files_are_not_known() {
        assert!(counts(Op::Newlines, Corpus::A, 7));
    }
}
