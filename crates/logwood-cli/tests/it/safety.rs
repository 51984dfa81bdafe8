//! No control character of a log reaches the terminal (invariant 11 of ARCHITECTURE.md, case 50).

use crate::support::{Store, logwood};

/// Each of these must not come out: they would colour, move, retitle, delete, turn text around.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;t\u{7}\u{8}\r\u{b}\u{c}\0\u{7f}\u{85}\u{9b}2J\u{202e}\u{202a}\u{2066}\u{2069}x";

/// A session that is hostile in every place a text can stand.
fn hostile_session() -> String {
    let h = HOSTILE;
    let entry = |kind: &str, id: &str, parent: Option<&str>, mut rest: serde_json::Value| {
        let all = rest.as_object_mut().unwrap();
        all.insert("type".into(), kind.into());
        all.insert("id".into(), id.into());
        all.insert("parentId".into(), parent.into());
        all.insert("timestamp".into(), "2026-01-01T00:00:00.000Z".into());
        format!("{rest}\n")
    };
    let hid = format!("id{h}");
    let call = serde_json::json!({"type": "toolCall", "id": h, "name": h, "arguments": {"path": h, (h): h}});
    let bash = serde_json::json!({"type": "toolCall", "id": "c2", "name": "bash", "arguments": {"command": h}});
    let think = serde_json::json!({"type": "thinking", "thinking": h});
    let image = serde_json::json!({"type": "image", "data": "AAAA", "mimeType": h});
    let odd = serde_json::json!({"type": h, "x": h});
    let text = serde_json::json!({"type": "text", "text": h});
    let mut file = serde_json::json!({"type": "session", "version": 3, "id": h, "timestamp": h, "cwd": h, "parentSession": h, "agentType": h}).to_string() + "\n";
    let mut parent: Option<String> = None;
    let mut number = 0;
    let mut add = |kind: &str, rest: serde_json::Value| {
        number += 1;
        let id = format!("{hid}{number}");
        file += &entry(kind, &id, parent.as_deref(), rest);
        parent = Some(id);
    };
    add("model_change", serde_json::json!({"provider": h, "modelId": h}));
    add("thinking_level_change", serde_json::json!({"thinkingLevel": h}));
    add("message", serde_json::json!({"message": {"role": "user", "content": [text, image, odd]}}));
    add(
        "message",
        serde_json::json!({"message": {"role": "assistant", "provider": h, "model": h, "stopReason": "error", "errorMessage": h, "content": [think, text, call, bash]}}),
    );
    add(
        "message",
        serde_json::json!({"message": {"role": "toolResult", "toolCallId": h, "toolName": h, "isError": true, "content": [text, image]}}),
    );
    add(
        "message",
        serde_json::json!({"message": {"role": "toolResult", "toolCallId": "c3", "toolName": "edit", "content": [], "details": {"diff": h}}}),
    );
    add(
        "message",
        serde_json::json!({"message": {"role": "bashExecution", "command": h, "output": h, "truncated": true, "fullOutputPath": h, "exitCode": 1}}),
    );
    add("message", serde_json::json!({"message": {"role": h, "content": h}}));
    add("custom", serde_json::json!({"customType": h, "data": h}));
    add("custom_message", serde_json::json!({"customType": h, "display": true, "content": h}));
    add("branch_summary", serde_json::json!({"fromId": h, "summary": h}));
    add("label", serde_json::json!({"targetId": format!("{hid}3"), "label": h}));
    add("label", serde_json::json!({"targetId": h, "label": h}));
    add("session_info", serde_json::json!({"name": h}));
    add("usage", serde_json::json!({"kind": h, "provider": h, "model": h, "note": h}));
    add("context_edit", serde_json::json!({"targetId": h, "replacement": null}));
    add(h, serde_json::json!({"x": h}));
    add("compaction", serde_json::json!({"summary": h, "firstKeptEntryId": h, "tokensBefore": 1}));
    add("message", serde_json::json!({"message": {"role": "user", "content": h}}));
    file += &entry(
        "message",
        "orphan",
        Some(h),
        serde_json::json!({"message": {"role": "user", "content": h}}),
    );
    file += &serde_json::json!({"type": h}).to_string();
    file += "\n";
    // Raw bytes too, as another program may leave them.
    file += "{\"type\":\"message\",\u{1b}[31m\u{9b}\u{202e}\n";
    file
}

fn is_harmful(c: char) -> bool {
    c != '\n' && c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text without the colours that the program itself uses.
fn without_own_colors(text: &str) -> String {
    let mut out = text.to_owned();
    for code in ["0", "1", "2", "3", "31", "32", "34", "35", "36"] {
        out = out.replace(&format!("\u{1b}[{code}m"), "");
    }
    out
}

#[test]
fn no_command_lets_one_through() {
    let store = Store::new();
    let file = store.file("sessions/--x--/s.jsonl", hostile_session());
    let agent_dir = store.path();
    let name = HOSTILE.replace('\0', "");
    let commands = [
        &["show", &file][..],
        &["show", &file, "--all"],
        &["show", "-v", &file],
        &["tree", &file],
        &["tree", &file, "--filter", "all"],
        &["context", &file],
        &["context", &file, "--llm"],
        &["context", &file, "--explain"],
        &["context", &file, "--pair-tools"],
        &["check", &file],
        &["repair", "--dry-run", "--reattach", &file],
        &["debug", "lines", &file],
        &["debug", "entries", &file],
        &["debug", "tree", &file],
        &["debug", "context", &file],
        &["delete", &file, "--dry-run"],
        &["delete", &format!("{name}.jsonl"), "--yes"],
        &["restore", &name],
        &["import", &format!("{name}.jsonl")],
        &["relocate", &name, "/x", "--dry-run"],
        &["--agent-dir", &agent_dir, "relocate", "/p", &name, "--dry-run"],
        &["show", &name],
        &["show", &format!("{name}/x.jsonl")],
        &["show", &file, "--branch", &name],
        &["show", &file, "--branch", "id"],
        &["check", &format!("{name}.jsonl")],
        &["tree", &file, "--filter", &name],
        &["--agent-dir", &agent_dir, "--cwd", &name, "show", "@"],
        &["--agent-dir", &name, "show", "x"],
        &[&name],
        &["append", &file, "--message", &name],
        &["append", &name, "--message", "x"],
        &["name", &file],
        &["name", &file, &name],
        &["label", &file, "orphan", &name],
        &["label", &file, "orphan"],
        &["label", &file, "id", "x"],
        &["navigate", &file, "orphan"],
        &["fork", &file],
        &["--agent-dir", &agent_dir, "fork", &file, "--at", "orphan", "--into", &name],
        &["branch", &file, "orphan"],
        &["migrate", &file, &name],
        &["new", "--file", &name],
        &["new", "--agent-dir", &agent_dir, "--cwd", &name, "--id", &name],
        &["--agent-dir", &agent_dir, "list", "--all"],
        &["--agent-dir", &agent_dir, "list", "--cwd", &name],
        &["--agent-dir", &agent_dir, "doctor"],
        &["--agent-dir", &name, "doctor"],
        &["--agent-dir", &agent_dir, "where"],
        &["--agent-dir", &name, "--cwd", &name, "where"],
    ];
    for words in commands {
        for extra in [&["--color", "never"][..], &["--json"], &["--color", "always"]] {
            let words = [words, extra].concat();
            let output = logwood(&words).output().unwrap();
            for bytes in [&output.stdout, &output.stderr] {
                let text = String::from_utf8(bytes.clone()).unwrap();
                let text = if extra.contains(&"always") { without_own_colors(&text) } else { text };
                let found = text.lines().find(|line| line.contains(is_harmful));
                assert_eq!(found, None, "{words:?}");
            }
            assert!(output.status.code().unwrap() < 100, "{words:?}");
        }
    }
}

/// The marks say what was there.
#[test]
fn the_marks_are_visible() {
    let store = Store::new();
    let file = store.file("s.jsonl", hostile_session());
    let out = String::from_utf8(logwood(&["tree", &file]).output().unwrap().stdout).unwrap();
    assert!(out.contains("user: ␛[31m"), "{out}");
}

/// In JSON the same characters come back when it is read.
#[test]
fn json_still_says_what_was_there() {
    let store = Store::new();
    let file = store.file("s.jsonl", hostile_session());
    let out = logwood(&["show", &file, "--all", "--json"]).output().unwrap().stdout;
    let show: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(show["sessionId"], HOSTILE);
    assert_eq!(show["entries"][2]["message"]["content"][0]["text"], HOSTILE);
}
