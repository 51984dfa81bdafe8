//! The search over the sessions of a project, or of all (doc/search.md).

use logwood::error::Result;
use logwood::inventory::{Listing, ProgressFn};
use logwood::json::JsonWriter;
use logwood::location::{Inventory as Root, Layout};
use logwood_catalog::filter::{Filter, Surroundings};
use logwood_catalog::search::{Found, Search};
use logwood_catalog::text::Extent;

use super::Dispatcher;
use super::listing::{Chosen, MOST_THREADS, default_root, read, with_progress};
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;
use crate::search_hit::write_found;

/// How many hits are answered unless the request says otherwise.
const LIMIT: usize = 20;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "search",
    about: "Finds entries by what they say, in the language of doc/search.md; a query that asks about sessions only gives a hit for each.",
    fields: &[
        required("query", FieldKind::Text, "what is looked for"),
        optional("limit", FieldKind::Count, "how many hits are answered; default: 20"),
        optional(
            "cwd",
            FieldKind::Text,
            "only the sessions of this working directory, as `list_sessions` finds them; default: all, as `list_all_sessions` does",
        ),
        optional(
            "deep",
            FieldKind::Flag,
            "true: long output is searched whole, and not its head and tail only",
        ),
    ],
    data: &[
        gives(
            "hits",
            "best first: path, sessionId, entryId?, openAt? (the entry to open the session at), cwd, name?, store, line, timestamp?, field (id, name, label, user, assistant, thinking, error, summary, custom, bash, bash_output, tool, tool_call, tool_result, file, cwd, parent, other), snippet, marks (where in the snippet, as pairs of start and end in UTF-16 units), score, branch? (current, abandoned, compacted)",
        ),
        gives("total", "how many hits there are"),
        gives("sessions", "how many sessions have one"),
        gives(
            "cut",
            "how many entries may be hits too: they hold long output of which only head and tail were searched",
        ),
        gives("problems", "files and folders that could not be searched, as listings name them"),
    ],
    example: example(
        r#"{"type":"search","query":"nothing-of-the-kind"}"#,
        r#"{"hits":[],"total":0,"sessions":0,"cut":0,"problems":[]}"#,
    ),
    run: search,
}];

fn search(state: &mut Dispatcher, request: &Request<'_>, data: &mut JsonWriter<'_>) -> Result<()> {
    let surroundings = Surroundings {
        now_ms: state.options.sessions.now_ms(),
        zone: state.options.zone.clone(),
        home: state.options.home.clone(),
    };
    let filter = Filter::parse(&request.required("query")?, &surroundings)?;
    let listing = listed(state, request)?;
    let mut found = run(state, request, &filter, &listing)?;
    found.problems.splice(0..0, listing.problems);
    write_found(data, &found);
    Ok(())
}

/// The sessions that are searched.
fn listed(state: &Dispatcher, request: &Request<'_>) -> Result<Listing> {
    if request.text("cwd").is_some() {
        let chosen = Chosen::of(state, request);
        return read(state, request, chosen.root(state), Some(&chosen.cwd));
    }
    let own = state.session.custom_session_inventory_root();
    let own = own.map(|root| Root { root: root.to_path_buf(), layout: Layout::Flat });
    match own.or_else(|| default_root(state)) {
        Some(root) => read(state, request, root, None),
        None => Ok(Listing::default()),
    }
}

fn run(
    state: &Dispatcher,
    request: &Request<'_>,
    filter: &Filter,
    listing: &Listing,
) -> Result<Found> {
    let storage = state.options.sessions.shared_storage();
    let holders = match filter.asks_who_is_live() {
        true => state.options.sessions.live_sessions()?,
        false => Vec::new(),
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let deep = request.flag("deep").unwrap_or(false);
    let search = Search::new(filter)
        .storage(storage)
        .threads(threads.min(MOST_THREADS))
        .limit(request.count("limit").unwrap_or(LIMIT))
        .extent(if deep { Extent::Whole } else { Extent::Ends })
        .holders(&holders);
    let run = |progress: ProgressFn<'_>| search.entries(&listing.sessions, progress);
    Ok(with_progress(request, state.options.progress_every, run))
}
