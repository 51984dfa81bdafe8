//! `logwood where` and `logwood doctor`.

use insta::assert_snapshot;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood, run, session};

fn store() -> Store {
    let store = Store::new();
    let time = "2026-11-01T00:00:00.000Z";
    store.file("desk/agent/sessions/--p--/a.jsonl", session("aaaa1111", "/p", "x", time));
    store
}

fn ask(store: &Store, words: &[&str]) -> Ran {
    let agent = format!("{}/desk/agent", store.path());
    run(&[&["--agent-dir", &agent, "--cwd", "/p"], words].concat())
}

fn shown(store: &Store, text: &str) -> String {
    text.replace(&store.path(), "STORE")
}

fn json_of(ran: &Ran) -> Value {
    decode(&ran.out).unwrap()
}

#[test]
fn where_names_every_root_and_who_decided() {
    let store = store();
    let ran = ask(&store, &["where"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(shown(&store, &ran.out), @"
    directory  /p

    desk  dreb, named by --agent-dir
      agent directory   STORE/desk/agent
      sessions go to    STORE/desk/agent/sessions/--p--  nested, by default
      a new file        STORE/desk/agent/sessions/--p--/2026-12-01T12-00-00-000Z_SESSION-ID.jsonl  (not there)
      all sessions      STORE/desk/agent/sessions  nested
      of the host       STORE/desk/agent/sessions  nested, by default
      subagents         STORE/desk/agent/subagent-sessions  (not there)
      performance log   STORE/desk/agent/performance.jsonl  (not there)
      settings          STORE/desk/agent/settings.json  (not there)
      settings          /p/.dreb/settings.json  (not there)
        default          chosen     STORE/desk/agent/sessions/--p--
    ");
}

/// Issue 3: every root and the file names it would use, on a machine without any store too.
#[test]
fn where_without_a_store_names_what_is_looked_for() {
    let home = Store::new();
    let mut command = logwood(&["--cwd", "/p", "where"]);
    let ran: Ran = command.env("HOME", home.path()).output().unwrap().into();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_snapshot!(ran.out.replace(&home.path(), "HOME"), @"
    directory  /p
    no store was found; these are looked for

    dreb  dreb, in the home directory
      agent directory   HOME/.dreb/agent  (not there)
      sessions go to    HOME/.dreb/agent/sessions/--p--  (not there) nested, by default
      a new file        HOME/.dreb/agent/sessions/--p--/2026-12-01T12-00-00-000Z_SESSION-ID.jsonl  (not there)
      all sessions      HOME/.dreb/agent/sessions  (not there) nested
      of the host       HOME/.dreb/agent/sessions  (not there) nested, by default
      subagents         HOME/.dreb/agent/subagent-sessions  (not there)
      performance log   HOME/.dreb/agent/performance.jsonl  (not there)
      settings          HOME/.dreb/agent/settings.json  (not there)
      settings          /p/.dreb/settings.json  (not there)
        default          chosen     HOME/.dreb/agent/sessions/--p--

    pi  pi, in the home directory
      agent directory   HOME/.pi/agent  (not there)
      sessions go to    HOME/.pi/agent/sessions/--p--  (not there) nested, by default
      a new file        HOME/.pi/agent/sessions/--p--/2026-12-01T12-00-00-000Z_SESSION-ID.jsonl  (not there)
      all sessions      HOME/.pi/agent/sessions  (not there) nested
      of the host       HOME/.pi/agent/sessions  (not there) nested, by default
      subagents         HOME/.pi/agent/subagent-sessions  (not there)
      performance log   HOME/.pi/agent/performance.jsonl  (not there)
      settings          HOME/.pi/agent/settings.json  (not there)
      settings          /p/.pi/settings.json  (not there)
        default          chosen     HOME/.pi/agent/sessions/--p--

    oh-my-pi  oh-my-pi, in the home directory
      agent directory   HOME/.omp/agent  (not there)
      sessions go to    HOME/.omp/agent/sessions/--p--  (not there) nested, by default
      a new file        HOME/.omp/agent/sessions/--p--/2026-12-01T12-00-00-000Z_SESSION-ID.jsonl  (not there)
      all sessions      HOME/.omp/agent/sessions  (not there) nested
      of the host       HOME/.omp/agent/sessions  (not there) nested, by default
      subagents         HOME/.omp/agent/subagent-sessions  (not there)
      performance log   HOME/.omp/agent/performance.jsonl  (not there)
        default          chosen     HOME/.omp/agent/sessions/--p--
    ");
    let mut command = logwood(&["--cwd", "/p", "where", "--json"]);
    let ran: Ran = command.env("HOME", home.path()).output().unwrap().into();
    let stores = json_of(&ran)["stores"].clone();
    let stores: Vec<_> = stores.as_array().unwrap().iter().map(|row| &row["exists"]).collect();
    assert_eq!(stores, [&json!(false); 3]);
}

#[test]
fn where_in_json() {
    let store = store();
    store.file("desk/agent/settings.json", r#"{"sessionDir":"~/all","subagentSessionDir":"/sub"}"#);
    let ran = ask(&store, &["where", "--json", "--session-dir", "here"]);
    let row = json_of(&ran)["stores"][0].clone();
    assert_eq!(
        (&row["sessionDir"], &row["layout"], &row["source"], &row["subagentSessionDir"]),
        (&json!("/p/here"), &json!("flat"), &json!("option"), &json!("/sub"))
    );
    assert_eq!(row["newFile"], "/p/here/2026-12-01T12-00-00-000Z_SESSION-ID.jsonl");
    let verdicts: Vec<_> = row["considered"]
        .as_array()
        .unwrap()
        .iter()
        .map(|source| (source["source"].as_str().unwrap(), source["verdict"].as_str().unwrap()))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("option", "chosen"),
            ("project_settings", "not_set"),
            ("global_settings", "outranked"),
            ("hook", "not_asked"),
            ("default", "outranked"),
        ]
    );
    assert_eq!(
        (&row["host"]["layout"], &row["hostSource"]),
        (&json!("flat"), &json!("global_settings"))
    );
}

#[cfg(unix)]
fn mode(store: &Store, path: &str, mode: u32) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = format!("{}/{path}", store.path());
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[test]
fn doctor_finds_nothing_where_nothing_is_odd() {
    let store = store();
    mode(&store, "desk/agent", 0o700);
    let ran = ask(&store, &["doctor"]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.ends_with(": nothing odd\n"), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn doctor_has_a_suggestion_for_each_finding() {
    let store = store();
    mode(&store, "", 0o755);
    mode(&store, "desk", 0o755);
    mode(&store, "desk/agent", 0o755);
    mode(&store, "desk/agent/sessions", 0o755);
    mode(&store, "desk/agent/sessions/--p--", 0o755);
    mode(&store, "desk/agent/sessions/--p--/a.jsonl", 0o644);
    store.file("desk/agent/settings.json", "{\"sessionDir\": 3}");
    let lock = store.file("desk/agent/performance.jsonl.lock", "");
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_796_000_000);
    let file = std::fs::File::options().write(true).open(lock).unwrap();
    file.set_times(std::fs::FileTimes::new().set_modified(old)).unwrap();
    std::os::unix::fs::symlink(
        "/nowhere",
        format!("{}/desk/agent/sessions/--p--/b.jsonl", store.path()),
    )
    .unwrap();
    let ran = ask(&store, &["doctor", "--session-dir-hook", "exit 1"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(shown(&store, &ran.out), @"
    STORE/desk/agent/performance.jsonl.lock
      the lock of the performance log was left behind 2106 minutes ago
      do: remove it if no agent is running; the next writer does so too
    STORE/desk/agent/sessions
      2 files and folders can be read by other users
      do: `chmod -R go=` the directory: sessions hold what was said, read and run
    STORE/desk/agent/sessions
      1 name ending in .jsonl leads nowhere or is not for you to look at
      do: `logwood list --all -v` names them; remove the link or restore its target
    STORE/desk/agent/settings.json
      global settings `STORE/desk/agent/settings.json`, `sessionDir`: expected a string, found 3; the setting counts as unset, correct it in the file
      do: correct the file; until then what is wrong counts as unset
    /p
      the session directory hook `exit 1` cannot be run in `/p`: No such file or directory (os error 2); it counts as unset
      do: run it by hand in that directory, with LOGWOOD_CWD set
    looked at desk: 5 findings
    ");
    let rows = json_of(&ask(&store, &["doctor", "--json"]))["findings"].clone();
    let rows = rows.as_array().unwrap();
    assert!(rows.len() >= 4 && rows.iter().all(|row| !row["advice"].as_str().unwrap().is_empty()));
}

#[test]
fn doctor_tells_of_a_directory_that_is_not_there() {
    let ran = run(&["--agent-dir", "/none/at/all", "doctor"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("/none/at/all\n  there is no such directory\n  do: "), "{}", ran.out);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_looked_at_is_not_called_missing() {
    let store = Store::new();
    std::os::unix::fs::symlink("sessions", format!("{}/sessions", store.path())).unwrap();
    let ran = run(&["--agent-dir", &store.path(), "--cwd", "/p", "where"]);
    let line = |name: &str| ran.out.lines().find(|line| line.contains(name)).unwrap().to_owned();
    assert!(line("all sessions").contains("(cannot be looked at)"), "{}", ran.out);
    assert!(line("performance log").contains("(not there)"), "{}", ran.out);
}
