//! Subagents of the open session (spec 6.11, 8.13).

use logwood::location::{
    AgentDir, Environment, Settings, SettingsFile, SettingsScope, Store, StoreKind, StoreOrigin,
    TranscriptSetting,
};
use serde_json::{Value, json};

use crate::support::{Desk, text};

/// A desk with an agent directory `agent`, the configured root `new`, and a session with one message open.
fn desk() -> Desk {
    let dir = tempfile::tempdir().unwrap();
    let agent = AgentDir::new(dir.path().join("agent"), StoreKind::Dreb);
    let store = Store::new(agent.clone(), StoreOrigin::Home);
    let settings = Settings::new(
        SettingsFile::parse(SettingsScope::Global, "/g", br#"{"subagentSessionDir":"new"}"#),
        SettingsFile::absent(SettingsScope::Project, ""),
    );
    let setting = TranscriptSetting::new(&Environment::new(None, []), &store, &settings);
    let mut desk = Desk::with(|mut options| {
        options.cwd = dir.path().to_owned();
        options.agent_dir = Some(agent);
        options.transcripts = Some(setting);
        options
    });
    desk.dir = dir;
    let cwd = text(desk.dir.path()).to_owned();
    let parent = session(&cwd, &json!({}), &["go"]);
    desk.write("parent.jsonl", parent.as_bytes());
    desk.data(json!({"type": "open", "path": "parent.jsonl"}));
    desk
}

/// A header and an answer for each text.
fn session(cwd: &str, more: &Value, texts: &[&str]) -> String {
    let time = "2025-03-04T05:06:07.000Z";
    let mut header =
        json!({"type": "session", "version": 3, "id": "s", "timestamp": time, "cwd": cwd});
    header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let mut lines = header.to_string() + "\n";
    for (at, text) in texts.iter().enumerate() {
        let entry = json!({"type": "message", "id": format!("m{at}"), "parentId": null, "timestamp": time,
            "message": {"role": "assistant", "content": [{"type": "text", "text": text}], "stopReason": "stop"}});
        lines += &format!("{entry}\n");
    }
    lines
}

fn child(desk: &Desk, file: &str, agent: &str, texts: &[&str]) {
    let parent = desk.file("parent.jsonl");
    let more = json!({"parentSession": text(&parent), "agentType": agent});
    std::fs::create_dir_all(desk.file(file).parent().unwrap()).unwrap();
    desk.write(file, session("/work", &more, texts).as_bytes());
}

fn ids(desk: &mut Desk) -> Vec<String> {
    let data = desk.data(json!({"type": "list_background_agents"}));
    assert_eq!(data["problems"], json!([]));
    let agents = data["agents"].as_array().unwrap().clone();
    agents.iter().map(|agent| agent["agentId"].as_str().unwrap().to_owned()).collect()
}

fn said(desk: &mut Desk, agent: &str) -> Vec<String> {
    let data = desk.data(json!({"type": "get_subagent_messages", "agentId": agent}));
    let messages = data["messages"].as_array().unwrap().clone();
    let text = |message: &Value| message["content"][0]["text"].as_str().unwrap().to_owned();
    messages.iter().map(text).collect()
}

/// Spec 8.13: dreb's members in dreb's order.
#[test]
fn an_agent_has_the_members_of_dreb() {
    let mut desk = desk();
    child(&desk, "agent/subagent-sessions/0123456789ab/c.jsonl", "Explore", &["done"]);
    let line = desk.line(r#"{"type":"list_background_agents"}"#);
    let dir = desk.file("agent/subagent-sessions/0123456789ab");
    let dir = text(&dir);
    let want = format!(
        r#""data":{{"agents":[{{"agentId":"rehydrated-0123456789ab","agentType":"Explore","taskSummary":"Explore (0123456789ab)","startedAt":"2025-03-04T05:06:07.000Z","status":"completed","sessionDir":"{dir}","sessionFile":"{dir}/c.jsonl","cwd":"/work"}}],"problems":[]}}"#
    );
    assert!(line.contains(&want), "{line}\n{want}");
}

/// Spec 6.11: the configured root first (relative to the session's directory), the default one second; the steps of a chain in order.
#[test]
fn children_of_both_roots_are_found_and_steps_are_read_in_order() {
    let mut desk = desk();
    child(&desk, "agent/subagent-sessions/aaaaaaaaaaaa/c.jsonl", "old", &["one", "two"]);
    child(&desk, "new/aaaaaaaaaaaa/c.jsonl", "new", &["three"]);
    for step in [10, 2] {
        let file = format!("new/chain-bbbbbbbbbbbb/step-{step}/c.jsonl");
        child(&desk, &file, "plan", &[&format!("step {step}")]);
    }
    let chain = "rehydrated-chain-bbbbbbbbbbbb";
    let want = ["rehydrated-aaaaaaaaaaaa", chain, "rehydrated-aaaaaaaaaaaa-2"];
    assert_eq!(ids(&mut desk), want);
    assert_eq!(said(&mut desk, "rehydrated-aaaaaaaaaaaa"), ["three"]);
    assert_eq!(said(&mut desk, "rehydrated-aaaaaaaaaaaa-2"), ["one", "two"]);
    assert_eq!(said(&mut desk, chain), ["step 2", "step 10"]);
}

/// The children are known without being listed first, and those of another session are not.
#[test]
fn children_belong_to_the_open_session() {
    let mut desk = desk();
    child(&desk, "new/aaaaaaaaaaaa/c.jsonl", "new", &["hi"]);
    assert_eq!(said(&mut desk, "rehydrated-aaaaaaaaaaaa"), ["hi"]);
    let cwd = text(desk.dir.path()).to_owned();
    desk.write("other.jsonl", session(&cwd, &json!({}), &["x"]).as_bytes());
    desk.data(json!({"type": "open", "path": "other.jsonl"}));
    assert!(ids(&mut desk).is_empty());
    let (kind, error) =
        desk.error(json!({"type": "get_subagent_messages", "agentId": "rehydrated-aaaaaaaaaaaa"}));
    let want = "No session log found for this agent — it may not have produced output yet";
    assert_eq!((&*kind, &*error), ("not_found", want));
    desk.data(json!({"type": "in_memory"}));
    assert!(ids(&mut desk).is_empty());
}

/// Spec 6.11: an agent whose arbitrations all failed has an empty transcript.
#[test]
fn an_agent_that_was_never_started_said_nothing() {
    let mut desk = desk();
    let record = |agent: &str, failed: bool| {
        let route = json!({"agent": "Explore", "model": "p/m", "thinking": "low"});
        let mut data = json!({"type": "subagent_arbitration", "agentId": agent, "status": "success",
            "proposed": route, "final": route, "changed": []});
        if failed {
            data["status"] = json!("failure");
            data["final"] = Value::Null;
            data["errorCode"] = json!("timeout");
        }
        json!({"type": "append_custom_entry", "customType": "subagent_arbitration", "data": data})
    };
    for request in [record("aa", true), record("aa", true), record("bb", true), record("bb", false)]
    {
        desk.data(request);
    }
    assert!(said(&mut desk, "aa").is_empty());
    for agent in ["bb", "cc"] {
        desk.error(json!({"type": "get_subagent_messages", "agentId": agent}));
    }
    let mut bad = record("dd", true);
    bad["data"]["prompt"] = json!("do this");
    let (kind, error) = desk.error(bad);
    assert_eq!(kind, "invalid_argument");
    assert!(error.contains("no record of an arbitration"), "{error}");
}

/// Spec 6.11: a session without a message has no children yet.
#[test]
fn a_session_without_a_message_has_no_children() {
    let mut desk = desk();
    child(&desk, "new/aaaaaaaaaaaa/c.jsonl", "new", &["hi"]);
    let cwd = text(desk.dir.path()).to_owned();
    desk.write("parent.jsonl", session(&cwd, &json!({}), &[]).as_bytes());
    desk.data(json!({"type": "open", "path": "parent.jsonl"}));
    assert!(ids(&mut desk).is_empty());
}
