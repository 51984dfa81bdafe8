//! `search`: its shapes; what matches is tested in `logwood-catalog`, the cases by the library's name for them.

use logwood::location::{AgentDir, StoreKind};
use logwood_rpc::RpcOptions;
use serde_json::{Value, json};

use crate::support::Desk;

const LIGHT: &str = r#"{"type":"session","version":3,"id":"s1","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}
{"type":"message","id":"u1","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"😀 where is the light?"}}
{"type":"session_info","id":"n1","parentId":"u1","timestamp":"2025-01-01T00:00:02.000Z","name":"Harbour"}
{"type":"label","id":"l1","parentId":"n1","timestamp":"2025-01-01T00:00:03.000Z","targetId":"u1","label":"start"}
"#;

/// An agent directory with a session in each of two projects.
fn desk() -> Desk {
    Desk::with(|options| {
        let agent = options.cwd.join("agent");
        for (file, text) in [
            ("--p--/a", LIGHT.to_owned()),
            ("--q--/b", LIGHT.replace("s1", "s2").replace("/p", "/q")),
        ] {
            let path = agent.join(format!("sessions/{file}.jsonl"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        RpcOptions { agent_dir: Some(AgentDir::new(agent, StoreKind::Dreb)), ..options }
    })
}

fn search(desk: &mut Desk, query: &str, more: Value) -> Value {
    let mut request = json!({"type": "search", "query": query});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    desk.data(request)
}

#[test]
fn a_hit_has_its_members() {
    let mut desk = desk();
    let data = search(&mut desk, "light role:user", json!({"cwd": "/p"}));
    let mut hit = data["hits"][0].clone();
    let path = hit.as_object_mut().unwrap().remove("path").unwrap();
    assert!(path.as_str().unwrap().ends_with("/sessions/--p--/a.jsonl"));
    assert_eq!(
        hit,
        json!({
            "sessionId": "s1", "entryId": "u1", "openAt": "u1", "cwd": "/p", "name": "Harbour", "store": "dreb", "line": 2,
            "timestamp": "2025-01-01T00:00:01.000Z", "field": "user", "snippet": "😀 where is the light?",
            // Two UTF-16 units for the face.
            "marks": [[16, 21]], "score": 65, "branch": "current",
        })
    );
    assert_eq!(
        (&data["total"], &data["sessions"], &data["problems"]),
        (&json!(1), &json!(1), &json!([]))
    );
    let label = search(&mut desk, "start", json!({"cwd": "/p"}))["hits"][0].clone();
    assert_eq!((&label["entryId"], &label["openAt"]), (&json!("l1"), &json!("u1")));
    let session = search(&mut desk, "cwd:/q", json!({}))["hits"][0].clone();
    assert_eq!(
        (&session["sessionId"], session.get("entryId"), session.get("branch")),
        (&json!("s2"), None, None)
    );
}

#[test]
fn without_a_directory_all_are_searched_and_the_limit_holds() {
    let mut desk = desk();
    let data = search(&mut desk, "light", json!({"limit": 1}));
    assert_eq!(
        (data["hits"].as_array().unwrap().len(), &data["total"], &data["sessions"]),
        (1, &json!(2), &json!(2))
    );
    assert_eq!(search(&mut desk, "light -cwd:/q", json!({}))["total"], 1);
}

#[test]
fn a_query_that_cannot_be_read_is_refused_in_words() {
    let mut desk = desk();
    let refused = desk.ask(json!({"type": "search", "query": "light after:soon"}));
    assert_eq!(
        (&refused["success"], &refused["errorKind"]),
        (&json!(false), &json!("invalid_argument"))
    );
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("at character 7 (`after:soon`)"), "{error}");
}
