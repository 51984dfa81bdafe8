//! One append to a file that is not read.

use std::path::Path;
use std::sync::Arc;

use logwood::entry::{BlockDraft, EntryDraft, user_message};
use logwood::error::ErrorKind;
use logwood::problem::{Problem, ProblemKind};
use logwood::session::SessionOptions;
use logwood::storage::MemoryStorage;
use logwood_testkit::generate::big;
use logwood_testkit::storage::{FaultyStorage, RecordingStorage, Verb};

const FILE: &str = "/s.jsonl";

fn chain(entries: u32) -> Vec<u8> {
    let mut text = Vec::new();
    big::chain(&mut text, entries).unwrap();
    text
}

fn message() -> EntryDraft {
    EntryDraft::Message(user_message(&[BlockDraft::Text("one more".into())], 1))
}

/// Appends to these bytes; gives the id, the bytes after, and how many bytes were read.
fn append(bytes: &[u8]) -> (String, Vec<u8>, usize) {
    let memory = MemoryStorage::new();
    memory.put(FILE, bytes).unwrap();
    let storage = RecordingStorage::new(Arc::new(memory.clone()));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    let id = options.append_to(FILE, message()).unwrap().id;
    assert!(storage.count(Verb::Append) == 1 || id.len() == 8);
    let read = storage.bytes(Verb::ReadAt);
    let session = options.read_only(true).open(FILE).unwrap();
    assert_eq!(session.leaf_id(), Some(&*id));
    (id, memory.contents(FILE).unwrap(), read)
}

#[test]
fn a_large_file_is_not_read() {
    let mut bytes = chain(10_000);
    let filler = format!(
        "{{\"type\":\"custom\",\"customType\":\"{}\",\"id\":\"filler\",\"parentId\":null}}\n",
        "x".repeat(48 * 1024 * 1024)
    );
    bytes.extend_from_slice(filler.as_bytes());
    bytes.extend_from_slice(
        b"{\"type\":\"custom\",\"customType\":\"y\",\"id\":\"last\",\"parentId\":null}\n",
    );
    assert!(bytes.len() > 50_000_000);
    let (id, after, read) = append(&bytes);
    assert!(read < 1024 * 1024, "{read} bytes were read");
    assert_eq!(id.len(), 36, "a whole UUID, since the other ids are not known");
    let line = after.strip_prefix(&*bytes).unwrap();
    let line = std::str::from_utf8(line).unwrap();
    assert!(
        line.contains("\"parentId\":\"last\"") && line.ends_with("\"timestamp\":1}}\n"),
        "{line}"
    );
}

#[test]
fn a_long_last_line_is_found() {
    let mut bytes = chain(5_000);
    let long = "z".repeat(700_000);
    bytes.extend_from_slice(
        format!(
            "{{\"type\":\"custom\",\"customType\":\"{long}\",\"id\":\"long\",\"parentId\":null}}\n"
        )
        .as_bytes(),
    );
    let (id, after, _) = append(&bytes);
    let line = after.strip_prefix(&*bytes).unwrap();
    assert!(id.len() == 36 && std::str::from_utf8(line).unwrap().contains("\"parentId\":\"long\""));
}

/// What is not plain is left to a full open, which knows the rules: fences, versions, ids.
#[test]
fn odd_files_are_opened() {
    let plain = chain(5_000);
    assert!(plain.len() > 300_000);
    for tail in ["{\"type\":\"mess", "\0\0\0", "{\"torn\n", "7\n", "\n"] {
        let bytes = [&plain, tail.as_bytes()].concat();
        let (id, after, read) = append(&bytes);
        assert!(id.len() == 8 && read >= bytes.len(), "{tail:?}");
        assert!(after.starts_with(&bytes), "{tail:?}: old bytes stay");
    }
    let small = chain(10);
    assert_eq!(append(&small).0.len(), 8);
    let text = String::from_utf8(plain).unwrap();
    let old = text.replacen("\"version\":3", "\"version\":2", 1);
    let (id, after, _) = append(old.as_bytes());
    assert!(id.len() == 8 && after.starts_with(text.lines().next().unwrap().as_bytes()));
}

#[test]
fn errors_are_those_of_opening() {
    let memory = MemoryStorage::new();
    let options = SessionOptions::new().storage(Arc::new(memory.clone()));
    assert_eq!(options.append_to(FILE, message()).unwrap_err().kind(), ErrorKind::NotFound);
    let notes = b"{\"my\":\"data\"}\n".repeat(30_000);
    memory.put(FILE, notes.clone()).unwrap();
    let error = options.append_to(FILE, message()).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::NotASession, Some(Path::new(FILE))));
    assert_eq!(memory.contents(FILE).unwrap(), notes, "F-01");
    memory.put(FILE, chain(5_000)).unwrap();
    let label = EntryDraft::Label { target_id: "gone".into(), label: Some("x".into()) };
    assert_eq!(options.append_to(FILE, label).unwrap_err().kind(), ErrorKind::EntryNotFound);
    let options = options.read_only(true);
    assert_eq!(options.append_to(FILE, message()).unwrap_err().kind(), ErrorKind::ReadOnly);
}

/// On a file system without locks the append goes on, and says so once; on others it says nothing.
#[test]
fn a_file_system_without_locks_is_told_of() {
    let told = |problems: &[Problem]| {
        problems.iter().filter(|problem| problem.kind == ProblemKind::NoLock).count()
    };
    for (is_locking, expected) in [(false, 1), (true, 0)] {
        for entries in [3, 4_000] {
            let memory = MemoryStorage::new();
            memory.put(FILE, chain(entries)).unwrap();
            memory.put("/empty.jsonl", "").unwrap();
            let storage = FaultyStorage::new(Arc::new(memory));
            let storage = if is_locking { storage } else { storage.without_locks() };
            let options = SessionOptions::new().storage(Arc::new(storage));
            assert_eq!(told(&options.append_to(FILE, message()).unwrap().problems), expected);
            for file in [FILE, "/empty.jsonl"] {
                let mut session = options.open(file).unwrap();
                assert_eq!(told(session.problems()), 0, "nothing was asked yet");
                session.append_session_info("a").unwrap();
                assert_eq!(told(session.problems()), expected, "{file}");
                session.append_session_info("b").unwrap();
                session.set_agent_type("x").unwrap();
                session.append_session_info("c").unwrap();
                assert_eq!(told(session.problems()), expected, "{file}");
                let again = options.clone().read_only(true).open(file).unwrap();
                assert_eq!(again.session_name(), Some("c"));
            }
        }
    }
}
