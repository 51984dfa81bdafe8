//! `logwood repair`: mends damaged session files, after it has shown what it would do.

use std::ffi::OsString;
use std::path::Path;

use logwood::repair::{Repair, RepairPlan, Repaired, Step, StepKind, Undone};

use crate::app::App;
use crate::confirm::confirm;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, Object, array, string, style};
use crate::stores::Stores;
use crate::words::counted;
use crate::writing::alone;

#[derive(Debug, clap::Args)]
pub(crate) struct RepairArgs {
    /// Paths (also of files that no list shows), ids or their starts, display names, or @ (the newest of this directory), @2, ...
    #[arg(required = true, value_name = "SESSION")]
    sessions: Vec<OsString>,

    /// Show what would be done and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Restore the file as it was before its last repair, unless something was written to it since
    #[arg(long, conflicts_with_all = ["dry_run", "reattach"])]
    undo: bool,

    /// Hang entries whose parent is not in the file on the entry before them; nothing tells where they hung
    #[arg(long)]
    reattach: bool,

    /// Do not ask
    #[arg(long, short)]
    yes: bool,
}

/// One file and what was found out about it.
struct Job {
    name: String,
    repair: Repair,
    plan: RepairPlan,
}

pub(crate) fn run(args: &RepairArgs, app: &mut App) -> Result<Exit> {
    if args.undo { undo(args, app) } else { repair(args, app) }
}

fn repair(args: &RepairArgs, app: &mut App) -> Result<Exit> {
    let mut tally = Tally::default();
    let mut jobs = Vec::new();
    for word in &args.sessions {
        jobs.extend(tally.note(job(word, args, app), app)?);
    }
    if !app.globals.json {
        for job in &jobs {
            print_plan(job, app)?;
        }
    }
    let count = jobs.iter().filter(|job| !job.plan.is_empty()).count();
    let question = format!("Repair {}?", counted(count, "file", "files"));
    let go = !args.dry_run && count > 0 && confirm(&question, args.yes, app)?;
    let mut rows = Vec::new();
    for job in &jobs {
        let done = if go { apply(job) } else { Ok(None) };
        let Some(done) = tally.note(done, app)? else { continue };
        tally.done += 1;
        if app.globals.json {
            rows.push(json(job, done.as_ref()));
        } else if let Some(done) = done {
            print_done(job, &done, app)?;
        }
    }
    tally.end(rows, app)
}

fn job(word: &OsString, args: &RepairArgs, app: &App) -> Result<Job> {
    let path = app.find(word)?;
    let name = path.display().to_string();
    let mut repair = Repair::of(path).reattach(args.reattach);
    if app.globals.cwd.is_some() {
        repair = repair.cwd(Stores::new(&app.globals).cwd());
    }
    let plan = repair.plan()?;
    Ok(Job { name, repair, plan })
}

/// A process that has the session open might find its place in another file, or gone.
fn apply(job: &Job) -> Result<Option<Repaired>> {
    if job.plan.is_empty() {
        return Ok(None);
    }
    let _alone = alone(Path::new(&job.name))?;
    Ok(job.repair.apply(&job.plan)?)
}

fn undo(args: &RepairArgs, app: &mut App) -> Result<Exit> {
    let question = format!("Restore {}?", counted(args.sessions.len(), "file", "files"));
    if !confirm(&question, args.yes, app)? {
        return Ok(Exit::Done);
    }
    let mut tally = Tally::default();
    let mut rows = Vec::new();
    for word in &args.sessions {
        let undone = app.find(word).and_then(|path| {
            let _alone = alone(&path)?;
            let undone = Repair::of(&path).undo()?;
            Ok((path.display().to_string(), undone))
        });
        let Some((name, undone)) = tally.note(undone, app)? else { continue };
        if app.globals.json {
            rows.push(undone_json(&name, &undone));
        } else {
            print_undone(&name, &undone, app)?;
        }
        tally.done += 1;
    }
    tally.end(rows, app)
}

/// How it went: what fails is told as it comes, and the others are done nevertheless.
#[derive(Default)]
struct Tally {
    done: usize,
    worst: Option<Exit>,
}

impl Tally {
    /// The result, or none after the failure was told.
    fn note<T>(&mut self, result: Result<T>, app: &mut App) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(CommandError::BrokenPipe) => Err(CommandError::BrokenPipe),
            Err(error) => {
                app.out.finish()?;
                error.report(&mut app.err, app.globals.json);
                let exits = self.worst.into_iter().chain([error.exit()]);
                self.worst = exits.max_by_key(|exit| exit.code());
                Ok(None)
            }
        }
    }

    fn end(self, rows: Vec<String>, app: &mut App) -> Result<Exit> {
        if app.globals.json && (self.done > 0 || self.worst.is_none()) {
            app.out.json(&array(rows))?;
        }
        Ok(match (self.worst, self.done) {
            (None, _) => Exit::Done,
            (Some(worst), 0) => worst,
            (Some(_), _) => Exit::Problems,
        })
    }
}

fn print_plan(job: &Job, app: &mut App) -> Result<()> {
    let plan = &job.plan;
    let verdict = match plan.steps.len() {
        0 => "nothing to repair".to_owned(),
        steps => counted(steps, "step", "steps"),
    };
    app.out.line(&Line::new().add(style::STRONG, &job.name).plain(format!("  {verdict}")))?;
    let mut kinds: Vec<StepKind> = Vec::new();
    for step in &plan.steps {
        if !kinds.contains(&step.kind) {
            kinds.push(step.kind);
        }
    }
    for kind in kinds {
        let line = Line::new().add(style::TOOL, format!("  {kind}")).plain(": ");
        app.out.paragraph(line, kind.describe(), 4)?;
        for step in plan.steps.iter().filter(|step| step.kind == kind) {
            app.out.paragraph(Line::new().plain("    "), &place(step), 6)?;
        }
    }
    ids("recovered", &plan.recovered, app)?;
    ids("lost, only a part is there", &plan.unrecoverable, app)
}

fn ids(what: &str, ids: &[String], app: &mut App) -> Result<()> {
    if !ids.is_empty() {
        let line = Line::new().add(style::STRONG, format!("  {what}: "));
        app.out.paragraph(line, &ids.join(", "), 4)?;
    }
    Ok(())
}

/// `line 7, byte 2345, 12 bytes (nul_bytes), entry a1: detail`.
fn place(step: &Step) -> String {
    let mut text = match step.position {
        Some(at) => {
            let length =
                counted(usize::try_from(step.length).unwrap_or(usize::MAX), "byte", "bytes");
            format!("line {}, byte {}, {length} ({})", at.line, at.byte, step.cause)
        }
        None => format!("the file ({})", step.cause),
    };
    if let Some(entry) = &step.entry {
        text.push_str(&format!(", entry {entry}"));
    }
    if let Some(detail) = &step.detail {
        text.push_str(&format!(": {detail}"));
    }
    text
}

fn print_done(job: &Job, done: &Repaired, app: &mut App) -> Result<()> {
    if app.globals.quiet {
        return Ok(());
    }
    let line = Line::new().add(style::STRONG, format!("repaired {}", job.name));
    let entries = counted(job.plan.entries, "entry", "entries");
    app.out.line(&line.plain(format!(": {entries} in session {}", job.plan.session_id)))?;
    app.out.line(&Line::new().plain(format!("  original: {}", done.backup.display())))?;
    app.out.line(&Line::new().plain(format!("  taken out: {}", done.salvage.display())))?;
    for session in &done.sessions {
        app.out.line(&Line::new().plain(format!("  other session: {}", session.display())))?;
    }
    Ok(())
}

fn print_undone(name: &str, undone: &Undone, app: &mut App) -> Result<()> {
    let from = undone.backup.display();
    app.out.line(
        &Line::new().add(style::STRONG, format!("restored {name}")).plain(format!(" from {from}")),
    )?;
    for (what, files) in
        [("removed", &undone.removed), ("kept, it was written to since", &undone.kept)]
    {
        for file in files {
            app.out.line(&Line::new().plain(format!("  {what}: {}", file.display())))?;
        }
    }
    Ok(())
}

fn json(job: &Job, done: Option<&Repaired>) -> String {
    let plan = &job.plan;
    let strings = |ids: &[String]| array(ids.iter().map(|id| string(id)));
    let sessions = plan.sessions.iter().enumerate().map(|(at, session)| {
        let path =
            done.and_then(|done| done.sessions.get(at)).map(|path| path.display().to_string());
        Object::new()
            .str("fileName", &session.file_name)
            .str_or_null("sessionFile", path.as_deref())
            .str("sessionId", &session.session_id)
            .num("entries", session.entries as u64)
            .end()
    });
    Object::new()
        .str("sessionFile", &job.name)
        .str("sessionId", &plan.session_id)
        .num("entries", plan.entries as u64)
        .json("steps", &array(plan.steps.iter().map(step_json)))
        .json("recovered", &strings(&plan.recovered))
        .json("unrecoverable", &strings(&plan.unrecoverable))
        .json("sessions", &array(sessions))
        .bool("repaired", done.is_some())
        .str_or_null("backup", done.map(|done| done.backup.display().to_string()).as_deref())
        .str_or_null("salvage", done.map(|done| done.salvage.display().to_string()).as_deref())
        .end()
}

fn step_json(step: &Step) -> String {
    Object::new()
        .str("kind", step.kind.as_str())
        .num_or_null("line", step.position.map(|position| position.line))
        .num_or_null("byte", step.position.map(|position| position.byte))
        .num("length", step.length)
        .str("cause", step.cause.as_str())
        .opt_str("entryId", step.entry.as_deref())
        .opt_str("detail", step.detail.as_deref())
        .str("message", step.kind.describe())
        .end()
}

fn undone_json(name: &str, undone: &Undone) -> String {
    let paths = |files: &[std::path::PathBuf]| {
        array(files.iter().map(|file| string(&file.display().to_string())))
    };
    Object::new()
        .str("sessionFile", name)
        .str("backup", &undone.backup.display().to_string())
        .json("removed", &paths(&undone.removed))
        .json("kept", &paths(&undone.kept))
        .end()
}
