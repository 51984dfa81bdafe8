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
