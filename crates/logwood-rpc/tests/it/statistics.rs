//! What the session and the day cost, over the protocol (spec 8.7, 6.14).

use jiff::tz::{TimeZone, offset};
use logwood::location::{AgentDir, StoreKind};
use logwood_rpc::RpcOptions;
use serde_json::{Value, json};

use crate::support::{Desk, HEADER};

fn answer(id: &str, parent: &str, time: &str, cost: f64) -> String {
    let ms = time.parse::<jiff::Timestamp>().unwrap().as_millisecond();
    let usage =
        json!({"input": 10, "output": 5, "cacheRead": 2, "cacheWrite": 1, "cost": {"total": cost}});
    let content = json!([{"type": "text", "text": "x"}, {"type": "toolCall", "id": "c", "name": "read", "arguments": {}}]);
    let message = json!({
        "role": "assistant", "content": content, "provider": "p", "model": "m", "usage": usage,
        "stopReason": "toolUse", "timestamp": ms,
    });
    entry("message", id, parent, time, &json!({"message": message}))
}

fn entry(kind: &str, id: &str, parent: &str, time: &str, more: &Value) -> String {
    let parent = if parent.is_empty() { Value::Null } else { json!(parent) };
    let mut entry = json!({"type": kind, "id": id, "parentId": parent, "timestamp": time});
    entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{entry}\n")
}

const TIME: &str = "2025-03-04T05:06:10.000Z";

/// dreb's figures drop after a compaction or a move (F-39); those of the file do not.
#[test]
fn context_branch_and_file_are_told_apart() {
    let session = [
        HEADER.to_owned(),
        answer("a", "", TIME, 0.1),
        answer("left", "a", TIME, 0.2),
        answer("b", "a", TIME, 0.4),
        entry(
            "compaction",
            "c",
            "b",
            TIME,
            &json!({
                "summary": "s", "firstKeptEntryId": "b", "tokensBefore": 9,
                "usage": {"input": 1, "output": 1, "cost": {"total": 0.8}},
            }),
        ),
    ];
    let mut desk = Desk::holding(session.concat().as_bytes());
    let stats = desk.data(json!({"type": "get_session_stats"}));
    let keys: Vec<_> = stats.as_object().unwrap().keys().map(String::as_str).collect();
    let dreb = [
        "sessionFile",
        "sessionId",
        "userMessages",
        "assistantMessages",
        "toolCalls",
        "toolResults",
        "totalMessages",
        "tokens",
        "cost",
    ];
    assert_eq!(keys[..9], dreb, "dreb's keys in its order");
    assert_eq!(stats["totalMessages"], 2, "the summary and what it keeps");
    assert_eq!(stats["cost"], 0.4, "only messages cost something in dreb's sum");
    assert_eq!(
        stats["tokens"],
        json!({"input": 10, "output": 5, "cacheRead": 2, "cacheWrite": 1, "total": 18})
    );
    let of = |part: &str, key: &str| stats[part][key].clone();
    assert_eq!(of("branch", "assistantMessages"), 2);
    assert_eq!(of("branch", "cost"), 1.3);
    assert_eq!(of("branch", "otherCost"), 0.8);
    assert_eq!(of("branch", "abandonedCost"), 0);
    assert_eq!(of("file", "toolCalls"), 3);
    assert_eq!(of("file", "cost"), 1.5);
    assert_eq!(of("file", "abandonedCost"), 0.2);
    assert_eq!(of("file", "costIsLowerBound"), false);
}

#[test]
fn the_position_decides_what_is_abandoned() {
    let session = [HEADER.to_owned(), answer("a", "", TIME, 0.1), answer("b", "a", TIME, 0.2)];
    let mut desk = Desk::holding(session.concat().as_bytes());
    desk.data(json!({"type": "branch", "entryId": "a"}));
    let stats = desk.data(json!({"type": "get_session_stats"}));
    assert_eq!((&stats["cost"], &stats["file"]["abandonedCost"]), (&json!(0.1), &json!(0.2)));
}

#[test]
fn what_was_not_written_yet_is_counted() {
    let mut desk = Desk::empty();
    desk.data(json!({"type": "append_message", "message": {"role": "user", "content": "x", "timestamp": 1}}));
    let stats = desk.data(json!({"type": "get_session_stats"}));
    assert_eq!((&stats["userMessages"], &stats["file"]["totalMessages"]), (&json!(1), &json!(1)));
}

/// A store in which sessions were made by hand; the clock stands at 2025-03-04T05:06:20Z.
fn store(zone: TimeZone, files: &[(&str, String)]) -> (tempfile::TempDir, Desk) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let agent_dir = Some(AgentDir::new(dir.path(), StoreKind::Dreb));
    let desk = Desk::with(|options| RpcOptions { agent_dir, zone, ..options });
    (dir, desk)
}

fn files() -> Vec<(&'static str, String)> {
    let main = [
        HEADER.to_owned(),
        answer("a", "", "2025-03-03T23:30:00.000Z", 1.0),
        answer("b", "a", "2025-03-04T01:00:00.000Z", 0.1),
    ];
    // A fork under another name, begun on another day, as dreb's own count would miss and double it.
    let fork = [
        main.concat().replacen("\"id\":\"s\"", "\"id\":\"f\",\"parentSession\":\"/s.jsonl\"", 1),
        answer("c", "b", "2025-03-04T02:00:00.000Z", 0.2),
    ];
    let child = HEADER.replacen("\"id\":\"s\"", "\"id\":\"k\",\"agentType\":\"Explore\"", 1);
    let child = [child, answer("a", "", "2025-03-04T03:00:00.000Z", 0.4)];
    vec![
        ("sessions/--p--/2025-03-03T09-00-00-000Z_s.jsonl", main.concat()),
        ("sessions/--q--/f.jsonl", fork.concat()),
        ("subagent-sessions/chain-00/step-1/k.jsonl", child.concat()),
    ]
}

/// Not the day of the file, and copies once (F-38).
#[test]
fn the_day_costs_what_its_messages_cost_each_once() {
    let (_dir, mut desk) = store(TimeZone::UTC, &files());
    let cost = desk.data(json!({"type": "get_daily_cost"}));
    assert_eq!(cost, json!({"cost": 0.7, "main": 0.3, "subagent": 0.4, "day": "2025-03-04"}));
}

#[test]
fn the_day_is_that_of_the_zone() {
    let (_dir, mut desk) = store(TimeZone::fixed(offset(1)), &files());
    let cost = desk.data(json!({"type": "get_daily_cost"}));
    assert_eq!(cost, json!({"cost": 1.7, "main": 1.3, "subagent": 0.4, "day": "2025-03-04"}));
}

#[test]
fn a_flat_folder_is_counted_too_and_no_store_costs_nothing() {
    let (dir, _) = store(TimeZone::UTC, &files());
    let flat = dir.path().join("sessions/--q--");
    let mut desk = Desk::with(|options| RpcOptions { session_dir: Some(flat), ..options });
    assert_eq!(desk.data(json!({"type": "get_daily_cost"}))["cost"], 0.3);
    let mut desk = Desk::empty();
    assert_eq!(desk.data(json!({"type": "get_daily_cost"}))["cost"], 0);
}
