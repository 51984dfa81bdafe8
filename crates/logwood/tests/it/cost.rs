//! What reading costs, in calls and allocations: counts hold on every machine, times do not.

use std::path::Path;
use std::sync::Arc;

use allocation_counter::measure;
use logwood::inventory::{Inventory, most_recent};
use logwood::line::BLOCK;
use logwood::session::SessionOptions;
use logwood::storage::{MemoryStorage, Storage};
use logwood_testkit::generate::big::{chain, long_line};
use logwood_testkit::storage::{RecordingStorage, Verb};

const FILE: &str = "/s/p/a.jsonl";

fn recorded(files: &[(&str, &[u8])]) -> RecordingStorage {
    let memory = MemoryStorage::new();
    for (path, bytes) in files {
        memory.create_dir_all(Path::new(path).parent().unwrap()).unwrap();
        memory.put(path, *bytes).unwrap();
    }
    RecordingStorage::new(Arc::new(memory))
}

fn options(storage: &RecordingStorage) -> SessionOptions {
    SessionOptions::new().storage(Arc::new(storage.clone()))
}

fn bytes_of(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes).unwrap();
    bytes
}

#[test]
fn opening_reads_each_byte_once_and_changes_nothing() {
    let small = bytes_of(|out| chain(out, 200));
    let large = bytes_of(|out| long_line(out, 9 * 1024 * 1024));
    for bytes in [small, large] {
        let storage = recorded(&[(FILE, &bytes)]);
        options(&storage).open(FILE).unwrap();
        assert_eq!(storage.count(Verb::Open), 1);
        assert_eq!(storage.bytes(Verb::ReadAt), bytes.len());
        assert!(storage.count(Verb::ReadAt) <= bytes.len() / BLOCK + 8);
        assert_eq!(storage.changes(), 0);
    }
}

#[test]
fn a_context_of_a_large_session_reads_the_bodies_of_its_path_in_blocks() {
    let bytes = bytes_of(|out| chain(out, 60_000));
    assert!(bytes.len() > 9 * 1024 * 1024, "large enough not to be kept: {}", bytes.len());
    let storage = recorded(&[(FILE, &bytes)]);
    let session = options(&storage).open(FILE).unwrap();
    storage.take();
    let context = session.context().unwrap();
    assert_eq!(context.len(), 60_000);
    let blocks = bytes.len().div_ceil(BLOCK);
    assert!(storage.count(Verb::ReadAt) <= 2 * blocks, "{}", storage.count(Verb::ReadAt));
    assert_eq!((storage.count(Verb::Open), storage.changes()), (0, 0));
}

#[test]
fn allocations_of_a_load_do_not_grow_with_the_entries() {
    let load = |entries| {
        let bytes = bytes_of(|out| chain(out, entries));
        let options = options(&recorded(&[(FILE, &bytes)]));
        measure(|| drop(options.open(FILE).unwrap())).count_total
    };
    let (few, many) = (load(1_000), load(16_000));
    assert!(many < few + 200, "{few} allocations for 1,000 entries, {many} for 16,000");
}

#[test]
fn a_listing_opens_each_file_once_and_reads_each_byte_once() {
    let one = bytes_of(|out| chain(out, 50));
    let two = bytes_of(|out| chain(out, 3_000));
    let files: [(&str, &[u8]); 4] =
        [(FILE, &one), ("/s/p/b.jsonl", &two), ("/s/q/c.jsonl", &two), ("/s/q/d.jsonl", b"")];
    let storage = recorded(&files);
    let inventory = Inventory::new().storage(Arc::new(storage.clone()));
    assert_eq!(inventory.list_all(Path::new("/s")).unwrap().sessions.len(), 3);
    assert_eq!(storage.count(Verb::Open), 4);
    let all: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert_eq!(storage.bytes(Verb::ReadAt), all);
    assert_eq!(storage.changes(), 0);
}

#[test]
fn a_listing_allocates_by_file_and_not_by_line() {
    let list = |entries| {
        let bytes = bytes_of(|out| chain(out, entries));
        let storage = recorded(&[(FILE, &bytes)]);
        let inventory = Inventory::new().storage(Arc::new(storage.clone()));
        measure(|| drop(inventory.list_all(Path::new("/s")).unwrap())).count_total
    };
    let (few, many) = (list(100), list(10_000));
    // What is left grows with the blocks that are read, of which the recorder keeps a row each.
    assert!(many < few + 300, "{few} allocations for 100 entries, {many} for 10,000");
}

#[test]
fn the_most_recent_session_opens_one_file_and_reads_its_header() {
    let large = bytes_of(|out| chain(out, 3_000));
    let names: Vec<_> = (0..50).map(|n| format!("/s/p/{n:02}.jsonl")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), &large[..])).collect();
    let storage = recorded(&files);
    let header =
        String::from_utf8_lossy(large.split(|byte| *byte == b'\n').next().unwrap()).into_owned();
    let header: serde_json::Value = serde_json::from_str(&header).unwrap();
    let found = most_recent(&storage, Path::new("/s/p"), header["cwd"].as_str().unwrap()).unwrap();
    assert!(found.is_some());
    assert_eq!(storage.count(Verb::Open), 1);
    assert!(storage.bytes(Verb::ReadAt) <= 4096, "{}", storage.bytes(Verb::ReadAt));
}
