//! SESSION words (design section 4, "Choosing"; case 58).

use crate::support::{Ran, Store, printed, run, session};

/// Two projects, four sessions; `aaaa…` and `aaab…` share a start.
fn store() -> Store {
    let store = Store::new();
    let put = |folder: &str, id: &str, cwd: &str, text: &str, time: &str| {
        store.file(&format!("sessions/{folder}/{id}.jsonl"), session(id, cwd, text, time));
    };
    put("--p-one--", "aaaa1111-x", "/p/one", "older", "2026-01-01T00:00:00.000Z");
    put("--p-one--", "aaab2222-x", "/p/one", "newer", "2026-01-02T00:00:00.000Z");
    put("--p-two--", "bbbb3333-x", "/p/two", "other", "2026-01-03T00:00:00.000Z");
    let named = session("cccc4444-x", "/p/two", "named", "2026-01-01T00:00:00.000Z")
        + r#"{"type":"session_info","id":"n1","parentId":"a1a1a1a1","timestamp":"2026-01-01T00:00:01.000Z","name":"bbbb"}"#
        + "\n";
    store.file("sessions/--p-two--/cccc4444-x.jsonl", named);
    store
}

fn show(store: &Store, words: &[&str]) -> Ran {
    run(&[&["--agent-dir", &store.path(), "show", "-q"], words].concat())
}

#[test]
fn ids_names_starts_and_places() {
    let store = store();
    let path = format!("{}/sessions/--p-two--/bbbb3333-x.jsonl", store.path());
    for (words, text) in [
        (&["aaaa1111-x"][..], "older"),
        (&["aaab"], "newer"),
        (&["AAAB"], "newer"),
        (&["bbbb"], "named"),
        (&["bbbb3"], "other"),
        (&[path.as_str()], "other"),
        (&["@", "--cwd", "/p/one"], "newer"),
        (&["@2", "--cwd", "/p/one/"], "older"),
        (&["@1", "--cwd", "/p/two"], "other"),
    ] {
        let ran = show(&store, words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
        assert!(
            ran.out.ends_with(&format!("\n  {text}\n")) || ran.out.contains(&format!("  {text}\n")),
            "{words:?}: {}",
            ran.out
        );
    }
}

/// F-34: a short id never names the newest of several.
#[test]
fn a_start_of_two_is_ambiguous_and_lists_them() {
    let store = store();
    let ran = show(&store, &["aaa"]);
    assert_eq!(ran.code, 2);
    let wanted = format!(
        "error: `aaa` fits 2 sessions:\n  aaab2222-x  newer\n    {0}/sessions/--p-one--/aaab2222-x.jsonl\n  \
         aaaa1111-x  older\n    {0}/sessions/--p-one--/aaaa1111-x.jsonl\n\
         hint: give more of the id, or the path of the file\n",
        store.path()
    );
    assert_eq!(ran.err, wanted);
}

#[test]
fn what_is_not_there_says_where_it_was_looked_for() {
    let store = store();
    for words in [&["zzz"][..], &[""], &["@9", "--cwd", "/p/one"], &["@", "--cwd", "/p/three"]] {
        let ran = show(&store, words);
        assert_eq!(ran.code, 3, "{words:?}");
        assert!(
            ran.err.contains(&format!("hint: looked in {}/sessions", store.path())),
            "{}",
            ran.err
        );
    }
    assert_eq!(show(&store, &["@0"]).code, 2);
    let folder = show(&store, &[&format!("{}/sessions", store.path())]);
    assert!(folder.code == 4 && folder.err.contains("hint: name a session file"), "{}", folder.err);
}

#[cfg(unix)]
#[test]
fn where_not_everything_can_be_read_a_search_that_finds_nothing_says_so() {
    let store = store();
    let told =
        |words: &[&str]| show(&store, words).err.contains("where not everything can be read");
    assert!(!told(&["zzz"]));
    std::os::unix::fs::symlink("x", format!("{}/sessions/x", store.path())).unwrap();
    std::os::unix::fs::symlink("y.jsonl", format!("{}/sessions/--p-one--/y.jsonl", store.path()))
        .unwrap();
    assert!(told(&["zzz"]) && told(&["@9", "--cwd", "/p/one"]));
}

#[test]
fn a_session_dir_takes_the_place_of_the_stores() {
    let store = store();
    let dir = format!("{}/sessions/--p-one--", store.path());
    assert_eq!(run(&["--session-dir", &dir, "show", "aaab"]).code, 0);
    assert_eq!(run(&["--session-dir", &dir, "show", "bbbb"]).code, 3);
    assert_eq!(run(&["--session-dir", &dir, "--cwd", "/p/one", "show", "@2"]).code, 0);
}

#[test]
fn several_agent_dirs_are_one_list() {
    let (one, two) = (store(), Store::new());
    two.file(
        "sessions/--q--/d.jsonl",
        session("dddd", "/p/one", "elsewhere", "2026-05-01T00:00:00.000Z"),
    );
    let words = ["--agent-dir", &one.path(), "--agent-dir", &two.path(), "show", "-q"];
    for (word, text) in [("dddd", "elsewhere"), ("aaab", "newer")] {
        let ran = run(&[&words[..], &[word]].concat());
        assert!(ran.out.contains(text), "{}", ran.err);
    }
}

#[test]
fn entries_are_named_by_their_start_too() {
    assert!(printed(&["show", "-q", "21f7", "--branch", "FE76"]).contains("Saint-Malo"));
    let ran = crate::support::example(&["show", "21f7", "--branch", "1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: several entries start with `1`: "), "{}", ran.err);
}

/// A path need not be UTF-8.
#[test]
fn any_path_can_be_opened() {
    use std::os::unix::ffi::OsStrExt as _;

    let store = Store::new();
    let good = store.file("s.jsonl", session("s", "/p", "hello", "2026-01-01T00:00:00.000Z"));
    let name = std::ffi::OsStr::from_bytes(b"caf\xe9.jsonl");
    let odd = std::path::Path::new(&store.path()).join(name);
    std::fs::rename(&good, &odd).unwrap();
    for command in ["show", "tree", "context", "check"] {
        let ran: Ran = crate::support::logwood(&[command]).arg(&odd).output().unwrap().into();
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{command}");
    }
    std::fs::remove_file(&odd).unwrap();
    let ran: Ran = crate::support::logwood(&["show"]).arg(&odd).output().unwrap().into();
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("caf\u{fffd}.jsonl"), "{}", ran.err);
}

/// Without `--agent-dir` those of `LOGWOOD_AGENT_DIR` are looked at, without that dreb's and pi's.
#[test]
fn the_environment_names_stores() {
    let store = store();
    let home = Store::new();
    home.file(
        ".pi/agent/sessions/--h--/h.jsonl",
        session("eeee", "/h", "at home", "2026-01-01T00:00:00.000Z"),
    );
    let show = |word: &str, variables: &[(&str, &str)]| -> Ran {
        let mut command = crate::support::logwood(&["show", "-q", word]);
        command.envs(variables.iter().copied()).output().unwrap().into()
    };
    let home = home.path();
    assert_eq!(show("eeee", &[("HOME", &home)]).code, 0);
    assert_eq!(show("eeee", &[("HOME", &home), ("LOGWOOD_AGENT_DIR", &store.path())]).code, 3);
    assert_eq!(show("aaab", &[("HOME", &home), ("LOGWOOD_AGENT_DIR", &store.path())]).code, 0);
    assert_eq!(show("aaab", &[("HOME", &home), ("DREB_CODING_AGENT_DIR", &store.path())]).code, 0);
}
