//! From the options to the figures.

use std::path::Path;
use std::sync::Arc;

use logwood::inventory::{Listing, Place, SessionFile, SessionInfo};
use logwood::statistics::{
    Calendar, Dimension, Scanned, SessionStatistics, Statistics, Table, UsageScan,
};
use logwood_catalog::filter::{Filter, Surroundings};
use logwood_catalog::text::Extent;

use super::args::StatsArgs;
use super::{csv, json, plot, session, table, time};
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::meant;
use crate::now::now_ms;
use crate::output::{Line, style};
use crate::progress::with_bar;
use crate::stores::{Scope, Stores, threads};
use crate::transcripts::Transcripts;
use crate::words::counted;

pub(crate) fn run(args: &StatsArgs, app: &mut App) -> Result<Exit> {
    args.check()?;
    let now = Surroundings { now_ms: now_ms(), zone: app.clock.zone(), home: app.home() };
    let period = time::period(args, &now)?;
    let stores = Stores::new(&app.globals);
    let scan = UsageScan::new(Arc::clone(stores.storage()))
        .threads(threads())
        .period(period)
        .own_transcripts(stores.named_dir().is_some());
    match &args.session {
        None => many(args, &stores, &scan, app),
        Some(word) => {
            let path = app.find(word)?;
            one(args, &path, &stores, &scan, app)
        }
    }
}

/// The sessions of a project, of a store, or all.
fn many(args: &StatsArgs, stores: &Stores, scan: &UsageScan, app: &mut App) -> Result<Exit> {
    stores.require_some()?;
    app.warn(stores.unmet_warnings())?;
    app.warn(stores.warnings(stores.sites()))?;
    let scope = if args.all || args.store.is_some() { Scope::All } else { Scope::Project };
    let wanted = |place: &Place| args.store.as_deref().is_none_or(|store| &*place.store == store);
    let mut places = stores.places(scope);
    let mut transcripts = stores.transcript_places(&[stores.cwd_path()]);
    stores.require_store(args.store.as_deref(), scope)?;
    places.retain(wanted);
    transcripts.retain(wanted);
    let cwd = stores.cwd();
    let cwd = (scope == Scope::Project).then_some(cwd.as_str());
    let quiet = app.globals.quiet || app.globals.json || args.csv;
    let mut found = match args.query.as_deref() {
        None => with_bar(quiet, |progress| scan.places(&places, &transcripts, cwd, progress)),
        Some(query) => {
            let filter = app.filter(query)?;
            let meant = meant(&filter, args, &places, scope, stores, app)?;
            let files = files(&meant);
            let mut found = with_bar(quiet, |progress| scan.files(&files, &transcripts, progress));
            found.problems.extend(meant.problems);
            found
        }
    };
    found.problems.splice(0..0, stores.absent());
    let by = if args.by.is_empty() && !app.globals.json && !args.csv {
        &[Dimension::Model][..]
    } else {
        &args.by
    };
    print(by, args, &found, app)?;
    if found.statistics.totals() == Statistics::default().totals() {
        nothing(args, stores, scope, app)?;
    }
    finish(&found, app)
}

/// The sessions and transcripts that a query means.
fn meant(
    filter: &Filter,
    args: &StatsArgs,
    places: &[Place],
    scope: Scope,
    stores: &Stores,
    app: &mut App,
) -> Result<Listing> {
    let quiet = app.globals.quiet || app.globals.json || args.csv;
    let lister = stores.lister();
    let mut listing = with_bar(quiet, |progress| lister.list(places, scope, progress));
    let transcripts = Transcripts::read(stores, args.store.as_deref());
    let wanted = match scope {
        Scope::Project => transcripts.of_project(&stores.cwd(), &listing.sessions),
        Scope::All | Scope::Host => (0..transcripts.rows().len()).collect(),
    };
    let children = transcripts.files(wanted);
    listing.join(with_bar(quiet, |progress| lister.list_files(children, progress)), Some(now_ms()));
    meant::retain(filter, Extent::Ends, &mut listing, stores, app)?;
    Ok(listing)
}

fn files(listing: &Listing) -> Vec<SessionFile> {
    let file = |row: &SessionInfo| SessionFile {
        path: row.path.clone(),
        store: row.store.clone(),
        adopts: false,
    };
    listing.sessions.iter().map(file).collect()
}

/// One session and its subagents.
fn one(
    args: &StatsArgs,
    path: &Path,
    stores: &Stores,
    scan: &UsageScan,
    app: &mut App,
) -> Result<Exit> {
    let session = app.open_path(path)?;
    let file =
        SessionFile { path: path.to_path_buf(), store: stores.store_of(path), adopts: false };
    let cwds = [stores.cwd_path(), Path::new(session.cwd())];
    let mut roots = stores.transcript_places(&cwds);
    roots.extend(stores.places(Scope::All));
    let found = scan.session(&file, &roots)?;
    let plain = args.by.is_empty() && !args.csv && found.statistics.period().is_everything();
    if !plain {
        let by = if args.by.is_empty() { &[Dimension::Model][..] } else { &args.by };
        print(by, args, &found, app)?;
    } else if app.globals.json {
        let calendar = Calendar::new(app.clock.zone());
        let models = found.statistics.table(&[Dimension::Model], &calendar);
        let counted = SessionStatistics::of(&session)?;
        let name = path.display().to_string();
        app.out.json(&json::of_session(&name, &counted, &models, &found))?;
    } else {
        session::print(&session, &found, app)?;
    }
    finish(&found, app)
}

fn print(by: &[Dimension], args: &StatsArgs, found: &Scanned, app: &mut App) -> Result<()> {
    let zone = app.clock.zone();
    let statistics = &found.statistics;
    let table = statistics.table(by, &Calendar::new(zone.clone()));
    if app.globals.json {
        return Ok(app.out.json(&json::of_table(&table, found, zone.iana_name()))?);
    }
    if args.csv {
        for line in csv::lines(&table, statistics) {
            app.out.line(&Line::new().plain(line))?;
        }
        return Ok(());
    }
    print_table(&table, statistics, app)
}

fn print_table(table: &Table, statistics: &Statistics, app: &mut App) -> Result<()> {
    if table.rows.is_empty() {
        return Ok(());
    }
    let home = app.home();
    let columns = app.row_columns().0;
    if table.dimensions == [Dimension::Day] {
        for line in plot::lines(table, app.out.columns()) {
            app.out.line(&line)?;
        }
        app.out.gap()?;
        let sum = statistics.table(&[], &Calendar::new(app.clock.zone()));
        for line in table::lines(&sum, statistics, home.as_deref(), columns) {
            app.out.line(&line)?;
        }
        return Ok(());
    }
    for line in table::lines(table, statistics, home.as_deref(), columns) {
        app.out.line(&line)?;
    }
    Ok(())
}

fn nothing(args: &StatsArgs, stores: &Stores, scope: Scope, app: &mut App) -> Result<()> {
    if app.globals.quiet || app.globals.json || args.csv {
        return Ok(());
    }
    app.out.finish()?;
    let when = if args.since.is_some() || args.until.is_some() { " in that time" } else { "" };
    match scope {
        Scope::Project => {
            note(app, &format!("no answer was given in {}{when}", stores.cwd()))?;
            note(app, "`logwood stats --all` counts every project")
        }
        Scope::All | Scope::Host => note(app, &format!("no answer was given{when}")),
    }
}

/// What was left out, on standard error; exit code 1 where sessions may be missing.
fn finish(found: &Scanned, app: &mut App) -> Result<Exit> {
    app.out.finish()?;
    let failed: Vec<_> = found.problems.iter().filter(|problem| problem.hides_sessions()).collect();
    if !app.globals.json {
        if found.statistics.without_time() > 0 && !app.globals.quiet {
            let lost =
                counted(found.statistics.without_time() as usize, "answer has", "answers have");
            note(app, &format!("{lost} no time and cannot be put into a period"))?;
        }
        if app.globals.verbose {
            for problem in &found.problems {
                let path = problem.path.display();
                app.warn([format!("{path}: {}: {}", problem.kind.as_str(), problem.why)])?;
            }
        } else if !failed.is_empty() {
            let files = counted(failed.len(), "file or folder", "files or folders");
            app.warn([format!(
                "{files} could not be read, so sums may be too low; -v names them"
            )])?;
        }
    }
    Ok(if failed.is_empty() { Exit::Done } else { Exit::Problems })
}

fn note(app: &mut App, text: &str) -> Result<()> {
    Ok(app.err.line(&Line::new().add(style::DIM, text))?)
}
