//! `logwood rpc` as a process: it answers while its input is open and ends with it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

const SESSION: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s1\"}\n{\"type\":\"custom\",\"id\":\"a\",\"parentId\":null}\n";

fn rpc(cwd: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_logwood"));
    command.arg("rpc").args(words).current_dir(cwd);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The status, the standard output and the standard error for some input.
fn run(cwd: &Path, words: &[&str], input: &str) -> (i32, String, String) {
    let mut child = rpc(cwd, words).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn answer(command: &str, data: &str) -> String {
    format!(
        "{{\"type\":\"response\",\"command\":\"{command}\",\"success\":true,\"data\":{data}}}\n"
    )
}

#[test]
fn no_input_is_no_output_and_status_0() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(run(dir.path(), &[], ""), (0, String::new(), String::new()));
}

#[test]
fn it_answers_before_its_input_ends_and_ends_with_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = rpc(dir.path(), &[]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for line in ["{\"type\":\"get_leaf_id\"}\n", "nonsense\n", "{\"type\":\"get_leaf_id\"}\n"] {
        stdin.write_all(line.as_bytes()).unwrap();
        let line = lines.next().unwrap().unwrap();
        assert!(line.starts_with("{\"type\":\"response\""), "{line}");
    }
    drop(stdin);
    assert!(lines.next().is_none());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let dir = tempfile::tempdir().unwrap();
    let mut child = rpc(dir.path(), &[]).spawn().unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"{\"type\":\"get_leaf_id\"}\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn options_say_where_it_works() {
    let dir = tempfile::tempdir().unwrap();
    let cwd = dir.path().join("project");
    std::fs::create_dir(&cwd).unwrap();
    std::fs::write(cwd.join("s.jsonl"), SESSION).unwrap();
    let words =
        ["--cwd", "project", "--session-dir", "flat", "--read-only", "--agent-dir", "agent"];
    let input = [
        "{\"type\":\"get_cwd\"}",
        "{\"type\":\"open\",\"path\":\"s.jsonl\"}",
        "{\"type\":\"get_session_dir\"}",
    ];
    let (code, out, err) = run(dir.path(), &words, &input.join("\n"));
    let shown = cwd.to_str().unwrap();
    let lines: Vec<_> = out.split_inclusive('\n').collect();
    assert_eq!((code, err.as_str(), lines.len()), (0, "", 3));
    assert_eq!(lines[0], answer("get_cwd", &format!("{{\"cwd\":\"{shown}\"}}")));
    assert!(lines[1].contains(&format!("\"sessionFile\":\"{shown}/s.jsonl\"")), "{}", lines[1]);
    let flat = format!("{{\"sessionDir\":\"{shown}/flat\"}}");
    assert_eq!(lines[2], answer("get_session_dir", &flat));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_to_string(cwd.join("s.jsonl")).unwrap(), SESSION);
}

#[test]
fn two_agent_directories_are_one_too_many() {
    let dir = tempfile::tempdir().unwrap();
    let (code, out, err) = run(dir.path(), &["--agent-dir", "a", "--agent-dir", "b"], "");
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains("one agent directory"), "{err}");
}
