//! Sessions of subagents: listed below their parents, drawn in a family, found by id, and made where dreb makes them.

use std::path::Path;

use insta::assert_snapshot;
use logwood_testkit::cases::Case;
use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood, run};

const MAIN: &str = "sessions/--p-one--";
const AGENTS: &str = "subagent-sessions";

/// A session with one message, on a day of November.
fn session(store: &Store, file: &str, id: &str, cwd: &str, day: u32, more: &Value) -> String {
    let time = format!("2026-11-{day:02}T12:00:00.000Z");
    let mut header =
        json!({"type": "session", "version": 3, "id": id, "timestamp": time, "cwd": cwd});
    header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = json!({"role": "assistant", "content": [{"type": "text", "text": id}], "stopReason": "stop"});
    let question = json!({"role": "user", "content": format!("task of {id}")});
    let entry = |id: &str, message: Value| json!({"type": "message", "id": id, "parentId": null, "timestamp": time, "message": message});
    let text = format!("{header}\n{}\n{}\n", entry("a1", question), entry("a2", answer));
    store.file(file, text)
}

/// A session with a fork, a child elsewhere, a chain of two, and a child of the child; and a child of another project.
fn store() -> Store {
    let store = Store::new();
    let none = json!({});
    let parent = session(&store, &format!("{MAIN}/p.jsonl"), "parent00", "/p/one", 20, &none);
    session(&store, &format!("{MAIN}/n.jsonl"), "newer000", "/p/one", 29, &none);
    let of_parent = json!({"parentSession": parent});
    session(&store, &format!("{MAIN}/f.jsonl"), "fork0000", "/p/one", 28, &of_parent);
    let child = |agent: &str, parent: &str| json!({"parentSession": parent, "agentType": agent});
    let single = session(
        &store,
        &format!("{AGENTS}/0123456789ab/c.jsonl"),
        "child000",
        "/p/tree",
        21,
        &child("Explore", &parent),
    );
    for step in [2, 1] {
        let file = format!("{AGENTS}/chain-00112233aabb/step-{step}/c.jsonl");
        let id = format!("step{step}000");
        session(&store, &file, &id, "/p/one", 21 + step, &child("plan", &parent));
    }
    let file = format!("{AGENTS}/ba9876543210/c.jsonl");
    session(&store, &file, "grand000", "/p/tree", 26, &child("scout", &single));
    let file = format!("{AGENTS}/cccccccccccc/c.jsonl");
    session(&store, &file, "alien000", "/p/two", 27, &child("scout", "/nowhere.jsonl"));
    store
}

fn on(store: &Store, words: &[&str]) -> Ran {
    let agent = store.path();
    let words = [&["--agent-dir", &agent, "--cwd", "/p/one"], words].concat();
    logwood(&words).env("COLUMNS", "100").output().unwrap().into()
}

/// Ids and depths of the rows in `--json`.
fn rows(ran: &Ran) -> Vec<(String, u64)> {
    assert_eq!(ran.code, 0, "{}", ran.err);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let row = |row: &Value| {
        (row["id"].as_str().unwrap().to_owned(), row["depth"].as_u64().unwrap_or_default())
    };
    value.pointer("/sessions").and_then(Value::as_array).unwrap().iter().map(row).collect()
}

fn named(rows: &[(&str, u64)]) -> Vec<(String, u64)> {
    rows.iter().map(|(id, depth)| ((*id).to_owned(), *depth)).collect()
}

/// Spec 6.11: the children of the sessions that are listed, wherever they ran, and nobody else's.
#[test]
fn list_shows_children_below_their_parents() {
    let store = store();
    let want = [
        ("newer000", 0),
        ("fork0000", 0),
        ("parent00", 0),
        ("step2000", 1),
        ("step1000", 1),
        ("child000", 1),
        ("grand000", 2),
    ];
    assert_eq!(rows(&on(&store, &["list", "--subagents", "--json"])), named(&want));
    assert_eq!(rows(&on(&store, &["list", "--json"])), named(&want[..3]));
    let all = rows(&on(&store, &["list", "--all", "--subagents", "--json"]));
    assert_eq!((all.len(), &all[2]), (8, &("alien000".to_owned(), 0)));
    let by_name = rows(&on(&store, &["list", "--subagents", "--json", "--sort", "created"]));
    assert_eq!(by_name, named(&want));
    let ran = on(&store, &["list", "--subagents"]);
    assert_snapshot!(ran.out, @"
    AGE  MSGS  ID        TITLE
     2d     2  newer000  [gone] task of newer000
     3d     2  fork0000  [fork, gone] task of fork0000
     1w     2  parent00  [gone] task of parent00
     1w     2  step2000  └ [subagent plan, step 2, gone] task of step2000
     1w     2  step1000  └ [subagent plan, step 1, gone] task of step1000
     1w     2  child000  └ [subagent Explore, gone] task of child000
     5d     2  grand000    └ [subagent scout, gone] task of grand000
    ");
}

/// Spec 6.10: a configured root, relative to the directory of the project, and the default one beside it.
#[test]
fn a_configured_root_is_listed_too() {
    let store = store();
    let elsewhere = Store::new();
    let settings = json!({"subagentSessionDir": "agents"}).to_string();
    store.file("settings.json", settings);
    let parent = format!("{}/{MAIN}/p.jsonl", store.path());
    let more = json!({"parentSession": parent, "agentType": "new"});
    session(&elsewhere, "agents/000000000001/c.jsonl", "config00", "/p/tree", 30, &more);
    let (agent, cwd) = (store.path(), elsewhere.path());
    let words = ["--agent-dir", &agent, "--cwd", &cwd, "list", "--all"];
    let ran = run(&[&words[..], &["--subagents", "--json"]].concat());
    let ids: Vec<_> = rows(&ran).into_iter().map(|(id, _)| id).collect();
    assert!(
        ids.contains(&"config00".to_owned()) && ids.contains(&"child000".to_owned()),
        "{ids:?}"
    );
}

#[test]
fn a_family_is_drawn_as_one_tree() {
    let store = store();
    let ran = on(&store, &["tree", "--children", "grand"]);
    assert_eq!((ran.code, &*ran.err), (0, ""));
    assert_snapshot!(ran.out, @"
    AGE  MSGS  ID        PROJECT  TITLE
     1w     2  parent00  /p/one   [gone] task of parent00
     1w     2  child000  /p/tree  ├ [subagent Explore, gone] task of child000
     5d     2  grand000  /p/tree  │ └ › [subagent scout, gone] task of grand000
     1w     2  step1000  /p/one   ├ [subagent plan, step 1, gone] task of step1000
     1w     2  step2000  /p/one   ├ [subagent plan, step 2, gone] task of step2000
     3d     2  fork0000  /p/one   └ [fork, gone] task of fork0000
    ");
    let want = [
        ("parent00", 0),
        ("child000", 1),
        ("grand000", 2),
        ("step1000", 1),
        ("step2000", 1),
        ("fork0000", 1),
    ];
    for of in ["parent00", "fork", "step2"] {
        assert_eq!(rows(&on(&store, &["tree", "--children", of, "--json"])), named(&want), "{of}");
    }
    let value: Value =
        serde_json::from_str(&on(&store, &["tree", "--children", "step2", "--json"]).out).unwrap();
    assert_eq!((&value["goneParent"], &value["problems"]), (&Value::Null, &json!([])));
    let row = &value["sessions"][4];
    assert_eq!(
        (&row["step"], &row["given"], &row["agentType"], &row["kind"]),
        (&json!(2), &json!(true), &json!("plan"), &json!("subagent"))
    );
    assert_eq!(value["sessions"][0]["given"], json!(false));
}

#[test]
fn a_parent_that_is_gone_is_named() {
    let store = store();
    let ran = on(&store, &["tree", "--children", "alien"]);
    assert!(ran.out.starts_with("parent is gone  /nowhere.jsonl\n"), "{}", ran.out);
    let value: Value =
        serde_json::from_str(&on(&store, &["tree", "--children", "alien", "--json"]).out).unwrap();
    assert_eq!(value["goneParent"], "/nowhere.jsonl");
    assert_eq!(value["sessions"][0]["depth"], 1);
    let ran = on(&store, &["tree", "--children", "/nowhere.jsonl"]);
    assert_eq!((ran.code, &*ran.out), (3, ""));
}

/// A file that no listing looks at, and one outside of every store with a fork beside it.
#[test]
fn files_outside_of_the_stores_have_a_family_too() {
    let (store, outside) = (store(), Store::new());
    let none = json!({});
    let odd = session(&outside, "x.log", "odd00000", "/x", 1, &none);
    assert_eq!(
        rows(&on(&store, &["tree", "--children", &odd, "--json"])),
        named(&[("odd00000", 0)])
    );
    let file = session(&outside, "x.jsonl", "out00000", "/x", 1, &none);
    session(&outside, "y.jsonl", "fork0001", "/x", 2, &json!({"parentSession": file}));
    let want = named(&[("out00000", 0), ("fork0001", 1)]);
    assert_eq!(rows(&on(&store, &["tree", "--children", &file, "--json"])), want);
}

/// A word that names no main session may name a transcript, by its id or the start of it.
#[test]
fn a_transcript_is_found_by_its_id() {
    let store = store();
    assert_eq!(on(&store, &["name", "child000"]).code, 0);
    assert_eq!(on(&store, &["name", "GRAND"]).code, 0);
    let ran = on(&store, &["name", "step"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("fits 2 sessions") && ran.err.contains("step-2/c.jsonl"),
        "{}",
        ran.err
    );
    assert_eq!(on(&store, &["name", "stepx"]).code, 3);
}

/// Spec 6.10: a child goes to a folder of 12 hex digits, a step to that of its chain; a directory that is named goes first.
#[test]
fn new_puts_a_subagent_among_the_transcripts() {
    let store = store();
    let made = |words: &[&str]| {
        let ran = on(&store, &[&["new", "-q", "--agent-type", "Explore"], words].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let file = ran.out.trim_end().to_owned();
        let agents = format!("{}/{AGENTS}/", store.path());
        file.strip_prefix(&agents).unwrap_or(&file).to_owned()
    };
    let hex = |text: &str| {
        text.len() == 12 && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'a'..=b'f'))
    };
    let single = made(&["--parent-session", "parent00"]);
    let (folder, file) = single.split_once('/').unwrap();
    assert!(hex(folder) && !file.contains('/'), "{single}");
    let first = made(&["--parent-session", "parent00", "--step", "1"]);
    let parts: Vec<_> = first.split('/').collect();
    assert!(hex(parts[0].strip_prefix("chain-").unwrap()) && parts[1] == "step-1", "{first}");
    let chain = format!("{}/{AGENTS}/{}", store.path(), parts[0]);
    let second = made(&["--step", "2", "--chain", &chain]);
    assert!(second.starts_with(&format!("{}/step-2/", parts[0])), "{second}");
    let named = store.path() + "/named";
    let ran = on(&store, &["--session-dir", &named, "new", "-q", "--agent-type", "x"]);
    assert!(Path::new(&ran.out).starts_with(&named), "{}", ran.out);
    assert_eq!(on(&store, &["new", "--step", "1"]).code, 2);
    assert_eq!(on(&store, &["new", "--agent-type", "x", "--step", "0"]).code, 2);

    let ids: Vec<_> = rows(&on(&store, &["tree", "--children", "parent00", "--json"]));
    assert_eq!(ids.len(), 8, "the single child and the first step name the parent");
}

/// The children of case 67 stand below their parent, with their agents.
#[test]
fn case_67_children_are_listed_with_their_agents() {
    let case = Case::load("67").unwrap();
    let agent = case.path("in").to_str().unwrap().to_owned();
    let before = case.snapshot().unwrap();
    let ran = run(&["--agent-dir", &agent, "list", "--all", "--subagents", "--json"]);
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let rows = value["sessions"].as_array().unwrap();
    let depths: Vec<_> = rows.iter().map(|row| row["depth"].as_u64().unwrap_or_default()).collect();
    assert_eq!(depths, [0, 1, 1]);
    let mut agents: Vec<_> =
        rows[1..].iter().map(|row| row["agentType"].as_str().unwrap()).collect();
    agents.sort_unstable();
    assert_eq!(json!(agents), *case.fact("/stats/agent_types"));
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
}
