//! From the query to the hits, and what is said about those that are not there.

use logwood::inventory::{Listing, SessionInfo};
use logwood::json::JsonWriter;
use logwood_catalog::filter::Filter;
use logwood_catalog::search::{Found, Search};
use logwood_catalog::text::Extent;
use logwood_rpc::write_found;

use super::table;
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::now::now_ms;
use crate::output::{Line, style};
use crate::progress::with_bar;
use crate::stores::{Scope, Stores, threads};
use crate::transcripts::Transcripts;
use crate::words::counted;

/// How many hits are shown unless the command line says otherwise.
const LIMIT: usize = 20;

#[derive(Debug, clap::Args)]
pub(crate) struct SearchArgs {
    /// Words, "phrases", re:patterns and filters such as role:user; several are joined by a space
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,

    /// Search the sessions of every project
    #[arg(long)]
    all: bool,

    /// How many hits are shown
    #[arg(long, value_name = "COUNT", default_value_t = LIMIT)]
    limit: usize,

    /// Search long output whole, and not its head and tail only
    #[arg(long)]
    deep: bool,
}

pub(crate) fn run(args: &SearchArgs, app: &mut App) -> Result<Exit> {
    let filter = app.filter(&args.query.join(" "))?;
    let stores = Stores::new(&app.globals);
    stores.require_some()?;
    app.warn(stores.unmet_warnings())?;
    app.warn(stores.warnings(stores.sites()))?;
    let quiet = app.globals.quiet || app.globals.json;
    let scope = if args.all { Scope::All } else { Scope::Project };
    let places = stores.places(scope);
    let lister = stores.lister();
    let mut listing = with_bar(quiet, |progress| lister.list(&places, scope, progress));
    let transcripts = Transcripts::read(&stores, None);
    let cwd = stores.cwd();
    let files = transcripts.beside(&listing, (scope == Scope::Project).then_some(cwd.as_str()));
    let children = with_bar(quiet, |progress| lister.list_files(files, progress));
    listing.join(children, Some(now_ms()));
    listing.problems.extend(transcripts.problems);
    let found = search(args, app, &filter, &stores, &listing)?;
    if app.globals.json {
        app.out.json(&json(&found))?;
    } else {
        for line in table::lines(&found.hits, &look(app, args, &listing.sessions)) {
            app.out.line(&line)?;
        }
        say_what_is_not_shown(args, app, &stores, &found)?;
    }
    Ok(match (found.problems.is_empty(), found.total) {
        (false, _) => Exit::Problems,
        (true, 0) => Exit::NotFound,
        (true, _) => Exit::Done,
    })
}

fn search(
    args: &SearchArgs,
    app: &mut App,
    filter: &Filter,
    stores: &Stores,
    listing: &Listing,
) -> Result<Found> {
    let holders = if filter.asks_who_is_live() { app.live()? } else { Vec::new() };
    let search = Search::new(filter)
        .storage(stores.storage().clone())
        .threads(threads())
        .limit(args.limit)
        .extent(if args.deep { Extent::Whole } else { Extent::Ends })
        .holders(&holders);
    let quiet = app.globals.quiet || app.globals.json;
    let mut found = with_bar(quiet, |progress| search.entries(&listing.sessions, progress));
    let unread = listing.problems.iter().filter(|problem| problem.hides_sessions());
    found.problems.splice(0..0, unread.cloned().chain(stores.absent()));
    Ok(found)
}

fn look(app: &App, args: &SearchArgs, rows: &[SessionInfo]) -> table::Look {
    let several = |(a, b): (&SessionInfo, &SessionInfo)| a.store != b.store;
    let (columns, id_columns) = app.row_columns();
    table::Look {
        now_ms: now_ms(),
        projects: args.all,
        stores: rows.first().is_some_and(|first| rows.iter().any(|row| several((first, row)))),
        home: app.home(),
        columns,
        id_columns,
    }
}

fn json(found: &Found) -> String {
    let mut out = Vec::new();
    let mut json = JsonWriter::new(&mut out);
    json.begin_object();
    write_found(&mut json, found);
    json.end_object();
    String::from_utf8_lossy(&out).into_owned()
}

/// On standard error, so that what is piped on is hits and nothing else.
fn say_what_is_not_shown(
    args: &SearchArgs,
    app: &mut App,
    stores: &Stores,
    found: &Found,
) -> Result<()> {
    app.out.finish()?;
    if app.globals.verbose {
        for problem in &found.problems {
            let path = problem.path.display();
            app.warn([format!("{path}: {}: {}", problem.kind.as_str(), problem.why)])?;
        }
    } else if !found.problems.is_empty() {
        let files = counted(found.problems.len(), "file or folder", "files or folders");
        app.warn([format!("{files} could not be read, so hits may be missing; -v names them")])?;
    }
    if app.globals.quiet {
        return Ok(());
    }
    note(app, &summary(args, stores, found))?;
    if found.cut > 0 {
        let entries = counted(found.cut as usize, "entry", "entries");
        note(
            app,
            &format!(
                "of the long output of {entries} only head and tail were searched; --deep searches it whole"
            ),
        )?;
    }
    if found.total == 0 && !args.all {
        note(app, "`--all` searches the sessions of every project")?;
    }
    Ok(())
}

fn summary(args: &SearchArgs, stores: &Stores, found: &Found) -> String {
    if found.total == 0 {
        return match args.all {
            true => "nothing was found".to_owned(),
            false => format!("nothing was found in the sessions of {}", stores.cwd()),
        };
    }
    let hits = counted(found.total as usize, "hit", "hits");
    let sessions = counted(found.sessions as usize, "session", "sessions");
    match (found.hits.len() as u64) < found.total {
        true => {
            format!("the best {} of {hits} in {sessions}; --limit shows more", found.hits.len())
        }
        false => format!("{hits} in {sessions}"),
    }
}

fn note(app: &mut App, text: &str) -> Result<()> {
    Ok(app.err.line(&Line::new().add(style::DIM, text))?)
}
