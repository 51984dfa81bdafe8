//! What the examples of the table do not show: sessions in memory, positions, stored text, damage.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Desk, EXAMPLE, HEADER, text};

#[test]
fn a_process_starts_with_a_new_session_and_nothing_on_disk() {
    let mut desk = Desk::empty();
    let cwd = text(desk.dir.path()).to_owned();
    let session = "00000000-0000-4000-8000-000000000000";
    for (command, want) in [
        ("get_session_id", json!({"sessionId": session})),
        ("get_cwd", json!({"cwd": cwd})),
        ("get_leaf_id", json!({"leafId": null})),
        ("get_leaf_entry", json!({"entry": null})),
        ("get_session_file", json!({"sessionFile": null})),
        ("get_session_dir", json!({"sessionDir": ""})),
        ("get_session_name", json!({"name": null})),
        ("is_persisted", json!({"persisted": false})),
        ("get_entries", json!({"entries": []})),
        ("get_branch", json!({"entries": []})),
        ("get_tree", json!({"roots": [], "leafId": null})),
        ("get_messages", json!({"messages": [], "entryIds": []})),
        ("explain", json!({"rows": [], "tokens": 0})),
        ("get_last_assistant_text", json!({"text": null})),
        ("get_fork_messages", json!({"messages": []})),
        (
            "get_state",
            json!({"sessionId": session, "messageCount": 0, "thinkingLevel": "off", "model": null, "isStreaming": false, "isCompacting": false}),
        ),
    ] {
        assert_eq!(desk.data(json!({"type": command})), want, "{command}");
    }
    assert_eq!(desk.dir.path().read_dir().unwrap().count(), 0);
}

#[test]
fn in_memory_takes_a_cwd_and_an_inventory_root() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.data(json!({"type": "in_memory", "cwd": "/x", "customSessionInventoryRoot": "/flat"}));
    assert_eq!(desk.data(json!({"type": "get_cwd"})), json!({"cwd": "/x"}));
    let root = json!({"type": "get_custom_session_inventory_root"});
    assert_eq!(desk.data(root), json!({"root": "/flat"}));
    assert_eq!(desk.data(json!({"type": "is_persisted"})), json!({"persisted": false}));
}

#[test]
fn open_takes_the_session_dir_of_the_request_before_that_of_the_process() {
    let mut desk = Desk::with(|options| {
        let session_dir = Some(PathBuf::from("/flat"));
        logwood_rpc::RpcOptions { session_dir, ..options }
    });
    desk.write("s.jsonl", EXAMPLE.as_bytes());
    let mut dirs = |request: Value| {
        desk.data(request);
        let dir = desk.data(json!({"type": "get_session_dir"}))["sessionDir"].clone();
        (dir, desk.data(json!({"type": "get_custom_session_inventory_root"}))["root"].clone())
    };
    let open = json!({"type": "open", "path": "s.jsonl"});
    assert_eq!(dirs(open), (json!("/flat"), json!("/flat")));
    let open = json!({"type": "open", "path": "s.jsonl", "sessionDir": "/other"});
    assert_eq!(dirs(open), (json!("/other"), json!("/other")));
}

#[test]
fn read_only_comes_from_the_request_or_the_process() {
    let mut desk = Desk::empty();
    desk.write("s.jsonl", EXAMPLE.as_bytes());
    for (request, want) in [
        (json!({"type": "open", "path": "s.jsonl"}), false),
        (json!({"type": "open", "path": "s.jsonl", "readOnly": true}), true),
        (json!({"type": "open", "path": "s.jsonl", "readOnly": false}), false),
    ] {
        desk.data(request);
        assert_eq!(desk.rpc.session().is_read_only(), want);
    }
    let mut desk = Desk::with(|o| logwood_rpc::RpcOptions { read_only: true, ..o });
    desk.write("s.jsonl", EXAMPLE.as_bytes());
    desk.data(json!({"type": "open", "path": "s.jsonl", "readOnly": false}));
    assert!(desk.rpc.session().is_read_only());
    let fork =
        json!({"type": "fork_from", "sourcePath": "s.jsonl", "targetCwd": "/q", "sessionDir": "."});
    assert_eq!(desk.error(fork).0, "read_only");
    assert_eq!(desk.dir.path().read_dir().unwrap().count(), 1, "nothing is made either");
}

#[test]
fn a_session_that_names_no_cwd_gets_that_of_the_process() {
    let header = HEADER.replace(",\"cwd\":\"/p\"", "");
    let mut desk = Desk::holding(header.as_bytes());
    let cwd = text(desk.dir.path()).to_owned();
    assert_eq!(desk.data(json!({"type": "get_cwd"})), json!({"cwd": cwd}));
}

#[test]
fn positions_move_and_contexts_follow() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let count =
        |desk: &mut Desk, request: Value| desk.data(request)["messages"].as_array().unwrap().len();
    for command in ["build_session_context", "get_llm_messages"] {
        assert_eq!(count(&mut desk, json!({"type": command})), 2);
        assert_eq!(count(&mut desk, json!({"type": command, "leafId": "aa000003"})), 1);
        assert_eq!(count(&mut desk, json!({"type": command, "leafId": null})), 0);
        let (kind, message) = desk.error(json!({"type": command, "leafId": "zz"}));
        assert_eq!(kind, "entry_not_found");
        assert!(message.starts_with("Entry zz not found"), "{message}");
    }
    let rows =
        |desk: &mut Desk| desk.data(json!({"type": "explain", "leafId": null}))["rows"].clone();
    assert_eq!(rows(&mut desk), json!([]));
    assert_eq!(desk.data(json!({"type": "branch", "entryId": "aa000001"})), Value::Null);
    assert_eq!(desk.data(json!({"type": "get_leaf_id"})), json!({"leafId": "aa000001"}));
    assert_eq!(desk.error(json!({"type": "branch", "entryId": "zz"})).0, "entry_not_found");
    assert_eq!(count(&mut desk, json!({"type": "get_messages"})), 1);
    desk.data(json!({"type": "reset_leaf"}));
    assert_eq!(desk.data(json!({"type": "get_leaf_entry"})), json!({"entry": null}));
    assert_eq!(desk.data(json!({"type": "get_branch"})), json!({"entries": []}));
    assert_eq!(std::fs::read(desk.file("session.jsonl")).unwrap(), EXAMPLE.as_bytes());
}

#[test]
fn ids_that_are_not_there_give_nothing() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let ask = |name: &str, field: &str| json!({"type": name, field: "zz"});
    assert_eq!(desk.data(ask("get_entry", "entryId")), json!({"entry": null}));
    assert_eq!(desk.data(ask("get_label", "entryId")), json!({"label": null}));
    assert_eq!(desk.data(ask("get_children", "parentId")), json!({"entries": []}));
    assert_eq!(desk.data(ask("get_branch", "fromId")), json!({"entries": []}));
}

#[test]
fn orphans_are_the_children_of_the_parent_they_name() {
    let orphan =
        |id: &str| format!("{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":\"gone\"}}\n");
    let mut desk = Desk::holding(format!("{HEADER}{}{}", orphan("a"), orphan("b")).as_bytes());
    let children = desk.data(json!({"type": "get_children", "parentId": "gone"}));
    let ids: Vec<_> = children["entries"].as_array().unwrap().iter().map(|e| &e["id"]).collect();
    assert_eq!(ids, ["a", "b"]);
    let tree = desk.data(json!({"type": "get_tree"}));
    assert_eq!(tree["roots"][0]["parentId"], json!("gone"));
}

/// Key order, number text, duplicate keys, escapes and half characters stay; only bytes that are no UTF-8 are replaced.
#[test]
fn entries_come_out_as_they_are_stored() {
    let entry = br#"{"type":"custom","id":"a","parentId":null,"big":12345678901234567890123,"e":1.50e+10,"2":1,"1":2,"k":1,"k":2,"cut":"\ud83d","u":"\u0041/\/","raw":""#;
    let stored = [HEADER.as_bytes(), entry, b"\xff\xe2\x82\"}\n"].concat();
    let mut desk = Desk::holding(&stored);
    let want = format!("{}\u{fffd}\u{fffd}\"}}", std::str::from_utf8(entry).unwrap());
    for (request, data) in [
        (r#"{"type":"get_entries"}"#, format!(r#"{{"entries":[{want}]}}"#)),
        (r#"{"type":"get_entry","entryId":"a"}"#, format!(r#"{{"entry":{want}}}"#)),
        (r#"{"type":"get_branch"}"#, format!(r#"{{"entries":[{want}]}}"#)),
    ] {
        assert!(desk.line(request).ends_with(&format!(r#""data":{data}}}"#)), "{request}");
    }
}

#[test]
fn problems_name_line_byte_entry_and_detail() {
    let bytes = format!(
        "{HEADER}{{\"type\":\"custom\",\"id\":\"a\",\"parentId\":\"gone\"}}\n{{\"type\":\"mess"
    );
    let mut desk = Desk::empty();
    desk.write("s.jsonl", bytes.as_bytes());
    let data = desk.data(json!({"type": "open", "path": "s.jsonl"}));
    let first = HEADER.len();
    let rows: Vec<_> = data["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            assert!(row["message"].as_str().unwrap().len() > 10);
            let mut row = row.clone();
            row.as_object_mut().unwrap().remove("message");
            row
        })
        .filter(|row| row["kind"] != json!("invalid_timestamp"))
        .collect();
    assert_eq!(
        rows,
        [
            json!({"kind": "orphan_parent", "line": 2, "byte": first, "entry": "a", "detail": "gone"}),
            json!({"kind": "torn_tail", "line": 3, "byte": bytes.len() - 13}),
        ]
    );
}

#[test]
fn explain_says_where_the_messages_of_a_compaction_stand() {
    let line = |rest: &str| format!("{{\"timestamp\":\"2025-03-04T05:06:11.000Z\",{rest}}}\n");
    let bytes = [
        HEADER.to_owned(),
        line(r#""type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}"#),
        line(r#""type":"message","id":"b","parentId":"a","message":{"role":"user","content":"two"}"#),
        line(r#""type":"compaction","id":"c","parentId":"b","summary":"S","firstKeptEntryId":"b","tokensBefore":9"#),
        line(r#""type":"message","id":"d","parentId":"c","message":{"role":"bashExecution","command":"ls","excludeFromContext":true}"#),
    ]
    .concat();
    let mut desk = Desk::holding(bytes.as_bytes());
    let rows = desk.data(json!({"type": "explain"}))["rows"].clone();
    let short =
        |row: &Value| (row["entryId"].clone(), row["outcome"].clone(), row["messages"].clone());
    let rows: Vec<_> = rows.as_array().unwrap().iter().map(short).collect();
    assert_eq!(
        rows,
        [
            (json!("a"), json!("compacted"), json!([])),
            (json!("b"), json!("message"), json!([1])),
            (json!("c"), json!("message"), json!([0])),
            (json!("d"), json!("excluded"), json!([2])),
        ]
    );
    let context = desk.data(json!({"type": "build_session_context"}));
    assert_eq!(context["entryIds"], json!(["c", "b", "d"]));
    let sent = desk.data(json!({"type": "get_llm_messages"}));
    assert_eq!(sent["entryIds"], json!(["c", "b"]));
}

fn messages(texts: &[&str]) -> Desk {
    let mut bytes = HEADER.to_owned();
    for (at, message) in texts.iter().enumerate() {
        let parent = at.checked_sub(1).map_or("null".to_owned(), |at| format!("\"m{at}\""));
        bytes += &format!(
            "{{\"type\":\"message\",\"id\":\"m{at}\",\"parentId\":{parent},\"timestamp\":\"2025-03-04T05:06:11.000Z\",\"message\":{message}}}\n"
        );
    }
    Desk::holding(bytes.as_bytes())
}

#[test]
fn the_last_assistant_text_passes_over_aborted_answers_without_content() {
    let said = r#"{"role":"assistant","content":[{"type":"text","text":" \n a"},{"type":"thinking","thinking":"t"},{"type":"text","text":"b\ud83d "}]}"#;
    let void = r#"{"role":"assistant","content":[],"stopReason":"aborted"}"#;
    let part =
        r#"{"role":"assistant","content":[{"type":"text","text":"so f"}],"stopReason":"aborted"}"#;
    let empty = r#"{"role":"assistant","content":[],"stopReason":"stop"}"#;
    let user = r#"{"role":"user","content":"q"}"#;
    let cases: [(&[&str], &str); 5] = [
        (&[user, said, void, user], r#"{"text":"ab\ud83d"}"#),
        (&[said, part], r#"{"text":"so f"}"#),
        (&[said, empty], r#"{"text":null}"#),
        (&[user, void], r#"{"text":null}"#),
        (&[user], r#"{"text":null}"#),
    ];
    for (texts, want) in cases {
        let answer = messages(texts).line(r#"{"type":"get_last_assistant_text"}"#);
        assert!(answer.ends_with(&format!(r#""data":{want}}}"#)), "{answer} {want}");
    }
}

#[test]
fn fork_messages_are_of_all_branches_and_leave_out_what_cannot_be_forked() {
    let mut desk = messages(&[
        r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#,
        r#"{"role":"user","content":[{"type":"image"}]}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"x"},{"type":"toolCall","id":"t","name":"ls","arguments":{}}]}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"x"}],"stopReason":"error"}"#,
        r#"{"role":"assistant","content":[{"type":"text","text":"x"}],"stopReason":"aborted"}"#,
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t"}],"stopReason":"stop"}"#,
        r#"{"role":"toolResult","content":[{"type":"text","text":"x"}]}"#,
    ]);
    desk.data(json!({"type": "branch", "entryId": "m0"}));
    assert_eq!(
        desk.data(json!({"type": "get_fork_messages"})),
        json!({"messages": [
            {"entryId": "m0", "text": "ab", "role": "user"},
            {"entryId": "m5", "text": "(assistant response)", "role": "assistant"},
        ]})
    );
}

#[test]
fn a_tree_of_several_roots_and_branches_closes_every_node() {
    let node = |id: &str, parent: &str, second: u8| {
        format!(
            "{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"2025-03-04T05:06:{second:02}.000Z\",\"customType\":\"t\"}}\n"
        )
    };
    let bytes = [
        HEADER.to_owned(),
        node("a", "null", 1),
        node("b", "\"a\"", 9),
        node("c", "\"b\"", 3),
        node("d", "\"a\"", 4),
        node("r", "null", 5),
        node("e", "\"r\"", 6),
    ]
    .concat();
    let mut desk = Desk::holding(bytes.as_bytes());
    fn ids(nodes: &Value) -> Value {
        let one = |node: &Value| json!({"id": node["id"], "children": ids(&node["children"])});
        nodes.as_array().unwrap().iter().map(one).collect()
    }
    let leaf = |id: &str| json!({"id": id, "children": []});
    assert_eq!(
        ids(&desk.data(json!({"type": "get_tree", "flat": false}))["roots"]),
        json!([
            {"id": "a", "children": [leaf("d"), {"id": "b", "children": [leaf("c")]}]},
            {"id": "r", "children": [leaf("e")]},
        ])
    );
    let flat = desk.data(json!({"type": "get_tree", "flat": true}))["nodes"].clone();
    let flat: Vec<_> =
        flat.as_array().unwrap().iter().map(|node| (&node["id"], &node["depth"])).collect();
    let want = [("a", 0), ("d", 1), ("b", 1), ("c", 2), ("r", 0), ("e", 1)]
        .map(|(id, depth)| (json!(id), json!(depth)));
    assert_eq!(flat, want.iter().map(|(id, depth)| (id, depth)).collect::<Vec<_>>());
}

#[test]
fn a_tree_node_has_the_keys_of_dreb_in_its_order() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let answer = desk.line(r#"{"type":"get_tree"}"#);
    let start = r#"{"type":"response","command":"get_tree","success":true,"data":{"roots":[{"id":"aa000001","parentId":null,"type":"message","role":"user","preview":"plan the checkout page","timestamp":"2025-03-04T05:06:11.000Z","label":"start","children":[{"id":"aa000002","parentId":"aa000001","#;
    assert!(answer.starts_with(start), "{answer}");
    assert!(answer.ends_with(r#""children":[]}]}],"leafId":"aa000004"}}"#), "{answer}");
}
