//! Any bytes as a session file: opening changes nothing, what is appended is there after reopening, old bytes are a prefix or kept in a
//! copy, and a foreign tail loses nothing.
#![no_main]

use std::path::Path;
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use logwood::entry::{BlockDraft, user_message};
use logwood::session::{SessionManager, SessionOptions};
use logwood::storage::{Create, MemoryStorage, Storage};

const FILE: &str = "/s/a.jsonl";

fuzz_target!(|input: (Vec<u8>, Vec<u8>, bool)| {
    let (bytes, tail, with_header) = input;
    let header: &[u8] = if with_header { HEADER } else { b"" };
    let bytes = [header, &bytes].concat();
    let storage = Arc::new(MemoryStorage::new());
    storage.create_dir_all(Path::new("/s")).expect("a folder");
    storage.put(FILE, bytes.clone()).expect("a file");
    let Ok(mut session) = SessionOptions::new().storage(storage.clone()).open(FILE) else {
        assert_eq!(contents(&storage), bytes, "a refused file is left alone");
        return;
    };
    assert_eq!(contents(&storage), bytes, "opening changes nothing");
    let old = session.needs_migration();
    let entries = session.entries().count();
    let _ = (session.context(), session.explain(session.leaf()), session.tree().walk().count());
    let Ok(first) = append(&mut session) else { return };
    if !old {
        assert!(contents(&storage).starts_with(&bytes), "old bytes stay");
    }
    let mut file = storage.open_append(Path::new(FILE), Create::Never).expect("the file is there");
    file.append(&tail).expect("memory takes bytes");
    let second = append(&mut session);
    let again = SessionOptions::new().storage(storage.clone()).read_only(true).open(FILE);
    let again = again.expect("what was open opens again");
    assert!(again.entries().count() > entries);
    for id in std::iter::once(first).chain(second) {
        assert!(again.tree().find(&id).is_some(), "an acknowledged entry is there");
    }
});

const HEADER: &[u8] =
    b"{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"/\"}\n";

fn append(session: &mut SessionManager) -> Result<String, logwood::error::Error> {
    session.append_message(user_message(&[BlockDraft::Text("hi".into())], 1))
}

fn contents(storage: &MemoryStorage) -> Vec<u8> {
    storage.contents(FILE).expect("the file is there")
}
