//! The events of followed sessions, as the protocol and `watch --json` show them (design section 3).

use logwood::follow::{Change, FollowEvent};
use logwood::json::JsonWriter;
use logwood::problem::Problem;

use crate::dispatch::path_member;
use crate::session_row::write_file_problem;

/// Writes an event as one object: `type`, `subscription` where there is one, `path`, `store` where it has a name, `sessionId`, what
/// happened, and last the `cursor` that goes on behind it.
pub fn write_follow_event(
    json: &mut JsonWriter<'_>,
    event: &FollowEvent,
    subscription: Option<&str>,
) {
    json.begin_object().key("type").str(word(&event.change));
    if let Some(subscription) = subscription {
        json.key("subscription").str(subscription);
    }
    path_member(json, "path", Some(&event.path));
    if !event.store.is_empty() {
        json.key("store").str(&event.store);
    }
    if !event.session_id.is_empty() {
        json.key("sessionId").str(&event.session_id);
    }
    write_change(json, &event.change);
    json.key("cursor").raw(&event.cursor.to_json()).end_object();
}

/// The value of `type`.
fn word(change: &Change) -> &'static str {
    match change {
        Change::SessionAdded(_) => "session_added",
        Change::EntryAppended(_) => "entry_appended",
        Change::SessionRewritten { .. } => "session_rewritten",
        Change::SessionRemoved => "session_removed",
        Change::LineSkipped(_) => "line_skipped",
        Change::Unreadable(_) => "unreadable",
        _ => "changed",
    }
}

fn write_change(json: &mut JsonWriter<'_>, change: &Change) {
    match change {
        Change::SessionAdded(header) => {
            json.key("header").raw_lossy(header.raw().bytes());
        }
        Change::EntryAppended(entry) => {
            json.key("entry").raw_lossy(&entry.text).key("byte").u64(entry.byte);
            if let Some(line) = entry.line {
                json.key("line").u64(line);
            }
        }
        Change::SessionRewritten { how, resumed } => {
            json.key("how").str(how.as_str()).key("resumed").bool(*resumed);
        }
        Change::LineSkipped(problem) => write_problem(json, problem),
        Change::Unreadable(problem) => {
            json.key("problem");
            write_file_problem(json, problem);
        }
        _ => {}
    }
}

fn write_problem(json: &mut JsonWriter<'_>, problem: &Problem) {
    json.key("problem").begin_object().key("kind").str(problem.kind.as_str());
    if let Some(position) = problem.position {
        json.key("byte").u64(position.byte);
        // Where following began at the end of the file nobody counted the lines before it.
        if position.line > 0 {
            json.key("line").u64(position.line);
        }
    }
    json.key("message").str(problem.kind.describe()).end_object();
}
