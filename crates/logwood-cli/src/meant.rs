//! The sessions that a query means, for the commands that work on sessions.

use logwood::inventory::Listing;
use logwood_catalog::filter::Filter;
use logwood_catalog::search::Search;
use logwood_catalog::text::Extent;

use crate::app::App;
use crate::error::Result;
use crate::progress::with_bar;
use crate::stores::{Stores, threads};

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
