//! Listings in memory, rule by rule (spec 6.1 to 6.5); black-box cases are in tests/it.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::location::Layout;
use crate::storage::{Create, MemoryStorage, Storage};

mod known;
mod order;
mod stores;

const T: &str = "2025-06-01T10:00:00.000Z";

fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn header(id: &str, rest: &str) -> String {
    format!(r#"{{"type":"session","version":3,"id":"{id}","timestamp":"{T}"{rest}}}"#)
}

fn message(id: &str, parent: &str, message: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"{T}","message":{message}}}"#
    )
}

fn user(text: &str, time: i64) -> String {
    message("u", "", &format!(r#"{{"role":"user","content":"{text}","timestamp":{time}}}"#))
}

fn storage(files: &[(&str, &str)]) -> Arc<MemoryStorage> {
    let storage = MemoryStorage::new();
    for (path, text) in files {
        let path = Path::new(path);
        storage.create_dir_all(path.parent().unwrap()).unwrap();
        storage.open_append(path, Create::Exclusive).unwrap().append(text.as_bytes()).unwrap();
    }
    Arc::new(storage)
}

fn one(lines: &[String]) -> SessionInfo {
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    let files = storage(&[("/s/a.jsonl", &text)]);
    let inventory = Inventory::new().storage(files).with_text(true);
    let mut listing = inventory.list_all_from_dir(Path::new("/s")).unwrap();
    assert_eq!((listing.sessions.len(), &listing.problems[..]), (1, &[][..]));
    listing.sessions.remove(0)
}

#[test]
fn a_row_says_who_it_belongs_to_and_what_it_holds() {
    let answer = |id: &str, parent: &str, model: &str, stop: &str| {
        message(
            id,
            parent,
            &format!(
                r#"{{"role":"assistant","content":[{{"type":"text","text":"ok"}}],"provider":"p","model":"{model}","stopReason":"{stop}","timestamp":3000}}"#
            ),
        )
    };
    let row = one(&[
        header("s", r#","cwd":"/p","parentSession":"/x.jsonl""#),
        user("hi", 1000),
        answer("a", "u", "m", "stop"),
        answer("b", "u", "n", "stop"),
        answer("c", "b", "m", "aborted"),
        r#"{"type":"session_info","id":"n","parentId":"c","timestamp":"2030-01-01T00:00:00.000Z","name":" N "}"#.to_owned(),
    ]);
    assert_eq!((row.id.as_str(), row.cwd.as_str(), row.name.as_deref()), ("s", "/p", Some("N")));
    assert_eq!(
        (row.kind, row.parent_session_path.as_deref()),
        (SessionKind::Fork, Some("/x.jsonl"))
    );
    assert_eq!((row.message_count, row.entry_count, row.branch_count), (4, 5, 2));
    assert_eq!((row.modified_ms, row.created_ms), (3000, 1_748_772_000_000));
    assert_eq!((row.models.join(" "), row.status), ("p/m p/n".to_owned(), SessionStatus::Aborted));
    assert_eq!(row.first_message.as_deref(), Some("hi"));
    assert_eq!(row.all_messages_text.as_deref(), Some("hi ok ok ok"));
}

/// Very old files call the parent `branchedFrom`.
#[test]
fn branched_from_of_old_files_is_the_parent() {
    let row = one(&[header("s", r#","branchedFrom":"/x.jsonl""#), user("hi", 1)]);
    assert_eq!(
        (row.kind, row.parent_session_path.as_deref()),
        (SessionKind::Fork, Some("/x.jsonl"))
    );
}

/// The same activity in all of them: the path decides, whichever store it is in.
#[test]
fn ties_are_in_the_order_of_their_paths() {
    let text = format!("{}\n{}\n", header("s", ""), user("hi", 1));
    let files = storage(&[("/b/1.jsonl", &text), ("/c/0.jsonl", &text), ("/a/2.jsonl", &text)]);
    let places = ["/c", "/a", "/b"].map(|root| Place::new(root, root, Layout::Flat));
    let listing = Inventory::new().storage(files).list_places(&places, None, &go_on);
    let paths: Vec<_> = listing.sessions.iter().map(|row| row.path.display().to_string()).collect();
    assert_eq!(paths, ["/a/2.jsonl", "/b/1.jsonl", "/c/0.jsonl"]);
}

/// A session stamped ahead of the clock goes by the time of its file, and comes last where that is ahead too (case 48).
#[test]
fn a_future_session_whose_file_is_in_the_future_too_comes_last() {
    let (now, day) = (1_000_000_000_000, 86_400_000);
    let of = |time: i64| format!("{}\n{}\n", header("s", ""), user("hi", time));
    let files = [
        ("/s/both", 9 * now, now + 2 * day),
        ("/s/stamped", 9 * now, now - day),
        ("/s/old", now / 2, now),
    ];
    let texts = files.map(|(path, time, _)| (format!("{path}.jsonl"), of(time)));
    let disk = storage(&texts.each_ref().map(|(path, text)| (path.as_str(), text.as_str())));
    for (path, _, file_time) in files {
        disk.set_modified_ms(format!("{path}.jsonl"), file_time).unwrap();
    }
    let listing =
        Inventory::new().storage(disk).now_ms(now).list_all_from_dir(Path::new("/s")).unwrap();
    let paths: Vec<_> = listing.sessions.iter().map(|row| row.path.display().to_string()).collect();
    assert_eq!(paths, ["/s/stamped.jsonl", "/s/old.jsonl", "/s/both.jsonl"]);
}

#[test]
fn status_follows_the_last_message() {
    let last = |role: &str| one(&[header("s", ""), message("a", "", role)]).status;
    assert_eq!(last(r#"{"role":"user","content":"x"}"#), SessionStatus::Interrupted);
    assert_eq!(last(r#"{"role":"toolResult","content":[]}"#), SessionStatus::Interrupted);
    assert_eq!(last(r#"{"role":"assistant","stopReason":"toolUse"}"#), SessionStatus::Interrupted);
    assert_eq!(last(r#"{"role":"assistant","stopReason":"error"}"#), SessionStatus::Error);
    assert_eq!(last(r#"{"role":"assistant","stopReason":"length"}"#), SessionStatus::Complete);
    assert_eq!(last(r#"{"role":"bashExecution","command":"x"}"#), SessionStatus::Empty);
    let kind = one(&[header("s", r#","agentType":"Explore","parentSession":"/x""#)]);
    assert_eq!(
        (kind.kind, kind.agent_type.as_deref(), kind.status),
        (SessionKind::Subagent, Some("Explore"), SessionStatus::Empty)
    );
}

/// F-15: a time out of range fails no listing.
#[test]
fn odd_times_never_make_an_odd_row() {
    for (time, modified) in [
        ("9e99", 1_748_772_000_000),
        ("-5", 1_748_772_000_000),
        ("\"x\"", 1_748_772_000_000),
        ("2000.7", 2000),
    ] {
        let row = one(&[
            header("s", ""),
            message("a", "", &format!(r#"{{"role":"user","content":"q","timestamp":{time}}}"#)),
        ]);
        assert_eq!(row.modified_ms, modified, "{time}");
    }
}

/// F-15: one bad file neither hides nor fails the others.
#[test]
fn a_file_without_a_row_is_a_problem_and_never_missing() {
    let good = header("s", "") + "\n";
    let files = storage(&[
        ("/s/good.jsonl", &good),
        ("/s/empty.jsonl", ""),
        ("/s/corrupt.jsonl", "{\"type\":\"session\n"),
        ("/s/notes.jsonl", "{\"a\":1}\n"),
        ("/s/notes.txt", "x"),
        ("/s/dir.jsonl/inner.jsonl", &good),
    ]);
    let listing = Inventory::new().storage(files).list_all_from_dir(Path::new("/s")).unwrap();
    assert_eq!(listing.sessions.len(), 1);
    let problems: Vec<_> =
        listing.problems.iter().map(|p| (p.path.to_str().unwrap(), p.kind.as_str())).collect();
    assert_eq!(
        problems,
        [
            ("/s/corrupt.jsonl", "header_corrupt"),
            ("/s/dir.jsonl", "unreadable_file"),
            ("/s/empty.jsonl", "empty_file"),
            ("/s/notes.jsonl", "not_a_session"),
        ]
    );
}

#[test]
fn rows_are_sorted_by_activity_and_then_by_path_whatever_the_threads() {
    let text = |time: i64| format!("{}\n{}\n", header("s", ""), user("q", time));
    let files: Vec<_> = (0..40).map(|n| (format!("/s/{n:02}.jsonl"), text(1000 + n % 3))).collect();
    let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let storage = storage(&files);
    let rows = |threads| {
        let listing = Inventory::new()
            .storage(storage.clone())
            .threads(threads)
            .list_all_from_dir(Path::new("/s"))
            .unwrap();
        listing.sessions
    };
    let rows_of_one = rows(1);
    assert_eq!(rows_of_one, rows(7));
    let mut expected = rows_of_one.clone();
    expected.sort_by(|a, b| b.modified_ms.cmp(&a.modified_ms).then(a.path.cmp(&b.path)));
    assert_eq!(rows_of_one, expected);
}

#[test]
fn progress_counts_every_file_once_and_can_stop_the_listing() {
    let good = header("s", "") + "\n";
    let files = storage(&[
        ("/s/p/a.jsonl", &good),
        ("/s/p/b.jsonl", ""),
        ("/s/q/c.jsonl", &good),
        ("/s/loose.jsonl", &good),
    ]);
    let inventory = Inventory::new().storage(files);
    let calls = AtomicUsize::new(0);
    let count = |progress: Progress<'_>| {
        assert_eq!(
            (progress.total, progress.loaded),
            (3, calls.fetch_add(1, Ordering::Relaxed) + 1)
        );
        ControlFlow::Continue(())
    };
    let listing = inventory.list_all_with_progress(Path::new("/s"), &count).unwrap();
    assert_eq!((calls.into_inner(), listing.sessions.len(), listing.cancelled), (3, 2, false));
    let stop = |_: Progress<'_>| ControlFlow::Break(());
    let listing = inventory.list_all_with_progress(Path::new("/s"), &stop).unwrap();
    assert_eq!((listing.sessions.len(), listing.cancelled), (1, true), "what was read is given");
}

#[test]
fn a_missing_folder_is_empty_and_a_file_in_its_place_is_an_error() {
    let inventory = Inventory::new().storage(storage(&[("/f", "")]));
    for dir in ["/gone", "/gone/deeper"] {
        assert_eq!(inventory.list_all(Path::new(dir)).unwrap().sessions.len(), 0);
        assert_eq!(inventory.list_all_from_dir(Path::new(dir)).unwrap().sessions.len(), 0);
        assert_eq!(inventory.list("/p", Path::new(dir)).problems, []);
    }
    for result in
        [inventory.list_all(Path::new("/f")), inventory.list_all_from_dir(Path::new("/f"))]
    {
        let error = result.unwrap_err();
        assert_eq!((error.kind().as_str(), error.path()), ("not_a_file", Some(Path::new("/f"))));
    }
    assert_eq!(inventory.list("/p", Path::new("/f")).problems.len(), 1);
}

/// F-16, F-18: the folder of the header decides, not the name of the directory.
#[test]
fn a_project_lists_its_own_sessions_and_those_without_a_folder() {
    let line = |id: &str, cwd: &str| header(id, cwd) + "\n";
    let files = storage(&[
        ("/s/a.jsonl", &line("mine", r#","cwd":"/p/""#)),
        ("/s/b.jsonl", &line("other", r#","cwd":"/p-x""#)),
        ("/s/c.jsonl", &line("old", "")),
    ]);
    let listing = Inventory::new().storage(files).list("/p", Path::new("/s"));
    let ids: Vec<_> = listing.sessions.iter().map(|row| row.id.as_str()).collect();
    assert_eq!(ids, ["mine", "old"]);
}

/// F-14: nothing in the folder hides the session that continues.
#[test]
fn the_most_recent_is_the_newest_file_of_the_project_that_is_no_child() {
    let line = |id: &str, rest: &str| header(id, rest) + "\n";
    let storage = storage(&[
        ("/s/a.jsonl", &line("a", r#","cwd":"/p""#)),
        ("/s/b.jsonl", &line("b", r#","cwd":"/p""#)),
        ("/s/c.jsonl", &line("c", r#","cwd":"/q""#)),
        ("/s/d.jsonl", &line("d", r#","cwd":"/p","agentType":"x""#)),
        ("/s/e.jsonl", "broken"),
    ]);
    for (at, name) in ["a", "b", "c", "d", "e"].iter().enumerate() {
        storage.set_modified_ms(format!("/s/{name}.jsonl"), at as i64).unwrap();
    }
    assert_eq!(
        most_recent(&*storage, Path::new("/s"), "/p").unwrap(),
        Some(PathBuf::from("/s/b.jsonl"))
    );
    assert_eq!(
        most_recent(&*storage, Path::new("/s"), "/q").unwrap(),
        Some(PathBuf::from("/s/c.jsonl"))
    );
    assert_eq!(most_recent(&*storage, Path::new("/s"), "/none").unwrap(), None);
    assert_eq!(most_recent(&*storage, Path::new("/gone"), "/p").unwrap(), None);
}
