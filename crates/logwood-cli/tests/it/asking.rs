//! What destructive commands ask, in a real terminal (a pseudo-terminal that python3 makes); skipped with a word where there is no python3.
#![cfg(unix)]

use std::process::Command;

use crate::support::{Store, session};

/// Runs the program in a terminal, answers the first question, and gives the exit code and what the terminal showed.
const TERMINAL: &str = r#"
import os, pty, sys
answer, program = sys.argv[1], sys.argv[2:]
pid, terminal = pty.fork()
if pid == 0:
    os.execv(program[0], program)
shown, asked = b"", False
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    shown += piece
    if b"[y/N]" in shown and not asked:
        asked = True
        os.write(terminal, answer.encode().decode("unicode_escape").encode())
_, status = os.waitpid(pid, 0)
sys.stdout.write(shown.decode("utf-8", "replace"))
sys.exit(os.waitstatus_to_exitcode(status) if asked else 99)
"#;

#[expect(clippy::print_stderr, reason = "a test that skips says so")]
fn in_a_terminal(answer: &str, words: &[&str]) -> Option<(i32, String)> {
    let home = std::env::temp_dir().join("logwood-no-home");
    let mut command = Command::new("python3");
    command.args(["-c", TERMINAL, answer, env!("CARGO_BIN_EXE_logwood")]).args(words);
    command.env("HOME", home).env("TZ", "UTC").env_remove("XDG_RUNTIME_DIR");
    match command.output() {
        Ok(output) => {
            let shown = String::from_utf8_lossy(&output.stdout).into_owned();
            Some((output.status.code().unwrap(), shown))
        }
        Err(error) => {
            eprintln!("SKIPPED: python3: {error}");
            None
        }
    }
}

/// Issue 4: destructive commands ask in a terminal; only a yes is a yes, and the end of the input is none (\x04).
#[test]
fn delete_asks_and_only_a_yes_deletes() {
    for (answer, deleted) in
        [("n\n", false), ("\n", false), ("\u{4}", false), ("y\n", true), ("Yes\n", true)]
    {
        let store = Store::new();
        let file =
            store.file("a.jsonl", session("aaaa1111", "/p", "hello", "2026-11-01T00:00:00.000Z"));
        let answer = answer.replace('\n', "\\n").replace('\u{4}', "\\x04");
        let Some((code, shown)) = in_a_terminal(&answer, &["delete", &file, "--permanent"]) else {
            return;
        };
        assert_eq!(code, 0, "{answer}: {shown}");
        assert_eq!(!std::path::Path::new(&file).exists(), deleted, "{answer}: {shown}");
        assert_eq!(shown.contains("nothing was deleted"), !deleted, "{answer}: {shown}");
    }
}

#[test]
fn repair_asks_after_it_showed_its_plan() {
    for (answer, mended) in [("n\\n", false), ("y\\n", true)] {
        let store = Store::new();
        let text = session("aaaa1111", "/p", "hello", "2026-11-01T00:00:00.000Z") + "torn {\n";
        let file = store.file("a.jsonl", &text);
        let Some((code, shown)) = in_a_terminal(answer, &["repair", &file]) else { return };
        assert_eq!(code, 0, "{answer}: {shown}");
        let plan = shown.find("torn").or_else(|| shown.find("line 3"));
        assert!(plan < shown.find("[y/N]"), "{shown}");
        assert_eq!(std::fs::read_to_string(&file).unwrap() != text, mended, "{answer}: {shown}");
    }
}

#[test]
fn relocate_asks() {
    for (answer, moved) in [("n\\n", false), ("y\\n", true)] {
        let store = Store::new();
        let old = "agent/sessions/--old--/a.jsonl";
        let file =
            store.file(old, session("aaaa1111", "/old", "hello", "2026-11-01T00:00:00.000Z"));
        let agent = format!("{}/agent", store.path());
        let words = ["--agent-dir", &agent, "relocate", "/old", "/new"];
        let Some((code, shown)) = in_a_terminal(answer, &words) else { return };
        assert_eq!(code, 0, "{answer}: {shown}");
        assert_eq!(!std::path::Path::new(&file).exists(), moved, "{answer}: {shown}");
    }
}
