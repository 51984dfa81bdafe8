//! Listings, the most recent session, and where new ones would go, over a small agent directory.

use std::cell::RefCell;
use std::time::Duration;

use logwood::location::{AgentDir, Inventory, Layout, StoreKind};
use logwood_rpc::RpcOptions;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use crate::support::{Desk, text};

fn session(id: &str, cwd: &str, rest: &str) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"{cwd}\"{rest}}}\n"
    )
}

/// An agent directory with two projects, a host root and a flat folder.
fn desk(change: impl FnOnce(RpcOptions) -> RpcOptions) -> Desk {
    Desk::with(|options| {
        let agent = options.cwd.join("agent");
        for (file, text) in [
            ("agent/sessions/--p--/a.jsonl", session("a", "/p", "")),
            (
                "agent/sessions/--p--/child.jsonl",
                session("c", "/p", r#","agentType":"Explore","parentSession":"/x/a.jsonl""#),
            ),
            ("agent/sessions/--p--/empty.jsonl", String::new()),
            ("agent/sessions/--q--/b.jsonl", session("b", "/q", "")),
            ("flat/f.jsonl", session("f", "/p", "")),
            ("host/h.jsonl", session("h", "/z", "")),
        ] {
            let path = options.cwd.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let host = Inventory { root: options.cwd.join("host"), layout: Layout::Flat };
        let agent_dir = Some(AgentDir::new(agent, StoreKind::Dreb));
        change(RpcOptions { agent_dir, host: Some(host), ..options })
    })
}

fn ids(data: &Value) -> Vec<&str> {
    let rows = data["sessions"].as_array().unwrap();
    let mut ids: Vec<_> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    ids.sort_unstable();
    ids
}

#[test]
fn each_listing_has_its_own_root() {
    let mut desk = desk(|options| options);
    let flat = text(&desk.file("flat")).to_owned();
    assert_eq!(ids(&desk.data(json!({"type": "list_sessions", "cwd": "/p"}))), ["a", "c"]);
    assert_eq!(ids(&desk.data(json!({"type": "list_sessions", "cwd": "/p/"}))), [""; 0]);
    let own = json!({"type": "list_sessions", "cwd": "/p", "sessionDir": flat});
    assert_eq!(ids(&desk.data(own)), ["f"]);
    assert_eq!(ids(&desk.data(json!({"type": "list_all_sessions"}))), ["a", "b", "c"]);
    assert_eq!(ids(&desk.data(json!({"type": "list_all_from_dir", "dir": "flat"}))), ["f"]);
    assert_eq!(ids(&desk.data(json!({"type": "list_host_sessions"}))), ["h"]);
    // A session that carries an inventory root lists that as all sessions (spec 6.9).
    desk.data(json!({"type": "create", "sessionDir": flat}));
    assert_eq!(ids(&desk.data(json!({"type": "list_all_sessions"}))), ["f"]);
    desk.data(json!({"type": "create", "sessionDir": flat, "customSessionInventory": false}));
    assert_eq!(ids(&desk.data(json!({"type": "list_all_sessions"}))), ["a", "b", "c"]);
    assert_eq!(ids(&desk.data(json!({"type": "list_host_sessions"}))), ["h"]);
}

/// Issue 3: blank is unset for each root.
#[test]
fn a_blank_session_dir_counts_as_missing() {
    let mut desk = desk(|options| options);
    for blank in ["", " ", "\t\u{a0}"] {
        let own = json!({"type": "list_sessions", "cwd": "/p", "sessionDir": blank});
        assert_eq!(ids(&desk.data(own)), ["a", "c"], "{blank:?}");
        desk.data(json!({"type": "create", "cwd": "/p", "sessionDir": blank}));
        let dir = desk.data(json!({"type": "get_session_dir"}))["sessionDir"].clone();
        assert_eq!(dir, text(&desk.file("agent/sessions/--p--")), "{blank:?}");
        let source = "agent/sessions/--q--/b.jsonl";
        let fork = json!({"type": "fork_from", "sourcePath": source, "targetCwd": "/p", "sessionDir": blank});
        let file = desk.data(fork)["sessionFile"].as_str().unwrap().to_owned();
        assert!(file.starts_with(text(&desk.file("agent/sessions/--p--"))), "{file}");
        std::fs::remove_file(file).unwrap();
        desk.data(json!({"type": "open", "path": source, "sessionDir": blank}));
        let dir = desk.data(json!({"type": "get_session_dir"}))["sessionDir"].clone();
        assert_eq!(dir, text(&desk.file("agent/sessions/--q--")), "{blank:?}");
    }
}

#[test]
fn children_are_listed_with_their_agent_and_what_gives_no_row_is_a_problem() {
    let mut desk = desk(|options| options);
    let data = desk.data(json!({"type": "list_sessions", "cwd": "/p"}));
    let child = data["sessions"].as_array().unwrap().iter().find(|row| row["id"] == "c").unwrap();
    assert_eq!(
        (&child["kind"], &child["agentType"], &child["parentSessionPath"], &child["store"]),
        (&json!("subagent"), &json!("Explore"), &json!("/x/a.jsonl"), &json!("dreb"))
    );
    assert_eq!((&child["flags"], &child["status"]), (&json!(["cwd_missing"]), &json!("empty")));
    let problem = &data["problems"][0];
    assert_eq!(problem["path"], text(&desk.file("agent/sessions/--p--/empty.jsonl")));
    assert_eq!(
        (&problem["kind"], &problem["errorKind"]),
        (&json!("empty_file"), &json!("empty_file"))
    );
}

#[test]
fn a_root_that_cannot_be_read_is_an_error_and_one_that_is_not_there_is_empty() {
    let mut desk = desk(|options| options);
    let file = "flat/f.jsonl";
    let (kind, message) = desk.error(json!({"type": "list_all_from_dir", "dir": file}));
    assert_eq!(kind, "not_a_file");
    assert!(message.contains(file), "{message}");
    // dreb's list of a project never fails (spec 6.2): here it says why it is empty.
    let data = desk.data(json!({"type": "list_sessions", "cwd": "/p", "sessionDir": file}));
    assert_eq!(data["problems"][0]["kind"], "unreadable_file");
    let data = desk.data(json!({"type": "list_all_from_dir", "dir": "gone"}));
    assert_eq!(data, json!({"sessions": [], "problems": [], "total": 0}));
}

#[test]
fn the_process_starts_with_a_new_session_of_which_nothing_is_on_disk() {
    let mut desk = desk(|options| RpcOptions { cwd: options.cwd, ..options });
    let file = desk.data(json!({"type": "get_session_file"}))["sessionFile"].clone();
    let sessions = desk.file("agent/sessions");
    assert!(file.as_str().unwrap().starts_with(text(&sessions)), "{file}");
    assert!(!std::path::Path::new(file.as_str().unwrap()).exists());
    assert_eq!(ids(&desk.data(json!({"type": "list_sessions"}))), [""; 0]);
    assert_eq!(std::fs::read_dir(sessions).unwrap().count(), 2, "no folder is made by looking");
}

#[test]
fn the_most_recent_session_is_resumed_and_without_one_a_new_one_is_made() {
    let mut desk = desk(|options| options);
    let there = desk.data(json!({"type": "continue_recent", "cwd": "/p"}));
    assert_eq!((&there["sessionId"], &there["resumed"]), (&json!("a"), &json!(true)));
    let fresh = desk.data(json!({"type": "continue_recent", "cwd": "/none"}));
    assert_eq!(fresh["resumed"], false);
    let file = fresh["sessionFile"].as_str().unwrap();
    assert!(file.starts_with(text(&desk.file("agent/sessions/--none--"))), "{file}");
    assert!(!desk.file("agent/sessions/--none--").exists());
    assert_eq!(desk.data(json!({"type": "get_cwd"}))["cwd"], "/none");
}

/// oh-my-pi's folders have names of their own: the header says what belongs to a project.
#[test]
fn a_project_of_oh_my_pi_is_found_in_any_folder() {
    let mut desk = desk(|options| {
        let agent_dir = options.agent_dir.map(|dir| AgentDir::new(dir.path(), StoreKind::OhMyPi));
        let moved = options.cwd.join("agent/sessions");
        std::fs::rename(moved.join("--p--"), moved.join("-p")).unwrap();
        RpcOptions { agent_dir, ..options }
    });
    assert_eq!(ids(&desk.data(json!({"type": "list_sessions", "cwd": "/p"}))), ["a", "c"]);
    let there = desk.data(json!({"type": "continue_recent", "cwd": "/p"}));
    assert_eq!((&there["sessionId"], &there["resumed"]), (&json!("a"), &json!(true)));
}

#[test]
fn create_names_the_file_and_refuses_one_that_is_there() {
    let mut desk = desk(|options| options);
    let made = desk.data(json!({"type": "create", "cwd": "/p", "path": "new.jsonl"}));
    assert_eq!(made["sessionFile"], text(&desk.file("new.jsonl")));
    let (kind, _) = desk.error(json!({"type": "create", "path": "flat/f.jsonl"}));
    assert_eq!(kind, "changed_on_disk");
    assert_eq!(desk.data(json!({"type": "get_session_id"}))["sessionId"], made["sessionId"]);
}

#[test]
fn a_listing_that_takes_long_tells_how_far_it_is() {
    let mut desk = desk(|options| RpcOptions { progress_every: Duration::ZERO, ..options });
    let events = RefCell::new(Vec::new());
    let note = |event: &[u8]| {
        let text = String::from_utf8(event.to_vec()).unwrap();
        events.borrow_mut().push(decode(&text).unwrap());
    };
    let answer = desk.rpc.answer_with_events(br#"{"id":[7],"type":"list_all_sessions"}"#, &note);
    assert!(answer.starts_with(br#"{"id":[7],"type":"response""#));
    let events = events.into_inner();
    assert_eq!(events.len(), 4);
    let last = json!({"type": "progress", "id": [7], "command": "list_all_sessions", "loaded": 4, "total": 4});
    assert_eq!(events[3], last);
    // Silent as long as it is quick.
    desk = self::desk(|options| options);
    desk.rpc.answer_with_events(br#"{"type":"list_all_sessions"}"#, &|_| panic!("too soon"));
}

/// Pages put together are the whole, in its order, and each says how many there are.
#[test]
fn pages_are_parts_of_the_whole() {
    let mut desk = desk(|options| options);
    let whole = desk.data(json!({"type": "list_all_sessions"}));
    assert_eq!(whole["total"], 3);
    let whole = whole["sessions"].as_array().unwrap();
    for limit in [1, 2, 3, 9] {
        let mut pages = Vec::new();
        for offset in (0..6).step_by(limit) {
            let page =
                desk.data(json!({"type": "list_all_sessions", "offset": offset, "limit": limit}));
            assert_eq!(page["total"], 3);
            let rows = page["sessions"].as_array().unwrap();
            assert!(rows.len() <= limit);
            pages.extend(rows.clone());
        }
        assert_eq!(&pages, whole, "pages of {limit}");
    }
    let rest = desk.data(json!({"type": "list_sessions", "cwd": "/p", "offset": 1}));
    assert_eq!((&rest["total"], rest["sessions"].as_array().unwrap().len()), (&json!(2), 1));
}
