//! A hit of a search, as the protocol and `--json` show it (design section 3).

use logwood::json::{JsonWriter, iso_from_ms, utf16_len};
use logwood_catalog::search::{Branch, Found, Hit, Snippet};

use crate::dispatch::path_member;
use crate::session_row::{optional, write_file_problem};

/// Writes the members of an answer: `hits`, `total`, `sessions`, `cut`, `problems`.
pub fn write_found(json: &mut JsonWriter<'_>, found: &Found) {
    json.key("hits").begin_array();
    found.hits.iter().for_each(|hit| write_hit(json, hit));
    json.end_array().key("total").u64(found.total).key("sessions").u64(found.sessions);
    json.key("cut").u64(found.cut).key("problems").begin_array();
    found.problems.iter().for_each(|problem| write_file_problem(json, problem));
    json.end_array();
}

fn write_hit(json: &mut JsonWriter<'_>, hit: &Hit) {
    json.begin_object();
    path_member(json, "path", Some(&hit.path));
    json.key("sessionId").str(&hit.session_id);
    optional(json, "entryId", hit.entry_id.as_deref());
    optional(json, "openAt", hit.open_at.as_deref());
    json.key("cwd").str(&hit.cwd);
    optional(json, "name", hit.session_name.as_deref());
    json.key("store").str(&hit.store).key("line").u64(hit.line);
    optional(json, "timestamp", hit.time_ms.and_then(iso_from_ms).as_deref());
    json.key("field").str(hit.field.as_str());
    write_snippet(json, &hit.snippet);
    json.key("score").i64(hit.score);
    optional(json, "branch", hit.branch.map(Branch::as_str));
    json.end_object();
}

/// The text, and the places in it as pairs of start and end, in UTF-16 units as JavaScript counts.
fn write_snippet(json: &mut JsonWriter<'_>, snippet: &Snippet) {
    json.key("snippet").str(&snippet.text).key("marks").begin_array();
    for mark in &snippet.marks {
        let units = |byte: usize| utf16_len(snippet.text.get(..byte).unwrap_or_default()) as u64;
        json.begin_array().u64(units(mark.start)).u64(units(mark.end)).end_array();
    }
    json.end_array();
}
