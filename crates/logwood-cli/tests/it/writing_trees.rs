//! `navigate`, `fork`, `branch` and `migrate`.

use std::fs;

use serde_json::Value;

use crate::support::{Ran, Store, logwood, root, run};

const TIDES: &str = "sessions/--home-mira-tidepool--/2026-11-12T18-04-31-206Z_21f7f2c1-1d4d-4a05-b554-d12d7b736ac9.jsonl";
const V1: &str = "sessions/--home-mira-field-notes--/2026-03-02T10-00-00-000Z_4900714c-7919-4ca3-b539-17fabb20b424.jsonl";
const V2: &str = "sessions/--home-mira-field-notes--/2026-05-17T07-31-20-400Z_383e0632-e916-412f-b3a7-14ddbc210991.jsonl";
const QUESTION: &str = "The table for Saint-Malo shows every high tide on 25 October one hour late after breakfast. Before that it is right. Can you find out why?";

/// A copy of an example in a store of its own.
fn copy(store: &Store, name: &str) -> String {
    store.file(name, fs::read(root().join("examples/agent").join(name)).unwrap())
}

fn done(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn lines(file: &str) -> Vec<Value> {
    fs::read_to_string(file).unwrap().lines().map(value).collect()
}

fn text_lines(file: &str) -> Vec<String> {
    fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

/// The entry where a program goes on that opens the file now, as dreb and pi find it.
fn last(file: &str) -> Value {
    lines(file).pop().unwrap()
}

#[test]
fn every_program_reopens_where_one_navigated_to() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let before = fs::read(&file).unwrap();
    let out = done(run(&["navigate", &file, "fe76"]));
    assert_eq!(out, format!("(now at 14c3ac0f)\n{QUESTION}\n"));
    assert_eq!(done(run(&["navigate", &file, "fe76", "-q"])), format!("{QUESTION}\n"));
    let mark = last(&file);
    assert_eq!(
        (&mark["type"], &mark["customType"], &mark["parentId"]),
        (&"custom".into(), &"logwood.position".into(), &"14c3ac0f".into())
    );
    let object = value(&done(run(&["navigate", &file, "22fbf850", "--json"])));
    assert_eq!((&object["leafId"], &object["text"]), (&last(&file)["id"], &Value::Null));
    assert_eq!(
        (&object["positionId"], &last(&file)["parentId"]),
        (&object["leafId"], &"22fbf850".into())
    );
    // What is asked for next goes on from there, and no model gets the mark.
    let context = value(&done(run(&["context", &file, "--json"])));
    assert_eq!(
        context["messages"].as_array().unwrap().last().unwrap()["entryId"],
        "22fbf850",
        "{context}"
    );
    assert!(fs::read(&file).unwrap().starts_with(&before));
}

#[test]
fn a_summary_or_a_label_is_the_new_position() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let leaf = value(&run(&["show", &file, "--json"]).out)["leafId"].clone();
    let words = ["navigate", &file, "794e", "--summary", "S s", "--label", "retry", "--json"];
    let went = value(&done(run(&words)));
    let [.., summary, label] = &lines(&file)[..] else { panic!("{file}") };
    assert_eq!(
        (&summary["type"], &summary["parentId"], &summary["fromId"], &summary["summary"]),
        (&"branch_summary".into(), &"794e91d2".into(), &leaf, &"S s".into())
    );
    assert_eq!((&label["targetId"], &label["label"]), (&summary["id"], &"retry".into()));
    assert_eq!((&went["summaryId"], &went["labelId"]), (&summary["id"], &label["id"]));
    assert_eq!(went["positionId"], Value::Null);

    let before = fs::read(&file).unwrap();
    assert_eq!(run(&["navigate", &file, "beef"]).code, 3);
    let here = last(&file)["id"].as_str().unwrap().to_owned();
    done(run(&["navigate", &file, &here]));
    assert_eq!(fs::read(&file).unwrap(), before, "nothing to do");
}

#[test]
fn a_whole_session_for_another_directory() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let before = fs::read(&file).unwrap();
    let ran =
        run(&["--agent-dir", &store.path(), "fork", "21f7", "--into", "/home/mira/elsewhere"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.err, "warning: `/home/mira/elsewhere` is not there (yet)\n");
    let [made, id] = ran.out.lines().collect::<Vec<_>>()[..] else { panic!("{}", ran.out) };
    let folder = format!("{}/sessions/--home-mira-elsewhere--/", store.path());
    assert!(made.starts_with(&folder), "{made}");
    let header = &lines(made)[0];
    assert_eq!(
        (&header["id"], &header["cwd"], &header["parentSession"]),
        (&id.into(), &"/home/mira/elsewhere".into(), &file.as_str().into())
    );
    assert_eq!(text_lines(made)[1..], text_lines(&file)[1..], "byte for byte, all branches");
    assert_eq!(fs::read(&file).unwrap(), before);

    // Without a directory it is a clone beside the original.
    let clone = done(run(&["fork", &file, "-q"]));
    assert!(clone.starts_with(&format!("{}/sessions/--home-mira-tidepool--/", store.path())));
    assert_eq!(lines(clone.trim_end())[0]["cwd"], "/home/mira/tidepool");
}

#[test]
fn a_new_session_names_its_parent_from_the_root() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let (folder, name) = file.rsplit_once('/').unwrap();
    for words in [
        &["fork", name, "-q"][..],
        &["fork", name, "--at", "e9e0", "-q"],
        &["branch", name, "e9e0", "-q"],
        &["new", "--file", "new.jsonl", "--parent-session", name, "-q"],
    ] {
        let made = done(logwood(words).current_dir(folder).output().unwrap().into());
        let made = made.trim_end();
        assert!(made.starts_with(folder), "{words:?}: {made}");
        assert_eq!(lines(made)[0]["parentSession"], file.as_str(), "{words:?}");
    }
}

/// A session of pi stays with pi, also for a directory that has sessions of dreb.
#[test]
fn a_clone_stays_in_its_store() {
    let store = Store::new();
    let bytes = fs::read(root().join("examples/agent").join(TIDES)).unwrap();
    let file = store.file(&format!(".pi/agent/{TIDES}"), bytes);
    store.file(".dreb/agent/sessions/--x--/s.jsonl", "");
    let words = ["fork", &file, "--into", &store.path(), "-q"];
    let made = done(logwood(&words).env("HOME", store.path()).output().unwrap().into());
    assert!(made.starts_with(&format!("{}/.pi/agent/sessions/--", store.path())), "{made}");
    let words = ["new", "-q"];
    let made = done(logwood(&words).env("HOME", store.path()).output().unwrap().into());
    assert!(made.starts_with(&format!("{}/.dreb/agent/sessions/--", store.path())), "{made}");
}

#[test]
fn a_clone_says_what_it_leaves_out() {
    let store = Store::new();
    let file = copy(&store, V1);
    let torn = fs::read_to_string(&file).unwrap() + "{\"type\":\"mess";
    let file = store.file("torn.jsonl", torn);
    let ran = run(&["fork", &file]);
    assert_eq!(
        ran.err,
        "warning: 1 line that is no entry was left out; `logwood check` of the old session shows them\n"
    );
    let made = ran.out.lines().next().unwrap().to_owned();
    assert_eq!((lines(&made)[0]["version"].clone(), lines(&made).len()), (3.into(), 8));
    assert!(fs::metadata(format!("{file}.v1.bak")).is_err(), "the old one stays as it is");
}

#[test]
fn a_fork_at_a_message() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let before = fs::read(&file).unwrap();
    let out = done(run(&["fork", &file, "--at", "e9e0"]));
    let [made, id, "", text] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert_eq!(
        text,
        "Too much for today. Put it back, and write a test for the spring change instead."
    );
    assert_eq!(lines(made)[0]["id"], id);
    assert!(lines(made).iter().all(|line| line["id"] != "e9e0792e"), "just before it");
    // Its parent is a label, which a branch does not keep; the answer before it is.
    assert!(lines(made).iter().any(|line| line["id"] == "326438d6"));

    // An answer comes along; before the first message there is only the header.
    let object = value(&done(run(&["fork", &file, "--at", "29dc16dd", "--json"])));
    let made = object["sessionFile"].as_str().unwrap();
    assert!(lines(made).iter().any(|line| line["id"] == "29dc16dd"));
    assert_eq!(object["text"], "");
    let cut = store.file("cut.jsonl", text_lines(&file)[..1].join("\n") + "\n{\"type\":\"message\",\"id\":\"u1\",\"parentId\":null,\"timestamp\":\"\",\"message\":{\"role\":\"user\",\"content\":\"hi\"}}\n");
    let object = value(&done(run(&[
        "fork",
        &cut,
        "--at",
        "u1",
        "--into",
        "/",
        "--json",
        "--agent-dir",
        &store.path(),
    ])));
    let [header] = &lines(object["sessionFile"].as_str().unwrap())[..] else { panic!("{object}") };
    assert_eq!(
        (&header["parentSession"], &header["cwd"], &object["text"]),
        (&cut.as_str().into(), &"/".into(), &"hi".into())
    );

    let ran = run(&["fork", &file, "--at", "22fb"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        format!(
            "error: cannot fork session `{file}` at `22fbf850`: it is neither a user message nor an answer that ended without a call of a tool\n\
             hint: `logwood tree` shows the messages; `logwood branch` takes any entry\n"
        )
    );
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_branch_ends_at_any_entry() {
    let store = Store::new();
    let file = copy(&store, TIDES);
    let before = fs::read(&file).unwrap();
    let old = text_lines(&file);
    for (entry, ids) in [
        (
            "22fbf850",
            &["c8203535", "14c3ac0f", "fe7609ae", "794e91d2", "0ddaf19a", "2a51c2c0", "22fbf850"][..],
        ),
        // Without an answer it is written all the same.
        ("fe7609ae", &["c8203535", "14c3ac0f", "fe7609ae"]),
    ] {
        let out = done(run(&["branch", &file, entry]));
        let [made, id] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
        let new = text_lines(made);
        let kept: Vec<_> = new[1..]
            .iter()
            .filter(|line| old.contains(line))
            .map(|line| value(line)["id"].clone())
            .collect();
        assert_eq!(kept, ids, "byte for byte");
        assert_eq!(
            (&lines(made)[0]["id"], &lines(made)[0]["parentSession"]),
            (&id.into(), &file.as_str().into())
        );
        assert_eq!(last(made)["name"], "Tide table: daylight saving", "the name comes along");
    }
    assert_eq!(run(&["branch", &file, "beef"]).code, 3);
    let flat = format!("{}/flat", store.path());
    let made = done(run(&["branch", &file, "fe76", "-q", "--session-dir", &flat]));
    assert!(made.starts_with(&format!("{flat}/")), "{made}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn a_migration_keeps_the_original() {
    let store = Store::new();
    let (one, two, three) = (copy(&store, V1), copy(&store, V2), copy(&store, TIDES));
    let (old_one, old_two) = (fs::read(&one).unwrap(), fs::read(&two).unwrap());
    let rows = value(&done(run(&["migrate", &one, &three, "--json"])));
    assert_eq!(
        rows,
        serde_json::json!([
            {"sessionFile": one, "version": 1, "migrated": true, "backup": format!("{one}.v1.bak")},
            {"sessionFile": three, "version": 3, "migrated": false, "backup": null},
        ])
    );
    let out = done(run(&["migrate", &two]));
    assert_eq!(out, format!("{two}: version 3, was 2; the original is kept as {two}.v2.bak\n"));
    assert_eq!(fs::read(format!("{one}.v1.bak")).unwrap(), old_one);
    assert_eq!(fs::read(format!("{two}.v2.bak")).unwrap(), old_two);
    assert_eq!((&lines(&one)[0]["version"], &lines(&two)[0]["version"]), (&3.into(), &3.into()));

    let after = fs::read(&one).unwrap();
    assert_eq!(done(run(&["migrate", &one])), format!("{one}: version 3, nothing to do\n"));
    assert_eq!(done(run(&["migrate", &one, "--quiet"])), "");
    assert_eq!(fs::read(&one).unwrap(), after);
}

#[test]
fn a_migration_that_fails_stops_no_other() {
    let store = Store::new();
    let gone = format!("{}/gone.jsonl", store.path());
    let one = copy(&store, V1);
    let ran = run(&["migrate", &gone, &one]);
    assert_eq!(ran.code, 1, "done in part");
    assert!(ran.err.starts_with(&format!("error: cannot open session `{gone}`")), "{}", ran.err);
    assert!(ran.out.contains(".v1.bak"), "{}", ran.out);
    let empty = store.file("empty.jsonl", "");
    assert_eq!(run(&["migrate", &gone]).code, 3);
    let ran = run(&["migrate", &gone, &empty, "--json"]);
    let rows = value(&ran.out);
    assert_eq!(
        (ran.code, &rows[0]["errorKind"], &rows[1]["errorKind"]),
        (4, &"not_found".into(), &"empty_file".into())
    );
    assert_eq!(fs::metadata(&empty).unwrap().len(), 0);
}
