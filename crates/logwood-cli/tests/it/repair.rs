//! `logwood repair`: the plan, the question, what is on disk afterwards, and the way back.

use std::path::Path;
use std::process::Stdio;

use insta::assert_snapshot;

use crate::support::{Ran, Store, logwood, root, run, session};

const DAMAGED: &str = "sessions/--home-mira-field-notes--/2026-08-09T19-15-42-007Z_eb7e892a-006d-4932-8e8d-7f3798167a40.jsonl";
const TIME: &str = "2026-01-01T00:00:00.000Z";

/// A copy of the damaged session of the examples.
fn damaged(store: &Store) -> (String, Vec<u8>) {
    let bytes = std::fs::read(root().join("examples/agent").join(DAMAGED)).unwrap();
    (store.file(DAMAGED, &bytes), bytes)
}

/// Runs it in the folder of the store, so that paths print the same everywhere.
fn run_in(store: &Store, words: &[&str]) -> Ran {
    logwood(words).current_dir(store.path()).stdin(Stdio::null()).output().unwrap().into()
}

fn names(store: &Store, dir: &str) -> Vec<String> {
    let files = std::fs::read_dir(Path::new(&store.path()).join(dir)).unwrap();
    let mut names: Vec<_> =
        files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_dry_run_shows_the_plan_and_changes_nothing() {
    let store = Store::new();
    let (file, bytes) = damaged(&store);
    let ran = run_in(&store, &["repair", "--dry-run", DAMAGED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(ran.out, @"
    sessions/--home-mira-field-notes--/2026-08-09T19-15-42-007Z_eb7e892a-006d-4932-8e8d-7f3798167a40.jsonl  3 steps
      fenced_off: the text is taken out of the session and kept in the side file
        line 6, byte 1453, 150 bytes (malformed_line), entry ca47f7c3
        line 9, byte 2547, 64 bytes (nul_bytes)
        line 13, byte 4012, 149 bytes (torn_tail), entry 00cc10cc
      lost, only a part is there: 00cc10cc
    ");
    assert_eq!(std::fs::read(file).unwrap(), bytes);
    assert_eq!(names(&store, "sessions/--home-mira-field-notes--").len(), 1);
}

/// Without a terminal nothing is asked and nothing is done, but the plan is there to be read.
#[test]
fn without_a_terminal_it_needs_yes() {
    let store = Store::new();
    let (file, bytes) = damaged(&store);
    let ran = run_in(&store, &["repair", DAMAGED]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("3 steps") && ran.err.contains("add --yes"), "{ran:?}");
    assert_eq!(run_in(&store, &["repair", "--undo", DAMAGED]).code, 2);
    assert_eq!(std::fs::read(file).unwrap(), bytes);
    assert_eq!(names(&store, "sessions/--home-mira-field-notes--").len(), 1);
}

#[test]
fn it_mends_and_restores() {
    let store = Store::new();
    let (file, bytes) = damaged(&store);
    let ran = run_in(&store, &["repair", "--yes", DAMAGED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("9 entries in session eb7e892a"), "{}", ran.out);
    assert_eq!(std::fs::read(format!("{file}.repair.bak")).unwrap(), bytes);
    assert!(ran.out.contains(".jsonl.salvage"));
    let again = run_in(&store, &["repair", DAMAGED]);
    assert_eq!((again.code, again.out.contains("nothing to repair")), (0, true), "{again:?}");
    let check = run_in(&store, &["check", DAMAGED]);
    assert!(!check.out.contains("malformed_line") && !check.out.contains("nul_bytes"));
    let undone = run_in(&store, &["repair", "--undo", "--yes", DAMAGED]);
    assert_eq!((undone.code, undone.err.as_str()), (0, ""));
    assert_eq!(std::fs::read(&file).unwrap(), bytes);
    assert_eq!(run_in(&store, &["repair", "--undo", "--yes", DAMAGED]).code, 3);
}

#[test]
fn undo_is_refused_after_the_session_went_on() {
    let store = Store::new();
    let (file, _) = damaged(&store);
    assert_eq!(run_in(&store, &["repair", "--yes", DAMAGED]).code, 0);
    let entry = session("x", "/", "more", TIME).lines().nth(1).unwrap().to_owned() + "\n";
    let text = std::fs::read(&file).unwrap();
    std::fs::write(&file, [&text, entry.as_bytes()].concat()).unwrap();
    let ran = run_in(&store, &["repair", "--undo", "--yes", DAMAGED]);
    assert_eq!(ran.code, 5);
    assert!(ran.err.contains(&format!("{} bytes were appended since", entry.len())), "{}", ran.err);
}

/// The directory of a header that is made anew comes from --cwd.
#[test]
fn a_lost_header_gets_the_given_cwd() {
    let store = Store::new();
    let entry = session("s", "/p", "x", TIME).lines().nth(1).unwrap().to_owned();
    let name = "2026-01-01T00-00-00-000Z_s1.jsonl";
    store.file(name, format!("{{\"type\":\"sess\n{entry}\n"));
    let ran = run_in(
        &store,
        &["repair", "--yes", "--cwd", "/some/where", "./2026-01-01T00-00-00-000Z_s1.jsonl"],
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let text = std::fs::read_to_string(Path::new(&store.path()).join(name)).unwrap();
    let header = r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/some/where"}"#;
    assert_eq!(text, format!("{header}\n{entry}\n"));
}

#[test]
fn json_names_every_step_and_every_file() {
    let store = Store::new();
    damaged(&store);
    let ran = run_in(&store, &["repair", "--json", "--yes", DAMAGED]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let row = &rows[0];
    assert_eq!(row["sessionId"], "eb7e892a-006d-4932-8e8d-7f3798167a40");
    assert_eq!((&row["repaired"], &row["entries"]), (&true.into(), &9.into()));
    assert_eq!(row["steps"][1]["kind"], "fenced_off");
    assert_eq!((&row["steps"][1]["line"], &row["steps"][1]["byte"]), (&9.into(), &2547.into()));
    assert_eq!(row["steps"][1]["cause"], "nul_bytes");
    assert_eq!(row["unrecoverable"], serde_json::json!(["00cc10cc"]));
    for key in ["backup", "salvage"] {
        assert!(Path::new(row[key].as_str().unwrap()).is_file(), "{key}");
    }
}

/// One that fails is told, and the others are mended nevertheless.
#[test]
fn several_files_are_done_one_by_one() {
    let store = Store::new();
    damaged(&store);
    let good = store.file("good.jsonl", session("s1", "/p", "hello", TIME));
    let notes = store.file("notes.jsonl", "{\"a\":1}\n");
    let ran = run_in(&store, &["repair", "--yes", &notes, &good, DAMAGED]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("nothing in it is a session"), "{}", ran.err);
    assert!(
        ran.out.contains("nothing to repair") && ran.out.contains("repaired sessions/--home-mira")
    );
    assert_eq!(run(&["repair", "--yes", &notes]).code, 4);
    assert_eq!(run(&["repair", "--yes", "./no/such/file.jsonl"]).code, 3);
    assert_eq!(std::fs::read(notes).unwrap(), b"{\"a\":1}\n");
}
