//! What is older than 30 days goes.

use logwood::performance::{PerformanceLog, Pruned};

use super::logs::{StoreLog, all};
use super::show::path_text;
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, array, style};
use crate::stores::Stores;
use crate::words::counted;

#[derive(Debug, clap::Args)]
pub(crate) struct PruneArgs {
    /// Only say what would go
    #[arg(short = 'n', long)]
    dry_run: bool,
}

pub(super) fn run(args: &PruneArgs, app: &mut App) -> Result<Exit> {
    let stores = Stores::new(&app.globals);
    let logs: Vec<_> = all(&stores)?.into_iter().filter(|log| log.exists).collect();
    let mut rows = Vec::new();
    for StoreLog { store, log, .. } in &logs {
        let pruned = if args.dry_run { log.plan_prune() } else { log.prune() }?;
        if app.globals.json {
            rows.push(row(store, log, pruned));
        } else if !app.globals.quiet {
            let path = stores.shorten(log.path());
            let line = Line::new().add(style::STRONG, path.to_string_lossy());
            app.out.line(&line.plain(": ").plain(sentence(pruned, args.dry_run)))?;
        }
    }
    if app.globals.json {
        let object = Object::new().bool("dryRun", args.dry_run).json("logs", &array(rows));
        app.out.json(&object.end())?;
    } else if logs.is_empty() && !app.globals.quiet {
        app.out.line(
            &Line::new().plain("there is no performance log, so there is nothing to prune"),
        )?;
    }
    Ok(Exit::Done)
}

fn sentence(pruned: Pruned, dry_run: bool) -> String {
    let count = |count: u64, one: &str, many: &str| {
        counted(usize::try_from(count).unwrap_or(usize::MAX), one, many)
    };
    let kept = count(pruned.kept, "record", "records");
    if !pruned.is_change() {
        return format!("nothing to take out, {kept} not older than {} days", PerformanceLog::DAYS);
    }
    let mut gone = Vec::new();
    if pruned.old > 0 {
        let old = count(pruned.old, "record", "records");
        gone.push(format!("{old} older than {} days", PerformanceLog::DAYS));
    }
    if pruned.unusable > 0 {
        gone.push(count(pruned.unusable, "line that is no record", "lines that are no records"));
    }
    let verb = if dry_run { "would take out" } else { "took out" };
    let stay = if dry_run { "would stay" } else { "stay" };
    format!("{verb} {}; {kept} {stay}", gone.join(" and "))
}

fn row(store: &str, log: &PerformanceLog, pruned: Pruned) -> String {
    Object::new()
        .str("store", store)
        .str("path", &path_text(log.path()))
        .num("kept", pruned.kept)
        .num("old", pruned.old)
        .num("unusable", pruned.unusable)
        .end()
}
