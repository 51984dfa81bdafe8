//! `logwood tree --children`: a session among its parents, its forks and the sessions of its subagents, as one tree.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use logwood::inventory::{
    FileProblem, HeaderRow, Headers, SessionFile, SessionInfo, read_headers_and,
};
use logwood::location::same_cwd;
use logwood::session::SessionManager;
use logwood::transcript::{Family, Kinship, Member};
use logwood_rpc::{live_rows, missing_cwds, write_file_problem, write_session_row};

use super::run::{CWD_LIMIT, json, with_member};
use super::table::{self, Look, step_of};
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::now::now_ms;
use crate::output::{Line, Object, array, style};
use crate::stores::{Stores, go_on};

/// The lines of so many generations are drawn before a row; of deeper ones the nearest.
const GENERATIONS: usize = 12;

/// The family, and a row for each member.
struct Found {
    gone: Option<String>,
    members: Vec<(Member, SessionInfo)>,
    problems: Vec<FileProblem>,
    missing: HashSet<String>,
    live: HashSet<PathBuf>,
}

/// Shows the family of the session that a word names.
///
/// # Errors
/// As [`App::open`].
pub(crate) fn family(word: &OsStr, app: &mut App) -> Result<Exit> {
    let session = app.open(word)?;
    let stores = Stores::new(&app.globals);
    let mut found = find(&session, &stores)?;
    let rows: Vec<_> = found.members.iter().map(|(_, row)| (row.clone(), 0)).collect();
    let members = found.members.iter().map(|(_, row)| row);
    found.live = live_rows(members, &app.live()?, &**stores.storage());
    if app.globals.json {
        app.out.json(&json_of(&found))?;
    } else {
        print(&found, rows, app)?;
    }
    let problems = found.problems.iter().map(|problem| {
        format!("{}: {}; sessions may be missing", problem.path.display(), problem.why)
    });
    if !app.globals.json {
        app.out.finish()?;
        app.warn(problems.collect::<Vec<_>>())?;
    }
    Ok(if found.problems.is_empty() { Exit::Done } else { Exit::Problems })
}

fn find(session: &SessionManager, stores: &Stores) -> Result<Found> {
    let storage = &**stores.storage();
    let file = session.session_file().unwrap_or(Path::new(""));
    let Headers { mut rows, problems } =
        read_headers_and(storage, &roots(session, stores), &[folder_of(file)]);
    let own = storage
        .metadata(file)
        .map_err(|error| logwood::error::Error::io("cannot look at session", file, error))?;
    if !rows.iter().any(|row| row.metadata.identity == own.identity && own.identity.is_some()) {
        // Its name is none that a listing looks at.
        let header = session.header().clone();
        rows.push(HeaderRow { path: file.to_path_buf(), header, metadata: own });
    }
    let family = Kinship::of(storage, &rows).family(file);
    let Family { gone, members } = family.unwrap_or(Family { gone: None, members: Vec::new() });
    let listing = {
        let paths = members.iter().filter_map(|member| rows.get(member.row));
        let file = |path: &PathBuf| SessionFile {
            path: path.clone(),
            store: stores.store_of(path),
            adopts: false,
        };
        stores.lister().list_files(paths.map(|row| file(&row.path)).collect(), &go_on)
    };
    let mut infos: HashMap<PathBuf, SessionInfo> =
        listing.sessions.into_iter().map(|row| (row.path.clone(), row)).collect();
    let members: Vec<_> = members
        .into_iter()
        .filter_map(|member| Some((member, infos.remove(&rows.get(member.row)?.path)?)))
        .collect();
    let cwds = members.iter().map(|(_, row)| row.cwd.as_str());
    let missing = missing_cwds(cwds, stores.storage(), CWD_LIMIT);
    let problems = problems.into_iter().chain(listing.problems).collect();
    Ok(Found { gone, members, problems, missing, live: HashSet::new() })
}

/// Every store, and the transcripts of the session's own directory.
fn roots(session: &SessionManager, stores: &Stores) -> Vec<PathBuf> {
    let mut roots = stores.roots();
    roots.extend(stores.transcript_roots(stores.cwd_path()));
    if !session.cwd().is_empty() {
        roots.extend(stores.transcript_roots(Path::new(session.cwd())));
    }
    roots
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

fn print(found: &Found, rows: Vec<(SessionInfo, usize)>, app: &mut App) -> Result<()> {
    if let Some(gone) = &found.gone {
        app.out.line(&Line::new().add(style::WARNING, "parent is gone  ").plain(gone))?;
    }
    let first = rows.first().map(|(row, _)| row.cwd.clone()).unwrap_or_default();
    let branches = branches(&found.members);
    let look = Look {
        now_ms: now_ms(),
        missing: &found.missing,
        live: &found.live,
        projects: rows.iter().any(|(row, _)| !same_cwd(&row.cwd, &first)),
        home: app.home(),
        columns: app.out.columns(),
        branches: &branches,
    };
    for line in table::lines(&rows, &look) {
        app.out.line(&line)?;
    }
    Ok(())
}

/// What is drawn before each member: the lines from its parent, and `›` at the one that was asked for.
fn branches(members: &[(Member, SessionInfo)]) -> Vec<String> {
    // Whether a later row of this depth has the same parent, seen from the end.
    let mut more: Vec<bool> = Vec::new();
    let mut drawn: Vec<String> = Vec::with_capacity(members.len());
    let least = members.iter().map(|(member, _)| member.depth).min().unwrap_or_default();
    for (member, _) in members.iter().rev() {
        let depth = member.depth - least;
        more.resize(depth + 1, false);
        let far = depth.saturating_sub(GENERATIONS);
        let mut text = if far > 0 { "… ".to_owned() } else { String::new() };
        for level in (far + 1)..depth {
            text.push_str(if more.get(level) == Some(&true) { "│ " } else { "  " });
        }
        if depth > 0 {
            text.push_str(if more.get(depth) == Some(&true) { "├ " } else { "└ " });
        }
        text.push_str(if member.is_given { "› " } else { "" });
        if let Some(more) = more.get_mut(depth) {
            *more = true;
        }
        drawn.push(text);
    }
    drawn.reverse();
    drawn
}

fn json_of(found: &Found) -> String {
    let rows = found.members.iter().map(|(member, row)| {
        let (missing, live) = (found.missing.contains(&row.cwd), found.live.contains(&row.path));
        let text = json(|json| write_session_row(json, row, missing, live));
        let mut text = with_member(&text, "depth", &member.depth.to_string());
        if let Some(step) = step_of(row) {
            text = with_member(&text, "step", &step.to_string());
        }
        with_member(&text, "given", if member.is_given { "true" } else { "false" })
    });
    let problems =
        found.problems.iter().map(|problem| json(|json| write_file_problem(json, problem)));
    Object::new()
        .str_or_null("goneParent", found.gone.as_deref())
        .json("sessions", &array(rows))
        .json("problems", &array(problems))
        .end()
}
