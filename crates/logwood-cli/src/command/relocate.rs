//! `logwood relocate`: sessions follow a project folder that was moved.

use std::ffi::OsString;

use logwood::error::ErrorKind;
use logwood::relocation::{Relocation, RelocationFailure, RelocationPlan, RelocationReport, Step};

use super::delete::shown;
use crate::app::App;
use crate::confirm::confirm;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, Object, array, string, style};
use crate::stores::{Scope, Stores};
use crate::words::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct RelocateArgs {
    /// The project folder as it was
    #[arg(value_name = "OLD")]
    old: OsString,

    /// The project folder as it is now
    #[arg(value_name = "NEW")]
    new: OsString,

    /// Do not ask
    #[arg(short, long, conflicts_with = "dry_run")]
    yes: bool,

    /// Only show what would be changed
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(crate) fn run(args: &RelocateArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    let folder = |word: &OsString| {
        let path = stores.environment().resolve_root(word, stores.cwd_path());
        path.and_then(|path| path.to_str().map(str::to_owned)).ok_or_else(|| {
            let message = format!("`{}` is no folder that can be named", word.to_string_lossy());
            CommandError::new(ErrorKind::InvalidArgument, message)
        })
    };
    let relocation = Relocation::new(&folder(&args.old)?, &folder(&args.new)?)?
        .places(stores.places(Scope::All))
        .transcripts(stores.transcript_roots(stores.cwd_path()));
    let plan = relocation.plan();
    if !app.globals.json {
        show(&plan, app)?;
    }
    let nothing = plan.moved.is_empty() && plan.mended.is_empty();
    if nothing || args.dry_run {
        return told(&plan, &RelocationReport::default(), args.dry_run, app);
    }
    let question = format!(
        "Move {} and mend {}?",
        counted(plan.moved.len(), "session", "sessions"),
        counted(plan.mended.len(), "link", "links")
    );
    if !confirm(&question, args.yes, app)? {
        app.out.line(&Line::new().plain("nothing was changed"))?;
        return Ok(Exit::Done);
    }
    let report = relocation.live(app.live()?).apply(&plan);
    told(&plan, &report, false, app)
}

fn show(plan: &RelocationPlan, app: &mut App) -> Result<()> {
    if !app.globals.quiet {
        if plan.moved.is_empty() && plan.mended.is_empty() {
            app.out.line(&Line::new().plain("no session names that folder"))?;
        }
        for moved in &plan.moved {
            app.out.line(&Line::new().add(style::STRONG, shown(&moved.from)))?;
            app.out.line(&Line::new().plain("  directory  ").plain(&moved.new_cwd))?;
            if moved.from != moved.to {
                app.out.line(&Line::new().plain("  file       ").plain(shown(&moved.to)))?;
            }
        }
        for mended in &plan.mended {
            app.out.line(&Line::new().add(style::STRONG, shown(&mended.path)))?;
            app.out.line(&Line::new().plain("  parent     ").plain(&mended.new_parent))?;
        }
    }
    let problems = plan
        .problems
        .iter()
        .map(|problem| format!("`{}` could not be read: {}", problem.path.display(), problem.why));
    app.warn(problems.collect::<Vec<_>>())
}

fn told(
    plan: &RelocationPlan,
    report: &RelocationReport,
    dry_run: bool,
    app: &mut App,
) -> Result<Exit> {
    if app.globals.json {
        app.out.json(&json(plan, report, dry_run))?;
    } else if !dry_run && !app.globals.quiet {
        let text = format!(
            "{} moved, {} mended",
            counted(report.moved.len(), "session", "sessions"),
            counted(report.mended.len(), "link", "links")
        );
        app.out.line(&Line::new().plain(text))?;
    }
    if !app.globals.json {
        app.out.finish()?;
        for failed in &report.failed {
            let summary = failed.error.summary();
            app.err.line(&Line::new().add(style::ERROR, "error: ").plain(summary))?;
            if let Some(hint) = failed.error.hint() {
                app.err.line(&Line::new().add(style::HINT, "hint: ").plain(hint))?;
            }
        }
    }
    let none = report.moved.is_empty() && report.mended.is_empty();
    Ok(match report.failed.first() {
        None if plan.problems.is_empty() => Exit::Done,
        Some(first) if none => Exit::of(first.error.kind()),
        _ => Exit::Problems,
    })
}

fn json(plan: &RelocationPlan, report: &RelocationReport, dry_run: bool) -> String {
    let moves = plan.moved.iter().map(|moved| {
        Object::new()
            .str("from", &shown(&moved.from))
            .str("to", &shown(&moved.to))
            .str("oldCwd", &moved.old_cwd)
            .str("newCwd", &moved.new_cwd)
            .end()
    });
    let links = plan.mended.iter().map(|mended| {
        Object::new()
            .str("path", &shown(&mended.path))
            .str("oldParent", &mended.old_parent)
            .str("newParent", &mended.new_parent)
            .end()
    });
    let paths = |paths: &[std::path::PathBuf]| array(paths.iter().map(|path| string(&shown(path))));
    Object::new()
        .bool("dryRun", dry_run)
        .json("moves", &array(moves))
        .json("links", &array(links))
        .json("moved", &paths(&report.moved))
        .json("mended", &paths(&report.mended))
        .json("failed", &array(report.failed.iter().map(failure)))
        .end()
}

fn failure(failed: &RelocationFailure) -> String {
    let step = match failed.step {
        Step::Move => "move",
        Step::Mend => "mend",
    };
    Object::new()
        .str("path", &shown(&failed.path))
        .str("step", step)
        .str("error", &failed.error.summary())
        .str("errorKind", failed.error.kind().as_str())
        .opt_str("hint", failed.error.hint())
        .end()
}
