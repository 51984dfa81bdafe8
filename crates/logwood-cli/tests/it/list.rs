//! `logwood list`: the table, the orders, what is left out and what is told.

use insta::assert_snapshot;
use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

use crate::support::{Ran, Store, logwood, run, session};

const FORMAT: &str = "{id} {age} {title}";

/// What a listing in `store` prints, with its notes.
fn list(store: &Store, words: &[&str]) -> Ran {
    run(&[&["--agent-dir", &store.path(), "list"], words].concat())
}

fn json_of(ran: &Ran) -> Value {
    decode(&ran.out).unwrap()
}

fn ids(ran: &Ran) -> Vec<String> {
    let value = json_of(ran);
    let rows = value.get("sessions").and_then(Value::as_array).unwrap();
    let id = |row: &Value| row.get("id").and_then(Value::as_str).unwrap().to_owned();
    rows.iter().map(id).collect()
}

/// Three projects: names, a fork, a child, a future time, a file that cannot be read, an empty one.
fn store() -> Store {
    let store = Store::new();
    let put = |name: &str, text: String| drop(store.file(&format!("sessions/{name}.jsonl"), text));
    let at = |id: &str, cwd: &str, text: &str, day: &str| {
        session(id, cwd, text, &format!("2026-11-{day}T12:00:00.000Z"))
    };
    put("--p-one--/a", at("aaaa1111-0000", "/p/one", "plan the harbour", "30"));
    let name = r#"{"type":"session_info","id":"n1","parentId":"a1a1a1a1","timestamp":"2026-11-20T12:00:00.000Z","name":"Zebra crossing"}"#;
    put("--p-one--/b", at("aaaa1111-2222", "/p/one", "first", "20") + name + "\n");
    let fork = at("cccc3333", "/p/one", "go another way", "10");
    let parent = format!(
        "\"cwd\":\"/p/one\",\"parentSession\":\"{}/sessions/--p-one--/a.jsonl\"",
        store.path()
    );
    put("--p-one--/c", fork.replace("\"cwd\":\"/p/one\"", &parent));
    let child = at("dddd4444", "/p/one", "look around", "25");
    put("--p-one--/d", child.replace("\"cwd\":", "\"agentType\":\"Explore\",\"cwd\":"));
    put("--p-two--/e", at("eeee5555", "/p/two", "x", "29").replace("2026-11-29", "2100-01-01"));
    put("--p-two--/f", at("ffff6666", "/p/two", &"long words ".repeat(30), "28"));
    put("--p-two--/g", "{\"type\":\"session\"\n".to_owned());
    put("--p-two--/h", String::new());
    store
}

/// The age of the file of the future session is that of the test, so it comes out as oldest or newest; here it is fixed.
fn fixed(store: &Store) {
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let path = format!("{}/sessions/--p-two--/e.jsonl", store.path());
    let file = std::fs::File::options().write(true).open(path).unwrap();
    file.set_times(std::fs::FileTimes::new().set_modified(old)).unwrap();
}

#[test]
fn the_table_of_a_project() {
    let ran = list(&store(), &["--cwd", "/p/one"]);
    assert_eq!(ran.code, 0);
    assert_snapshot!(ran.out, @"
    AGE  MSGS  ID          TITLE
     1d     1  aaaa1111-0  [interrupted, gone] plan the harbour
     1w     1  aaaa1111-2  [interrupted, gone] Zebra crossing
     3w     1  cccc3333    [fork, interrupted, gone] go another way
    ");
    assert_snapshot!(ran.err, @"1 session of a subagent is not shown; --subagents shows them");
}

#[test]
fn the_table_of_all_at_80_and_at_120_columns() {
    let store = store();
    fixed(&store);
    let ran = list(&store, &["--all", "--subagents"]);
    assert_eq!(ran.code, 1, "a damaged file is a failure");
    assert_snapshot!(ran.out, @"
       AGE  MSGS  ID          PROJECT  TITLE
        1d     1  aaaa1111-0  /p/one   [interrupted, gone] plan the harbour
        3d     1  ffff6666    /p/two   [interrupted, gone] long words long words lo…
        6d     1  dddd4444    /p/one   [sub Explore, int…, gone] look around
        1w     1  aaaa1111-2  /p/one   [interrupted, gone] Zebra crossing
        3w     1  cccc3333    /p/one   [fork, interrupted, gone] go another way
    in 73y     1  eeee5555    /p/two   [interrupted, future, gone] x
    ");
    assert_snapshot!(ran.err, @"
    warning: 1 file or folder could not be read, so sessions may be missing; -v names them
    1 file is empty or no session; -v names them
    ");
    let words = ["--agent-dir", &store.path(), "list", "--all"];
    let wide: Ran = logwood(&words).env("COLUMNS", "120").output().unwrap().into();
    assert_snapshot!(wide.out, @"
       AGE  MSGS  ID          PROJECT  TITLE
        1d     1  aaaa1111-0  /p/one   [interrupted, gone] plan the harbour
        3d     1  ffff6666    /p/two   [interrupted, gone] long words long words long words long words long words long word…
        1w     1  aaaa1111-2  /p/one   [interrupted, gone] Zebra crossing
        3w     1  cccc3333    /p/one   [fork, interrupted, gone] go another way
    in 73y     1  eeee5555    /p/two   [interrupted, future, gone] x
    ");
    for (columns, text) in [(80, &ran.out), (120, &wide.out)] {
        assert!(text.lines().all(|line| line.chars().count() <= columns));
    }
}

/// A long directory and the marks give way to the title.
#[test]
fn a_title_has_room_at_80_columns() {
    let store = Store::new();
    let cwd = format!("/srv/{}/harbour", "deep/".repeat(12));
    let text = session("aaaa1111", &cwd, &"plan ".repeat(30), "2026-11-30T12:00:00.000Z");
    store.file("sessions/--x--/a.jsonl", text);
    let ran = list(&store, &["--all"]);
    assert_snapshot!(ran.out, @"
    AGE  MSGS  ID        PROJECT               TITLE
     1d     1  aaaa1111  …/deep/deep//harbour  [int…, gone] plan plan plan plan pla…
    ");
    let words = ["--agent-dir", &store.path(), "list", "--all"];
    let wide: Ran = logwood(&words).env("COLUMNS", "110").output().unwrap().into();
    assert!(wide.out.contains("/harbour  [interrupted, gone] plan plan plan"), "{}", wide.out);
    assert!(wide.out.lines().all(|line| line.chars().count() <= 110), "{}", wide.out);
}

#[test]
fn a_thread_is_indented() {
    let ran = list(&store(), &["--cwd", "/p/one", "--sort", "threaded"]);
    assert_snapshot!(ran.out, @"
    AGE  MSGS  ID          TITLE
     1d     1  aaaa1111-0  [interrupted, gone] plan the harbour
     3w     1  cccc3333    └ [fork, interrupted, gone] go another way
     1w     1  aaaa1111-2  [interrupted, gone] Zebra crossing
    ");
}

#[test]
fn problems_are_named_on_request() {
    let store = store();
    let ran = list(&store, &["--all", "-v"]);
    assert_eq!(ran.code, 1);
    assert_snapshot!(ran.err.replace(&store.path(), "STORE"), @"
    1 session of a subagent is not shown; --subagents shows them
    warning: STORE/sessions/--p-two--/g.jsonl: header_corrupt: the header cannot be read; the file is left alone
    warning: STORE/sessions/--p-two--/h.jsonl: empty_file: the file has no line that is not blank
    ");
}

#[test]
fn orders_and_selections() {
    let store = store();
    fixed(&store);
    let all = |words: &[&str]| ids(&list(&store, &[&["--all", "--json"], words].concat()));
    let (a, b, c, d) = ("aaaa1111-0000", "aaaa1111-2222", "cccc3333", "dddd4444");
    let (e, f) = ("eeee5555", "ffff6666");
    assert_eq!(all(&[]), [a, f, b, c, e]);
    assert_eq!(all(&["--subagents"]), [a, f, d, b, c, e]);
    assert_eq!(all(&["--sort", "threaded"]), [a, c, f, b, e]);
    assert_eq!(all(&["--sort", "created"]), [e, a, f, b, c]);
    assert_eq!(all(&["--sort", "name"]), [b, a, f, c, e]);
    assert_eq!(all(&["--sort", "size"])[..2], [f, b]);
    assert_eq!(all(&["--named"]), [b]);
    assert_eq!(all(&["--limit", "2"]), [a, f]);
    let none = list(&store, &["--all", "--limit", "0"]);
    assert!(!none.err.contains("there are no sessions"), "{}", none.err);
    assert_eq!(ids(&list(&store, &["--json", "--cwd", "/p/one/"])), [a, b, c]);
}

#[test]
fn json_has_the_row_of_the_protocol_and_what_is_not_shown() {
    let ran = list(&store(), &["--json", "--cwd", "/p/one"]);
    let value = json_of(&ran);
    assert_eq!((&value["hiddenSubagents"], &value["problems"]), (&json!(1), &json!([])));
    let row = &value["sessions"][1];
    assert_eq!(
        (&row["name"], &row["kind"], &row["status"], &row["messageCount"], &row["entryCount"]),
        (&json!("Zebra crossing"), &json!("main"), &json!("interrupted"), &json!(1), &json!(2))
    );
    assert_eq!(ran.err, "");
}

#[test]
fn rows_in_a_form_of_ones_own() {
    let store = store();
    let ran = list(&store, &["--cwd", "/p/one", "--format", FORMAT]);
    assert_eq!(
        ran.out,
        "aaaa1111-0000 1d plan the harbour\naaaa1111-2222 1w Zebra crossing\ncccc3333 3w go another way\n"
    );
    let ran =
        list(&store, &["--cwd", "/p/one", "--limit", "1", "--format", r"{{{kind}}}\t{status}"]);
    assert_eq!(ran.out, "{main}\tinterrupted\n");
    let ran = list(&store, &["--format", "{nope}"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("`{nope}`") && ran.err.contains("{id} {path}"), "{}", ran.err);
}

/// Several stores are one list with a column that says which.
#[test]
fn stores_are_merged_with_a_column() {
    let (one, two) = (Store::new(), Store::new());
    one.file(
        "laptop/sessions/--p--/a.jsonl",
        session("aaaa1111", "/p", "here", "2026-11-01T00:00:00.000Z"),
    );
    two.file(
        "desk/sessions/--p--/b.jsonl",
        session("bbbb2222", "/p", "there", "2026-11-02T00:00:00.000Z"),
    );
    let dirs = [format!("{}/laptop", one.path()), format!("{}/desk", two.path())];
    let words = ["--agent-dir", &dirs[0], "--agent-dir", &dirs[1], "list", "--cwd", "/p"];
    assert_snapshot!(run(&words).out, @"
    AGE  MSGS  ID        STORE   TITLE
     4w     1  bbbb2222  desk    [interrupted, gone] there
    1mo     1  aaaa1111  laptop  [interrupted, gone] here
    ");
    let of_desk = run(&[&words[..], &["--store", "desk", "--json"]].concat());
    assert_eq!(ids(&of_desk), ["bbbb2222"]);
    let none = run(&[&words[..], &["--store", "sofa"]].concat());
    assert_eq!(none.code, 3);
    assert!(none.err.contains("laptop, desk"), "{}", none.err);
}

/// Without any option every store that is there is used: a pi user's first list is full, and oh-my-pi's too.
#[test]
fn every_store_of_the_home_directory_is_found() {
    let home = Store::new();
    let put = |path: &str, id: &str| {
        home.file(path, session(id, "/p", id, "2026-11-01T00:00:00.000Z"));
    };
    put(".pi/agent/sessions/--p--/a.jsonl", "of-pi");
    let listed = || -> Ran {
        let mut command = logwood(&["list", "--json", "--cwd", "/p"]);
        command.env("HOME", home.path()).output().unwrap().into()
    };
    assert_eq!(ids(&listed()), ["of-pi"]);
    put(".dreb/agent/sessions/--p--/b.jsonl", "of-dreb");
    let title = "{\"type\":\"title\",\"v\":1,\"title\":\"Harbour\"}\n".to_owned();
    let omp = title + &session("of-omp", "/p", "q", "2026-11-02T00:00:00.000Z");
    home.file(".omp/agent/sessions/-p/c.jsonl", omp);
    let ran = listed();
    let value = json_of(&ran);
    assert_eq!(ids(&ran), ["of-omp", "of-dreb", "of-pi"]);
    assert_eq!(value["sessions"][0]["title"], "Harbour");
    let stores = [0, 1, 2].map(|at| value["sessions"][at]["store"].clone());
    assert_eq!(stores, [json!("oh-my-pi"), json!("dreb"), json!("pi")]);
}

#[test]
fn pis_variables_and_settings_are_followed() {
    let home = Store::new();
    let time = "2026-11-01T00:00:00.000Z";
    home.file("elsewhere/sessions/--p--/a.jsonl", session("by-dir", "/p", "x", time));
    home.file("flat/b.jsonl", session("by-session-dir", "/p", "x", time));
    home.file("set/c.jsonl", session("by-settings", "/p", "x", time));
    let listed = |variables: &[(&str, &str)]| -> Vec<String> {
        let mut command = logwood(&["list", "--json", "--cwd", "/p"]);
        command.env("HOME", home.path()).envs(variables.iter().copied());
        ids(&command.output().unwrap().into())
    };
    let dir = ("PI_CODING_AGENT_DIR", "~/elsewhere");
    assert_eq!(listed(&[dir]), ["by-dir"]);
    home.file("elsewhere/settings.json", r#"{"sessionDir":"~/set"}"#);
    assert_eq!(listed(&[dir]), ["by-settings"]);
    assert_eq!(listed(&[dir, ("PI_CODING_AGENT_SESSION_DIR", "~/flat")]), ["by-session-dir"]);
}

/// A program whose own variable names a directory that is not there has lost its sessions: that is told (issue 3).
#[test]
fn a_variable_that_names_no_directory_is_told() {
    let home = Store::new();
    let time = "2026-11-01T00:00:00.000Z";
    home.file(".omp/agent/sessions/-p/c.jsonl", session("of-omp", "/p", "x", time));
    let file = home.file("file", "");
    let gone = format!("{}/gone", home.path());
    for variable in ["DREB_CODING_AGENT_DIR", "PI_CODING_AGENT_DIR", "PI_CODING_AGENT_SESSION_DIR"]
    {
        for (value, why) in [(&gone, "there is no such directory"), (&file, "it is no directory")] {
            let ask = |words: &[&str]| -> Ran {
                let mut command = logwood(words);
                command.env("HOME", home.path()).env(variable, value).output().unwrap().into()
            };
            let ran = ask(&["list", "--cwd", "/p"]);
            assert!(ran.out.contains("of-omp") && ran.code == 1, "{ran:?}");
            let line = format!(
                "warning: {value}: {variable} names it, and {why}; correct or unset {variable}\n"
            );
            assert_eq!(ran.err, line);
            let ran = ask(&["list", "--cwd", "/p", "--json"]);
            let problems = json_of(&ran)["problems"].clone();
            assert_eq!(problems.as_array().unwrap().len(), 1, "{problems}");
            assert_eq!(problems[0]["path"], **value);
            assert!(problems[0]["message"].as_str().unwrap().contains(variable), "{problems}");
            let ran = ask(&["where"]);
            assert!(ran.out.contains(value.as_str()) && ran.err == line, "{ran:?}");
            let ran = ask(&["doctor"]);
            let finding = format!(
                "{value}\n  {variable} names it, and {why}\n  do: correct or unset {variable}"
            );
            assert!(ran.out.contains(&finding), "{}", ran.out);
            assert_eq!(ran.out.matches(value.as_str()).count(), 1, "{}", ran.out);
            let ran = ask(&["list", "--session-dir", &home.path()]);
            assert!(!ran.err.contains(variable), "nobody looks there: {}", ran.err);
            let ran = ask(&["list", "--agent-dir", &format!("{}/.omp/agent", home.path())]);
            assert!(!ran.err.contains(variable), "nobody looks there: {}", ran.err);
        }
    }
}

/// `--session-dir`, then the project's settings, then the global ones, then the hook, then the default store (spec 6.7).
#[test]
fn who_names_the_directory_comes_first() {
    let store = Store::new();
    let time = "2026-11-01T00:00:00.000Z";
    let project = format!("{}/project", store.path());
    let folder = project.replace(['/', ':'], "-");
    let put = |file: String, id: &str| drop(store.file(&file, session(id, &project, "x", time)));
    put(format!("agent/sessions/-{folder}--/default.jsonl"), "default");
    for name in ["option", "project-set", "global-set", "hook"] {
        put(format!("project/{name}/x.jsonl"), name);
    }
    let agent = format!("{}/agent", store.path());
    let ask = |words: &[&str]| -> Vec<String> {
        let all = [&["--agent-dir", &agent, "--cwd", &project, "list", "--json"], words].concat();
        ids(&run(&all))
    };
    let hook =
        ["--session-dir-hook", "test \"$PWD\" = \"$LOGWOOD_CWD\" && echo hook && echo second"];
    assert_eq!(ask(&[]), ["default"]);
    assert_eq!(ask(&hook), ["hook"]);
    store.file("agent/settings.json", r#"{"sessionDir":"global-set"}"#);
    assert_eq!(ask(&hook), ["global-set"]);
    store.file("project/.dreb/settings.json", r#"{"sessionDir":" project-set "}"#);
    assert_eq!(ask(&hook), ["project-set"]);
    assert_eq!(ask(&[&hook[..], &["--session-dir", "option"]].concat()), ["option"]);
    // Blank is unset and hides the global one, as the merged view holds one value of the two.
    store.file("project/.dreb/settings.json", r#"{"sessionDir":" "}"#);
    assert_eq!(ask(&hook), ["hook"]);
    assert_eq!(ask(&["--session-dir", " "]), ["default"]);
}

/// Only the first line is kept: here there is less memory than output.
#[cfg(target_os = "linux")]
#[test]
fn what_a_hook_prints_after_its_first_line_is_not_kept() {
    let script = format!(
        "ulimit -v 500000; exec '{}' --agent-dir / --cwd / --session-dir-hook 'echo hooked; head -c 800000000 /dev/zero' where",
        env!("CARGO_BIN_EXE_logwood")
    );
    let ran: Ran = std::process::Command::new("sh").args(["-c", &script]).output().unwrap().into();
    assert!(ran.out.contains("/hooked"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_hook_that_fails_and_a_settings_file_that_is_wrong_are_told() {
    let store = store();
    let settings = store.file("settings.json", "{\n \"sessionDir\": oops}");
    let ran = list(&store, &["--cwd", "/", "--session-dir-hook", "exit 3"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("hook `exit 3` failed (exit status: 3)"), "{}", ran.err);
    assert!(ran.err.contains("line 2, column 16"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(settings).unwrap(), "{\n \"sessionDir\": oops}");
}

/// The dashboard's rule: the global setting alone, whatever the project says.
#[test]
fn the_host_goes_by_the_global_settings() {
    let store = store();
    store.file("host/h.jsonl", session("of-host", "/z", "x", "2026-11-01T00:00:00.000Z"));
    assert_eq!(ids(&list(&store, &["--host", "--json"])).len(), 5);
    store.file("settings.json", format!(r#"{{"sessionDir":"{}/host"}}"#, store.path()));
    store.file("project/.dreb/settings.json", r#"{"sessionDir":"/nowhere"}"#);
    let project = format!("{}/project", store.path());
    assert_eq!(ids(&list(&store, &["--host", "--json", "--cwd", &project])), ["of-host"]);
}

#[test]
fn nothing_found_says_where_it_looked() {
    let store = store();
    let ran = list(&store, &["--cwd", "/none"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_snapshot!(ran.err.replace(&store.path(), "STORE"), @"
    there are no sessions of /none
    looked in STORE/sessions/--none--
    `logwood list --all` lists those of every project
    ");
    let ran = run(&["list"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("no store was found"), "{}", ran.err);
}

#[test]
fn a_directory_that_was_asked_for_and_is_not_there_is_an_error() {
    let store = store();
    let file = store.file("file", "");
    let path = store.path();
    for (words, code) in [
        (["--agent-dir", "/none/at/all", "list"], 3),
        (["--session-dir", "/none/at/all", "list"], 3),
        (["--agent-dir", &file, "list"], 4),
        (["--session-dir", &file, "list"], 4),
    ] {
        let ran = run(&words);
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(words[1]) && ran.out.is_empty(), "{}", ran.err);
        assert_eq!(ran.err.matches("hint: ").count(), 1, "{}", ran.err);
    }
    // One of two is there: it is listed, and the other is told.
    let ran =
        run(&["--agent-dir", "/none/at/all", "--agent-dir", &path, "list", "--all", "--json"]);
    assert_eq!((ran.code, ids(&ran).len()), (1, 5));
    assert_eq!(json_of(&ran)["problems"][0]["path"], "/none/at/all");
}

#[test]
fn case_50_names_are_harmless_in_text_and_whole_in_json() {
    let case = Case::load("50").unwrap();
    let dir = case.path("in/sessions/--work-demo--").to_str().unwrap().to_owned();
    let ran = run(&["--session-dir", &dir, "--cwd", "/work/demo", "list", "--color", "never"]);
    let rows = ran.out.lines().count() - 1;
    assert_eq!(json!(rows), *case.fact("/text_output/rows"), "and the names of the columns");
    let fact = |key: &str| case.fact(&format!("/text_output/{key}")).as_array().unwrap();
    for text in fact("must_not_contain") {
        assert!(!ran.out.contains(text.as_str().unwrap()), "{}", ran.out);
    }
    for text in fact("must_contain") {
        assert!(ran.out.contains(text.as_str().unwrap()), "{}", ran.out);
    }
    let hex: String = ran.out.bytes().map(|byte| format!("{byte:02x}|")).collect();
    for bytes in fact("must_not_contain_bytes") {
        let bytes = bytes.as_str().unwrap().as_bytes().chunks(2);
        let bytes: String = bytes.map(|two| format!("{}|", str::from_utf8(two).unwrap())).collect();
        assert!(!hex.contains(&bytes), "{bytes} in {:?}", ran.out);
    }
    let ran = run(&["--session-dir", &dir, "--cwd", "/work/demo", "list", "--json"]);
    let rows = json_of(&ran)["sessions"].clone();
    let names: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["name"].clone()).collect();
    assert_eq!(json!(names), *case.fact("/list/names"));
}

#[test]
fn case_48_a_future_time_is_marked() {
    let case = Case::load("48").unwrap();
    let dir = case.path("in/sessions/--work-demo--").to_str().unwrap().to_owned();
    let ran = run(&["--session-dir", &dir, "--cwd", "/work/demo", "list"]);
    let row = ran.out.lines().find(|line| line.contains("future")).unwrap();
    assert!(row.starts_with("in 73y"), "{row}");
    assert!(!ran.out.contains("now"), "{}", ran.out);
}

#[test]
fn case_51_output_stays_small() {
    let case = Case::load("51").unwrap();
    let dir = case.path("in/sessions/--work-demo--").to_str().unwrap().to_owned();
    let ran = run(&["--session-dir", &dir, "--cwd", "/work/demo", "list", "--json"]);
    assert!(ran.out.len() as u64 <= case.fact("/list/output_bytes_below").as_u64().unwrap());
}

#[test]
fn case_61_children_are_counted_and_left_out() {
    let case = Case::load("61").unwrap();
    let dir = case.path("in/sessions/--work-demo--").to_str().unwrap().to_owned();
    let words = ["--session-dir", &dir, "--cwd", "/work/demo", "list", "--json"];
    let ran = run(&words);
    assert_eq!(json!(ids(&ran)), *case.fact("/list_default/ids"));
    assert_eq!(json_of(&ran)["hiddenSubagents"], *case.fact("/list_default/hidden_subagents"));
    let all = run(&[&words[..], &["--subagents"]].concat());
    assert_eq!(json!(ids(&all).len()), *case.fact("/list_all_kinds/count"));
}

#[test]
fn case_62_a_folder_that_is_gone_is_marked() {
    let case = Case::load("62").unwrap();
    let agent = case.path("in").to_str().unwrap().to_owned();
    let ran = run(&["--agent-dir", &agent, "list", "--all", "--json"]);
    let row = json_of(&ran)["sessions"][0].clone();
    let id = row["id"].as_str().unwrap();
    assert_eq!(row["flags"], *case.fact(&format!("/list_all/flags/{id}")));
}

#[test]
fn case_58_an_id_is_found_by_its_start() {
    let case = Case::load("58").unwrap();
    let agent = case.path("in").to_str().unwrap().to_owned();
    for (word, want) in case.fact("/resolve").as_object().unwrap() {
        let ran = run(&["--agent-dir", &agent, "show", word, "--json"]);
        match want.get("error_kind") {
            None => {
                assert_eq!(ran.code, 0, "{word}: {}", ran.err);
                assert!(ran.out.contains(want.as_str().unwrap()), "{word}");
            }
            Some(kind) => {
                let error = decode(&ran.err).unwrap();
                assert_eq!(error["errorKind"], *kind, "{word}");
                for candidate in want["candidates"].as_array().into_iter().flatten() {
                    assert!(error["error"].as_str().unwrap().contains(candidate.as_str().unwrap()));
                }
            }
        }
    }
}

/// With 64 file handles allowed all 2,000 are listed (case 80).
#[cfg(unix)]
#[test]
fn case_80_with_64_file_handles() {
    let Some(case) = Case::generated("80").unwrap() else { return };
    let script = format!(
        "ulimit -n 64; exec '{}' --agent-dir '{}' list --all --json",
        env!("CARGO_BIN_EXE_logwood"),
        case.path("in").display()
    );
    let ran: Ran = std::process::Command::new("sh").args(["-c", &script]).output().unwrap().into();
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(json!(ids(&ran).len()), *case.fact("/list_all/count"));
    assert_eq!(json_of(&ran)["problems"], json!([]));
}

/// As a user who may not write: reading works and leaves nothing behind; what may not be read is told (case 79).
#[cfg(unix)]
#[test]
fn case_79_a_read_only_store_is_listed() {
    use std::os::unix::fs::PermissionsExt as _;
    let case = Case::load("79").unwrap();
    let demo = case.path("in/sessions/--work-demo--");
    let secret = case.path("in/sessions/--secret--");
    std::fs::create_dir(&secret).unwrap();
    let mode = |path: &std::path::Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    mode(case.folder(), 0o755);
    let before = case.snapshot().unwrap();
    mode(&secret, 0o000);
    let root = std::process::Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    let words = ["--agent-dir", case.path("in").to_str().unwrap(), "list", "--all", "--json"]
        .map(str::to_owned);
    // The program is copied: an unprivileged user may not be let into the folder where it was built.
    let program = case.folder().join("logwood");
    std::fs::copy(env!("CARGO_BIN_EXE_logwood"), &program).unwrap();
    mode(&program, 0o755);
    let mut command = if root {
        let mut command = std::process::Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(&program);
        command
    } else {
        std::process::Command::new(&program)
    };
    let ran: Ran = command.args(words).env("HOME", "/").output().unwrap().into();
    mode(&secret, 0o755);
    std::fs::remove_file(program).unwrap();
    assert_eq!((ran.code, ids(&ran).len()), (1, 1), "{}", ran.err);
    let problem = &json_of(&ran)["problems"][0];
    assert_eq!((&problem["path"], &problem["errorKind"]), (&json!(secret), &json!("permission")));
    assert_eq!(case.snapshot().unwrap(), before);
    mode(&demo, 0o755);
}
