//! Records of arbitrations: listed, shown in a transcript, and refused where they hold what they must not (spec 10.1).

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Store, example, printed, run};

const GALLERY: &str = "e04b7ed0";

fn record(id: &str, parent: &str, data: &Value) -> String {
    json!({
        "type": "custom", "customType": "subagent_arbitration", "data": data,
        "id": id, "parentId": parent, "timestamp": "2026-11-30T10:00:00.000Z",
    })
    .to_string()
}

fn failure(message: &str) -> Value {
    json!({
        "type": "subagent_arbitration", "agentId": "0123456789ab", "status": "failure",
        "proposed": {"agent": "Explore", "model": "p/m", "thinking": "low"}, "final": null, "changed": [],
        "step": 2, "errorCode": "timeout", "errorMessage": message,
    })
}

/// A session with a failure on its branch, and an odd record and another extension's entry on another one.
fn store() -> (Store, String) {
    let store = Store::new();
    let head = crate::support::session("s1", "/p", "hello", "2026-11-30T09:00:00.000Z");
    let odd = json!({"type": "subagent_arbitration", "agentId": "x", "status": "success", "prompt": "SECRET PROMPT", "changed": []});
    let other =
        r#"{"type":"custom","customType":"memo","data":{},"id":"o1","parentId":"a1a1a1a1"}"#;
    let lines = [
        record("r1", "a1a1a1a1", &odd),
        other.to_owned(),
        record("r2", "a1a1a1a1", &failure("no answer\u{1b}[31m in time")),
    ];
    let file = store.file("s.jsonl", format!("{head}{}\n", lines.join("\n")));
    (store, file)
}

#[test]
fn every_record_is_listed_in_the_order_of_the_file() {
    assert_snapshot!(example(&["arbitration", GALLERY]).out, @"
    2026-10-03 09:15  4be1f7a09c3d  Arbitration changed model
                      anthropic/claude-sonnet-4-5 → anthropic/claude-haiku-4-5.
    ");
    let (_store, file) = store();
    let ran = run(&["arbitration", &file]);
    assert_eq!((ran.code, &*ran.err), (0, "(2 records)\n"));
    assert_snapshot!(ran.out, @"
    2026-11-30 10:00  x             [odd] Arbitration kept the proposed route.
    2026-11-30 10:00  0123456789ab  ✗ Arbitration step 2 failed: no answer␛[31m in
                      time
    ");
    let quiet = run(&["-q", "arbitration", &file]);
    assert_eq!((quiet.out, quiet.err), (ran.out, String::new()));
}

#[test]
fn json_has_the_members_of_a_record_and_no_other() {
    let (_store, file) = store();
    let ran = run(&["arbitration", &file, "--json"]);
    let rows: Value = serde_json::from_str(&ran.out).unwrap();
    let want = json!({
        "entryId": "r2", "timestamp": "2026-11-30T10:00:00.000Z", "onPath": true, "agentId": "0123456789ab",
        "status": "failure", "proposed": {"agent": "Explore", "model": "p/m", "thinking": "low"}, "final": null,
        "changed": [], "step": 2, "errorCode": "timeout", "errorMessage": "no answer\u{1b}[31m in time",
        "text": "Arbitration step 2 failed: no answer\u{1b}[31m in time",
    });
    assert_eq!(rows[1], want);
    assert_eq!((&rows[0]["entryId"], &rows[0]["onPath"]), (&json!("r1"), &json!(false)));
    assert!(rows[0]["fault"].is_string() && !ran.out.contains("SECRET"), "{}", ran.out);
    let none = Store::new();
    let file =
        none.file("s.jsonl", crate::support::session("s1", "/p", "x", "2026-11-30T09:00:00.000Z"));
    assert_eq!(run(&["arbitration", &file, "--json"]).out, "[]\n");
    assert_eq!(run(&["arbitration", &file]).err, "(the session has no record of an arbitration)\n");
}

#[test]
fn show_tells_it_where_it_happened() {
    let shown = printed(&["show", "-v", GALLERY]);
    let sentence =
        "· Arbitration changed model anthropic/claude-sonnet-4-5 → anthropic/claude-haiku-4-5.";
    assert!(shown.contains(sentence), "{shown}");
    let (_store, file) = store();
    let shown = run(&["show", &file]).out;
    assert!(shown.contains("· Arbitration step 2 failed: no answer␛[31m in time"), "{shown}");
}

/// A prompt, an answer and a long message are refused, and nothing of the input is written.
#[test]
fn append_refuses_what_a_record_must_not_hold() {
    let (store, file) = store();
    let before = std::fs::read(&file).unwrap();
    let good = json!({"role": "user", "content": "hi"}).to_string();
    let mut prompt = failure("x");
    prompt["prompt"] = json!("do this");
    for data in [prompt, failure(&"x".repeat(501)), json!(7)] {
        let input = store.file("input.jsonl", format!("{good}\n{}\n", record("x", "y", &data)));
        let ran = std::process::Command::new("sh")
            .args(["-c", "\"$0\" append \"$1\" < \"$2\""])
            .args([env!("CARGO_BIN_EXE_logwood"), &file, &input])
            .output()
            .unwrap();
        assert_eq!(ran.status.code(), Some(2), "{}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}
