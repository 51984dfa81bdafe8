//! `logwood search`, and the same language in `list` and `delete`: what is printed, the exit codes, the search steps of the cases.

use insta::assert_snapshot;
use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use crate::support::{Ran, Store, example, logwood, run, session};

/// What a search over the sessions of a case finds, each session once; none but a search that finds nothing ends with 3.
fn found(case: &Case, query: &str) -> Vec<String> {
    let agent = case.path("in").to_str().unwrap().to_owned();
    let ran = run(&["--agent-dir", &agent, "search", "--all", "--json", "--", query]);
    let hits = hits(&ran);
    assert_eq!(ran.code, if hits.is_empty() { 3 } else { 0 }, "{query}: {}", ran.err);
    let mut ids: Vec<String> =
        hits.iter().map(|hit| hit["sessionId"].as_str().unwrap().to_owned()).collect();
    ids.sort();
    ids.dedup();
    ids
}

fn hits(ran: &Ran) -> Vec<Value> {
    let found = decode(&ran.out).unwrap();
    found.get("hits").and_then(Value::as_array).unwrap().clone()
}

#[test]
fn case_63_search_finds_what_is_there() {
    let case = Case::load("63").unwrap();
    let before = case.snapshot().unwrap();
    for (query, wanted) in case.fact("/search").as_object().unwrap() {
        assert_eq!(json!(found(&case, query)), *wanted, "{query}");
    }
    for wanted in case.fact("/nfd_query").as_object().unwrap().values() {
        assert_eq!(json!(found(&case, "fac\u{327}ade")), *wanted);
    }
    assert_eq!(case.snapshot().unwrap(), before);
}

/// Case 63: "1024" may list session 3 only as an id match, marked so.
#[test]
fn case_63_digits_of_an_id_are_marked() {
    let case = Case::load("63").unwrap();
    let agent = case.path("in").to_str().unwrap().to_owned();
    let hits = hits(&run(&["--agent-dir", &agent, "search", "--all", "--json", "1024"]));
    let of = |end: &str| {
        hits.iter().find(|hit| hit["sessionId"].as_str().unwrap().ends_with(end)).unwrap()
    };
    assert_eq!((&of("2")["field"], &of("3")["field"]), (&json!("user"), &json!("id")));
}

#[test]
fn case_46_is_searched() {
    let case = Case::load("46").unwrap();
    assert_eq!(json!(found(&case, "readable")), *case.fact("/search/hits"));
}

#[test]
fn case_51_is_searched() {
    let case = Case::load("51").unwrap();
    for (at, query) in ["harbour", "6fD3AwoRGB8m"].iter().enumerate() {
        assert_eq!(
            json!(found(&case, query)),
            *case.fact(&format!("/searches/{at}/hits")),
            "{query}"
        );
    }
}

#[test]
fn case_78_searching_deletes_nothing() {
    let case = Case::load("78").unwrap();
    let before = case.snapshot().unwrap();
    let agent = case.path("in").to_str().unwrap().to_owned();
    run(&["--agent-dir", &agent, "search", "--all", "old"]);
    run(&["--agent-dir", &agent, "list", "--all", "old"]);
    assert_eq!(case.snapshot().unwrap(), before);
}

#[test]
fn case_79_a_read_only_store_is_searched() {
    let case = Case::load("79").unwrap();
    let before = case.snapshot().unwrap();
    assert_eq!(found(&case, "museum").len(), 1);
    assert_eq!(case.snapshot().unwrap(), before);
}

/// Two thousand sessions, 64 open files allowed, and one that is meant (case 80).
#[cfg(unix)]
#[test]
fn case_80_one_of_two_thousand_is_found() {
    let Some(case) = Case::generated("80").unwrap() else { return };
    let script = format!(
        "ulimit -n 64; exec '{}' --agent-dir '{}' search --all --json 'task number 1777'",
        env!("CARGO_BIN_EXE_logwood"),
        case.path("in").display()
    );
    let ran: Ran = std::process::Command::new("sh").args(["-c", &script]).output().unwrap().into();
    let mut ids: Vec<_> = hits(&ran).iter().map(|hit| hit["sessionId"].clone()).collect();
    ids.dedup();
    assert_eq!(json!(ids), *case.fact("/search/hits"));
}

#[test]
fn hits_for_a_person() {
    let ran = example(&["search", "--all", "page", "role:user"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(ran.out, @"
    e04b7ed0-622  0aad88c9  1mo  user  /home/mira/lanternfish  Gallery: phone layou…
        Which pages are missing?
    e04b7ed0-622  74ea868a  1mo  user  [compacted]  /home/mira/lanternfish  Gallery…
        The start page takes 6 seconds with 4,000 photos. Find out where the time g…
    ");
    assert_snapshot!(ran.err, @"2 hits in 1 session");
    let ran = example(&["--color", "always", "search", "--all", "--limit", "1", "page role:user"]);
    assert_snapshot!(ran.out.replace('\x1b', "␛"), @"
    ␛[1me04b7ed0-622␛[0m  ␛[2m0aad88c9␛[0m  1mo  ␛[1m␛[34muser␛[0m  /home/mira/lanternfish␛[2m  Gallery: phone layou…␛[0m
        Which ␛[1m␛[4m␛[33mpage␛[0ms are missing?
    ");
    assert_snapshot!(ran.err.replace('\x1b', "␛"), @"␛[2mthe best 1 of 2 hits in 1 session; --limit shows more␛[0m");
}

#[test]
fn nothing_found_and_what_is_wrong() {
    let ran = example(&["search", "--cwd", "/nowhere", "zzz-not-there"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert_snapshot!(ran.err, @"
    nothing was found in the sessions of /nowhere
    `--all` searches the sessions of every project
    ");
    let ran = example(&["search", "--all", "x after:soon"]);
    assert_eq!(ran.code, 2);
    assert_snapshot!(ran.err, @"
    error: cannot read the query: this is no date at character 3 (`after:soon`)
    hint: write a date (2026-01-31, 2026-01, 2026-01-31T14:00), today, yesterday, or how long ago: 30min, 6h, 2d, 3w, 2mo, 1y
    ");
    let ran = example(&["--quiet", "search", "--all", "zzz-not-there"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (3, "", ""));
}

/// Invariant 11 of ARCHITECTURE.md.
#[test]
fn a_snippet_cannot_command_the_terminal() {
    let store = Store::new();
    let text = "before \u{1b}[31mneedle\u{1b}[0m \u{1b}]0;owned\u{7} \u{202e} after";
    store.file(
        "sessions/--p--/a.jsonl",
        session("aaaa1111", "/p", text, "2026-11-01T12:00:00.000Z"),
    );
    let ran = run(&["--agent-dir", &store.path(), "search", "--all", "needle"]);
    assert_eq!(ran.code, 0);
    assert!(!ran.out.contains(['\x1b', '\x07', '\u{202e}']), "{:?}", ran.out);
    assert!(ran.out.contains("needle") && !ran.out.contains("owned"), "{:?}", ran.out);
}

#[test]
fn what_cannot_be_read_is_told_with_exit_code_1() {
    let store = Store::new();
    store.file(
        "sessions/--p--/a.jsonl",
        session("aaaa1111", "/p", "needle", "2026-11-01T12:00:00.000Z"),
    );
    store.file("sessions/--p--/b.jsonl", "{\"type\":\"session\"\n");
    store.file("sessions/--p--/c.jsonl", "");
    let ran = run(&["--agent-dir", &store.path(), "search", "--all", "needle"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.err, @"
    warning: 1 file or folder could not be read, so hits may be missing; -v names them
    1 hit in 1 session
    ");
}

#[test]
fn a_line_that_was_just_appended_is_found() {
    let store = Store::new();
    let path = store
        .file("sessions/--p--/a.jsonl", session("aaaa1111", "/p", "x", "2026-11-01T12:00:00.000Z"));
    let search = || run(&["--agent-dir", &store.path(), "search", "--all", "lighthouse"]).code;
    assert_eq!(search(), 3);
    run(&["append", &path, "--message", "the lighthouse"]);
    assert_eq!(search(), 0);
}

#[test]
fn list_takes_the_sessions_that_a_query_means() {
    let store = Store::new();
    for (name, text, day) in [("a", "tide table", "01"), ("b", "tide and wind", "20")] {
        let text = session(
            &format!("{name}{name}{name}{name}1111"),
            "/p",
            text,
            &format!("2026-11-{day}T12:00:00.000Z"),
        );
        store.file(&format!("sessions/--p--/{name}.jsonl"), text);
    }
    let list = |words: &[&str]| {
        let path = store.path();
        let ran =
            run(&[&["--agent-dir", &path, "list", "--all", "--format", "{id}\\n"], words].concat());
        ran.out.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(list(&["tide"]), ["bbbb1111", "aaaa1111"]);
    assert_eq!(list(&["tide -wind"]), ["aaaa1111"]);
    assert_eq!(list(&["after:15d"]), ["bbbb1111"]);
    assert_eq!(list(&["nothing"]), [""; 0]);
}

#[test]
fn delete_takes_the_sessions_that_a_query_means_and_never_all() {
    let store = Store::new();
    let deep = format!("{} keep this {}", "x ".repeat(20_000), "y ".repeat(20_000));
    let result = json!({"type": "message", "id": "r1", "parentId": "a1a1a1a1", "timestamp": "2026-11-01T12:00:00.000Z",
        "message": {"role": "toolResult", "toolCallId": "c", "toolName": "bash", "content": [{"type": "text", "text": deep}]}});
    let at = |id: &str| session(id, "/p", "draft", "2026-11-01T12:00:00.000Z");
    let gone = store.file("sessions/--p--/a.jsonl", at("aaaa1111"));
    let kept = store.file("sessions/--p--/b.jsonl", at("bbbb1111") + &format!("{result}\n"));
    let home = store.path();
    let delete = |query: &str| -> Ran {
        let words = [
            "--agent-dir",
            &home,
            "--cwd",
            "/p",
            "delete",
            "--permanent",
            "--yes",
            "--where",
            query,
        ];
        logwood(&words).output().unwrap().into()
    };
    assert_eq!(delete("").code, 2);
    assert_eq!(delete("nothing-of-it").code, 3);
    let ran = delete("draft -\"keep this\"");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let there = |path: &str| std::path::Path::new(path).exists();
    assert!(!there(&gone) && there(&kept));
}

#[test]
fn transcripts_of_subagents_are_searched_too() {
    let store = Store::new();
    let parent = store.file(
        "sessions/--p--/a.jsonl",
        session("aaaa1111", "/p", "ask the scout", "2026-11-01T12:00:00.000Z"),
    );
    let child = session("cccc1111", "/elsewhere", "the lagoon", "2026-11-01T12:01:00.000Z");
    let members = format!("\"agentType\":\"Explore\",\"parentSession\":\"{parent}\",\"cwd\":");
    store.file("subagent-sessions/0123456789ab/t.jsonl", child.replacen("\"cwd\":", &members, 1));
    for scope in ["--all", "--cwd=/p"] {
        let search =
            |query: &str| run(&["--agent-dir", &store.path(), "search", "--json", scope, query]);
        let ran = search("lagoon");
        let ids: Vec<_> =
            hits(&ran).iter().filter_map(|hit| hit.get("sessionId").cloned()).collect();
        assert_eq!(ids, [json!("cccc1111")], "{scope}: {}", ran.err);
        assert_eq!(search("lagoon -is:subagent").code, 3);
    }
}
