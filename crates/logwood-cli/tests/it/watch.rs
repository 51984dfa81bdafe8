//! Sessions that grow while `logwood watch` or `logwood rpc` runs: real processes, real writes in pieces.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Store, logwood, session};

/// Far longer than anything takes on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// A process, and its lines as they come.
struct Running {
    child: Child,
    lines: Receiver<String>,
    stdin: Option<ChildStdin>,
}

impl Running {
    fn new(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        Self { child, lines, stdin }
    }

    fn line(&self) -> String {
        self.lines.recv_timeout(LIMIT).expect("a line comes in time")
    }

    fn object(&self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// The next object of a type.
    fn next(&self, kind: &str) -> Value {
        loop {
            let object = self.object();
            if object.get("type").is_some_and(|found| found == kind) {
                return object;
            }
        }
    }

    fn ask(&mut self, request: &Value) {
        writeln!(self.stdin.as_mut().unwrap(), "{request}").unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn append(path: &str, text: &str) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
}

fn entry(id: &str, text: &str) -> String {
    let entry = json!({
        "type": "message", "id": id, "parentId": "a1a1a1a1", "timestamp": "2026-11-12T18:05:00.000Z",
        "message": {"role": "user", "content": text},
    });
    format!("{entry}\n")
}

fn one(store: &Store) -> String {
    let text = session("s1", "/p", "hello", "2026-11-12T18:04:00.000Z");
    store.file("agent/sessions/--p--/s1.jsonl", text)
}

fn watch(words: &[&str]) -> Running {
    Running::new(logwood(&[&["watch"], words].concat()))
}

#[test]
fn entries_come_as_objects_also_when_they_are_written_in_pieces() {
    let store = Store::new();
    let path = one(&store);
    let watched = watch(&[&path, "--json", "--since", "start"]);
    assert_eq!(watched.object()["type"], "session_added");
    assert_eq!(watched.object()["entry"]["id"], "a1a1a1a1");
    for number in 0..20 {
        let text = entry(&format!("e{number}"), &"x".repeat(number * 100));
        let (start, rest) = text.split_at(text.len() * number / 20);
        append(&path, start);
        if number % 5 == 0 {
            std::thread::sleep(Duration::from_millis(150));
        }
        append(&path, rest);
    }
    for number in 0..20 {
        let event = watched.object();
        assert_eq!(event["entry"]["id"], format!("e{number}"));
        assert_eq!(event["line"], number + 3);
    }
}

#[test]
fn entries_come_as_text_as_show_prints_them() {
    let store = Store::new();
    let path = one(&store);
    let mut watched = watch(&[&path, "--since", "start"]);
    let shown: Vec<_> = (0..3).map(|_| watched.line()).collect();
    assert!(shown[0].starts_with("── ") && shown[0].ends_with("session s1, /p"), "{shown:?}");
    assert!(shown[2].starts_with("user ") && shown[2].ends_with("a1a1a1a1  18:04"), "{shown:?}");
    assert_eq!(watched.line(), "  hello");
    append(&path, &entry("b", "good \u{1b}[31mday"));
    assert_eq!(watched.line(), "");
    assert!(watched.line().starts_with("user "));
    assert_eq!(watched.line(), "  good ␛[31mday", "no control character of a log");
    std::fs::remove_file(&path).unwrap();
    assert_eq!(watched.line(), "");
    assert!(watched.line().ends_with("is gone"));
    assert!(watched.child.try_wait().unwrap().is_none());
}

#[test]
fn a_store_tells_of_sessions_that_come_and_go() {
    let store = Store::new();
    let path = one(&store);
    let agent = format!("{}/agent", store.path());
    let cursor = format!("{}/cursor.json", store.path());
    let watched =
        watch(&["--all", "--json", "--agent-dir", &agent, "--cursor", &cursor, "--since", "start"]);
    assert_eq!(watched.object()["type"], "session_added");
    assert_eq!(watched.object()["type"], "entry_appended");
    let other = store.file(
        "agent/sessions/--q--/s2.jsonl",
        session("s2", "/q", "hi", "2026-11-12T18:04:00.000Z"),
    );
    let added = watched.object();
    assert_eq!((&added["type"], &added["header"]["id"]), (&json!("session_added"), &json!("s2")));
    assert_eq!(watched.object()["sessionId"], "s2");
    std::fs::remove_file(&other).unwrap();
    assert_eq!(watched.object()["type"], "session_removed");
    append(&path, &entry("b", "again"));
    assert_eq!(watched.object()["entry"]["id"], "b");
}

/// `--once` with a cursor file: what is new since the last time, each entry once.
#[test]
fn once_after_once_prints_each_entry_once() {
    let store = Store::new();
    let path = one(&store);
    let agent = format!("{}/agent", store.path());
    let cursor = format!("{}/cursor.json", store.path());
    let mut seen = Vec::new();
    for round in 0..4 {
        let words = ["watch", "--all", "--json", "--once", "--agent-dir", &agent];
        let words = [&words[..], &["--cursor", &cursor, "--since", "start"]].concat();
        let output = logwood(&words).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            seen.extend(event["entry"]["id"].as_str().map(str::to_owned));
        }
        append(&path, &entry(&format!("e{round}"), "more"));
    }
    assert_eq!(seen, ["a1a1a1a1", "e0", "e1", "e2"]);
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &Path::new(&cursor).metadata().unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_cursor_of_an_event_goes_on_behind_it() {
    let store = Store::new();
    let path = one(&store);
    append(&path, &entry("b", "more"));
    let run = |since: &str| {
        let words = ["watch", &path, "--json", "--once", "--since", since];
        let output = logwood(&words).output().unwrap();
        let lines = String::from_utf8(output.stdout).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let all = run("start");
    assert_eq!(all.len(), 3);
    for (at, event) in all.iter().enumerate() {
        assert_eq!(run(&event["cursor"].to_string()), all[at + 1..], "{event}");
    }
    let output = logwood(&["watch", &path, "--since", "nonsense"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

/// As `watch … | head -1`: the reader is gone, and so is the program soon, without an entry that comes.
#[test]
fn it_ends_when_nobody_reads() {
    let store = Store::new();
    let path = one(&store);
    let mut command = logwood(&["watch", &path]);
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Ctrl-C: what was printed is whole lines, and the cursor that is kept goes on behind them.
#[test]
fn it_is_interrupted_between_lines() {
    let store = Store::new();
    let path = one(&store);
    let cursor = format!("{}/cursor.json", store.path());
    let words = [&path, "--json", "--since", "start", "--cursor", &cursor];
    let mut watched = watch(&words);
    append(&path, &entry("b", &"x".repeat(100_000)));
    let mut seen = 0;
    while seen < 3 {
        watched.object();
        seen += 1;
    }
    std::thread::sleep(Duration::from_millis(300));
    let id = watched.child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert!(!watched.child.wait().unwrap().success());
    assert!(watched.lines.recv_timeout(LIMIT).is_err(), "nothing came after the last whole line");
    append(&path, &entry("c", "more"));
    let again = watch(&words);
    assert_eq!(again.object()["entry"]["id"], "c");
}

/// Events come without a request, and never inside of a response.
#[test]
fn the_protocol_sends_events_between_responses() {
    let store = Store::new();
    let path = one(&store);
    let mut rpc = Running::new(logwood(&["rpc"]));
    rpc.ask(&json!({"id": 1, "type": "subscribe", "path": path}));
    assert_eq!(rpc.object()["data"]["subscription"], "1");
    append(&path, &entry("b", "more"));
    let event = rpc.object();
    assert_eq!((&event["type"], &event["entry"]["id"]), (&json!("entry_appended"), &json!("b")));
    // Requests and appends at once.
    let appended = path.clone();
    let writer = std::thread::spawn(move || {
        for number in 0..200 {
            append(&appended, &entry(&format!("w{number}"), &"y".repeat(500)));
        }
    });
    let (mut answers, mut entries) = (0, 0);
    for number in 0..100 {
        rpc.ask(&json!({"id": number, "type": "list_all_from_dir", "dir": format!("{}/agent/sessions/--p--", store.path())}));
        loop {
            let object = rpc.object();
            if object["type"] == "response" {
                assert_eq!(object["id"], number);
                answers += 1;
                break;
            }
            assert_eq!(object["entry"]["id"], format!("w{entries}"));
            entries += 1;
        }
    }
    writer.join().unwrap();
    while entries < 200 {
        assert_eq!(rpc.next("entry_appended")["entry"]["id"], format!("w{entries}"));
        entries += 1;
    }
    assert_eq!(answers, 100);
    rpc.ask(&json!({"id": 2, "type": "unsubscribe"}));
    assert_eq!(rpc.object()["success"], true);
    drop(rpc.stdin.take());
    assert_eq!(rpc.child.wait().unwrap().code(), Some(0));
}

/// Another process of the protocol goes on where the first one stopped.
#[test]
fn the_protocol_goes_on_after_a_restart() {
    let store = Store::new();
    let path = one(&store);
    let cursor = {
        let mut rpc = Running::new(logwood(&["rpc"]));
        rpc.ask(&json!({"type": "subscribe", "path": path, "cursor": "start"}));
        rpc.next("entry_appended")["cursor"].clone()
    };
    append(&path, &entry("b", "meanwhile"));
    let mut rpc = Running::new(logwood(&["rpc"]));
    rpc.ask(&json!({"type": "subscribe", "path": path, "cursor": cursor}));
    assert_eq!(rpc.next("entry_appended")["entry"]["id"], "b");
}
