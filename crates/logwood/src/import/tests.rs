//! Imports, in memory.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::error::ErrorKind;
use crate::storage::{FileKind, MemoryStorage, Storage};

const SOURCE: &str = "\u{feff}{ \"type\":\"session\", \"id\":\"a\",\"timestamp\":\"2025-03-04T09:00:00.000Z\",\"n\":1.0}\r\n\n{\"type\":\"x\"}\nnot json";

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put("/drop/trip.jsonl", SOURCE).unwrap();
    memory
}

fn import(memory: &MemoryStorage) -> Import {
    Import::new("/store/p").storage(Arc::new(memory.clone())).roots(vec!["/store".into()])
}

fn run(import: &Import, path: &str) -> Result<Imported, ErrorKind> {
    import.run(Path::new(path)).map_err(|error| error.kind())
}

#[test]
fn a_copy_is_byte_for_byte_and_the_source_stays() {
    let memory = memory();
    let imported = run(&import(&memory), "/drop/trip.jsonl").unwrap();
    assert_eq!((&*imported.path, &*imported.id), (Path::new("/store/p/trip.jsonl"), "a"));
    for path in ["/store/p/trip.jsonl", "/drop/trip.jsonl"] {
        assert_eq!(memory.contents(path).unwrap(), SOURCE.as_bytes());
    }
    assert_eq!(memory.metadata(Path::new("/store/p/trip.jsonl")).unwrap().access.mode, 0o600);
    assert_eq!(memory.metadata(Path::new("/store/p")).unwrap().kind, FileKind::Dir);
}

/// Larger than what is copied at once.
#[test]
fn a_large_file_is_copied_whole() {
    let memory = MemoryStorage::new();
    let line = format!("{{\"x\":\"{}\"}}\n", "y".repeat(100_000));
    let text = format!("{SOURCE}\n{}", line.repeat(8));
    memory.put("/drop/big.jsonl", text.clone()).unwrap();
    let copy = run(&import(&memory), "/drop/big.jsonl").unwrap();
    assert_eq!(memory.contents(&copy.path).unwrap(), text.as_bytes());
    assert_eq!(run(&import(&memory), "/drop/big.jsonl").unwrap().outcome, Outcome::AlreadyThere);
    let own = run(&import(&memory).new_id(true), "/drop/big.jsonl").unwrap();
    let changed = text.replacen("\"id\":\"a\"", &format!("\"id\":\"{}\"", own.id), 1);
    assert_eq!(memory.contents(&own.path).unwrap(), changed.as_bytes());
}

#[test]
fn a_name_that_is_taken_is_left_alone() {
    let memory = memory();
    memory.put("/store/p/trip.jsonl", "something else").unwrap();
    memory.put_link("/store/p/trip-2.jsonl", "nothing").unwrap();
    let imported = run(&import(&memory), "/drop/trip.jsonl").unwrap();
    assert_eq!(imported.path, Path::new("/store/p/trip-3.jsonl"));
    assert_eq!(memory.contents("/store/p/trip.jsonl").unwrap(), b"something else");
}

#[test]
fn a_session_that_is_there_is_named_wherever_it_is_and_however_it_is_called() {
    let memory = memory();
    memory.put("/store/q/other.jsonl", SOURCE).unwrap();
    let imported = run(&import(&memory), "/drop/trip.jsonl").unwrap();
    assert_eq!(imported.outcome, Outcome::AlreadyThere);
    assert_eq!(imported.path, Path::new("/store/q/other.jsonl"));
    assert!(memory.list(Path::new("/store/p")).is_err());
    // One that is in the store by itself is the same too.
    assert_eq!(run(&import(&memory), "/store/q/other.jsonl").unwrap(), imported);
}

#[test]
fn another_session_of_the_id_refuses_it_unless_it_gets_a_new_one() {
    let memory = memory();
    let other = SOURCE.replace("not json", "not JSON");
    memory.put("/store/q/other.jsonl", other.clone()).unwrap();
    let error = import(&memory).run(Path::new("/drop/trip.jsonl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ChangedOnDisk);
    let text = error.to_string();
    assert!(text.contains("/store/q/other.jsonl") && text.contains("--new-id"), "{text}");
    let own = run(&import(&memory).new_id(true), "/drop/trip.jsonl").unwrap();
    assert_eq!(own.path, Path::new(&format!("/store/p/2025-03-04T09-00-00-000Z_{}.jsonl", own.id)));
    let wanted = SOURCE.replace("\"id\":\"a\"", &format!("\"id\":\"{}\"", own.id));
    assert_eq!(memory.contents(&own.path).unwrap(), wanted.as_bytes());
    assert_eq!(memory.contents("/store/q/other.jsonl").unwrap(), other.as_bytes());
}

#[test]
fn what_is_no_session_leaves_nothing_behind() {
    let memory = memory();
    memory.put("/drop/notes.jsonl", "{\"a\":1}\n").unwrap();
    memory.put("/drop/empty.jsonl", "").unwrap();
    memory.put("/drop/torn.jsonl", "{\"type\":\"session\",").unwrap();
    for (path, kind) in [
        ("/drop/notes.jsonl", ErrorKind::NotASession),
        ("/drop/empty.jsonl", ErrorKind::EmptyFile),
        ("/drop/torn.jsonl", ErrorKind::HeaderCorrupt),
        ("/drop/gone.jsonl", ErrorKind::NotFound),
        ("/drop", ErrorKind::NotAFile),
    ] {
        assert_eq!(run(&import(&memory), path), Err(kind), "{path}");
        assert_eq!(run(&import(&memory).new_id(true), path), Err(kind), "{path}");
    }
    assert!(memory.list(Path::new("/store")).is_err());
}

#[test]
fn a_file_of_any_name_becomes_a_session_file() {
    let memory = memory();
    memory.put("/drop/backup.txt", SOURCE.replace("\"a\"", "\"b\"")).unwrap();
    let imported = run(&import(&memory), "/drop/backup.txt").unwrap();
    assert_eq!(imported.path, Path::new("/store/p/backup.txt.jsonl"));
}
