//! Appending, on a file system in memory; failures, crashes and real processes are in tests/it.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::entry::{BlockDraft, CompactionDraft, EntryDraft, JsonText, RawEntry, user_message};
use crate::error::ErrorKind;
use crate::storage::{Create, MemoryStorage, Storage};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}"#;
const FILE: &str = "/d/s.jsonl";

fn storage(text: &str) -> Arc<MemoryStorage> {
    let storage = Arc::new(MemoryStorage::new());
    storage.create_dir_all(Path::new("/d")).unwrap();
    storage.put(FILE, text).unwrap();
    storage
}

fn options(storage: &Arc<MemoryStorage>) -> SessionOptions {
    SessionOptions::new().storage(storage.clone())
}

fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

fn answer() -> JsonText {
    JsonText::parse(br#"{"role":"assistant","content":[],"provider":"p","model":"m"}"#).unwrap()
}

fn text(storage: &MemoryStorage, path: impl AsRef<Path>) -> String {
    String::from_utf8(storage.contents(path).unwrap()).unwrap()
}

fn append_raw(storage: &MemoryStorage, text: &str) {
    let mut file = storage.open_append(Path::new(FILE), Create::Never).unwrap();
    file.append(text.as_bytes()).unwrap();
}

fn foreign(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"custom","customType":"f","id":"{id}","parentId":"{parent}","timestamp":"2025-01-01T00:00:02.000Z"}}"#
    ) + "\n"
}

/// Memory and disk say the same: the file opens to what the session holds.
fn same_on_disk(storage: &Arc<MemoryStorage>, session: &SessionManager) {
    let again = options(storage).read_only(true).open(session.session_file().unwrap()).unwrap();
    let lines = |session: &SessionManager| -> Vec<_> {
        session.entries().map(|line| session.line_text(&line).unwrap().into_owned()).collect()
    };
    assert_eq!(lines(&again), lines(session));
    assert_eq!(again.header_text(), session.header_text());
}

#[test]
fn a_new_session_has_no_file_until_its_first_answer() {
    let storage = Arc::new(MemoryStorage::new());
    let mut session = options(&storage)
        .create("/s/--p--", NewSession { cwd: Some("/p".into()), ..NewSession::default() })
        .unwrap();
    let file = session.session_file().unwrap().to_path_buf();
    let a = session.append_message(user("hi")).unwrap();
    assert!(storage.list(Path::new("/s")).is_err(), "not even the folder");
    session.append_message(answer()).unwrap();
    session.append_label_change(&a, Some("x")).unwrap();
    assert_eq!(text(&storage, &file).lines().count(), 4);
    assert!(file.to_str().unwrap().starts_with("/s/--p--/20"), "{file:?}");
    same_on_disk(&storage, &session);
}

#[test]
fn pis_rule_and_flush_write_earlier() {
    let storage = Arc::new(MemoryStorage::new());
    let mut session = options(&storage)
        .first_write(FirstWrite::Message)
        .create("/s", NewSession::default())
        .unwrap();
    session.append_model_change("p", "m").unwrap();
    assert!(storage.list(Path::new("/s")).is_err());
    session.append_message(user("hi")).unwrap();
    same_on_disk(&storage, &session);
    let mut session = options(&storage).create("/t", NewSession::default()).unwrap();
    let file = session.flush().unwrap().unwrap().to_path_buf();
    assert_eq!(text(&storage, file).lines().count(), 1);
    session.append_message(user("hi")).unwrap();
    same_on_disk(&storage, &session);
}

/// As pi 1.6.0 does (`tests/it/peers`): a branch with a question is written at once under pi's rule, under dreb's with its answer.
#[test]
fn a_branch_is_written_by_the_rule_of_its_session() {
    for (rule, written) in [(FirstWrite::Message, true), (FirstWrite::Assistant, false)] {
        let storage = Arc::new(MemoryStorage::new());
        let mut session =
            options(&storage).first_write(rule).create("/s", NewSession::default()).unwrap();
        let question = session.append_message(user("hi")).unwrap();
        let file = session.create_branched_session(&question, None).unwrap().unwrap().to_path_buf();
        assert_eq!(storage.link_metadata(&file).is_ok(), written, "{rule:?}");
        session.append_message(answer()).unwrap();
        same_on_disk(&storage, &session);
    }
}

#[test]
fn an_append_starts_on_its_own_line() {
    for tail in ["", "\n", "\n{\"torn", "\n\0\0\0"] {
        let storage = storage(&format!("{HEADER}{tail}"));
        let mut session = options(&storage).open(FILE).unwrap();
        let id = session.append_message(user("next")).unwrap();
        let now = text(&storage, FILE);
        assert!(now.starts_with(&format!("{HEADER}{tail}")), "old bytes stay");
        let last = now.trim_end_matches('\n').rsplit('\n').next().unwrap();
        assert!(last.contains(&id) && last.starts_with('{') && last.ends_with('}'), "{last}");
        same_on_disk(&storage, &session);
        session.append_message(user("more")).unwrap();
        same_on_disk(&storage, &session);
    }
}

#[test]
fn what_others_append_is_read_in_and_both_sides_live_on() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let a = session.append_message(user("a")).unwrap();
    append_raw(&storage, &foreign("ffff0001", &a));
    let b = session.append_message(user("b")).unwrap();
    let tree = session.tree();
    assert_eq!(tree.parent(tree.find(&b).unwrap()), tree.find(&a), "our branch goes on");
    assert_eq!(tree.parent(tree.find("ffff0001").unwrap()), tree.find(&a));
    let kinds: Vec<_> = session.problems().iter().map(|p| p.kind.as_str()).collect();
    assert_eq!(kinds, ["foreign_append"]);
    same_on_disk(&storage, &session);
    append_raw(&storage, &foreign("ffff0002", &b));
    assert_eq!(session.reload().unwrap(), 1);
    assert_eq!(session.leaf_id(), Some(b.as_str()), "the position stays");
}

#[test]
fn a_line_glued_to_our_torn_tail_is_read_again() {
    let storage = storage(&format!("{HEADER}\n{}", foreign("ffff0001", "").trim_end()));
    let mut session = options(&storage).open(FILE).unwrap();
    append_raw(&storage, &foreign("ffff0002", "ffff0001"));
    let error = session.append_message(user("x")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ChangedOnDisk, "our leaf was swallowed");
    session.reset_leaf();
    session.append_message(user("x")).unwrap();
    same_on_disk(&storage, &session);
}

#[test]
fn a_replaced_file_is_read_again_when_it_is_the_same_session() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let a = session.append_message(user("a")).unwrap();
    let copy = text(&storage, FILE) + &foreign("ffff0001", &a);
    storage.put("/d/new", copy).unwrap();
    storage.rename_over(Path::new("/d/new"), Path::new(FILE)).unwrap();
    session.append_message(user("b")).unwrap();
    same_on_disk(&storage, &session);
    assert!(session.tree().find("ffff0001").is_some());

    storage.put("/d/new", HEADER.replace("\"s\"", "\"other\"")).unwrap();
    storage.rename_over(Path::new("/d/new"), Path::new(FILE)).unwrap();
    let before = text(&storage, FILE);
    assert_eq!(session.append_message(user("c")).unwrap_err().kind(), ErrorKind::ChangedOnDisk);
    assert_eq!(text(&storage, FILE), before, "nothing is written");
}

#[test]
fn a_cut_or_removed_file_is_refused() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    session.append_message(user("a")).unwrap();
    let entries = session.entries().count();
    storage.open_append(Path::new(FILE), Create::Never).unwrap().truncate(10).unwrap();
    assert_eq!(session.append_message(user("b")).unwrap_err().kind(), ErrorKind::ChangedOnDisk);
    storage.remove_file(Path::new(FILE)).unwrap();
    let error = session.append_message(user("b")).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::ChangedOnDisk, Some(Path::new(FILE))));
    assert_eq!(session.entries().count(), entries, "what is not on disk is not in memory");
    assert!(storage.metadata(Path::new(FILE)).is_err(), "no file is invented (F-13)");
}

#[test]
fn read_only_sessions_and_bad_arguments_change_nothing() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).read_only(true).open(FILE).unwrap();
    for result in [session.append_message(user("x")), session.append_session_info("x")] {
        assert_eq!(result.unwrap_err().kind(), ErrorKind::ReadOnly);
    }
    assert_eq!(session.migrate().unwrap_err().kind(), ErrorKind::ReadOnly);
    let mut session = options(&storage).open(FILE).unwrap();
    let error = session.append_label_change("zz", Some("x")).unwrap_err();
    assert_eq!(
        (error.kind(), error.summary().contains("Entry zz not found")),
        (ErrorKind::EntryNotFound, true)
    );
    let summary = JsonText::parse(br#"{"role":"branchSummary"}"#).unwrap();
    assert_eq!(session.append_message(summary).unwrap_err().kind(), ErrorKind::InvalidArgument);
    assert_eq!(text(&storage, FILE), format!("{HEADER}\n"));
}

#[test]
fn an_empty_file_becomes_a_session_with_its_first_append() {
    let storage = storage("");
    assert_eq!(
        options(&storage).read_only(true).open(FILE).unwrap_err().kind(),
        ErrorKind::EmptyFile
    );
    let mut session = options(&storage).open(FILE).unwrap();
    assert_eq!(text(&storage, FILE), "", "opening writes nothing");
    session.append_message(user("a")).unwrap();
    session.append_message(answer()).unwrap();
    assert_eq!(text(&storage, FILE).matches("\"session\"").count(), 1);
    same_on_disk(&storage, &session);
}

#[test]
fn version_1_is_migrated_by_the_first_write_and_its_original_kept() {
    let old = "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/p\"}\n{\"type\":\"message\",\"message\":{\"role\":\"hookMessage\",\"n\":1.0}}\n{broken\n\n7\n";
    let storage = storage(old);
    let mut session = options(&storage).open(FILE).unwrap();
    let first = session.leaf_id().unwrap().to_owned();
    assert_eq!(text(&storage, FILE), old, "opening changes nothing");
    let id = session.append_session_info(" n ").unwrap();
    let now = text(&storage, FILE);
    let expected = format!(
        "{{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/p\",\"version\":3}}\n{{\"type\":\"message\",\"message\":{{\"role\":\"custom\",\"n\":1.0}},\"id\":\"{first}\",\"parentId\":null}}\n{{broken\n\n7\n"
    );
    assert!(now.starts_with(&expected), "{now}");
    assert_eq!(now.lines().last().map(|line| line.contains(&id)), Some(true));
    assert_eq!(text(&storage, format!("{FILE}.v1.bak")), old);
    same_on_disk(&storage, &session);
    assert_eq!(session.migrate().unwrap(), None, "twice is once (M2)");
    storage.put("/d/t.jsonl", old).unwrap();
    storage.put("/d/t.jsonl.v1.bak", "mine").unwrap();
    let backup = options(&storage).open("/d/t.jsonl").unwrap().migrate().unwrap().unwrap();
    assert_eq!(backup, Path::new("/d/t.jsonl.v1.bak.2"));
    assert_eq!(text(&storage, "/d/t.jsonl.v1.bak"), "mine");
}

#[test]
fn header_setters_keep_the_order_of_the_reference() {
    let storage = storage(&format!("\u{feff}{HEADER}\r\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let a = session.append_message(user("a")).unwrap();
    session.set_agent_type("Explore").unwrap();
    session.set_parent_session("/x.jsonl").unwrap();
    let end = HEADER.replace('}', r#","parentSession":"/x.jsonl","agentType":"Explore"}"#);
    assert!(
        text(&storage, FILE).starts_with(&format!("\u{feff}{end}\r\n")),
        "{}",
        text(&storage, FILE)
    );
    assert_eq!(session.leaf_id(), Some(a.as_str()));
    same_on_disk(&storage, &session);
    let mut session = options(&storage).in_memory("/p");
    session.append_message(user("a")).unwrap();
    session.set_agent_type("x").unwrap();
    session.append_message(user("b")).unwrap();
    assert_eq!(session.context().unwrap().len(), 2);
    assert_eq!(session.header().agent_type().as_deref(), Some("x"));
}

#[test]
fn a_branch_is_linked_across_removed_labels() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let a = session.append_message(user("a")).unwrap();
    let b = session.append_message(answer()).unwrap();
    let label = session.append_label_change(&b, Some("cut")).unwrap();
    let c = session.append_message(user("c")).unwrap();
    let compaction = CompactionDraft {
        summary: "S".into(),
        first_kept_entry_id: Some(label),
        ..CompactionDraft::default()
    };
    let d = session.append_compaction(compaction).unwrap();
    let e = session.append_message(user("e")).unwrap();
    session.move_leaf(&a).unwrap();
    session.append_session_info("elsewhere").unwrap();
    let source = text(&storage, FILE);
    let file = session.create_branched_session(&e, None).unwrap().unwrap().to_path_buf();
    let tree = session.tree();
    let path: Vec<_> =
        tree.branch(tree.find(&e).unwrap()).iter().map(|n| tree.id(*n).to_owned()).collect();
    assert_eq!(path, [&a[..], &b, &c, &d, &e]);
    let context: Vec<_> = session
        .context_at(tree.find(&e))
        .unwrap()
        .messages()
        .map(|m| m.entry_id.to_owned())
        .collect();
    assert_eq!(context, [&d[..], &c, &e], "the boundary moved to the next kept entry");
    assert_eq!(
        (session.session_name(), tree.label(tree.find(&b).unwrap())),
        (Some("elsewhere"), Some("cut"))
    );
    assert_eq!(session.header().parent_session().as_deref(), Some(FILE));
    assert_eq!(text(&storage, FILE), source, "the source stays");
    assert!(
        text(&storage, file).contains(source.lines().nth(1).unwrap()),
        "lines are copied byte for byte"
    );
    same_on_disk(&storage, &session);
    session.append_message(user("on")).unwrap();
    same_on_disk(&storage, &session);
}

#[test]
fn a_fork_copies_entries_byte_for_byte_and_leaves_the_rest_out() {
    let odd = r#"{"zz":1.50e+10 ,"type":"weather","id":"w","parentId":null,"timestamp":"x","é":"\u00e9"}"#;
    let loose = r#"{"type":"note","n":-0.0}"#;
    let storage = storage(&format!(
        "\u{feff}{}\n{odd}\n{{torn\n5\n{loose}\n{HEADER}\n",
        HEADER.replace(":3,", ":4,")
    ));
    let fork = options(&storage).fork_from(FILE, "/q", "/f").unwrap();
    let now = text(&storage, fork.session_file().unwrap());
    let lines: Vec<_> = now.lines().collect();
    assert_eq!((lines.len(), lines[1], lines[2]), (3, odd, loose));
    assert!(
        lines[0].starts_with(r#"{"type":"session","version":4,"#)
            && lines[0].ends_with(r#","cwd":"/q","parentSession":"/d/s.jsonl"}"#),
        "{}",
        lines[0]
    );
    let left_out: Vec<_> = fork
        .problems()
        .iter()
        .map(|p| p.kind.as_str())
        .filter(|k| !["newer_version", "invalid_timestamp", "missing_id"].contains(k))
        .collect();
    assert_eq!(left_out, ["bom", "malformed_line", "not_an_entry", "duplicate_header"]);
    assert_eq!(
        options(&storage).fork_from("/gone.jsonl", "/q", "/f").unwrap_err().kind(),
        ErrorKind::NotFound
    );
}

#[test]
fn any_entry_can_be_appended_as_text() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let raw = RawEntry::parse(b"{\"type\":\"later\",\"n\":1.50,\n \"deep\":{\"a\":[1]}}").unwrap();
    let id = session.append(EntryDraft::Raw(raw)).unwrap();
    assert!(text(&storage, FILE).contains("\"n\":1.50,  \"deep\":{\"a\":[1]},"));
    assert_eq!(session.leaf_id(), Some(id.as_str()));
    same_on_disk(&storage, &session);
}

#[test]
fn a_header_that_others_changed_in_place_is_not_lost() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let changed = text(&storage, FILE).replace("\"/p\"", "\"/q\"");
    let mut file = storage.open_append(Path::new(FILE), Create::Never).unwrap();
    file.truncate(0).unwrap();
    file.append(changed.as_bytes()).unwrap();
    session.set_agent_type("Explore").unwrap();
    assert!(text(&storage, FILE).contains(r#""cwd":"/q","agentType":"Explore""#));
    same_on_disk(&storage, &session);
}

#[test]
fn a_header_is_no_entry() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    let raw = RawEntry::parse(br#"{"type":"session","id":"t"}"#).unwrap();
    let error = session.append(EntryDraft::Raw(raw)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert_eq!(text(&storage, FILE), format!("{HEADER}\n"));
}

#[test]
fn what_another_process_appended_can_be_labelled_at_once() {
    let storage = storage(&format!("{HEADER}\n"));
    let mut session = options(&storage).open(FILE).unwrap();
    append_raw(&storage, &foreign("ffff0001", ""));
    session.append_label_change("ffff0001", Some("x")).unwrap();
    same_on_disk(&storage, &session);
}
