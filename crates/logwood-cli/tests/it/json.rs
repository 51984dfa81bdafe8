//! `--json` of every command: one document, stable names, values as they stand in the file.

use serde_json::Value;

use crate::support::{Store, example, printed, run, session};

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&printed(&[words, &["--json"]].concat())).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn show_gives_the_session_and_its_entries() {
    let show = json(&["show", "21f7"]);
    assert_eq!(
        keys(&show),
        [
            "sessionFile",
            "sessionId",
            "sessionName",
            "cwd",
            "timestamp",
            "version",
            "model",
            "chosenModel",
            "thinkingLevel",
            "entryCount",
            "branchCount",
            "leafId",
            "problems",
            "entries",
        ]
    );
    assert_eq!(show["entryCount"], 40);
    assert_eq!(show["entries"].as_array().unwrap().len(), 29);
    assert_eq!(show["entries"][28]["id"], show["leafId"]);
    assert_eq!(json(&["show", "21f7", "--all"])["entries"].as_array().unwrap().len(), 40);
}

/// Number text, key order and duplicate keys of an entry come through (design, rule 4).
#[test]
fn entries_are_not_rewritten() {
    let store = Store::new();
    let entry = r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","z":1.50,"z":12345678901234567890,"message":{"role":"user","content":"x"}}"#;
    let header = r#"{"type":"session","version":3,"id":"s","cwd":"/p"}"#;
    let file = store.file("s.jsonl", format!("{header}\n{entry}\n"));
    assert!(run(&["show", &file, "--json"]).out.contains(entry));
}

#[test]
fn tree_is_a_flat_list() {
    let tree = json(&["tree", "21f7"]);
    let rows = tree.as_array().unwrap();
    assert_eq!(rows.len(), 40);
    assert_eq!(
        keys(&rows[2]),
        ["id", "parentId", "depth", "type", "role", "preview", "timestamp", "onPath", "leaf"]
    );
    assert_eq!(rows.iter().filter(|row| row["leaf"] == true).count(), 1);
    assert_eq!(rows.iter().filter(|row| row["onPath"] == true).count(), 29);
    let labels: Vec<_> = rows.iter().filter_map(|row| row["label"].as_str()).collect();
    assert_eq!(labels, ["chrono: for 0.5", "release 0.4.1"]);
    let users = json(&["tree", "21f7", "--filter", "user-only"]);
    assert!(users.as_array().unwrap().iter().all(|row| row["role"] == "user"));
}

#[test]
fn context_keeps_the_entry_beside_the_message() {
    let context = json(&["context", "tidepool-release-notes"]);
    assert_eq!(
        keys(&context),
        ["sessionId", "leafId", "model", "chosenModel", "thinkingLevel", "tokens", "messages"]
    );
    let messages = context["messages"].as_array().unwrap();
    assert_eq!(keys(&messages[0]), ["entryId", "tokens", "message"]);
    let sum: u64 = messages.iter().map(|message| message["tokens"].as_u64().unwrap()).sum();
    assert_eq!(context["tokens"], sum);
    let sent = json(&["context", "e04b", "--llm"]);
    let roles =
        sent["messages"].as_array().unwrap().iter().map(|row| row["message"]["role"].as_str());
    assert!(roles.flatten().all(|role| ["user", "assistant", "toolResult"].contains(&role)));
}

#[test]
fn explain_has_a_row_for_each_entry_of_the_branch() {
    let rows = json(&["context", "e04b", "--explain"]);
    assert_eq!(rows["rows"].as_array().unwrap().len(), 47);
    let outcome = |at: usize| rows["rows"][at]["outcome"].as_str().unwrap().to_owned();
    assert_eq!((outcome(0), outcome(2)), ("bookkeeping".to_owned(), "compacted".to_owned()));
}

#[test]
fn left_out_tools_are_listed() {
    let context = json(&["context", "eb7e", "--leaf", "8fffa147", "--pair-tools"]);
    assert_eq!(context["leftOut"][0]["toolName"], "bash");
    assert_eq!(context["leftOut"][0]["isResult"], false);
}

#[test]
fn check_names_places_and_advice() {
    let ran = example(&["check", "eb7e", "--json"]);
    assert_eq!(ran.code, 1);
    let reports: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(reports[0]["ok"], false);
    let problem = &reports[0]["problems"][0];
    assert_eq!(keys(problem), ["kind", "line", "byte", "message", "note", "advice"]);
    assert_eq!((&problem["kind"], &problem["line"]), (&"malformed_line".into(), &6.into()));
}

#[test]
fn debug_stages_are_lists() {
    for stage in ["lines", "entries", "tree"] {
        let rows = json(&["debug", stage, "21f7"]);
        assert!(rows.as_array().unwrap().len() >= 40, "{stage}");
    }
    let plan = json(&["debug", "context", "21f7"]);
    assert_eq!(plan["steps"].as_array().unwrap().len(), 29);
}

#[test]
fn errors_are_objects() {
    let ran = run(&["show", "nowhere/x.jsonl", "--json"]);
    let error: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(keys(&error), ["error", "errorKind", "hint"]);
    assert_eq!((ran.code, &error["errorKind"]), (3, &"not_found".into()));
    let ran = run(&["show", "--json", "--nonsense"]);
    let error: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!((ran.code, &error["errorKind"]), (2, &"invalid_argument".into()));
}

/// What is not UTF-8 shows as U+FFFD; the output stays JSON.
#[test]
fn other_bytes_are_shown_lossily() {
    let store = Store::new();
    let bytes = session("s", "/p", "caf\u{e9}", "2026-01-01T00:00:00.000Z");
    let bytes = bytes.into_bytes().into_iter().filter(|byte| *byte != 0xa9).collect::<Vec<_>>();
    let file = store.file("s.jsonl", bytes);
    for words in [&["show"][..], &["tree"], &["context"], &["debug", "entries"]] {
        let ran = run(&[words, &[file.as_str(), "--json"]].concat());
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        serde_json::from_str::<Value>(&ran.out).unwrap();
    }
}
