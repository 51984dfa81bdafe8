//! `logwood delete`: shows what would go and who refers to it, asks, and moves it to the trash.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use logwood::deletion::{DeletePlan, DeleteReport, Deletion, Doomed, Failed, Method, Removal};
use logwood::error::ErrorKind;
use logwood::inventory::HeaderRow;
use logwood::session::Durability;

use crate::app::App;
use crate::confirm::confirm;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::meant;
use crate::output::{Line, Object, array, style};
use crate::stores::Stores;
use crate::trash::trash;
use crate::words::{counted, size};

#[derive(Debug, clap::Args)]
pub(crate) struct DeleteArgs {
    /// Paths, ids or their starts, display names, or @ (the newest of this directory), @2, ...
    #[arg(required_unless_present = "where_", value_name = "SESSION")]
    sessions: Vec<OsString>,

    /// The sessions of this directory that a query means, in the language of `logwood search`
    #[arg(long = "where", id = "where_", value_name = "QUERY", conflicts_with = "sessions")]
    where_: Option<String>,

    /// With --where: those of every project
    #[arg(long, requires = "where_")]
    all: bool,

    /// Do not ask
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,

    /// Only show what would be deleted
    #[arg(short = 'n', long)]
    dry_run: bool,

    /// Delete for good instead of moving to the trash
    #[arg(long)]
    permanent: bool,

    /// Take the transcripts of its subagents along
    #[arg(long)]
    family: bool,

    /// Delete a damaged or empty .jsonl file too
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &DeleteArgs, app: &mut App) -> Result<Exit> {
    let deletion = deletion(args, app).live(app.live()?);
    let mut plans = deletion.plan_all(&paths(args, app)?)?;
    // A session that is named twice is deleted once.
    let mut seen = HashSet::new();
    plans.retain(|plan| seen.insert(plan.session.path.clone()));
    let silent = app.globals.json || (app.globals.quiet && args.yes);
    if !silent {
        plans.iter().try_for_each(|plan| show(plan, app))?;
    }
    if args.dry_run {
        return told(&plans, &DeleteReport::default(), true, app);
    }
    if !confirm(&question(&plans, args.permanent), args.yes, app)? {
        app.out.line(&Line::new().plain("nothing was deleted"))?;
        return Ok(Exit::Done);
    }
    let removal = if args.permanent { Removal::Unlink } else { Removal::ToTrash };
    let trash = trash(&app.clock);
    let report = deletion.apply_all(&plans, &trash, removal);
    told(&plans, &report, false, app)
}

/// The files that are named, or meant; those of subagents only where they are asked for.
fn paths(args: &DeleteArgs, app: &mut App) -> Result<Vec<PathBuf>> {
    let Some(query) = &args.where_ else {
        return args.sessions.iter().map(|word| app.find(word)).collect();
    };
    // All of long output, so that what a minus spares is spared wherever it stands.
    let rows = meant::sessions(query, args.all, "before:1y -name:*", app)?;
    Ok(rows.into_iter().map(|row| row.path).collect())
}

fn deletion(args: &DeleteArgs, app: &App) -> Deletion {
    let stores = Stores::new(&app.globals);
    let mut roots = stores.roots();
    roots.extend(stores.transcript_roots(stores.cwd_path()));
    Deletion::new()
        .base(std::env::current_dir().unwrap_or_default())
        .roots(roots)
        .durability(Durability::Synced)
        .force(args.force)
        .family(args.family)
}

fn question(plans: &[DeletePlan], permanent: bool) -> String {
    let files: usize = plans.iter().map(|plan| plan.files().count()).sum();
    let files = counted(files, "file", "files");
    match permanent {
        true => format!("Delete {files} for good?"),
        false => format!("Move {files} to the trash?"),
    }
}

fn show(plan: &DeletePlan, app: &mut App) -> Result<()> {
    app.out.line(&doomed_line(&plan.session, "", ""))?;
    sides(&plan.session, app)?;
    for transcript in &plan.transcripts {
        let fate = if plan.family { "  goes along" } else { "  stays (--family takes it along)" };
        app.out.line(&doomed_line(transcript, "  transcript  ", fate))?;
        if plan.family {
            sides(transcript, app)?;
        }
    }
    for fork in &plan.forks {
        let line = Line::new().plain("  fork  ").plain(shown(&fork.path));
        app.out.line(&line.add(style::DIM, "  stays, without its parent"))?;
    }
    let problems = plan
        .problems
        .iter()
        .map(|problem| format!("`{}` could not be read: {}", problem.path.display(), problem.why));
    app.warn(problems.collect::<Vec<_>>())
}

fn doomed_line(doomed: &Doomed, label: &str, fate: &str) -> Line {
    let id = doomed.header.as_ref().map(|header| header.id().to_owned());
    let what = match (doomed.is_link, id) {
        (true, _) => "  only the link".to_owned(),
        (false, Some(id)) => format!("  {id}"),
        (false, None) => "  no header that can be read".to_owned(),
    };
    let bytes = usize::try_from(doomed.size).unwrap_or(usize::MAX);
    let path = match label {
        "" => Line::new().add(style::STRONG, shown(&doomed.path)),
        label => Line::new().plain(label).plain(shown(&doomed.path)),
    };
    path.add(style::ID, what).add(style::DIM, format!("  {}", size(bytes))).plain(fate)
}

fn sides(doomed: &Doomed, app: &mut App) -> Result<()> {
    for side in &doomed.sides {
        app.out.line(&Line::new().plain("  with it  ").plain(shown(side)))?;
    }
    Ok(())
}

/// What was done, or for a dry run what would be; the exit code follows.
fn told(plans: &[DeletePlan], report: &DeleteReport, dry_run: bool, app: &mut App) -> Result<Exit> {
    if app.globals.json {
        app.out.json(&json(plans, report, dry_run))?;
    } else {
        removed(report, app)?;
    }
    if !app.globals.json {
        for failed in &report.failed {
            app.out.finish()?;
            tell(failed, app)?;
        }
    }
    Ok(match report.failed.first() {
        None => Exit::Done,
        // Nothing at all was done: the reason decides, as with one session.
        Some(first) if report.removed.is_empty() => Exit::of(first.error.kind()),
        Some(_) => Exit::Problems,
    })
}

fn removed(report: &DeleteReport, app: &mut App) -> Result<()> {
    if app.globals.quiet {
        return Ok(());
    }
    for (method, done) in
        [(Method::Trash, "moved to the trash"), (Method::Unlink, "deleted for good")]
    {
        let count = report.removed.iter().filter(|removed| removed.method == method).count();
        if count > 0 {
            let text = format!("{} {done}", counted(count, "file", "files"));
            app.out.line(&Line::new().plain(text))?;
        }
    }
    if report.removed.iter().any(|removed| removed.method == Method::Trash) {
        let hint = Line::new().add(style::HINT, "hint: ");
        app.err.line(&hint.plain("`logwood restore` brings it back"))?;
    }
    Ok(())
}

/// Says on standard error why a file is still there.
pub(super) fn tell(failed: &Failed, app: &mut App) -> Result<()> {
    let error = Line::new().add(style::ERROR, "error: ").plain(failed.error.summary());
    app.err.line(&error)?;
    if let Some(hint) = failed.error.hint() {
        app.err.line(&Line::new().add(style::HINT, "hint: ").plain(hint))?;
    }
    Ok(())
}

fn json(plans: &[DeletePlan], report: &DeleteReport, dry_run: bool) -> String {
    let removed = report.removed.iter().map(|removed| {
        Object::new()
            .str("path", &shown(&removed.path))
            .str("method", removed.method.as_str())
            .end()
    });
    Object::new()
        .bool("dryRun", dry_run)
        .json("sessions", &array(plans.iter().map(plan_json)))
        .json("removed", &array(removed))
        .json("failed", &array(report.failed.iter().map(failed_json)))
        .end()
}

fn plan_json(plan: &DeletePlan) -> String {
    let strings = |paths: &[std::path::PathBuf]| {
        array(paths.iter().map(|path| crate::output::string(&shown(path))))
    };
    let transcript = |doomed: &Doomed| {
        let id = doomed.header.as_ref().map(|header| header.id());
        let object = Object::new().str("path", &shown(&doomed.path)).str_or_null("sessionId", id);
        object.json("files", &strings(&doomed.sides)).bool("goesAlong", plan.family).end()
    };
    let fork = |row: &HeaderRow| {
        Object::new().str("path", &shown(&row.path)).str("sessionId", row.header.id()).end()
    };
    let session = &plan.session;
    Object::new()
        .str("path", &shown(&session.path))
        .str_or_null("sessionId", session.header.as_ref().map(|header| header.id()))
        .bool("link", session.is_link)
        .num("size", session.size)
        .json("files", &strings(&session.sides))
        .json("transcripts", &array(plan.transcripts.iter().map(transcript)))
        .json("forks", &array(plan.forks.iter().map(fork)))
        .end()
}

/// A file with which something was not done.
pub(super) fn failed_json(failed: &Failed) -> String {
    Object::new()
        .str("path", &shown(&failed.path))
        .str("error", &failed.error.summary())
        .str("errorKind", failed.error.kind().as_str())
        .opt_str("hint", failed.error.hint())
        .end()
}

pub(super) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Where a command needs the trash of this machine and there is none.
pub(super) fn no_trash() -> CommandError {
    let message = "this machine has no trash that logwood knows";
    CommandError::new(ErrorKind::NotFound, message)
        .hint("set HOME or XDG_DATA_HOME, or use the trash of the system")
}
