//! What a running `logwood rpc` has open is marked in lists and not deleted.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood, session};

/// Runs the program on a store, with a runtime directory of its own.
fn command(store: &Store, words: &[&str]) -> std::process::Command {
    let dir = store.path();
    let mut command =
        logwood(&[&["--session-dir", &format!("{dir}/sessions"), "--cwd", "/p"], words].concat());
    command.env("XDG_RUNTIME_DIR", format!("{dir}/run"));
    command
}

fn run(store: &Store, words: &[&str]) -> Ran {
    command(store, words).output().unwrap().into()
}

/// A process that has the file open until its input ends.
fn holding(store: &Store, file: &str) -> Child {
    let mut rpc = command(store, &["rpc"]);
    let mut child = rpc.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let request = json!({"type": "open", "path": file});
    writeln!(child.stdin.as_mut().unwrap(), "{request}").unwrap();
    let mut answer = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
    assert!(answer.contains("\"success\":true"), "{answer}");
    child
}

/// What `list --json` says of `live`, the newest session first.
fn live(store: &Store) -> [Option<Value>; 2] {
    let rows: Value = serde_json::from_str(&run(store, &["list", "--json"]).out).unwrap();
    ["/sessions/0", "/sessions/1"].map(|row| rows.pointer(row).unwrap().get("live").cloned())
}

#[test]
fn what_a_process_has_open_is_marked_and_not_deleted() {
    let store = Store::new();
    let put = |name: &str, time: &str| {
        store.file(&format!("sessions/{name}.jsonl"), session(name, "/p", name, time))
    };
    let (held, free) =
        (put("held", "2026-11-02T00:00:00.000Z"), put("free", "2026-11-01T00:00:00.000Z"));
    let mut child = holding(&store, &held);
    assert_eq!(live(&store), [Some(json!(true)), None]);
    let table = run(&store, &["list"]).out;
    let marked: Vec<_> = table.lines().filter(|line| line.contains("[live")).collect();
    assert!(marked.len() == 1 && marked[0].contains("held"), "{table}");
    let ran = run(&store, &["delete", "--yes", "--permanent", &free, &held]);
    let holder = format!("it is open in logwood rpc (process {})", child.id());
    assert!(ran.code == 5 && ran.err.contains(&holder), "{ran:?}");
    let kept = [&held, &free].map(|file| std::fs::metadata(file).is_ok());
    assert_eq!(kept, [true, true], "no part of a refused deletion is done");
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(live(&store), [None, None]);
    assert_eq!(run(&store, &["delete", "--yes", "--permanent", &held]).code, 0);
    assert!(std::fs::metadata(&held).is_err());
}

/// The commands that write once go on safely and say who else has the session open; `--exclusive` refuses it.
#[test]
fn commands_that_write_say_who_else_has_the_session_open() {
    let store = Store::new();
    let file = store
        .file("sessions/held.jsonl", session("held", "/p", "held", "2026-11-02T00:00:00.000Z"));
    let entry = |text: &str| -> String {
        let line = text.lines().rfind(|line| line.contains("\"id\"")).unwrap();
        serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let target = entry(&std::fs::read_to_string(&file).unwrap());
    let commands: [&[&str]; 5] = [
        &["append", &file, "--message", "one more"],
        &["name", &file, "Shop"],
        &["label", &file, &target, "here"],
        &["navigate", &file, &target],
        &["append", &file, "--message", "and one more"],
    ];
    for words in commands {
        assert_eq!(run(&store, words).err, "", "nobody else: {words:?}");
    }
    let mut child = holding(&store, &file);
    let holder = format!("logwood rpc (process {})", child.id());
    for words in commands {
        let before = std::fs::read(&file).unwrap();
        let ran = run(&store, &[words, &["--exclusive"]].concat());
        assert!(ran.code == 5 && ran.err.contains(&holder), "{words:?}: {ran:?}");
        assert_eq!(std::fs::read(&file).unwrap(), before, "{words:?}");
        let ran = run(&store, words);
        let warning = format!("warning: the session is open elsewhere, in {holder}");
        assert!(ran.code == 0 && ran.err.starts_with(&warning), "{words:?}: {ran:?}");
        let ran = run(&store, &[words, &["--json"]].concat());
        let object: Value = serde_json::from_str(&ran.out).unwrap();
        let problem = object.pointer("/problems/0").unwrap();
        assert_eq!(problem["kind"], "open_elsewhere", "{words:?}");
        assert!(problem["detail"].as_str().unwrap().starts_with(&holder), "{problem}");
    }
    drop(child.stdin.take());
    child.wait().unwrap();
    let ran = run(&store, &["append", &file, "--message", "alone", "--exclusive"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_eq!(std::fs::read_dir(store.path() + "/run/logwood").unwrap().count(), 0);
}

/// An upgrade keeps every id, so whoever has the session open goes on; a repair and a move may take its place away.
#[test]
fn what_a_process_has_open_is_migrated_and_neither_repaired_nor_moved() {
    let store = Store::new();
    let old = "{\"type\":\"session\",\"version\":2,\"id\":\"two\",\"timestamp\":\"2026-11-02T00:00:00.000Z\",\"cwd\":\"/p\"}\n";
    let two = store.file("sessions/two.jsonl", old);
    let text = session("torn", "/p", "torn", "2026-11-02T00:00:00.000Z") + "{\"type\":\"mess";
    let torn = store.file("sessions/torn.jsonl", text.clone());
    let mut children = [&two, &torn].map(|file| holding(&store, file));
    let holder = format!("(process {})", children[1].id());
    let ran = run(&store, &["repair", "--yes", &torn]);
    assert!(ran.code == 5 && ran.err.contains(&holder), "{ran:?}");
    assert_eq!(std::fs::read_to_string(&torn).unwrap(), text);
    assert_eq!(run(&store, &["repair", "--dry-run", &torn]).code, 0);
    let ran = run(&store, &["migrate", "--exclusive", &two]);
    assert!(ran.code == 5 && std::fs::read_to_string(&two).unwrap() == old, "{ran:?}");
    let ran = run(&store, &["migrate", &two]);
    assert!(ran.code == 0 && ran.err.contains("open elsewhere"), "{ran:?}");
    assert!(std::fs::read_to_string(&two).unwrap().contains("\"version\":3"));
    for child in &mut children {
        drop(child.stdin.take());
        child.wait().unwrap();
    }
    assert_eq!(run(&store, &["repair", "--yes", &torn]).code, 0);
    let mut child = holding(&store, &torn);
    assert_eq!(run(&store, &["repair", "--undo", "--yes", &torn]).code, 5);
    drop(child.stdin.take());
    child.wait().unwrap();
    assert_eq!(run(&store, &["repair", "--undo", "--yes", &torn]).code, 0);
    assert_eq!(std::fs::read_to_string(&torn).unwrap(), text);
}

/// The line protocol knows of other processes: rows are marked, and what another has open is not deleted.
#[test]
fn the_line_protocol_knows_of_other_processes() {
    let store = Store::new();
    let put = |name: &str| {
        let text = session(name, "/p", name, "2026-11-02T00:00:00.000Z");
        store.file(&format!("sessions/{name}.jsonl"), text)
    };
    let (held, free) = (put("held"), put("free"));
    let mut child = holding(&store, &held);
    let requests = [
        json!({"type": "list_sessions", "cwd": "/p"}),
        json!({"type": "delete_session", "sessionPath": held, "permanent": true}),
        json!({"type": "delete_session", "sessionPath": free, "permanent": true}),
    ];
    let mut rpc = command(&store, &["rpc"]);
    let mut other = rpc.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    for request in &requests {
        writeln!(other.stdin.as_mut().unwrap(), "{request}").unwrap();
    }
    drop(other.stdin.take());
    let out = String::from_utf8(other.wait_with_output().unwrap().stdout).unwrap();
    let answers: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows = answers[0].pointer("/data/sessions").unwrap().as_array().unwrap();
    let marks: Vec<_> =
        rows.iter().map(|row| (row["id"].as_str().unwrap(), row.get("live"))).collect();
    assert!(
        marks.contains(&("held", Some(&json!(true)))) && marks.contains(&("free", None)),
        "{marks:?}"
    );
    assert_eq!(answers[1]["errorKind"], "active_session");
    let error = answers[1]["error"].as_str().unwrap();
    let holder = format!("it is open in logwood rpc (process {})", child.id());
    assert!(
        error.starts_with("Cannot delete the currently active session") && error.contains(&holder),
        "{error}"
    );
    assert_eq!(answers[2]["success"], true);
    assert_eq!([&held, &free].map(|file| std::fs::metadata(file).is_ok()), [true, false]);
    drop(child.stdin.take());
    child.wait().unwrap();
}
