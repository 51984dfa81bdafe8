//! A whole store, followed.

use std::sync::Arc;

use logwood::follow::{FollowCursor, Start, StoreFollower};
use logwood::inventory::Place;
use logwood::location::Layout;
use logwood::storage::{Create, MemoryStorage, Storage as _};
use logwood_testkit::storage::{Code, Fault, FaultyStorage};

use super::{HEADER, line, words};

fn text(id: &str, entries: &[&str]) -> String {
    let lines: String = entries.iter().map(|id| line(id)).collect();
    HEADER.replace("\"s\"", &format!("\"{id}\"")) + &lines
}

fn places() -> [Place; 2] {
    [Place::new("nest", "/nest", Layout::Nested), Place::new("flat", "/flat", Layout::Flat)]
}

fn follow(storage: &MemoryStorage, start: Start) -> StoreFollower {
    StoreFollower::new(Arc::new(storage.clone()), &places(), start)
}

fn append(storage: &MemoryStorage, path: &str, text: &str) {
    let mut file = storage.open_append(path.as_ref(), Create::Never).unwrap();
    file.append(text.as_bytes()).unwrap();
}

#[test]
fn sessions_come_grow_and_go() {
    let storage = MemoryStorage::new();
    storage.put("/nest/p/a.jsonl", text("a", &["a1"])).unwrap();
    let mut follower = follow(&storage, Start::Now);
    assert_eq!(words(&follower.poll()), [""; 0]);
    storage.put("/nest/q/b.jsonl", text("b", &["b1"])).unwrap();
    storage.put("/flat/c.jsonl", "").unwrap();
    storage.put("/flat/notes.txt", text("n", &[])).unwrap();
    append(&storage, "/nest/p/a.jsonl", &line("a2"));
    let events = follower.poll();
    assert_eq!(words(&events), ["a2", "+b", "b1"]);
    assert_eq!(&*events[0].store, "nest");
    append(&storage, "/flat/c.jsonl", &text("c", &["c1"]));
    storage.remove_file("/nest/p/a.jsonl".as_ref()).unwrap();
    let events = follower.poll();
    assert_eq!(words(&events), ["-a", "+c", "c1"]);
    assert_eq!(&*events[1].store, "flat");
    assert_eq!(words(&follower.poll()), [""; 0]);
}

#[test]
fn a_restart_tells_what_happened_meanwhile_and_nothing_again() {
    let storage = MemoryStorage::new();
    storage.put("/nest/p/a.jsonl", text("a", &["a1"])).unwrap();
    storage.put("/nest/p/b.jsonl", text("b", &["b1"])).unwrap();
    let mut first = follow(&storage, Start::Beginning);
    let mut kept = first.cursor();
    for event in first.poll() {
        kept.advance(event.cursor);
    }
    storage.remove_file("/nest/p/b.jsonl".as_ref()).unwrap();
    append(&storage, "/nest/p/a.jsonl", &line("a2"));
    storage.put("/flat/c.jsonl", text("c", &[])).unwrap();
    for json in [kept.to_json(), first.cursor().to_json()] {
        let cursor = FollowCursor::parse(&json).unwrap();
        let mut second = StoreFollower::resume(Arc::new(storage.clone()), &places(), cursor);
        assert_eq!(words(&second.poll()), ["-b", "+c", "a2"]);
        assert_eq!(words(&second.poll()), [""; 0]);
    }
}

#[test]
fn a_session_that_was_moved_is_not_told_again() {
    let storage = MemoryStorage::new();
    storage.put("/nest/p/a.jsonl", text("a", &["a1"])).unwrap();
    let mut follower = follow(&storage, Start::Now);
    storage.create_dir_all("/nest/q".as_ref()).unwrap();
    storage.rename("/nest/p/a.jsonl".as_ref(), "/nest/q/z.jsonl".as_ref()).unwrap();
    append(&storage, "/nest/q/z.jsonl", &line("a2"));
    let events = follower.poll();
    assert_eq!(words(&events), ["-a", "+a", "a2"]);
    assert_eq!(events[2].path, std::path::Path::new("/nest/q/z.jsonl"));
    assert_eq!(follower.cursor().len(), 1);
}

/// Case 56: a file that is reached by two paths is one session.
#[test]
fn case_56_a_linked_file_is_told_once() {
    let storage = MemoryStorage::new();
    storage.put("/nest/p/a.jsonl", text("a", &["a1"])).unwrap();
    storage.put_link("/nest/q", "/nest/p").unwrap();
    storage.put_link("/flat/b.jsonl", "/nest/p/a.jsonl").unwrap();
    let mut follower = follow(&storage, Start::Beginning);
    assert_eq!(words(&follower.poll()), ["+a", "a1"]);
    append(&storage, "/nest/p/a.jsonl", &line("a2"));
    assert_eq!(words(&follower.poll()), ["a2"]);
}

#[test]
fn hints_are_looked_at_and_unknown_ones_make_it_look_at_all() {
    let storage = MemoryStorage::new();
    for name in ["a", "b"] {
        storage.put(format!("/flat/{name}.jsonl"), text(name, &[])).unwrap();
    }
    let mut follower = follow(&storage, Start::Now);
    append(&storage, "/flat/a.jsonl", &line("a1"));
    append(&storage, "/flat/b.jsonl", &line("b1"));
    assert_eq!(words(&follower.poll_paths(&["/flat/b.jsonl".into()])), ["b1"]);
    assert_eq!(words(&follower.poll_paths(&["/flat".into()])), ["a1"]);
    storage.remove_file("/flat/b.jsonl".as_ref()).unwrap();
    assert_eq!(words(&follower.poll_paths(&["/flat/b.jsonl".into()])), ["-b"]);
}

/// A folder that cannot be read for a while has not lost its sessions.
#[test]
fn a_folder_that_cannot_be_read_is_told_once() {
    let storage = MemoryStorage::new();
    storage.put("/flat/a.jsonl", text("a", &[])).unwrap();
    let faulty = FaultyStorage::new(Arc::new(storage.clone()));
    let mut follower = StoreFollower::new(Arc::new(faulty.clone()), &places(), Start::Now);
    // The second call of a poll lists the second place.
    let deny = || drop(faulty.clone().with(faulty.calls() + 1, Fault::Fails(Code::Denied)));
    deny();
    assert_eq!(words(&follower.poll()), ["unreadable: permission"]);
    deny();
    append(&storage, "/flat/a.jsonl", &line("a1"));
    assert_eq!(words(&follower.poll()), ["a1"]);
    assert_eq!(faulty.hit().len(), 2);
    assert_eq!(words(&follower.poll()), [""; 0]);
    deny();
    assert_eq!(words(&follower.poll()), ["unreadable: permission"]);
}

#[test]
fn a_busy_file_keeps_no_other_waiting() {
    let storage = MemoryStorage::new();
    storage.put("/flat/a.jsonl", text("a", &[])).unwrap();
    storage.put("/flat/b.jsonl", text("b", &[])).unwrap();
    storage.put("/flat/c.jsonl", text("c", &[])).unwrap();
    let mut follower = follow(&storage, Start::Now);
    let long = line(&"x".repeat(5_000_000));
    append(&storage, "/flat/b.jsonl", &long.repeat(3));
    append(&storage, "/flat/a.jsonl", &line("a1"));
    append(&storage, "/flat/c.jsonl", &line("c1"));
    let mut told = Vec::new();
    for _ in 0..4 {
        told.extend(words(&follower.poll()).into_iter().map(|word| word[..1].to_owned()));
        append(&storage, "/flat/b.jsonl", &long);
    }
    let at = |word: &str| told.iter().position(|told| told == word).unwrap();
    assert!(at("a") < at("c") && at("c") < 4, "{told:?}");
}
