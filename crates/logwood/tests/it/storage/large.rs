//! A large new file is written by a thread where the caller allows one: the same bytes, the same errors, nothing left over.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use logwood::storage::{MemoryStorage, Replacement, Settled, Storage};
use logwood_testkit::storage::{Code, Fault, FaultyStorage, RecordingStorage, Verb};

const PATH: &str = "/a.jsonl";
/// 40 MB in all: more than is brought to the disk at once.
const LINES: usize = 40_000;

fn line(number: usize) -> Vec<u8> {
    format!("{{\"line\":{number:0>990}}}\n").into_bytes()
}

fn write(storage: &dyn Storage) -> io::Result<Settled> {
    let mut new = Replacement::of_nothing(Path::new(PATH), storage)?.in_background(true);
    let identity = new.identity()?;
    for number in 0..LINES {
        new.write_all(&line(number))?;
    }
    assert_eq!(new.identity()?, identity);
    new.commit()
}

fn whole() -> Vec<u8> {
    (0..LINES).flat_map(line).collect()
}

#[test]
fn every_byte_arrives_in_order_and_some_are_synced_on_the_way() {
    let memory = MemoryStorage::new();
    let storage = RecordingStorage::new(Arc::new(memory.clone()));
    assert!(matches!(write(&storage).unwrap(), Settled::Durable));
    assert!(memory.contents(PATH).unwrap() == whole());
    assert!(storage.count(Verb::SyncData) < 10, "once in 4 MiB, where there is nothing to write");
    assert_eq!(storage.count(Verb::SyncAll), 1);
    let largest = storage.take().iter().map(|call| call.bytes).max().unwrap();
    assert!(largest < 100_000, "{largest} bytes in one call");
}

#[test]
fn one_large_piece_arrives_whole() {
    let memory = MemoryStorage::new();
    let mut new = Replacement::of_nothing(Path::new(PATH), &memory).unwrap().in_background(true);
    new.write_all(&whole()).unwrap();
    let _ = new.commit().unwrap();
    assert!(memory.contents(PATH).unwrap() == whole());
}

/// What fails in the thread is told by the next write or at the end, and no draft stays.
#[test]
fn an_error_on_the_way_is_told() {
    let counting = FaultyStorage::new(Arc::new(MemoryStorage::new()));
    let _ = write(&counting).unwrap();
    let calls = counting.calls();
    for fault in [Fault::Fails(Code::NoSpace), Fault::Tears(Code::NoSpace)] {
        // Near the end of the part that is written here, in the thread, and just before the last steps.
        for call in [130, 200, calls / 2, calls - 8] {
            let memory = MemoryStorage::new();
            let storage = FaultyStorage::new(Arc::new(memory.clone())).with(call, fault);
            let error = write(&storage).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "call {call}");
            assert_eq!(memory.list(Path::new("/")).unwrap(), [], "call {call}");
        }
    }
}

#[test]
fn a_draft_that_is_given_up_goes() {
    let memory = MemoryStorage::new();
    let mut new = Replacement::of_nothing(Path::new(PATH), &memory).unwrap().in_background(true);
    new.write_all(&whole()).unwrap();
    drop(new);
    assert_eq!(memory.list(Path::new("/")).unwrap(), []);
}

/// The library starts no thread that nobody asked for: everything happens on this one, and nothing is synced on the way.
#[test]
fn without_leave_there_is_no_thread() {
    let memory = MemoryStorage::new();
    let storage = RecordingStorage::new(Arc::new(memory.clone()));
    let mut new = Replacement::of_nothing(Path::new(PATH), &storage).unwrap();
    new.write_all(&whole()).unwrap();
    assert!(matches!(new.commit().unwrap(), Settled::Durable));
    assert!(memory.contents(PATH).unwrap() == whole());
    assert_eq!(storage.count(Verb::SyncData), 0);
}
