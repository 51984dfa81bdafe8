//! `logwood catalog`, and listings with one: the same answer as without.

use std::fs;

use insta::assert_snapshot;
use logwood_testkit::json::decode;
use serde_json::Value;

use crate::support::{Ran, Store, logwood, session};

/// A store with sessions, and a cache directory beside it.
fn store() -> Store {
    let store = Store::new();
    for n in 0..6 {
        let time = format!("2026-11-0{}T00:00:00.000Z", n + 1);
        let text = session(&format!("aaaa000{n}"), &format!("/p{}", n % 2), "hello", &time);
        store.file(&format!("agent/sessions/--p{}--/{n}.jsonl", n % 2), text);
    }
    store.file("agent/sessions/--p0--/broken.jsonl", "{\"type\":\"sess");
    store
}

fn ask(store: &Store, words: &[&str]) -> Ran {
    let agent = format!("{}/agent", store.path());
    let mut command = logwood(&[&["--agent-dir", &agent, "--cwd", "/p0"], words].concat());
    command.env("XDG_CACHE_HOME", format!("{}/cache", store.path())).output().unwrap().into()
}

fn catalogs(store: &Store) -> Vec<Value> {
    let ran = ask(store, &["catalog", "status", "--json"]);
    let found = decode(&ran.out).unwrap();
    found.get("catalogs").and_then(Value::as_array).unwrap().clone()
}

/// The path of the only catalog.
fn file(store: &Store) -> String {
    let found = catalogs(store);
    found.first().unwrap().get("path").and_then(Value::as_str).unwrap().to_owned()
}

#[test]
fn with_and_without_the_catalog_everything_is_the_same() {
    let store = store();
    let ways: [&[&str]; 6] = [
        &["list", "--all"],
        &["list"],
        &["list", "--all", "--json", "-v"],
        &["show", "@"],
        &["show", "aaaa0003"],
        &["show", "nobody"],
    ];
    for words in ways {
        let plain = ask(&store, &[words, &["--no-catalog"]].concat());
        for _ in 0..2 {
            let ran = ask(&store, words);
            assert_eq!(
                (ran.code, ran.out, ran.err),
                (plain.code, plain.out.clone(), plain.err.clone()),
                "{words:?}"
            );
        }
    }
    let known = &catalogs(&store)[0];
    assert_eq!((known["sessions"].as_u64(), known["others"].as_u64()), (Some(6), Some(1)));
}

#[test]
fn without_it_nothing_is_written() {
    let store = store();
    ask(&store, &["list", "--all", "--no-catalog"]);
    assert_eq!(catalogs(&store)[0]["exists"], false);
    assert!(!fs::exists(format!("{}/cache", store.path())).unwrap());
}

#[test]
fn the_catalog_is_shown_rebuilt_and_cleared() {
    let store = store();
    let shown = |words: &[&str]| {
        let ran = ask(&store, words);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
        let out = ran
            .out
            .replace(&file(&store), "FILE")
            .replace(store.path().rsplit('/').next().unwrap(), "STORE");
        out.lines().map(|line| format!("{line}\n")).collect::<String>()
    };
    assert_snapshot!(shown(&["catalog"]), @"
    STORE  FILE
      none yet; the next listing makes it
    ");
    let rebuilt = shown(&["catalog", "rebuild"]);
    assert!(rebuilt.contains("KiB for 6 sessions and 1 other file of "), "{rebuilt}");
    assert!(shown(&["catalog", "clear"]).starts_with("removed, "));
    assert_snapshot!(shown(&["catalog", "clear"]), @"there is no catalog");
    assert!(!fs::exists(file(&store)).unwrap());
}

#[test]
fn a_catalog_that_is_none_is_told_by_doctor_and_mended_by_the_next_listing() {
    let store = store();
    let plain = ask(&store, &["list", "--all"]);
    let path = file(&store);
    fs::write(&path, "this is no database, whatever its name says").unwrap();
    let told = ask(&store, &["doctor"]);
    assert!(told.out.contains("cannot use the catalog"), "{}", told.out);
    assert!(told.out.contains("logwood catalog rebuild"), "{}", told.out);
    let ran = ask(&store, &["catalog"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let ran = ask(&store, &["list", "--all"]);
    assert_eq!((ran.out, ran.err), (plain.out, plain.err));
    assert_eq!(catalogs(&store)[0]["sessions"], 6);
}

/// A cache directory in which nothing can be made.
#[test]
fn a_catalog_that_cannot_be_made_costs_a_warning_only() {
    let store = store();
    let plain = ask(&store, &["list", "--all", "--no-catalog"]);
    store.file("cache", "a file");
    let ran = ask(&store, &["list", "--all"]);
    assert_eq!((ran.code, &ran.out), (plain.code, &plain.out));
    let warned: Vec<_> = ran.err.lines().filter(|line| line.starts_with("warning: ")).collect();
    assert!(warned.iter().any(|line| line.contains("catalogs")), "{warned:?}");
}

/// Makes the files a day old: what changed in the tick in which it was looked at is read again, and would show what is new.
fn settle(store: &Store) {
    let day_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(86_400);
    for project in fs::read_dir(format!("{}/agent/sessions", store.path())).unwrap() {
        for file in fs::read_dir(project.unwrap().path()).unwrap() {
            let file = fs::File::options().append(true).open(file.unwrap().path()).unwrap();
            file.set_modified(day_ago).unwrap();
        }
    }
}

#[test]
fn the_first_rows_come_from_the_catalog_alone() {
    let store = store();
    settle(&store);
    let ask = |words: &[&str]| ask(&store, words);
    let first = ["list", "--all", "--limit", "2", "--json"];
    let plain: Value = decode(&ask(&[&first[..], &["--no-catalog"]].concat()).out).unwrap();
    let cached = || decode(&ask(&[&first[..], &["--cached"]].concat()).out).unwrap();
    assert_eq!(cached()["sessions"], plain["sessions"], "nothing is known: all is read");
    assert_eq!(cached()["sessions"], plain["sessions"]);
    // A session that is not among them goes on: the price of not looking.
    let text = session("aaaa0000", "/p0", "later", "2026-11-20T00:00:00.000Z");
    store.file("agent/sessions/--p0--/0.jsonl", text);
    assert_eq!(cached()["sessions"], plain["sessions"]);
    // One that is: everything is looked at.
    let text = session("aaaa0005", "/p1", "another text", "2026-11-06T00:00:00.000Z");
    store.file("agent/sessions/--p1--/5.jsonl", text);
    assert_eq!(cached()["sessions"][0]["id"], "aaaa0000");
    let refused = ask(&["list", "--cached"]);
    assert_eq!(refused.code, 2);
}

#[test]
fn where_names_it() {
    let store = store();
    let ran = ask(&store, &["where"]);
    assert!(ran.out.contains(&file(&store)), "{}", ran.out);
    let found: Value = decode(&ask(&store, &["where", "--json"]).out).unwrap();
    assert_eq!(found["stores"][0]["catalog"], file(&store));
}
