//! The exit codes of design section 4, each from a real run.

use std::process::Stdio;

use crate::support::{Store, example, logwood, run, session};

const TIME: &str = "2026-01-01T00:00:00.000Z";

#[test]
fn codes() {
    let store = Store::new();
    let good = store.file("good.jsonl", session("s1", "/p", "hello", TIME));
    let empty = store.file("empty.jsonl", "");
    let blank = store.file("blank.jsonl", "\n \n");
    let notes = store.file("notes.jsonl", "{\"a\":1}\n{\"b\":2}\n");
    let entry = session("s", "/p", "x", TIME).lines().nth(1).unwrap().to_owned();
    let corrupt = store.file("corrupt.jsonl", format!("{{\"type\":\"sess\n{entry}\n"));
    let torn = store.file("torn.jsonl", session("s2", "/p", "x", TIME) + "{\"type\":\"mess");
    let bom = store.file("bom.jsonl", format!("\u{feff}{}", session("s3", "/p", "x", TIME)));
    let newer = store.file("newer.jsonl", session("s4", "/p", "x", TIME).replace(":3,", ":99,"));
    let unended = store.file("unended.jsonl", session("s5", "/p", "x", TIME).trim_end());
    let folder = store.path();
    for (words, code, kind) in [
        (vec!["show", good.as_str()], 0, ""),
        (vec!["check", &good], 0, ""),
        (vec!["check", &torn], 1, ""),
        (vec!["check", &bom, &newer, &unended], 0, ""),
        (vec!["check", &corrupt], 4, ""),
        (vec!["check", &good, &torn, &empty], 4, ""),
        (vec!["show"], 2, "invalid_argument"),
        (vec!["show", "@x"], 2, "invalid_argument"),
        (vec!["show", "no-such-session"], 3, "not_found"),
        (vec!["show", "./missing.jsonl"], 3, "not_found"),
        (vec!["show", &good, "--branch", "beef"], 3, "entry_not_found"),
        (vec!["context", &good, "--leaf", "beef"], 3, "entry_not_found"),
        (vec!["tree", &empty], 4, "empty_file"),
        (vec!["tree", &blank], 4, "empty_file"),
        (vec!["context", &notes], 4, "not_a_session"),
        (vec!["show", &corrupt], 4, "header_corrupt"),
        (vec!["show", folder.as_str(), "--session-dir", "/"], 4, "not_a_file"),
    ] {
        let ran = run(&[&words[..], &["--json"]].concat());
        assert_eq!(ran.code, code, "{words:?}: {}{}", ran.out, ran.err);
        if kind.is_empty() {
            assert_eq!(ran.err, "", "{words:?}");
        } else {
            assert!(
                ran.err.contains(&format!("\"errorKind\":\"{kind}\"")),
                "{words:?}: {}",
                ran.err
            );
        }
    }
}

/// A damaged file still shows its lines.
#[test]
fn debug_lines_reads_what_is_no_session() {
    let store = Store::new();
    let file = store.file("x.jsonl", "{\"type\":\"sess\n\n{\"a\":1}");
    let ran = run(&["debug", "lines", &file, "--json"]);
    assert_eq!(ran.code, 0);
    let rows: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let kinds: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["malformed", "blank", "not_an_entry"]);
}

#[test]
fn errors_name_the_file_the_reason_and_the_way_out() {
    let store = Store::new();
    let file = store.file("empty.jsonl", "");
    let ran = run(&["show", &file]);
    let wanted = format!(
        "error: cannot open session `{file}`: the file is empty\n\
         hint: nothing was changed; `logwood append` starts a session in a file of 0 bytes, else remove it\n"
    );
    assert_eq!((ran.code, ran.err), (4, wanted));
}

/// A reader that goes away (`| head`) is no failure.
#[test]
fn a_broken_pipe_is_success() {
    let store = Store::new();
    let text = "a line of text\\n".repeat(100_000);
    let file = store.file("big.jsonl", session("s", "/p", "TEXT", TIME).replace("TEXT", &text));
    for words in
        [&["show", file.as_str()][..], &["show", &file, "--json"], &["context", &file, "--json"]]
    {
        let mut child =
            logwood(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{words:?}");
    }
}

#[test]
fn a_full_disk_is_told() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output =
        logwood(&["--agent-dir", "examples/agent", "show", "21f7"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: cannot write the output"));
}

#[test]
fn a_note_is_no_fault() {
    assert_eq!(example(&["check", "21f7"]).code, 0);
}
