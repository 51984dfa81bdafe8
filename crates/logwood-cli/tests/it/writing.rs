//! `new`, `append`, `name` and `label`: what they report is in the file, and everything that was there before still is.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::Stdio;

use serde_json::Value;

use crate::support::{Ran, Store, logwood, root, run, session};

const TIME: &str = "2026-01-01T00:00:00.000Z";

/// Runs the program with a text on its standard input.
fn fed(words: &[&str], input: &str) -> Ran {
    let mut command = logwood(words);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that wants nothing from there may end before it is given anything.
    if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe);
    }
    child.wait_with_output().unwrap().into()
}

/// What a run printed that has to be done and to say nothing else.
fn done(ran: Ran) -> String {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The lines of a file; every one of them has its LF.
fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    assert!(text.ends_with('\n'));
    text.lines().map(value).collect()
}

fn last(file: &str) -> Value {
    lines(file).pop().unwrap()
}

/// A copy of each example session of version 3.
fn examples(store: &Store) -> Vec<String> {
    let mut files = Vec::new();
    let sessions = root().join("examples/agent/sessions");
    for folder in fs::read_dir(sessions).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            if String::from_utf8_lossy(&bytes).starts_with(r#"{"type":"session","version":3"#) {
                files.push(store.file(path.file_name().unwrap().to_str().unwrap(), bytes));
            }
        }
    }
    files
}

#[test]
fn what_was_there_is_there_still_and_what_is_printed_is_behind_it() {
    let store = Store::new();
    let files = examples(&store);
    assert!(files.len() >= 5);
    let mut torn = 0;
    for file in &files {
        let before = fs::read(file).unwrap();
        // Half characters stand in it, which serde_json does not take: the word is cut out.
        let show = run(&["show", file, "--json"]).out;
        let leaf = show.split("\"leafId\":").nth(1).unwrap();
        let leaf = value(leaf.split(',').next().unwrap());
        let id = done(run(&["append", file, "--message", "Go on\twith \"it\"."]));
        let after = fs::read(file).unwrap();
        let added = after.strip_prefix(before.as_slice()).unwrap();
        // A last line that was torn gets its end first.
        let line = added.strip_prefix(b"\n").unwrap_or(added);
        torn += added.len() - line.len();
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1, "{file}");
        let entry = value(std::str::from_utf8(line).unwrap());
        assert_eq!(
            (entry["id"].as_str(), &entry["parentId"]),
            (Some(id.trim_end()), &leaf),
            "{file}"
        );
        assert_eq!(entry["message"]["content"][0]["text"], "Go on\twith \"it\".");
        assert!(entry["message"]["timestamp"].is_i64() && entry["message"]["role"] == "user");
    }
    assert_eq!(torn, 1, "one of the examples ends in a torn line");
}

#[test]
fn lines_of_messages_and_entries() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", "hello", TIME));
    let before = fs::read_to_string(&file).unwrap();
    let input = "{\"role\":\"assistant\", \"content\":[],\"n\":1.50}\n\n{ \"type\":\"newer\",\"n\":1.50,\"id\":\"mine\",\"t\":\"\\u00e9\" }\r\n";
    let ids = done(fed(&["append", &file], input));
    let ids: Vec<_> = ids.lines().collect();
    let after = fs::read_to_string(&file).unwrap();
    let added: Vec<_> = after.strip_prefix(&before).unwrap().lines().collect();
    assert_eq!((ids.len(), added.len()), (2, 2));
    // A message is written as the programs write it, an entry keeps its text.
    assert!(
        added[0].ends_with(r#""message":{"role":"assistant","content":[],"n":1.5}}"#),
        "{}",
        added[0]
    );
    assert!(
        added[1].contains("\"n\":1.50") && added[1].contains("\"t\":\"\\u00e9\""),
        "{}",
        added[1]
    );
    let (first, second) = (value(added[0]), value(added[1]));
    assert_eq!((&first["id"], &first["parentId"]), (&ids[0].into(), &"a1a1a1a1".into()));
    assert_eq!((&second["id"], &second["parentId"]), (&ids[1].into(), &ids[0].into()));

    let ids = done(fed(
        &["append", &file, "--raw", "--json"],
        "{\n  \"type\": \"x\",\n  \"role\": 1\n}\n",
    ));
    let object = value(&ids);
    assert_eq!(
        (&object["sessionFile"], &object["sessionId"]),
        (&file.as_str().into(), &"s1".into())
    );
    assert_eq!(object["ids"][0], last(&file)["id"]);
    assert_eq!(last(&file)["type"], "x");
}

#[test]
fn bad_input_changes_nothing() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", "hello", TIME));
    let before = fs::read(&file).unwrap();
    let good = "{\"role\":\"user\",\"content\":\"x\"}\n";
    for (input, kind, why) in [
        (format!("{good}{{\"role\":"), "parse", "line 2 of the input is no JSON"),
        (
            format!("{good}{{\"type\":\"session\"}}"),
            "invalid_argument",
            "line 2 of the input is a header",
        ),
        (String::new(), "invalid_argument", "there is nothing on the standard input"),
    ] {
        let ran = fed(&["append", &file, "--json"], &input);
        let error = value(&ran.err);
        assert_eq!((ran.code, ran.out.as_str(), error["errorKind"].as_str()), (2, "", Some(kind)));
        assert!(error["error"].as_str().unwrap().contains(why), "{error}");
        assert!(error["hint"].as_str().unwrap().starts_with("nothing was written"), "{error}");
    }
    for words in [
        &["append", file.as_str(), "-m", " "][..],
        &["name", &file, " "],
        &["name", &file, "x", "--clear"],
        &["label", &file, "a1a1a1a1", ""],
        &["new", "--name", ""],
        &["new", "--agent-type", " "],
    ] {
        assert_eq!(run(words).code, 2, "{words:?}");
    }
    assert_eq!(run(&["label", &file, "beef", "x"]).code, 3);
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// Several of ours at once, beside a program that takes no lock: nothing is lost, torn or given twice.
#[test]
fn what_others_append_between_stays() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", "hello", TIME));
    let batch: String =
        (0..8).map(|n| format!("{{\"role\":\"user\",\"content\":\"{n}\"}}\n")).collect();
    let foreign = |n: usize| {
        format!(
            "{{\"type\":\"custom\",\"customType\":\"f\",\"id\":\"foreign{n}\",\"parentId\":\"a1a1a1a1\",\"timestamp\":\"{TIME}\"}}"
        )
    };
    let printed: Vec<String> = std::thread::scope(|scope| {
        let ours: Vec<_> =
            (0..4).map(|_| scope.spawn(|| done(fed(&["append", &file], &batch)))).collect();
        let mut other = fs::OpenOptions::new().append(true).open(&file).unwrap();
        let mut n = 0;
        while ours.iter().any(|thread| !thread.is_finished()) {
            other.write_all(format!("{}\n", foreign(n)).as_bytes()).unwrap();
            n += 1;
            std::thread::sleep(std::time::Duration::from_micros(300));
        }
        let text = fs::read_to_string(&file).unwrap();
        assert!((0..n).all(|n| text.contains(&foreign(n))), "of another program");
        ours.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let mut ids: Vec<_> = printed.iter().flat_map(|ids| ids.lines()).collect();
    let in_file: Vec<_> = lines(&file).into_iter().map(|line| line["id"].clone()).collect();
    assert!(ids.iter().all(|id| in_file.contains(&Value::from(*id))));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), 32);
}

/// Ids of a file that was not read are not known, so a new one is a whole UUID (design section 2, "Ids"): it tells the quick way.
#[test]
fn a_large_file_is_not_read_for_one_entry() {
    let store = Store::new();
    let entry = "{\"role\":\"user\",\"content\":\"x\"}\n";
    let large = session("s1", "/p", &"long ".repeat(100_000), TIME);
    let file = store.file("s.jsonl", &large);
    let words: [&[&str]; 3] = [
        &["append", &file, "-m", "x", "--json"],
        &["append", &file, "--json"],
        &["name", &file, "Shop", "--json"],
    ];
    let mut parent = Value::from("a1a1a1a1");
    for words in words {
        let object = value(&done(fed(words, entry)));
        let id = last(&file)["id"].clone();
        assert_eq!(id.as_str().unwrap().len(), 36, "{words:?}");
        assert!(object["ids"][0] == id || object["entryId"] == id, "{object}");
        assert_eq!((&object["sessionId"], &last(&file)["parentId"]), (&"s1".into(), &parent));
        parent = id;
    }
    done(fed(&["append", &file], &entry.repeat(2)));
    assert_eq!(last(&file)["id"].as_str().unwrap().len(), 8, "several lines need to know the file");
    assert!(fs::read_to_string(&file).unwrap().starts_with(&large));
}

#[test]
fn a_version_1_file_is_kept_beside() {
    let store = Store::new();
    let old = fs::read(root().join(
        "examples/agent/sessions/--home-mira-field-notes--/2026-03-02T10-00-00-000Z_4900714c-7919-4ca3-b539-17fabb20b424.jsonl",
    ))
    .unwrap();
    let entry = "{\"role\":\"user\",\"content\":\"x\"}\n";
    let words: [(&str, &[&str]); 5] = [
        ("append", &["-m", "more"]),
        ("append", &[]),
        ("name", &["Ponds"]),
        ("label", &["0291", "first"]),
        ("navigate", &["0291"]),
    ];
    for (number, (command, rest)) in words.into_iter().enumerate() {
        let file = store.file(&format!("{number}.jsonl"), &old);
        let beef = ["label", file.as_str(), "beef", "x"];
        assert_eq!(run(&beef).code, 3);
        assert_eq!(fs::read(&file).unwrap(), old, "what fails migrates nothing");
        let ran = fed(&[&[command, &file], rest].concat(), &entry.repeat(2));
        let told = format!(
            "warning: the session was of version 1 and is migrated; the original is kept as `{file}.v1.bak`\n"
        );
        assert_eq!((ran.code, ran.err), (0, told), "{command}");
        assert_eq!(fs::read(format!("{file}.v1.bak")).unwrap(), old);
        assert_eq!(lines(&file)[0]["version"], 3);
        let added = last(&file)["id"].as_str().unwrap().to_owned();
        assert!(command == "navigate" || ran.out.contains(&added), "{command}");
    }
}

#[test]
fn what_the_system_or_another_process_refuses() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", "hello", TIME));
    let before = fs::read(&file).unwrap();
    assert_eq!(run(&["append", &format!("{}/gone.jsonl", store.path()), "-m", "x"]).code, 3);
    assert_eq!(run(&["new", "--file", &file]).code, 5);

    let holder = fs::File::open(&file).unwrap();
    holder.lock().unwrap();
    let ran = run(&["append", &file, "-m", "x", "--json"]);
    assert_eq!((ran.code, &value(&ran.err)["errorKind"]), (5, &"locked".into()));
    drop(holder);

    let ran = unprivileged(&store, &file, &["append", &file, "-m", "x", "--json"]);
    assert_eq!((ran.code, &value(&ran.err)["errorKind"]), (6, &"permission".into()));
    let error = value(&ran.err)["error"].as_str().unwrap().to_owned();
    assert!(ran.out.is_empty() && error.contains(&file), "{}{error}", ran.out);
    let ran = unprivileged(&store, &file, &["new", "--session-dir", &store.path()]);
    assert_eq!(ran.code, 6, "{}", ran.err);
    assert_eq!(fs::read(&file).unwrap(), before);
}

/// A limit of the size of files stands for a full disk: what was acknowledged is in the file, and nothing of the rest.
#[test]
fn what_fits_is_told_when_the_rest_does_not() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", &"x".repeat(3000), TIME));
    let entry = format!("{{\"role\":\"user\",\"content\":\"{}\"}}\n", "y".repeat(200));
    let input = store.file("input", entry.repeat(9));
    // Four blocks of 1024 bytes, or of 512 for a shell that counts so.
    let script = "trap '' XFSZ; ulimit -f 4 && test $(ulimit -f) = 4 && exec \"$0\" append \"$1\" --json <\"$2\"";
    let words = ["-c", script, env!("CARGO_BIN_EXE_logwood"), &file, &input];
    let ran: Ran = std::process::Command::new("bash").args(words).output().unwrap().into();
    let (error, told) = (value(&ran.err), value(&ran.out));
    let ids = told["ids"].as_array().unwrap();
    assert_eq!(ran.code, 6, "{error}");
    assert!((1..9).contains(&ids.len()), "{told}");
    let hint = format!("{} of 9 entries were appended before it", ids.len());
    assert!(error["hint"].as_str().unwrap().ends_with(&hint), "{error}");
    let in_file: Vec<_> = lines(&file)[2..].iter().map(|line| line["id"].clone()).collect();
    assert_eq!(&in_file, ids);
}

/// Runs the program where nothing may be written, also when the tests run as root.
fn unprivileged(store: &Store, file: &str, words: &[&str]) -> Ran {
    let mode =
        |path: &str, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    let mut command = logwood(words);
    mode(file, 0o444);
    if fs::OpenOptions::new().append(true).open(file).is_ok() {
        let program = format!("{}/bin/logwood", store.path());
        if fs::metadata(&program).is_err() {
            fs::copy(env!("CARGO_BIN_EXE_logwood"), store.file("bin/logwood", "")).unwrap();
        }
        mode(&program, 0o755);
        command = std::process::Command::new(program);
        command.args(words).current_dir("/").env_clear().uid(65534).gid(65534);
    }
    mode(&store.path(), 0o555);
    let ran = command.output().unwrap().into();
    mode(&store.path(), 0o755);
    ran
}

#[test]
fn a_new_session_is_on_the_disk() {
    let store = Store::new();
    let agent = format!("{}/.pi/agent", store.path());
    let out = done(run(&["--agent-dir", &agent, "--cwd", "/home/ana/shop", "new"]));
    let [file, id] = out.lines().collect::<Vec<_>>()[..] else { panic!("{out}") };
    assert!(file.starts_with(&format!("{agent}/sessions/--home-ana-shop--/")), "{file}");
    assert_eq!(fs::metadata(file).unwrap().mode() & 0o777, 0o600);
    let [header] = &lines(file)[..] else { panic!("{file}") };
    assert_eq!(
        (&header["id"], &header["cwd"], &header["version"]),
        (&id.into(), &"/home/ana/shop".into(), &3.into())
    );
    assert!(header.get("parentSession").is_none() && header.get("agentType").is_none());

    // The store that is there is taken, not dreb's that is not.
    let ran = logwood(&["new", "-q", "--cwd", "/home/ana/shop"]).env("HOME", store.path()).output();
    let out = done(ran.unwrap().into());
    assert!(out.starts_with(&agent) && out.lines().count() == 1, "{out}");

    let words = ["--agent-dir", &agent, "new", "--id", "my-id", "--name", " Shop ", "--agent-type"];
    let words = [&words[..], &["Explore", "--parent-session", id, "--json"]].concat();
    let made = value(&done(run(&words)));
    let lines = lines(made["sessionFile"].as_str().unwrap());
    assert_eq!((&lines[0]["id"], &made["sessionId"]), (&"my-id".into(), &"my-id".into()));
    assert_eq!(
        (&lines[0]["parentSession"], &lines[0]["agentType"], &lines[1]["name"]),
        (&file.into(), &"Explore".into(), &"Shop".into())
    );
    let again = run(&["--agent-dir", &agent, "new", "--id", "my-id"]);
    assert_eq!((again.code, again.err.contains("has the id `my-id`")), (2, true), "{}", again.err);
    assert_eq!(run(&["--agent-dir", &agent, "new", "--id", "../x"]).code, 2);
}

#[test]
fn a_new_session_in_a_file_of_its_own() {
    let store = Store::new();
    let file = format!("{}/deep/s.jsonl", store.path());
    done(run(&["new", "--file", &file, "--id", "x"]));
    assert_eq!(lines(&file)[0]["id"], "x");
    let empty = store.file("empty.jsonl", "");
    assert_eq!(run(&["new", "--file", &empty, "--id", "x"]).code, 2);
    assert_eq!(fs::metadata(&empty).unwrap().len(), 0);
    done(run(&["new", "--file", &empty, "--agent-type", "Explore", "--parent-session", &file]));
    let [header] = &lines(&empty)[..] else { panic!("{empty}") };
    assert_eq!(
        (&header["agentType"], &header["parentSession"]),
        (&"Explore".into(), &file.as_str().into())
    );
    assert_eq!(run(&["new", "--file", &format!("{}/s.txt", store.path())]).code, 2);
}

#[test]
fn names_and_labels_are_set_shown_and_cleared() {
    let store = Store::new();
    let file = store.file("s.jsonl", session("s1", "/p", "hello", TIME));
    assert_eq!(run(&["name", &file]).err, "(the session has no name)\n");
    assert_eq!(done(run(&["name", &file, "-q"])), "");
    let id = done(run(&["name", &file, " a\u{1b}[31m b "]));
    let entry = last(&file);
    assert_eq!((&entry["id"], &entry["name"]), (&id.trim_end().into(), &"a\u{1b}[31m b".into()));
    assert_eq!(done(run(&["name", &file])), "a␛[31m b\n");
    let object = value(&done(run(&["name", &file, "Shop", "--json"])));
    assert_eq!((&object["name"], &object["entryId"]), (&"Shop".into(), &last(&file)["id"]));
    done(run(&["name", &file, "--clear"]));
    assert_eq!(last(&file)["name"], "");
    assert_eq!(value(&run(&["name", &file, "--json"]).out)["name"], Value::Null);

    assert_eq!(run(&["label", &file, "A1"]).err, "(the entry has no label)\n");
    let id = done(run(&["label", &file, "A1a1", "here\u{9b}"]));
    let entry = last(&file);
    assert_eq!((&entry["id"], &entry["targetId"]), (&id.trim_end().into(), &"a1a1a1a1".into()));
    assert_eq!(done(run(&["label", &file, "a1"])), "here<U+009B>\n");
    let object = value(&done(run(&["label", &file, "a1", "--clear", "--json"])));
    assert_eq!((&object["label"], &object["targetId"]), (&Value::Null, &"a1a1a1a1".into()));
    assert!(last(&file).get("label").is_none());
    let before = fs::read(&file).unwrap();
    done(run(&["label", &file, "a1", "-q"]));
    assert_eq!(fs::read(&file).unwrap(), before, "looking writes nothing");
}
