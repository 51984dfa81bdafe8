//! From the options to the rows, and what is said about those that are not there.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use logwood::inventory::{FileProblem, Listing, SessionFile, SessionInfo, SessionKind};
use logwood::json::JsonWriter;
use logwood_catalog::text::Extent;
use logwood_rpc::{live_rows, missing_cwds, write_file_problem, write_session_row};

use super::format::{Context, Format};
use super::order::{Sort, sorted};
use super::table::{self, Look};
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::meant;
use crate::now::now_ms;
use crate::output::{Line, Object, style};
use crate::progress::with_bar;
use crate::stores::{Scope, Stores};
use crate::transcripts::Transcripts;
use crate::words::counted;

/// How long directories have to say that they are there.
pub(super) const CWD_LIMIT: Duration = Duration::from_millis(250);

#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Only the sessions that this means, in the language of `logwood search`
    #[arg(value_name = "QUERY")]
    query: Vec<String>,

    /// The sessions of every project
    #[arg(long, conflicts_with = "host")]
    all: bool,

    /// The sessions of the host as dreb's dashboard counts them: by the global settings alone
    #[arg(long)]
    host: bool,

    /// The order of the rows
    #[arg(long, value_name = "ORDER", default_value = "recent")]
    sort: Sort,

    /// Only sessions that have a name
    #[arg(long)]
    named: bool,

    /// Only the first rows
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,

    /// Leave out this many of the first rows
    #[arg(long, value_name = "COUNT", default_value_t = 0, hide_default_value = true)]
    offset: usize,

    /// The sessions of subagents too, each below the one that started it
    #[arg(long)]
    subagents: bool,

    /// Only the sessions of this store, by the name in the store column
    #[arg(long, value_name = "NAME")]
    store: Option<String>,

    /// Show the first rows as the catalog knows them (with --all and --limit)
    ///
    /// Only the files of these rows are looked at. A session that came, or went on, somewhere else since the last listing
    /// is missed; where one of the rows is not what is known, everything is looked at as usual.
    #[arg(long, requires_all = ["all", "limit"], conflicts_with_all = ["query", "named", "subagents", "sort", "no_catalog"])]
    cached: bool,

    /// Print each row in this form, {title} and the like replaced
    ///
    /// There are {id} {path} {cwd} {store} {name} {title} {first} {age} {modified} {created} {messages} {entries}
    /// {branches} {size} {status} {kind} {models} {flags}; {{ is a brace, \t and \n are what they are in C.
    #[arg(long, value_name = "FORM", conflicts_with = "json")]
    format: Option<String>,
}

/// What is shown.
struct Found {
    rows: Vec<(SessionInfo, usize)>,
    /// How many rows there are, with those that the limits leave out.
    total: usize,
    hidden: usize,
    problems: Vec<FileProblem>,
    /// Directories that are told by a warning of their own.
    unmet: Vec<FileProblem>,
    missing: HashSet<String>,
    /// The files that a process has open, as their rows name them.
    live: HashSet<PathBuf>,
}

pub(crate) fn run(args: &ListArgs, app: &mut App) -> Result<Exit> {
    let format = args.format.as_deref().map(Format::parse).transpose()?;
    let filter = app.filter(&args.query.join(" "))?;
    let stores = Stores::new(&app.globals);
    stores.require_some()?;
    app.warn(stores.unmet_warnings())?;
    stores.require_store(args.store.as_deref(), args.scope())?;
    app.warn(stores.warnings(stores.sites()))?;
    let quiet = app.globals.quiet || app.globals.json;
    let mut places = stores.places(args.scope());
    places.retain(|place| args.store.as_deref().is_none_or(|store| &*place.store == store));
    let lister = stores.lister();
    let wanted = args.limit.filter(|_| args.cached).map(|limit| limit.saturating_add(args.offset));
    let page = wanted.and_then(|wanted| lister.first_page(&places, wanted));
    let counts = page.as_ref().map(|page| (page.total, page.hidden));
    let mut listing = match page {
        Some(page) => Listing { sessions: page.sessions, ..Listing::default() },
        None => with_bar(quiet, |progress| lister.list(&places, args.scope(), progress)),
    };
    if args.subagents {
        let (files, problems) = args.children(&listing, &stores);
        let children = with_bar(quiet, |progress| lister.list_files(files, progress));
        listing.join(children, Some(now_ms()));
        listing.problems.extend(problems);
    }
    app.warn(lister.troubles())?;
    meant::retain(&filter, Extent::Ends, &mut listing, &stores, app)?;
    listing.problems.splice(0..0, stores.absent());
    let unmet: Vec<_> = stores.unmet().into_iter().map(|unmet| unmet.problem).collect();
    listing.problems.retain(|problem| unmet.iter().all(|unmet| unmet.path != problem.path));
    let mut found = args.select(listing, unmet, &stores);
    if let Some((total, hidden)) = counts {
        found.total = usize::try_from(total).unwrap_or(usize::MAX);
        found.hidden = usize::try_from(hidden).unwrap_or(usize::MAX);
    }
    let rows = found.rows.iter().map(|(row, _)| row);
    found.live = live_rows(rows, &app.live()?, &**stores.storage());
    match format {
        _ if app.globals.json => print_json(app, &found)?,
        Some(format) => print_format(app, &found, &format)?,
        None => print_table(args, app, &found)?,
    }
    if !app.globals.json {
        say_what_is_not_shown(args, app, &stores, &found)?;
    }
    let failed = found.unmet.iter().chain(&found.problems).any(FileProblem::hides_sessions);
    Ok(if failed { Exit::Problems } else { Exit::Done })
}

impl ListArgs {
    fn scope(&self) -> Scope {
        match (self.all, self.host) {
            (_, true) => Scope::Host,
            (true, false) => Scope::All,
            (false, false) => Scope::Project,
        }
    }

    /// The transcripts of subagents that belong to the sessions that are listed, or to the project.
    fn children(&self, listing: &Listing, stores: &Stores) -> (Vec<SessionFile>, Vec<FileProblem>) {
        let transcripts = Transcripts::read(stores, self.store.as_deref());
        let cwd = stores.cwd();
        let project = (self.scope() == Scope::Project).then_some(cwd.as_str());
        let files = transcripts.beside(listing, project);
        (files, transcripts.problems)
    }

    fn select(&self, listing: Listing, unmet: Vec<FileProblem>, stores: &Stores) -> Found {
        let mut rows = listing.sessions;
        rows.retain(|row| !self.named || row.name.is_some());
        let before = rows.len();
        rows.retain(|row| self.subagents || row.kind != SessionKind::Subagent);
        let hidden = before - rows.len();
        let mut rows = sorted(rows, self.sort);
        let total = rows.len();
        rows.drain(..self.offset.min(total));
        rows.truncate(self.limit.unwrap_or(usize::MAX));
        let cwds = rows.iter().map(|(row, _)| row.cwd.as_str());
        let missing = missing_cwds(cwds, stores.storage(), CWD_LIMIT);
        let live = HashSet::new();
        Found { rows, total, hidden, problems: listing.problems, unmet, missing, live }
    }
}

fn print_json(app: &mut App, found: &Found) -> Result<()> {
    let rows = found.rows.iter().map(|(row, depth)| {
        let (missing, live) = (found.missing.contains(&row.cwd), found.live.contains(&row.path));
        let text = json(|json| write_session_row(json, row, missing, live));
        if *depth > 0 { with_member(&text, "depth", &depth.to_string()) } else { text }
    });
    let problems = found.unmet.iter().chain(&found.problems);
    let problems = problems.map(|problem| json(|json| write_file_problem(json, problem)));
    let object = Object::new()
        .json("sessions", &crate::output::array(rows))
        .num("total", found.total as u64)
        .num("hiddenSubagents", found.hidden as u64)
        .json("problems", &crate::output::array(problems));
    Ok(app.out.json(&object.end())?)
}

/// The row with another last member.
pub(super) fn with_member(row: &str, key: &str, value: &str) -> String {
    let body = row.strip_suffix('}').unwrap_or(row);
    format!("{body},\"{key}\":{value}}}")
}

pub(super) fn json(fill: impl FnOnce(&mut JsonWriter<'_>)) -> String {
    let mut out = Vec::new();
    fill(&mut JsonWriter::new(&mut out));
    String::from_utf8_lossy(&out).into_owned()
}

fn print_format(app: &mut App, found: &Found, format: &Format) -> Result<()> {
    let context = Context { now_ms: now_ms(), missing: &found.missing };
    for (row, _) in &found.rows {
        let mut line = String::new();
        for (foreign, piece) in format.pieces(row, &context) {
            line.push_str(&if foreign { crate::output::clean(&piece) } else { piece.into() });
        }
        line.push('\n');
        app.out.own_text(line.as_bytes())?;
    }
    Ok(())
}

fn print_table(args: &ListArgs, app: &mut App, found: &Found) -> Result<()> {
    if found.rows.is_empty() {
        return Ok(());
    }
    let look = Look {
        now_ms: now_ms(),
        missing: &found.missing,
        live: &found.live,
        projects: args.scope() != Scope::Project,
        home: app.home(),
        columns: app.out.columns(),
        branches: &[],
    };
    for line in table::lines(&found.rows, &look) {
        app.out.line(&line)?;
    }
    Ok(())
}

/// On standard error, so that what is piped on is rows and nothing else.
fn say_what_is_not_shown(
    args: &ListArgs,
    app: &mut App,
    stores: &Stores,
    found: &Found,
) -> Result<()> {
    app.out.finish()?;
    if found.rows.is_empty() && !app.globals.quiet {
        say_nothing_found(args, app, stores, found.total)?;
    }
    if found.hidden > 0 && !app.globals.quiet {
        let hidden = counted(found.hidden, "session of a subagent is", "sessions of subagents are");
        note(app, &format!("{hidden} not shown; --subagents shows them"))?;
    }
    if app.globals.verbose {
        for problem in &found.problems {
            let text =
                format!("{}: {}: {}", problem.path.display(), problem.kind.as_str(), problem.why);
            warning(app, &text)?;
        }
        return Ok(());
    }
    let failed = found.problems.iter().filter(|problem| problem.hides_sessions()).count();
    let others = found.problems.len() - failed;
    if failed > 0 {
        let files = counted(failed, "file or folder", "files or folders");
        warning(
            app,
            &format!("{files} could not be read, so sessions may be missing; -v names them"),
        )?;
    }
    if others > 0 && !app.globals.quiet {
        let files = counted(others, "file is", "files are");
        note(app, &format!("{files} empty or no session; -v names them"))?;
    }
    Ok(())
}

fn say_nothing_found(
    args: &ListArgs,
    app: &mut App,
    stores: &Stores,
    found_total: usize,
) -> Result<()> {
    let places = stores.places(args.scope());
    if args.limit == Some(0) {
        return note(app, "--limit 0 shows no row");
    }
    if found_total > 0 {
        return note(app, &format!("--offset {} leaves out all {found_total}", args.offset));
    }
    let what = match args.scope() {
        Scope::Project => format!("there are no sessions of {}", stores.cwd()),
        Scope::All | Scope::Host => "there are no sessions".to_owned(),
    };
    let what = if args.named { format!("{what} that have a name") } else { what };
    if !args.query.is_empty() {
        return note(app, &format!("{what} that `{}` means", args.query.join(" ")));
    }
    note(app, &what)?;
    match places.as_slice() {
        [] => note(app, "no store was found; name one with --agent-dir or --session-dir"),
        places => {
            for place in places {
                note(app, &format!("looked in {}", stores.shorten(&place.root).display()))?;
            }
            if args.scope() == Scope::Project {
                note(app, "`logwood list --all` lists those of every project")?;
            }
            Ok(())
        }
    }
}

fn note(app: &mut App, text: &str) -> Result<()> {
    Ok(app.err.line(&Line::new().add(style::DIM, text))?)
}

fn warning(app: &mut App, text: &str) -> Result<()> {
    app.warn([text.to_owned()])
}
