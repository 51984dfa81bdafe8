//! Sessions of oh-my-pi, which have a `title` line before the header: they are understood, so nothing is wrong with them.

use serde_json::{Value, json};

use crate::support::{Store, run, session};

const TITLE: &str = "{\"type\":\"title\",\"v\":1,\"title\":\"Harbour\"}\n";

fn plain() -> String {
    session("of-omp", "/p", "q", "2026-11-02T00:00:00.000Z")
}

fn listed(store: &Store) -> String {
    run(&["--session-dir", &store.path(), "list", "--cwd", "/p"]).out
}

fn check(file: &str) -> (i32, Value) {
    let ran = run(&["check", "--json", file]);
    let reports: Value = serde_json::from_str(&ran.out).unwrap();
    let at = |place: &str| reports.pointer(place).unwrap();
    (ran.code, json!([at("/0/ok"), at("/0/problems/0/kind"), at("/0/problems/0/note")]))
}

#[test]
fn a_title_line_before_the_header_is_a_note_and_names_the_session() {
    let store = Store::new();
    let file = store.file("a.jsonl", TITLE.to_owned() + &plain());
    let list = listed(&store);
    assert!(list.contains("Harbour") && !list.contains("damaged"), "{list}");
    let rows = run(&["--session-dir", &store.path(), "list", "--cwd", "/p", "--json"]).out;
    let rows: Value = serde_json::from_str(&rows).unwrap();
    let problem = json!({"kind": "header_not_first", "line": 2, "detail": "title", "count": 1});
    assert_eq!(rows.pointer("/sessions/0/problems/0"), Some(&problem));
    assert_eq!(check(&file), (0, json!([true, "header_not_first", true])));
    let ran = run(&["check", &file]);
    assert!(ran.out.contains("no faults, 1 note\n  note header_not_first: "), "{}", ran.out);
    let show = run(&["show", &file]).out;
    assert!(show.starts_with("Harbour\n"), "{show}");
    assert!(show.contains("1 note (logwood check says which)"), "{show}");
}

#[test]
fn a_name_goes_before_the_title() {
    let store = Store::new();
    let name = json!({"type": "session_info", "id": "b1b1b1b1", "parentId": "a1a1a1a1", "timestamp": "2026-11-02T00:00:00.000Z", "name": "Chosen"});
    let file = store.file("a.jsonl", format!("{TITLE}{}{name}\n", plain()));
    let show = run(&["show", &file]).out;
    assert!(show.starts_with("Chosen\n"), "{show}");
}

#[test]
fn any_other_record_before_the_header_is_a_fault() {
    let store = Store::new();
    let file = store.file("a.jsonl", format!("{TITLE}{{\"type\":\"other\"}}\n{}", plain()));
    assert!(listed(&store).contains("damaged"));
    assert_eq!(check(&file), (1, json!([false, "header_not_first", false])));
}
