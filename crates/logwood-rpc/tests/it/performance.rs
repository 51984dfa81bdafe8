//! The performance log over the protocol: dreb's shape to the last digit, what is recorded and what is not.

use logwood::json::Raw;
use logwood::location::{AgentDir, StoreKind};
use logwood_rpc::RpcOptions;
use serde_json::{Value, json};

use crate::support::Desk;

/// With this performance log in the agent directory `agent`.
pub(crate) fn desk(log: &str) -> Desk {
    let mut desk = Desk::with(|options| {
        let agent = AgentDir::new(options.cwd.join("agent"), StoreKind::Dreb);
        RpcOptions { agent_dir: Some(agent), ..options }
    });
    std::fs::create_dir(desk.file("agent")).unwrap();
    desk.write("agent/performance.jsonl", log.as_bytes());
    desk.data(json!({"type": "in_memory", "cwd": "/p"}));
    desk
}

fn log(desk: &Desk) -> String {
    std::fs::read_to_string(desk.file("agent/performance.jsonl")).unwrap()
}

fn answer(change: Value) -> Value {
    let mut answer = json!({"type": "record_performance", "provider": "p", "modelId": "m", "outputTokens": 250, "durationMs": 3000});
    answer.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    answer
}

const STATISTICS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../conformance/tables/performance-statistics.json"
));

/// The answer is the text of the table, byte for byte.
#[test]
fn the_table_of_statistics_is_answered_as_dreb_does() {
    let table = Raw::parse(STATISTICS.as_bytes()).unwrap();
    for case in table.get("cases").unwrap().elements() {
        let entries: Vec<_> = case.get("entries").unwrap().elements().map(Raw::text).collect();
        let mut desk = desk(&entries.join("\n"));
        let answered = desk.line(r#"{"type":"get_performance_stats"}"#);
        let want = case.get("expect").unwrap().text();
        let name = case.get_str("name").unwrap();
        assert!(
            answered.ends_with(&format!(r#","success":true,"data":{want}}}"#)),
            "{name}: {answered}"
        );
    }
}

#[test]
fn what_is_recorded_is_counted() {
    let mut desk = desk("{torn");
    assert_eq!(desk.data(answer(json!({}))), json!({"recorded": true}));
    let session = desk.data(json!({"type": "get_session_id"}))["sessionId"].clone();
    let want = format!(
        "{{torn\n{{\"timestamp\":\"2025-03-04T05:06:20.000Z\",\"sessionId\":{session},\"provider\":\"p\",\"modelId\":\"m\",\"outputTokens\":250,\"durationMs\":3000,\"tps\":83.33333333333333}}\n"
    );
    assert_eq!(log(&desk), want);
    let entry = json!({"timestamp": "2025-03-04T05:06:21Z", "sessionId": "other", "provider": "p", "modelId": "m", "outputTokens": 1, "durationMs": 10, "tps": 7});
    assert_eq!(desk.data(answer(entry)), json!({"recorded": true}));
    assert!(log(&desk).ends_with("\"sessionId\":\"other\",\"provider\":\"p\",\"modelId\":\"m\",\"outputTokens\":1,\"durationMs\":10,\"tps\":7}\n"));
    let rolling = &desk.data(json!({"type": "get_performance_stats"}))["models"][0]["rolling"];
    assert_eq!(rolling["count"], 2);
}

#[test]
fn what_is_not_worth_a_record_says_why() {
    let mut desk = desk("");
    for (change, why) in [
        (json!({"stopReason": "aborted"}), "stopped"),
        (json!({"outputTokens": 0}), "no_output"),
        (json!({"durationMs": null}), "too_short"),
        (json!({"durationMs": 9}), "too_short"),
    ] {
        let data = desk.data(answer(change.clone()));
        assert_eq!(data, json!({"recorded": false, "reason": why}), "{change}");
    }
    std::fs::write(desk.file("agent/performance.jsonl.lock"), "").unwrap();
    let data = desk.data(answer(json!({})));
    assert_eq!(data, json!({"recorded": false, "reason": "locked"}));
    assert_eq!(log(&desk), "");
}

#[test]
fn what_cannot_be_recorded_is_refused_and_changes_nothing() {
    let mut desk = desk("");
    for (change, named) in [
        (json!({"provider": null}), "`provider`"),
        (json!({"modelId": null}), "`modelId`"),
        (json!({"outputTokens": null}), "`outputTokens`"),
        (json!({"timestamp": "yesterday"}), "`yesterday`"),
    ] {
        let (kind, text) = desk.error(answer(change.clone()));
        assert_eq!(kind, "invalid_argument", "{change}");
        assert!(text.contains(named), "{change}: {text}");
    }
    assert_eq!(log(&desk), "");
}

#[test]
fn without_an_agent_directory_there_is_no_log() {
    let mut desk = Desk::empty();
    assert_eq!(desk.data(json!({"type": "get_performance_stats"})), json!({"models": []}));
    assert_eq!(desk.error(answer(json!({}))).0, "not_found");
    assert_eq!(desk.dir.path().read_dir().unwrap().count(), 0);
}

#[test]
fn a_process_that_only_reads_records_nothing() {
    let mut desk = Desk::with(|options| {
        let agent = AgentDir::new(options.cwd.join("agent"), StoreKind::Dreb);
        RpcOptions { agent_dir: Some(agent), read_only: true, ..options }
    });
    assert_eq!(desk.error(answer(json!({}))).0, "read_only");
    assert_eq!(desk.dir.path().read_dir().unwrap().count(), 0);
}
