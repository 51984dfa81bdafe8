//! Commands that write: what they answer is in the file.

use serde_json::json;

use crate::support::{Desk, EXAMPLE};

/// The lines of the session file of a desk.
fn lines(desk: &Desk) -> Vec<String> {
    let text = std::fs::read_to_string(desk.dir.path().join("session.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn an_answered_append_is_the_last_line_of_the_file() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let before = lines(&desk);
    let message = json!({"role": "user", "content": "x", "n": 1.0, "big": "\u{2028}"});
    let id = desk.data(json!({"type": "append_message", "message": message}))["entryId"].clone();
    let after = lines(&desk);
    assert_eq!(after[..before.len()], before);
    let id = id.as_str().unwrap();
    assert_eq!(
        after[before.len()],
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"aa000004","timestamp":"2025-03-04T05:06:20.000Z","message":{{"role":"user","content":"x","n":1,"big":"{}"}}}}"#,
            "\u{2028}"
        )
    );
}

#[test]
fn optional_members_are_left_out_and_null_is_kept() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.data(json!({"type": "append_custom_entry", "customType": "c"}));
    desk.data(json!({"type": "append_custom_entry", "customType": "c", "data": null}));
    desk.data(json!({"type": "append_label_change", "targetId": "aa000001"}));
    let lines = lines(&desk);
    let [.., without, with, label] = &lines[..] else { panic!() };
    assert!(!without.contains("data") && with.contains(r#""customType":"c","data":null,"id""#));
    assert!(label.ends_with(r#""targetId":"aa000001"}"#), "{label}");
    assert_eq!(
        desk.data(json!({"type": "get_label", "entryId": "aa000001"}))["label"],
        json!(null)
    );
}

#[test]
fn refusals_leave_the_file_alone() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let before = lines(&desk);
    for (request, kind) in [
        (json!({"type": "append_label_change", "targetId": "zz", "label": "x"}), "entry_not_found"),
        (
            json!({"type": "append_message", "message": {"role": "compactionSummary"}}),
            "invalid_argument",
        ),
        (json!({"type": "set_session_name", "name": " \u{a0}"}), "invalid_argument"),
        (json!({"type": "create_branched_session", "leafId": "zz"}), "entry_not_found"),
        (json!({"type": "switch_session", "sessionPath": "gone.jsonl"}), "not_found"),
    ] {
        assert_eq!(desk.error(request.clone()).0, kind, "{request}");
    }
    assert_eq!(
        desk.error(json!({"type": "set_session_name", "name": ""})).1,
        "Session name cannot be empty"
    );
    desk.data(json!({"type": "open", "path": "session.jsonl", "readOnly": true}));
    for command in
        ["append_session_info", "append_thinking_level_change", "flush", "migrate", "new_session"]
    {
        let request = json!({"type": command, "name": "n", "thinkingLevel": "low"});
        assert_eq!(desk.error(request).0, "read_only", "{command}");
    }
    assert_eq!(lines(&desk), before);
    assert_eq!(std::fs::read_dir(desk.dir.path()).unwrap().count(), 1, "no other file");
}

#[test]
fn a_branch_becomes_the_current_session_with_its_label_and_name() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let file = desk.data(json!({"type": "create_branched_session", "leafId": "aa000002"}));
    let text = std::fs::read_to_string(file["sessionFile"].as_str().unwrap()).unwrap();
    let kinds: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["type"].clone())
        .collect();
    assert_eq!(kinds, ["session", "message", "message", "label", "session_info"]);
    assert_eq!(desk.data(json!({"type": "get_session_name"}))["name"], "Checkout");
    assert_eq!(desk.data(json!({"type": "get_session_file"})), file);
}

#[test]
fn a_summary_names_the_leaf_that_was_left() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let request = json!({"type": "branch_with_summary", "branchFromId": null, "summary": "s", "fromHook": true, "details": {"a": 1.0}});
    let id = desk.data(request)["entryId"].as_str().unwrap().to_owned();
    let line = lines(&desk).pop().unwrap();
    assert!(
        line.ends_with(r#""fromId":"aa000004","summary":"s","details":{"a":1},"fromHook":true}"#),
        "{line}"
    );
    assert_eq!(desk.data(json!({"type": "get_leaf_id"}))["leafId"], id);
    let (kind, _) =
        desk.error(json!({"type": "branch_with_summary", "branchFromId": "zz", "summary": "s"}));
    assert_eq!(kind, "entry_not_found");
    assert_eq!(desk.data(json!({"type": "get_leaf_id"}))["leafId"], id, "the position stays");
}

#[test]
fn commands_of_dreb_keep_its_error_texts() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    for (request, text) in [
        (json!({"type": "navigate_tree", "targetId": "zzz"}), "Entry zzz not found"),
        (json!({"type": "fork", "entryId": "zzz"}), "Command failed: Invalid entry ID for forking"),
        (
            json!({"type": "fork", "entryId": "aa000003"}),
            "Command failed: Invalid entry ID for forking",
        ),
    ] {
        assert_eq!(desk.error(request).1, text);
    }
}

#[test]
fn navigating_leaves_a_summary_and_a_label_when_they_are_given() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let before = lines(&desk).len();
    let data = desk.data(
        json!({"type": "navigate_tree", "targetId": "aa000001", "summary": "s", "label": "l"}),
    );
    assert_eq!(data, json!({"cancelled": false, "editorText": "plan the checkout page"}));
    let new = lines(&desk).split_off(before);
    assert!(
        new[0].contains(r#""parentId":null"#) && new[0].contains(r#""fromHook":false"#),
        "{}",
        new[0]
    );
    assert!(new[1].contains(r#""label":"l""#), "{}", new[1]);
    let data = desk.data(json!({"type": "navigate_tree", "targetId": "aa000002", "summarize": false, "summary": "s"}));
    assert_eq!(data, json!({"cancelled": false}));
    assert_eq!(lines(&desk).len(), before + 2, "nothing more is written");
    assert_eq!(desk.data(json!({"type": "get_leaf_id"}))["leafId"], "aa000002");
}
