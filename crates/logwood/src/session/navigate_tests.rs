//! Moves, and what they leave behind (spec 4.10, 8.2, 8.3).

use std::path::Path;
use std::sync::Arc;

use super::testing::session_of;
use super::*;
use crate::error::ErrorKind;
use crate::storage::{MemoryStorage, Storage};

fn message(id: &str, parent: &str, message: &str) -> String {
    let parent = if parent.is_empty() { "null".into() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2025-01-01T00:00:00.000Z","message":{message}}}"#
    )
}

/// u1 ─ a1 ─ u2 ─ a2, and a custom message below a1.
fn chat() -> SessionManager {
    session_of(&[
        message("u1", "", r#"{"role":"user","content":"one"}"#),
        message("a1", "u1", r#"{"role":"assistant","content":[],"stopReason":"stop"}"#),
        r#"{"type":"custom_message","customType":"x","content":[{"type":"text","text":"no"},{"type":"image"},{"type":"text","text":"te"}],"display":true,"id":"c","parentId":"a1","timestamp":"2025-01-01T00:00:00.000Z"}"#.into(),
        message("u2", "a1", r#"{"role":"user","content":[{"type":"text","text":"tw"},{"type":"text","text":"o"}]}"#),
        message("a2", "u2", r#"{"role":"assistant","content":[{"type":"text","text":"hm"}],"stopReason":"aborted"}"#),
        message("a3", "u2", r#"{"role":"assistant","content":[{"type":"toolCall","id":"t"}],"stopReason":"toolUse"}"#),
    ])
}

fn last_line(session: &SessionManager) -> String {
    let line = session.entries().last().unwrap();
    String::from_utf8(session.line_text(&line).unwrap().into_owned()).unwrap()
}

#[test]
fn a_branch_summary_names_the_abandoned_leaf() {
    let mut session = chat();
    let id = session.branch_with_summary(Some("a1"), "left", None, Some(true)).unwrap();
    let line = last_line(&session);
    assert!(
        line.contains(r#""parentId":"a1""#)
            && line.ends_with(r#""fromId":"a3","summary":"left","fromHook":true}"#),
        "{line}"
    );
    assert_eq!(session.leaf_id(), Some(&*id));
    session.reset_leaf();
    session.branch_with_summary(None, "", None, None).unwrap();
    let line = last_line(&session);
    assert!(line.contains(r#""parentId":null"#) && line.contains(r#""fromId":"root""#), "{line}");
}

#[test]
fn an_unknown_entry_leaves_the_position() {
    let mut session = chat();
    let error = session.branch_with_summary(Some("zz"), "s", None, None).unwrap_err();
    assert_eq!(
        (error.kind(), error.summary().contains("Entry zz not found")),
        (ErrorKind::EntryNotFound, true)
    );
    assert_eq!(
        session.navigate("zz", Navigation::default()).unwrap_err().kind(),
        ErrorKind::EntryNotFound
    );
    assert_eq!(session.leaf_id(), Some("a3"));
}

#[test]
fn what_cannot_be_written_does_not_move() {
    let storage = Arc::new(MemoryStorage::new());
    storage.put("/s.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n").unwrap();
    let mut session = SessionOptions::new().storage(storage.clone()).open("/s.jsonl").unwrap();
    let a = session.append_thinking_level_change("high").unwrap();
    let b = session.append_thinking_level_change("low").unwrap();
    storage.remove_file(Path::new("/s.jsonl")).unwrap();
    session.branch_with_summary(Some(&a), "s", None, None).unwrap_err();
    assert_eq!(session.leaf_id(), Some(&*b));
    let label = Navigation { label: Some("x".into()), ..Navigation::default() };
    session.navigate(&a, label).unwrap_err();
    assert_eq!(session.leaf_id(), Some(&*b));
}

#[test]
fn a_message_of_a_user_is_taken_back_to_be_edited() {
    for (target, text, leaf) in [
        ("u2", Some("two"), Some("a1")),
        ("c", Some("note"), Some("a1")),
        ("u1", Some("one"), None),
        ("a1", None, Some("a1")),
    ] {
        let mut session = chat();
        let lines = session.entries().count();
        let went = session.navigate(target, Navigation::default()).unwrap();
        assert_eq!((went.text.as_deref(), session.leaf_id()), (text, leaf), "{target}");
        assert_eq!(session.entries().count(), lines, "nothing is written");
    }
}

#[test]
fn an_orphan_message_counts_as_a_root() {
    let mut session = session_of(&[
        message("u", "gone", r#"{"role":"user","content":"hi"}"#),
        message("v", "u", r#"{"role":"user","content":"on"}"#),
    ]);
    let went = session.navigate("u", Navigation::default()).unwrap();
    assert_eq!((went.text.as_deref(), session.leaf_id()), (Some("hi"), None), "F-28");
}

#[test]
fn labels_go_to_the_summary_or_to_the_target() {
    let mut session = chat();
    let leaving = Navigation { label: Some("L".into()), ..Navigation::default() };
    let went = session.navigate("u2", leaving.clone()).unwrap();
    let line = last_line(&session);
    assert!(
        line.contains(r#""parentId":"a1""#) && line.ends_with(r#""targetId":"u2","label":"L"}"#)
    );
    assert_eq!(session.leaf_id(), went.label_id.as_deref());

    let leaving = Navigation { summary: Some("S".into()), ..leaving };
    let went = session.navigate("a2", leaving.clone()).unwrap();
    let summary = went.summary_id.unwrap();
    let node = session.tree().find(&summary).unwrap();
    assert_eq!(
        (session.tree().label(node), session.leaf_id()),
        (Some("L"), went.label_id.as_deref())
    );
    let here = session.leaf_id().unwrap().to_owned();
    assert_eq!(session.navigate(&here, leaving).unwrap(), Navigated::default(), "already there");
}

/// A move without an append is forgotten in dreb (F-21).
#[test]
fn a_durable_move_is_where_the_next_program_stands() {
    let disk = Arc::new(MemoryStorage::new());
    for (target, parent) in
        [("u2", Some("a1")), ("u1", None), ("c", Some("a1")), ("a2", Some("a2"))]
    {
        let file: String = chat().entries().map(|line| chat_line(&line)).collect();
        disk.put("/s.jsonl", format!("{HEADER}\n{file}")).unwrap();
        let mut session = SessionOptions::new().storage(disk.clone()).open("/s.jsonl").unwrap();
        let went = session.navigate_durably(target, Navigation::default()).unwrap();
        let again = SessionOptions::new().storage(disk.clone()).open("/s.jsonl").unwrap();
        let leaf = again.leaf().unwrap();
        assert_eq!(Some(again.tree().id(leaf)), went.position_id.as_deref(), "{target}");
        assert_eq!(again.tree().parent(leaf).map(|node| again.tree().id(node)), parent, "{target}");
        assert!(
            last_line(&again)
                .starts_with(r#"{"type":"custom","customType":"logwood.position","id":"#)
        );
    }
}

#[test]
fn a_durable_move_marks_nothing_where_the_file_ends_there() {
    let count = |session: &SessionManager| session.entries().count();
    let mut session = chat();
    let leaving = Navigation { label: Some("L".into()), ..Navigation::default() };
    let went = session.navigate_durably("u2", leaving).unwrap();
    assert_eq!((went.position_id, count(&session)), (None, 7), "the label is at the end");
    let leaving = Navigation { summary: Some("S".into()), ..Navigation::default() };
    let went = session.navigate_durably("a1", leaving).unwrap();
    assert_eq!((went.position_id, count(&session)), (None, 8), "the summary is at the end");
    let here = session.leaf_id().unwrap().to_owned();
    let went = session.navigate_durably(&here, Navigation::default()).unwrap();
    assert_eq!((went, count(&session)), (Navigated::default(), 8));
    session.move_leaf("a1").unwrap();
    let went = session.navigate_durably("a1", Navigation::default()).unwrap();
    assert!(went.position_id.is_some(), "a move in memory only did not last");
}

#[test]
fn a_mark_that_cannot_be_written_does_not_move() {
    let storage = Arc::new(MemoryStorage::new());
    storage.put("/s.jsonl", format!("{HEADER}\n")).unwrap();
    let mut session = SessionOptions::new().storage(storage.clone()).open("/s.jsonl").unwrap();
    let a = session.append_thinking_level_change("high").unwrap();
    let b = session.append_thinking_level_change("low").unwrap();
    storage.remove_file(Path::new("/s.jsonl")).unwrap();
    session.navigate_durably(&a, Navigation::default()).unwrap_err();
    assert_eq!(session.leaf_id(), Some(&*b));
}

const HEADER: &str = r#"{"type":"session","version":3,"id":"s"}"#;

fn chat_line(line: &EntryLine) -> String {
    String::from_utf8(chat().line_text(line).unwrap().into_owned()).unwrap() + "\n"
}

#[test]
fn forks_start_at_what_was_said_and_ended() {
    let session = chat();
    let rows: Vec<_> = session
        .forkable()
        .unwrap()
        .into_iter()
        .map(|row| (session.tree().id(row.node).to_owned(), row.text))
        .collect();
    let expected = [("u1", "one"), ("a1", "(assistant response)"), ("u2", "two")];
    assert_eq!(rows, expected.map(|(id, text)| (id.to_owned(), text.to_owned())));
    for (entry, words) in [
        ("zz", "Invalid entry"),
        ("c", "Invalid entry"),
        ("a2", "Cannot fork at"),
        ("a3", "Cannot fork at"),
    ] {
        let error = chat().fork(entry, None).unwrap_err();
        assert!(
            error.kind() == ErrorKind::InvalidArgument && error.summary().contains(words),
            "{entry}"
        );
    }
    for (entry, text, leaf) in
        [("a1", "", Some("a1")), ("u2", "two", Some("a1")), ("u1", "one", None)]
    {
        let mut session = chat();
        assert_eq!(session.fork(entry, Some("/q")).unwrap(), text);
        assert_eq!((session.leaf_id(), session.cwd()), (leaf, "/q"), "{entry}");
    }
}
