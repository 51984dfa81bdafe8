//! `delete` and `restore`, `import` and `relocate`: what they leave on the disk, and what they say.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood};

const TIME: &str = "2026-01-01T00:00:00.000Z";

fn header(id: &str, cwd: &str, more: Value) -> String {
    let mut header =
        json!({"type": "session", "version": 3, "id": id, "timestamp": TIME, "cwd": cwd});
    header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{header}\n")
}

/// A store with a session, a copy beside it, a fork, and a transcript.
fn family() -> (Store, String) {
    let store = Store::new();
    let session = store.file("sessions/--p--/a.jsonl", header("aaaa1111", "/p", json!({})));
    store.file("sessions/--p--/a.jsonl.v1.bak", "old");
    store.file(
        "sessions/--p--/fork.jsonl",
        header("ffff1111", "/p", json!({"parentSession": session})),
    );
    let transcript = json!({"parentSession": session, "agentType": "Explore"});
    store.file("subagent-sessions/0123456789ab/t.jsonl", header("cccc1111", "/p", transcript));
    (store, session)
}

/// Runs the program on a store, with a trash of its own.
fn run(store: &Store, words: &[&str]) -> Ran {
    let agent_dir = store.path();
    let mut command = logwood(&[&["--agent-dir", &agent_dir], words].concat());
    command.env("XDG_DATA_HOME", format!("{agent_dir}/data")).output().unwrap().into()
}

fn said(ran: &Ran) -> Value {
    assert!(!ran.out.is_empty(), "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// The output with the folder of the store named `STORE`, and without sizes: they follow the length of its name.
fn plain(store: &Store, text: &str) -> String {
    let real = Path::new(&store.path()).canonicalize().unwrap();
    let text = text.replace(real.to_str().unwrap(), "STORE").replace(&store.path(), "STORE");
    let line = |line: &str| {
        let columns: Vec<_> = line.split("  ").filter(|column| !column.ends_with(" B")).collect();
        columns.join("  ") + "\n"
    };
    text.lines().map(line).collect()
}

#[test]
fn without_a_terminal_it_shows_the_plan_and_needs_yes() {
    let (store, session) = family();
    let ran = run(&store, &["delete", "aaaa"]);
    assert_eq!(ran.code, 2);
    insta::assert_snapshot!(plain(&store, &ran.out), @"
    STORE/sessions/--p--/a.jsonl  aaaa1111
      with it  STORE/sessions/--p--/a.jsonl.v1.bak
      transcript  STORE/subagent-sessions/0123456789ab/t.jsonl  cccc1111  stays (--family takes it along)
      fork  STORE/sessions/--p--/fork.jsonl  stays, without its parent
    ");
    insta::assert_snapshot!(ran.err, @"
    error: this changes files, and there is no terminal to ask in
    hint: add --yes to do it without being asked
    ");
    let ran = run(&store, &["delete", "aaaa", "--json"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("invalid_argument"), "{}", ran.err);
    assert!(Path::new(&session).exists());
}

#[test]
fn a_dry_run_changes_nothing_and_says_all() {
    let (store, session) = family();
    let ran = run(&store, &["delete", "aaaa", "--dry-run", "--json", "--family"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let value = said(&ran);
    assert_eq!(value["dryRun"], true);
    assert_eq!(value["sessions"][0]["sessionId"], "aaaa1111");
    assert_eq!(value["sessions"][0]["files"].as_array().unwrap().len(), 1);
    assert_eq!(value["sessions"][0]["forks"][0]["sessionId"], "ffff1111");
    assert_eq!(value["sessions"][0]["transcripts"][0]["sessionId"], "cccc1111");
    assert_eq!(value["sessions"][0]["transcripts"][0]["goesAlong"], true);
    assert_eq!(value["removed"], json!([]));
    assert!(Path::new(&session).exists());
}

#[test]
fn a_family_goes_to_the_trash_and_comes_back() {
    let (store, session) = family();
    let transcript = format!("{}/subagent-sessions/0123456789ab/t.jsonl", store.path());
    let copy = format!("{session}.v1.bak");
    let there = || [&session, &copy, &transcript].map(|path| std::fs::read(path).ok());
    let before = there();
    let ran = run(&store, &["delete", "aaaa", "--yes", "--family"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("3 files moved to the trash\n"), "{}", ran.out);
    assert_eq!(there(), [None, None, None]);
    let listed = said(&run(&store, &["restore", "--json"]));
    assert_eq!(listed.as_array().unwrap().len(), 2, "the sessions, not what stood beside them");
    assert_eq!(listed[0]["deleted"], "2026-12-01T12:00:00");
    let ran = run(&store, &["restore", "aaaa"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.ends_with("3 files restored\n"), "{}", ran.out);
    assert_eq!(there(), before);
    assert_eq!(run(&store, &["restore", &session]).code, 3, "it is not there twice");
}

#[test]
fn permanent_leaves_nothing_in_the_trash() {
    let (store, session) = family();
    let ran = run(&store, &["delete", &session, "--yes", "--permanent", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let methods: Vec<_> =
        said(&ran)["removed"].as_array().unwrap().iter().map(|row| row["method"].clone()).collect();
    assert_eq!(methods, ["unlink", "unlink"]);
    assert_eq!(said(&run(&store, &["restore", "--json"])), json!([]));
}

/// A place where no trash can be made: nothing is deleted, and the way out is named.
#[test]
fn without_a_trash_nothing_is_deleted() {
    let (store, session) = family();
    store.file("data", "no folder");
    let ran = run(&store, &["delete", "aaaa", "--yes"]);
    assert_eq!(ran.code, 4, "not_a_file: {}", ran.err);
    assert!(ran.err.contains("--permanent"), "{}", ran.err);
    assert!(Path::new(&session).exists());
}

#[test]
fn refusals_have_their_exit_codes_and_delete_nothing_else() {
    let (store, session) = family();
    let notes = store.file("notes.jsonl", "{\"a\":1}\n");
    let text = store.file("x/notes.txt", "");
    let empty = store.file("empty.jsonl", "");
    std::fs::create_dir(format!("{}/dir.jsonl", store.path())).unwrap();
    let folder = format!("{}/dir.jsonl", store.path());
    let gone = format!("{}/gone.jsonl", store.path());
    for (path, code, kind) in [
        (&text, 2, "not_jsonl"),
        (&gone, 3, "not_found"),
        (&folder, 4, "not_a_file"),
        (&notes, 4, "not_a_session"),
        (&empty, 4, "not_a_session"),
    ] {
        let ran = run(&store, &["delete", &session, path, "--yes", "--json"]);
        assert_eq!(ran.code, code, "{path}: {}", ran.err);
        assert!(ran.err.contains(&format!("\"errorKind\":\"{kind}\"")), "{}", ran.err);
        assert!(Path::new(&session).exists(), "what else was named stays too");
    }
    assert_eq!(run(&store, &["delete", &empty, "--yes", "--force"]).code, 0);
    assert!(!Path::new(&empty).exists());
}

/// A `trash` on the PATH comes first.
#[cfg(unix)]
#[test]
fn the_trash_program_comes_first() {
    use std::os::unix::fs::PermissionsExt as _;
    let (store, session) = family();
    let program =
        store.file("bin/trash", "#!/bin/sh\nPATH=/usr/bin:/bin\nmv -- \"$1\" \"$1.trashed\"\n");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let agent_dir = store.path();
    let mut command = logwood(&["--agent-dir", &agent_dir, "delete", &session, "--yes"]);
    command
        .env("XDG_DATA_HOME", format!("{agent_dir}/data"))
        .env("PATH", format!("{agent_dir}/bin"));
    let ran = Ran::from(command.output().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(Path::new(&format!("{session}.trashed")).exists());
    assert!(!Path::new(&format!("{agent_dir}/data")).exists());
}

/// The protocol finds the same trash.
#[test]
fn the_protocol_uses_the_same_trash() {
    use std::io::Write as _;
    let (store, session) = family();
    let agent_dir = store.path();
    let mut command = logwood(&["--agent-dir", &agent_dir, "rpc"]);
    command.env("XDG_DATA_HOME", format!("{agent_dir}/data"));
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let request = json!({"type": "delete_session", "sessionPath": session});
    writeln!(child.stdin.take().unwrap(), "{request}").unwrap();
    let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(out.contains(r#""data":{"method":"trash"}"#), "{out}");
    assert_eq!(said(&run(&store, &["restore", "--json"])).as_array().unwrap().len(), 1);
}

#[test]
fn an_import_goes_to_the_project_it_names() {
    let (store, _) = family();
    let file = store.file("drop/a.jsonl", header("bbbb1111", "/q", json!({})));
    let other = store.file("drop/b.jsonl", header("aaaa1111", "/p", json!({"x": 1})));
    let ran = run(&store, &["import", &file, "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let copy = format!("{}/sessions/--q--/a.jsonl", store.path());
    assert_eq!(
        said(&ran)["imported"][0],
        json!({"source": file, "path": copy, "sessionId": "bbbb1111", "copied": true})
    );
    assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&file).unwrap());
    let ran = run(&store, &["import", &file]);
    assert_eq!((ran.code, ran.out), (0, format!("{copy}  was there already\n")));
    let ran = run(&store, &["import", &other]);
    assert_eq!(ran.code, 5, "{}", ran.err);
    assert!(ran.err.contains("--new-id"), "{}", ran.err);
    assert_eq!(run(&store, &["import", &other, &file, "--json"]).code, 1, "done in part");
    let ran = run(&store, &["import", &other, "--new-id", "--cwd", "/elsewhere", "--json"]);
    let path = said(&ran)["imported"][0]["path"].as_str().unwrap().to_owned();
    assert!(path.starts_with(&format!("{}/sessions/--elsewhere--/", store.path())), "{path}");
}

#[test]
fn sessions_follow_their_folder() {
    let (store, session) = family();
    let moved = format!("{}/sessions/--new-p--/a.jsonl", store.path());
    let ran = run(&store, &["relocate", "/p", "/new/p"]);
    assert_eq!(ran.code, 2, "it asks");
    let ran = run(&store, &["relocate", "/p", "/new/p", "--dry-run", "--json"]);
    assert_eq!(said(&ran)["moves"].as_array().unwrap().len(), 3);
    assert!(Path::new(&session).exists());
    let ran = run(&store, &["relocate", "/p", "/new/p", "--yes"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.ends_with("3 sessions moved, 2 links mended\n"), "{}", ran.out);
    assert_eq!(std::fs::read_to_string(&moved).unwrap(), header("aaaa1111", "/new/p", json!({})));
    let transcript = format!("{}/subagent-sessions/0123456789ab/t.jsonl", store.path());
    let transcript: Value =
        serde_json::from_str(&std::fs::read_to_string(transcript).unwrap()).unwrap();
    assert_eq!(
        (&transcript["cwd"], &transcript["parentSession"]),
        (&json!("/new/p"), &json!(moved))
    );
    let ran = run(&store, &["--cwd", "/new/p", "list", "--json"]);
    assert_eq!(said(&ran)["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(run(&store, &["relocate", "/p", "/p/"]).code, 2);
}
