//! What following reads: the new bytes, and next to nothing of the rest.

use std::sync::Arc;

use logwood::follow::{FollowCursor, SessionFollower, Start, StoreFollower};
use logwood::inventory::Place;
use logwood::location::Layout;
use logwood::storage::{Create, MemoryStorage, Storage as _};
use logwood_testkit::storage::{RecordingStorage, Verb};

use super::{HEADER, PATH, append, line, words};

/// A session of 8 MB.
fn big() -> MemoryStorage {
    let storage = MemoryStorage::new();
    let lines: String = (0..8).map(|n| line(&format!("{n}{}", "x".repeat(1_000_000)))).collect();
    storage.put(PATH, format!("{HEADER}{lines}{}", line("last"))).unwrap();
    storage
}

#[test]
fn an_append_costs_its_own_bytes() {
    let storage = big();
    let recording = RecordingStorage::new(Arc::new(storage.clone()));
    let mut follower = SessionFollower::new(Arc::new(recording.clone()), PATH, Start::Now).unwrap();
    let read = recording.bytes(Verb::ReadAt);
    assert!(read < 20_000, "both ends, not {read} bytes");
    recording.take();
    assert!(follower.poll().is_empty());
    assert_eq!(recording.count(Verb::Open), 0, "what did not change is not opened");
    append(&storage, &line("new"));
    recording.take();
    assert_eq!(words(&follower.poll()), ["new"]);
    let read = recording.bytes(Verb::ReadAt);
    assert!(read < 300, "{read} bytes");

    let cursor = follower.cursor();
    recording.take();
    let mut resumed = SessionFollower::resume(Arc::new(recording.clone()), cursor);
    assert!(resumed.poll().is_empty());
    assert_eq!(recording.count(Verb::Open), 0, "the cursor knows that nothing changed");
    append(&storage, &line("newer"));
    assert_eq!(words(&resumed.poll()), ["newer"]);
    let read = recording.bytes(Verb::ReadAt);
    assert!(read < 300, "{read} bytes");
}

#[test]
fn a_store_that_did_not_change_costs_a_look_at_each_file() {
    let storage = MemoryStorage::new();
    for number in 0..50 {
        storage
            .put(format!("/flat/{number}.jsonl"), HEADER.replace("\"s\"", &format!("\"{number}\"")))
            .unwrap();
    }
    let recording = RecordingStorage::new(Arc::new(storage.clone()));
    let places = [Place::new("", "/flat", Layout::Flat)];
    let mut follower = StoreFollower::new(Arc::new(recording.clone()), &places, Start::Now);
    let json = follower.cursor().to_json();
    recording.take();
    assert!(follower.poll().is_empty());
    let resumed = FollowCursor::parse(&json).unwrap();
    let mut resumed = StoreFollower::resume(Arc::new(recording.clone()), &places, resumed);
    assert!(resumed.poll().is_empty());
    assert_eq!((recording.count(Verb::Open), recording.count(Verb::Metadata)), (0, 100));
    let mut file = storage.open_append("/flat/7.jsonl".as_ref(), Create::Never).unwrap();
    file.append(line("new").as_bytes()).unwrap();
    recording.take();
    assert_eq!(words(&follower.poll()), ["new"]);
    assert_eq!(recording.count(Verb::Open), 1);
}
