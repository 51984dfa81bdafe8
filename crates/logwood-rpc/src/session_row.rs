//! The row of a session and the problems of a listing, as the protocol and `--json` show them (design section 3).

use std::collections::HashSet;
use std::path::PathBuf;

use logwood::inventory::{FileProblem, Listing, SessionInfo};
use logwood::json::{JsonWriter, iso_from_ms};
use logwood::problem::Problem;
use logwood::session::Holder;
use logwood::storage::Storage;

use crate::dispatch::path_member;

/// Writes one row: dreb's members first, in dreb's order, then what logwood adds.
///
/// `cwd_missing` and `live` (a process has it open) are what the row itself does not know.
pub fn write_session_row(
    json: &mut JsonWriter<'_>,
    row: &SessionInfo,
    cwd_missing: bool,
    live: bool,
) {
    json.begin_object();
    path_member(json, "path", Some(&row.path));
    json.key("id").str(&row.id).key("cwd").str(&row.cwd);
    optional(json, "name", row.name.as_deref());
    json.key("created").str(&iso_from_ms(row.created_ms).unwrap_or_default());
    json.key("modified").str(&iso_from_ms(row.modified_ms).unwrap_or_default());
    json.key("messageCount").u64(row.message_count);
    json.key("firstMessage").str(row.first_message_or_placeholder());
    optional(json, "parentSessionPath", row.parent_session_path.as_deref());
    optional(json, "agentType", row.agent_type.as_deref());
    optional(json, "title", row.title.as_deref());
    json.key("kind").str(row.kind.as_str());
    json.key("store").str(&row.store);
    json.key("flags");
    texts(json, flags_of(row, cwd_missing));
    json.key("status").str(row.status.as_str());
    json.key("size").u64(row.size).key("entryCount").u64(row.entry_count);
    json.key("branchCount").u64(row.branch_count).key("models");
    texts(json, row.models.iter().map(String::as_str));
    json.key("problems").begin_array();
    problem_counts(&row.problems).for_each(|(first, count)| problem_count(json, first, count));
    json.end_array();
    if live {
        json.key("live").bool(true);
    }
    json.end_object();
}

/// The files of rows that a process has open; only where any is, links are followed.
pub fn live_rows<'r>(
    rows: impl IntoIterator<Item = &'r SessionInfo>,
    holders: &[Holder],
    storage: &dyn Storage,
) -> HashSet<PathBuf> {
    if holders.is_empty() {
        return HashSet::new();
    }
    let open: HashSet<_> = holders.iter().map(|holder| holder.session.as_path()).collect();
    let is_open = |row: &&SessionInfo| {
        let real = storage.canonicalize(&row.path);
        open.contains(real.as_deref().unwrap_or(&row.path))
    };
    rows.into_iter().filter(is_open).map(|row| row.path.clone()).collect()
}

/// The flags of a row: what is odd about it and no fault of the file.
pub fn flags_of(row: &SessionInfo, cwd_missing: bool) -> impl Iterator<Item = &'static str> {
    let future = row.is_future.then_some("future_timestamp");
    future.into_iter().chain(cwd_missing.then_some("cwd_missing"))
}

/// Writes the members `sessions` and `problems` of a listing.
pub(crate) fn write_listing(
    json: &mut JsonWriter<'_>,
    listing: &Listing,
    missing: &HashSet<String>,
    live: &HashSet<PathBuf>,
) {
    json.key("sessions").begin_array();
    for row in &listing.sessions {
        write_session_row(json, row, missing.contains(&row.cwd), live.contains(&row.path));
    }
    json.end_array().key("problems").begin_array();
    listing.problems.iter().for_each(|problem| write_file_problem(json, problem));
    json.end_array();
}

/// Writes a file or folder that gave no row: `path`, `kind`, `errorKind`, `message`.
pub fn write_file_problem(json: &mut JsonWriter<'_>, problem: &FileProblem) {
    json.begin_object();
    path_member(json, "path", Some(&problem.path));
    json.key("kind").str(problem.kind.as_str()).key("errorKind").str(problem.error.as_str());
    json.key("message").str(&problem.why).end_object();
}

fn texts<'t>(json: &mut JsonWriter<'_>, texts: impl Iterator<Item = &'t str>) {
    json.array(|array| {
        for text in texts {
            array.str(text);
        }
    });
}

/// Writes a member, left out where there is none.
pub(crate) fn optional(json: &mut JsonWriter<'_>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        json.key(key).str(value);
    }
}

/// The first problem of each kind, and how many there are; a damaged file may have one on each line.
fn problem_counts(problems: &[Problem]) -> impl Iterator<Item = (&Problem, u64)> {
    let mut counts: Vec<(&Problem, u64)> = Vec::new();
    for problem in problems {
        match counts.iter_mut().find(|(first, _)| first.kind == problem.kind) {
            Some((_, count)) => *count += 1,
            None => counts.push((problem, 1)),
        }
    }
    counts.into_iter()
}

fn problem_count(json: &mut JsonWriter<'_>, first: &Problem, count: u64) {
    json.begin_object().key("kind").str(first.kind.as_str());
    if let Some(position) = first.position {
        json.key("line").u64(position.line);
    }
    optional(json, "detail", first.detail.as_deref());
    json.key("count").u64(count).end_object();
}
