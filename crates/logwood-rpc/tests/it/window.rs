//! Windows of entries.

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
