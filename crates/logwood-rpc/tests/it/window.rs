//! Windows of entries.

use std::sync::Arc;

use logwood::storage::MemoryStorage;
use logwood_testkit::generate::session as any_session;
use logwood_testkit::storage::{RecordingStorage, Verb};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::{Desk, HEADER};

fn session() -> Desk {
    let mut bytes = HEADER.to_owned();
    for id in ["a", "b", "c", "d", "b", "e"] {
        bytes += &format!(
            "{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":null,\"timestamp\":\"2025-03-04T05:06:11.000Z\"}}\n"
        );
    }
    Desk::holding(bytes.as_bytes())
}

fn ids(data: &Value) -> String {
    let entries = data["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect()
}

#[test]
fn without_fields_every_line_is_there() {
    let data = session().data(json!({"type": "get_entries"}));
    assert_eq!((ids(&data).as_str(), data.get("more")), ("abcdbe", None));
}

#[test]
fn windows() {
    let mut desk = session();
    let cases = [
        (json!({"bodies": true}), "abcde", false),
        (json!({"since": "b"}), "cde", false),
        (json!({"since": "b", "limit": 1}), "c", true),
        (json!({"since": "b", "limit": 3}), "cde", false),
        (json!({"since": "e"}), "", false),
        (json!({"before": "c"}), "ab", false),
        (json!({"before": "c", "limit": 1}), "b", true),
        (json!({"before": "a"}), "", false),
        (json!({"limit": 2}), "de", true),
        (json!({"limit": 9}), "abcde", false),
        (json!({"limit": 0}), "", true),
        (json!({"since": "a", "before": "e"}), "bcd", false),
        (json!({"since": "a", "before": "e", "limit": 2}), "bc", true),
        (json!({"since": "d", "before": "b"}), "", false),
        (json!({"since": "b", "before": "b"}), "", false),
    ];
    for (mut fields, want, more) in cases {
        for bodies in [true, false] {
            fields["type"] = json!("get_entries");
            fields["bodies"] = json!(bodies);
            let data = desk.data(fields.clone());
            assert_eq!((ids(&data).as_str(), &data["more"]), (want, &json!(more)), "{fields}");
        }
    }
    for field in ["since", "before"] {
        let (kind, _) = desk.error(json!({"type": "get_entries", field: "zz"}));
        assert_eq!(kind, "entry_not_found");
    }
}

/// Paging by the last id seen ends and shows every entry once, ids on several lines included.
#[test]
fn paging_ends_and_shows_every_entry_once() {
    let mut desk = session();
    let (mut seen, mut since) = (String::new(), None::<String>);
    for _ in 0..20 {
        let page =
            desk.data(json!({"type": "get_entries", "since": since, "before": null, "limit": 2}));
        let page = ids(&page);
        // Without `since` the window is the end of the list.
        if since.is_none() {
            assert_eq!(page, "de");
            since = Some("a".to_owned());
            continue;
        }
        let Some(last) = page.chars().last() else { break };
        since = Some(last.to_string());
        seen += &page;
    }
    assert_eq!(seen, "bcde");
    let (mut seen, mut before) = (String::new(), "e".to_owned());
    for _ in 0..20 {
        let page = desk.data(json!({"type": "get_entries", "before": before, "limit": 2}));
        let page = ids(&page);
        let Some(first) = page.chars().next() else { break };
        before = first.to_string();
        seen = page + &seen;
    }
    assert_eq!(seen, "abcd");
}

#[test]
fn an_envelope_says_what_is_stored_and_nothing_of_the_body() {
    let bytes = [
        HEADER,
        "{\"type\":\"weather\",\"id\":\"a\",\"parentId\":7,\"timestamp\":\"soon\",\"data\":[1]}\n",
        "{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"timestamp\":\"2025-03-04T05:06:11Z\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n",
        "{\"type\":\"label\",\"id\":\"c\",\"parentId\":\"b\",\"targetId\":\"b\",\"label\":\"L\"}\n",
    ]
    .concat();
    let mut desk = Desk::holding(bytes.as_bytes());
    assert_eq!(
        desk.data(json!({"type": "get_entries", "bodies": false})),
        json!({"more": false, "entries": [
            {"id": "a", "parentId": null, "type": "weather", "timestamp": "soon"},
            {"id": "b", "parentId": "a", "type": "message", "role": "user", "timestamp": "2025-03-04T05:06:11Z", "label": "L"},
            {"id": "c", "parentId": "b", "type": "label", "timestamp": null},
        ]})
    );
}

/// The envelope of a stored entry: what a window without bodies has to say of it.
fn envelope(entry: &Value) -> Value {
    let text = |value: &Value| value.as_str().map_or(Value::Null, Value::from);
    let mut row = json!({
        "id": entry["id"], "parentId": text(&entry["parentId"]), "type": text(&entry["type"]),
        "timestamp": text(&entry["timestamp"]),
    });
    if let Some(role) = entry["message"]["role"].as_str() {
        row["role"] = json!(role);
    }
    row
}

proptest! {
    #[test]
    fn an_envelope_is_that_of_the_entry_wherever_it_comes_from(session in any_session(12)) {
        let mut desk = Desk::holding(&session.text);
        let whole = desk.data(json!({"type": "get_entries", "bodies": true}));
        let want: Vec<_> = whole["entries"].as_array().unwrap().iter().map(envelope).collect();
        let mut rows = desk.data(json!({"type": "get_entries", "bodies": false}));
        let rows = rows["entries"].as_array_mut().unwrap();
        for row in &mut *rows {
            row.as_object_mut().unwrap().remove("label");
        }
        prop_assert_eq!(&*rows, &want);
    }
}

/// A session over 8 MiB is not kept in memory: a body has to be read, and an envelope has not.
#[test]
fn a_window_without_bodies_reads_nothing() {
    let message = |n: usize| {
        format!(
            "{{\"type\":\"message\",\"id\":\"{n}\",\"parentId\":{},\"timestamp\":\"2025-03-04T05:06:11.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"{}\"}}}}\n",
            if n == 0 { "null".to_owned() } else { format!("\"{}\"", n - 1) },
            "x".repeat(1 << 20)
        )
    };
    let memory = MemoryStorage::new();
    let lines: String = (0..9).map(message).collect();
    memory.put("/s.jsonl", format!("{HEADER}{lines}")).unwrap();
    let recording = RecordingStorage::new(Arc::new(memory));
    let mut desk = Desk::with(|mut options| {
        options.sessions = options.sessions.storage(Arc::new(recording.clone()));
        options
    });
    desk.data(json!({"type": "open", "path": "/s.jsonl", "readOnly": true}));
    recording.take();
    let data = desk.data(json!({"type": "get_entries", "bodies": false}));
    assert_eq!(ids(&data), "012345678");
    assert_eq!(recording.take(), []);
    desk.data(json!({"type": "get_entries", "limit": 1}));
    assert!(recording.bytes(Verb::ReadAt) > 1 << 20, "the other way reads");
}
