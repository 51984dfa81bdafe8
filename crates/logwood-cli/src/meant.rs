//! The sessions that a query means, for the commands that work on sessions.

use logwood::error::ErrorKind;
use logwood::inventory::{Listing, SessionInfo, SessionKind};
use logwood_catalog::filter::{Filter, State};
use logwood_catalog::search::Search;
use logwood_catalog::text::Extent;

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::progress::with_bar;
use crate::stores::{Scope, Stores, go_on, threads};

/// Leaves the sessions that a query means in the listing, looking at so much of long output; files that could not be read for it go
/// to its problems.
///
/// # Errors
/// When a warning cannot be written.
pub(crate) fn retain(
    filter: &Filter,
    extent: Extent,
    listing: &mut Listing,
    stores: &Stores,
    app: &mut App,
) -> Result<()> {
    if filter.is_empty() {
        return Ok(());
    }
    let holders = if filter.asks_who_is_live() { app.live()? } else { Vec::new() };
    let search = Search::new(filter)
        .storage(stores.storage().clone())
        .threads(threads())
        .extent(extent)
        .holders(&holders);
    let quiet = app.globals.quiet || app.globals.json;
    let rows = &listing.sessions;
    let (meant, problems) = with_bar(quiet, |progress| search.sessions(rows, progress));
    let mut meant = meant.into_iter();
    listing.sessions.retain(|_| meant.next().unwrap_or(false));
    listing.problems.extend(problems);
    Ok(())
}

/// The sessions of this project, or of all, that a query means, looking at all of long output; those of subagents only where they are
/// asked for. A query that says nothing would mean every session and is refused, with `example` in its place.
///
/// # Errors
/// What is wrong with the query; `not_found` when it means none.
pub(crate) fn sessions(
    query: &str,
    all: bool,
    example: &str,
    app: &mut App,
) -> Result<Vec<SessionInfo>> {
    let filter = app.filter(query)?;
    if filter.is_empty() {
        let message = "an empty query means every session";
        return Err(CommandError::new(ErrorKind::InvalidArgument, message)
            .hint(format!("say which, as in --where '{example}'")));
    }
    let stores = Stores::new(&app.globals);
    stores.require_some()?;
    let scope = if all { Scope::All } else { Scope::Project };
    let mut listing = stores.lister().list(&stores.places(scope), scope, &go_on);
    retain(&filter, Extent::Whole, &mut listing, &stores, app)?;
    if let Some(problem) = listing.problems.iter().find(|problem| problem.hides_sessions()) {
        app.warn([format!("`{}` could not be read: {}", problem.path.display(), problem.why)])?;
    }
    let subagents = filter.asks_for(State::Subagent);
    let mut rows = listing.sessions;
    rows.retain(|row| subagents || row.kind != SessionKind::Subagent);
    if rows.is_empty() {
        let message = format!("no session is meant by `{query}`");
        return Err(CommandError::new(ErrorKind::NotFound, message)
            .hint("`logwood list QUERY` shows what a query means"));
    }
    Ok(rows)
}
