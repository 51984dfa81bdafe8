//! What is appended comes as events, and a cursor goes on after a restart.

use std::cell::RefCell;
use std::io::Write as _;

use logwood::follow::{Followed, Hints};
use logwood::location::{AgentDir, StoreKind};
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use crate::support::{Desk, EXAMPLE, HEADER, text};

fn entry(id: &str) -> String {
    format!("{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":null,\"n\":1.0}}\n")
}

fn append(desk: &Desk, name: &str, bytes: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(desk.file(name)).unwrap();
    file.write_all(bytes.as_bytes()).unwrap();
}

fn poll(desk: &mut Desk) -> Vec<Value> {
    let events = RefCell::new(Vec::new());
    let keep = |line: &[u8]| events.borrow_mut().push(String::from_utf8(line.to_vec()).unwrap());
    desk.rpc.poll(Hints::All, &keep);
    events.into_inner().iter().map(|line| decode(line).unwrap()).collect()
}

/// An event in short.
fn word(event: &Value) -> String {
    let id = event["entry"]["id"].as_str().unwrap_or_default();
    format!("{} {} {id}", event["subscription"].as_str().unwrap(), event["type"].as_str().unwrap())
}

fn words(desk: &mut Desk) -> Vec<String> {
    poll(desk).iter().map(word).collect()
}

#[test]
fn an_entry_comes_as_it_stands_with_where_it_stands() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    assert!(!desk.rpc.is_following());
    let made = desk.data(json!({"type": "subscribe", "path": "session.jsonl"}));
    assert_eq!(made["subscription"], "1");
    assert_eq!(words(&mut desk), [""; 0]);
    append(&desk, "session.jsonl", &entry("new"));
    let events = poll(&mut desk);
    let path = text(&desk.file("session.jsonl")).to_owned();
    let cursor = events[0]["cursor"].clone();
    assert_eq!(
        events,
        [json!({
            "type": "entry_appended", "subscription": "1", "path": path,
            "sessionId": "6f1d2c3b-0001-4a00-8000-00000000aaaa",
            "entry": {"type": "custom", "id": "new", "parentId": null, "n": 1.0},
            "byte": EXAMPLE.len(), "cursor": cursor,
        })]
    );
    assert_eq!(desk.rpc.followed(), [Followed { path: desk.dir.path().into(), nested: false }]);
}

/// What was appended while nobody looked comes after a restart, once; in the process that starts anew it is another subscription.
#[test]
fn a_cursor_goes_on_after_a_restart() {
    let mut desk = Desk::holding(HEADER.as_bytes());
    let made = desk.data(json!({"type": "subscribe", "path": "session.jsonl", "cursor": "start"}));
    append(&desk, "session.jsonl", &(entry("a") + &entry("b")));
    let events = poll(&mut desk);
    assert_eq!(words_of(&events), ["1 session_added ", "1 entry_appended a", "1 entry_appended b"]);
    append(&desk, "session.jsonl", &entry("c"));
    let begins = [
        (made["cursor"].clone(), 4),
        (events[0]["cursor"].clone(), 3),
        (events[1]["cursor"].clone(), 2),
        (json!([made["cursor"], events[0]["cursor"], events[2]["cursor"]]), 1),
    ];
    for (cursor, count) in begins {
        let mut again = Desk::empty();
        let path = text(&desk.file("session.jsonl")).to_owned();
        again.data(json!({"type": "subscribe", "path": path, "cursor": cursor}));
        assert_eq!(poll(&mut again).len(), count, "{cursor}");
        assert_eq!(poll(&mut again).len(), 0);
    }
}

fn words_of(events: &[Value]) -> Vec<String> {
    events.iter().map(word).collect()
}

#[test]
fn a_store_tells_of_sessions_that_come_and_go() {
    let mut desk = Desk::with(|mut options| {
        let agent = options.cwd.join("agent");
        options.agent_dir = Some(AgentDir::new(agent, StoreKind::Dreb));
        options
    });
    std::fs::create_dir_all(desk.file("agent/sessions/--p--")).unwrap();
    let name = "agent/sessions/--p--/a.jsonl";
    desk.write(name, HEADER.as_bytes());
    let made = desk.data(json!({"type": "subscribe", "store": true}));
    desk.data(json!({"type": "subscribe", "path": name}));
    append(&desk, name, &entry("a"));
    desk.write("agent/sessions/--p--/b.jsonl", HEADER.replace("\"s\"", "\"t\"").as_bytes());
    let events = poll(&mut desk);
    assert_eq!(words_of(&events), ["1 entry_appended a", "1 session_added ", "2 entry_appended a"]);
    assert_eq!(events[1]["header"]["id"], "t");
    assert_eq!(events[1]["store"], "dreb");
    std::fs::remove_file(desk.file(name)).unwrap();
    assert_eq!(words(&mut desk), ["1 session_removed ", "2 session_removed "]);

    let listed = desk.data(json!({"type": "get_subscriptions"}));
    assert_eq!(listed["subscriptions"][0]["path"], Value::Null);
    let kept = json!([made["cursor"], events[0]["cursor"], events[1]["cursor"]]);
    for cursor in [listed["subscriptions"][0]["cursor"].clone(), kept] {
        desk.data(json!({"type": "unsubscribe"}));
        let made = desk.data(json!({"type": "subscribe", "store": true, "cursor": cursor}));
        let events = poll(&mut desk);
        // The second cursor does not know yet that the session went.
        assert!(events.iter().all(|event| event["type"] == "session_removed"), "{made} {events:?}");
    }
}

#[test]
fn a_subscription_ends() {
    let mut desk = Desk::holding(HEADER.as_bytes());
    for _ in 0..2 {
        desk.data(json!({"type": "subscribe", "path": "session.jsonl"}));
    }
    append(&desk, "session.jsonl", &entry("a"));
    desk.data(json!({"type": "unsubscribe", "subscription": "1"}));
    assert_eq!(words(&mut desk), ["2 entry_appended a"]);
    let (kind, _) = desk.error(json!({"type": "unsubscribe", "subscription": "1"}));
    assert_eq!(kind, "not_found");
    desk.data(json!({"type": "unsubscribe"}));
    assert!(!desk.rpc.is_following());
}

#[test]
fn what_cannot_be_followed_is_refused() {
    let mut desk = Desk::holding(HEADER.as_bytes());
    desk.write("log.jsonl", entry("x").as_bytes());
    for (request, kind) in [
        (json!({"store": false}), "invalid_argument"),
        (json!({"path": "session.jsonl", "store": true}), "invalid_argument"),
        (json!({"path": "session.jsonl", "cursor": 7}), "invalid_argument"),
        (json!({"path": "session.jsonl", "cursor": {}}), "invalid_argument"),
        (json!({"path": "gone.jsonl"}), "not_found"),
        (json!({"path": "log.jsonl"}), "not_a_session"),
    ] {
        let mut request = request;
        request["type"] = json!("subscribe");
        assert_eq!(desk.error(request.clone()).0, kind, "{request}");
    }
    assert!(!desk.rpc.is_following());
}
