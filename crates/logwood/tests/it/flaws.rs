//! The flaws of dreb's store that lose data or hang (spec section 11, F-01 to F-13, F-20 and F-24), one test each: what logwood does instead.

use std::path::Path;
use std::sync::Arc;

use logwood::entry::{BlockDraft, JsonText, user_message};
use logwood::error::ErrorKind;
use logwood::session::{NewSession, SessionManager, SessionOptions};
use logwood::storage::{MemoryStorage, Storage};
use logwood_testkit::storage::{Code, Fault, FaultyStorage};

const FILE: &str = "/d/s.jsonl";
const H: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/"}"#;

fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

fn answer() -> JsonText {
    JsonText::parse(br#"{"role":"assistant","content":[],"provider":"p","model":"m"}"#).unwrap()
}

fn message(id: &str, parent: &str, role: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2025-01-01T00:00:01.000Z","message":{{"role":"{role}","content":"{id}"}}}}"#
    )
}

fn with(text: impl Into<String>) -> (MemoryStorage, SessionOptions) {
    let memory = MemoryStorage::new();
    memory.put(FILE, text.into()).unwrap();
    let options = SessionOptions::new().storage(Arc::new(memory.clone()));
    (memory, options)
}

fn contents(memory: &MemoryStorage, path: impl AsRef<Path>) -> String {
    String::from_utf8(memory.contents(path).unwrap()).unwrap()
}

/// How many messages the model would get.
fn context(session: &SessionManager) -> usize {
    session.context().unwrap().len()
}

#[test]
fn f01_opening_destroys_nothing() {
    let bad = [
        format!("{{\"type\":\"sess\n{}\n", message("a", "", "user")),
        "{\"my\":\"data\"}\n".to_owned(),
        format!("{}\n{H}\n", message("a", "", "user")),
        H.replace("\"s\"", "5") + "\n",
    ];
    for text in bad {
        let (memory, options) = with(text.clone());
        let error = options.open(FILE).unwrap_err();
        assert!(
            [ErrorKind::HeaderCorrupt, ErrorKind::NotASession].contains(&error.kind()),
            "{error}"
        );
        assert_eq!(contents(&memory, FILE), text);
    }
}

#[test]
fn f02_an_append_starts_on_its_own_line() {
    for tail in ["", "\n{\"type\":\"mess", "\n\0\0\0\0"] {
        let (_, options) = with(format!(
            "{H}\n{}\n{}{tail}",
            message("a", "", "user"),
            message("b", "a", "assistant")
        ));
        options.open(FILE).unwrap().append_message(user("c")).unwrap();
        assert_eq!(context(&options.open(FILE).unwrap()), 3, "{tail:?}");
    }
}

#[test]
fn f03_a_branch_is_linked_across_removed_labels() {
    let label = r#"{"type":"label","id":"l","parentId":"b","timestamp":"2025-01-01T00:00:01.000Z","targetId":"b","label":"x"}"#;
    let lines = [
        message("a", "", "user"),
        message("b", "a", "assistant"),
        label.into(),
        message("c", "l", "user"),
        message("d", "c", "assistant"),
    ];
    let (_, options) = with(format!("{H}\n{}\n", lines.join("\n")));
    let mut session = options.open(FILE).unwrap();
    session.create_branched_session("d", None).unwrap();
    assert_eq!(context(&session), 4);
    assert_eq!(context(&options.open(session.session_file().unwrap()).unwrap()), 4);
}

#[test]
fn f04_a_fork_migrates_its_copy() {
    let old = "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{\"type\":\"message\",\"message\":{\"role\":\"hookMessage\",\"content\":\"b\"}}\n";
    let (memory, options) = with(old);
    let fork = options.fork_from(FILE, "/q", "/f").unwrap();
    let again = options.open(fork.session_file().unwrap()).unwrap();
    assert_eq!((context(&again), again.needs_migration()), (2, false));
    assert!(contents(&memory, fork.session_file().unwrap()).contains("\"role\":\"custom\""));
    assert_eq!(contents(&memory, FILE), old);
}

#[test]
fn f05_nothing_is_written_twice() {
    for text in [format!("{H}\n{}\n", message("a", "", "user")), String::new()] {
        let (memory, options) = with(text);
        let mut session = options.open(FILE).unwrap();
        session.append_message(user("b")).unwrap();
        session.append_message(answer()).unwrap();
        let now = contents(&memory, FILE);
        assert_eq!(now.matches("\"session\"").count(), 1, "{now}");
        let entries = session.entries().count();
        assert_eq!((now.lines().count(), session.tree().len()), (entries + 1, entries));
    }
}

#[test]
fn f06_cycles_end() {
    for lines in [
        vec![message("a", "a", "user")],
        vec![message("a", "b", "user"), message("b", "a", "assistant")],
    ] {
        let (_, options) = with(format!("{H}\n{}\n", lines.join("\n")));
        let mut session = options.open(FILE).unwrap();
        assert_eq!(context(&session), lines.len());
        assert_eq!(session.tree().walk().count(), lines.len());
        session.append_message(user("on")).unwrap();
        assert_eq!(context(&options.open(FILE).unwrap()), lines.len() + 1);
    }
}

#[test]
fn f07_ids_that_repeat_are_one_node() {
    let chain: Vec<String> = (0..40)
        .map(|n: u32| {
            message(
                &n.to_string(),
                &n.checked_sub(1).map(|n| n.to_string()).unwrap_or_default(),
                "user",
            )
        })
        .collect();
    let (_, options) = with(format!("{H}\n{0}\n{0}\n", chain.join("\n")));
    let session = options.open(FILE).unwrap();
    assert_eq!((session.tree().walk().count(), session.entries().count()), (40, 80));
}

#[test]
fn f08_odd_records_are_no_entries() {
    let odd = "null\n5\n[]\n{\"type\":\"message\",\"message\":{\"role\":\"user\"}}";
    let hollow = r#"{"type":"message","id":"x","parentId":"a"}"#;
    let (memory, options) = with(format!("{H}\n{}\n{hollow}\n{odd}\n", message("a", "", "user")));
    let mut session = options.open(FILE).unwrap();
    assert_eq!(session.leaf_id(), Some("x"));
    session.append_message(user("b")).unwrap();
    assert!(
        contents(&memory, FILE).contains(odd)
            && contents(&memory, FILE).contains("\"parentId\":\"x\"")
    );
    assert_eq!(context(&options.open(FILE).unwrap()), 2);
}

#[test]
fn f09_a_lost_version_is_not_version_1() {
    let text = format!(
        "{}\n{}\n{}\n{}\n",
        H.replace("\"version\":3,", ""),
        message("a", "", "user"),
        message("b", "a", "assistant"),
        message("c", "a", "user")
    );
    let (_, options) = with(text);
    let mut session = options.open(FILE).unwrap();
    let children = |session: &SessionManager| {
        let tree = session.tree();
        tree.children(tree.find("a").unwrap())
            .map(|node| tree.id(node).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(children(&session), ["b", "c"]);
    let d = session.append_message(user("d")).unwrap();
    let again = options.open(FILE).unwrap();
    assert_eq!(children(&again), ["b", "c"]);
    assert_eq!(again.leaf_id(), Some(&*d));
}

#[test]
fn f10_what_a_compaction_keeps_survives_migration() {
    let lines = [
        "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\"}",
        "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}",
        "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"b\"}}",
        "{\"type\":\"compaction\",\"summary\":\"S\",\"firstKeptEntryIndex\":2,\"tokensBefore\":1}",
        "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"c\"}}",
    ];
    let (_, options) = with(lines.join("\n") + "\n");
    let mut session = options.open(FILE).unwrap();
    assert_eq!(context(&session), 3, "summary, b, c");
    session.migrate().unwrap();
    assert_eq!(context(&options.open(FILE).unwrap()), 3);
}

#[test]
fn f11_migration_keeps_what_it_does_not_understand() {
    let odd = "{\"type\":\"custom\",\"2\":1,\"1\":12345678901234567890,\"a\":1,\"a\":2,\"id\":\"c\",\"parentId\":null}";
    let mut old = format!("{}\n{{broken\n{odd}\n", H.replace(":3,", ":2,")).into_bytes();
    old.extend_from_slice(
        b"{\"type\":\"custom\",\"id\":\"d\",\"parentId\":\"c\",\"t\":\"\xff\xfe\"}\n",
    );
    let memory = MemoryStorage::new();
    memory.put(FILE, old.clone()).unwrap();
    let options = SessionOptions::new().storage(Arc::new(memory.clone()));
    let mut session = options.open(FILE).unwrap();
    assert_eq!(memory.contents(FILE).unwrap(), old, "not by looking");
    let backup = session.migrate().unwrap().unwrap();
    assert_eq!(memory.contents(backup).unwrap(), old);
    let tail = |bytes: &[u8]| bytes.splitn(2, |byte| *byte == b'\n').nth(1).map(<[u8]>::to_vec);
    assert_eq!(tail(&memory.contents(FILE).unwrap()), tail(&old));
}

#[test]
fn f12_a_failed_write_leaves_memory_and_disk_alike() {
    let memory = MemoryStorage::new();
    let storage = FaultyStorage::new(Arc::new(memory.clone()));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    let mut session = options.create("/d", NewSession::default()).unwrap();
    session.append_message(user("a")).unwrap();
    let _ = storage.clone().with(storage.calls(), Fault::Sticks(Code::NoSpace));
    assert_eq!(session.append_message(answer()).unwrap_err().kind(), ErrorKind::NoSpace);
    storage.mend();
    let b = session.append_message(answer()).unwrap();
    let _ = storage.clone().with(storage.calls() + 3, Fault::Tears(Code::NoSpace));
    assert_eq!(session.append_message(user("c")).unwrap_err().kind(), ErrorKind::NoSpace);
    assert_eq!(session.leaf_id(), Some(&*b));
    session.append_message(user("d")).unwrap();
    let again = options.open(session.session_file().unwrap()).unwrap();
    assert_eq!((context(&again), again.problems().len()), (3, 0));
}

#[test]
fn f13_a_removed_file_is_not_made_anew_without_a_header() {
    let (memory, options) = with(format!("{H}\n{}\n", message("a", "", "assistant")));
    let mut session = options.open(FILE).unwrap();
    memory.remove_file(Path::new(FILE)).unwrap();
    let error = session.append_message(user("b")).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::ChangedOnDisk, Some(Path::new(FILE))));
    assert!(memory.metadata(Path::new(FILE)).is_err());
}

#[test]
fn f20_two_managers_see_each_other() {
    let (_, options) = with(format!("{H}\n{}\n", message("a", "", "user")));
    let [mut one, mut two] = [(); 2].map(|()| options.open(FILE).unwrap());
    one.append_session_info("kept, without an answer").unwrap();
    two.append_message(answer()).unwrap();
    assert_eq!(two.session_name(), Some("kept, without an answer"));
    two.set_agent_type("Explore").unwrap();
    one.append_message(user("b")).unwrap();
    let again = options.open(FILE).unwrap();
    assert_eq!(again.header().agent_type().as_deref(), Some("Explore"));
    assert_eq!((again.tree().len(), one.tree().len()), (4, 4));
}

/// dreb rewrites in place: a body that is read by its position is checked, and is never the text of another entry (design section 2).
#[test]
fn a_body_that_was_rewritten_in_place_is_told_and_never_wrong() {
    let padding =
        format!(r#"{{"type":"custom","id":"p","parentId":"a","data":"{}"}}"#, "x".repeat(9 << 20));
    let file = |first: &str| format!("{H}\n{}\n{padding}\n{}\n", first, message("z", "p", "user"));
    let before = file(&message("a", "", "user"));
    for (after, is_told) in [
        (file(&message("a", "", "user")), false),
        (file(&message("b", "", "user")), true),
        (file(&format!("{} ", message("a", "", "user"))), true),
        (H.to_owned() + "\n", true),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, &before).unwrap();
        let session = SessionOptions::new().read_only(true).open(&path).unwrap();
        std::fs::write(&path, after).unwrap();
        let error = session.context().err();
        assert_eq!(error.map(|error| error.kind()), is_told.then_some(ErrorKind::ChangedOnDisk));
    }
}

#[test]
fn f24_a_parent_is_named_from_the_root_and_only_when_it_is_there() {
    let (memory, options) = with(format!("{H}\n{}\n", message("a", "", "assistant")));
    let parent_of =
        |session: &SessionManager| session.header().parent_session().map(|p| p.into_owned());
    let relative = &FILE[1..];
    let fork = options.fork_from(relative, "/q", "/q").unwrap();
    assert_eq!(parent_of(&fork).as_deref(), Some(FILE));
    let mut branch = options.open(relative).unwrap();
    branch.create_branched_session("a", None).unwrap();
    assert_eq!(parent_of(&branch).as_deref(), Some(FILE));
    let mut unwritten = options.create("/n", NewSession::default()).unwrap();
    let question = unwritten.append_message(user("never answered")).unwrap();
    assert!(memory.list(Path::new("/n")).is_err());
    unwritten.create_branched_session(&question, None).unwrap();
    assert_eq!(parent_of(&unwritten), None);
    unwritten.append_message(answer()).unwrap();
    let file = unwritten.session_file().unwrap().to_string_lossy().into_owned();
    let asked = unwritten.tree().roots().next().map(|node| unwritten.tree().id(node).to_owned());
    unwritten.fork(&asked.unwrap(), None).unwrap();
    assert_eq!(parent_of(&unwritten), Some(file));
}
