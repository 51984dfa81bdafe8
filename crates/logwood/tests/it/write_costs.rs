//! What writing costs, in calls to the storage, bytes and allocations: counts do not depend on the machine.

use std::path::Path;
use std::sync::Arc;

use logwood::entry::{BlockDraft, JsonText, user_message};
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::MemoryStorage;
use logwood_testkit::generate::big;
use logwood_testkit::storage::{RecordingStorage, Verb};

const FILE: &str = "/s.jsonl";

fn user() -> JsonText {
    user_message(&[BlockDraft::Text("hi".into())], 1)
}

fn answer() -> JsonText {
    JsonText::parse(br#"{"role":"assistant","content":[],"provider":"p","model":"m"}"#).unwrap()
}

fn recorded(bytes: Vec<u8>) -> (RecordingStorage, SessionOptions) {
    let memory = MemoryStorage::new();
    memory.put(FILE, bytes).unwrap();
    let storage = RecordingStorage::new(Arc::new(memory));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    (storage, options)
}

fn chain(entries: u32) -> Vec<u8> {
    let mut text = Vec::new();
    big::chain(&mut text, entries).unwrap();
    text
}

/// The calls of one append, in order.
fn verbs(storage: &RecordingStorage, session: &mut SessionManager) -> Vec<Verb> {
    let _ = storage.take();
    session.append_message(user()).unwrap();
    storage.take().iter().map(|call| call.verb).collect()
}

#[test]
fn an_append_is_one_write() {
    let (storage, options) = recorded(chain(100));
    let plain = [Verb::TryLock, Verb::Metadata, Verb::Append, Verb::EndOfAppend, Verb::Unlock];
    let mut session = options.open(FILE).unwrap();
    let first = [&[Verb::OpenAppend, Verb::FileMetadata][..], &plain].concat();
    assert_eq!(verbs(&storage, &mut session), first);
    assert_eq!(verbs(&storage, &mut session), plain);
    let mut session = options.durability(Durability::Synced).open(FILE).unwrap();
    session.append_message(user()).unwrap();
    let synced = verbs(&storage, &mut session);
    assert_eq!(synced.iter().filter(|verb| **verb == Verb::SyncData).count(), 1);
    assert_eq!(synced.len(), plain.len() + 1);
}

#[test]
fn opening_reads_each_byte_once_and_changes_nothing() {
    for entries in [10, 60_000] {
        let bytes = chain(entries);
        let length = bytes.len();
        let (storage, options) = recorded(bytes);
        let session = options.open(FILE).unwrap();
        assert_eq!(session.tree().len(), entries as usize);
        assert_eq!(storage.bytes(Verb::ReadAt), length, "{entries} entries");
        assert_eq!((storage.count(Verb::Open), storage.changes()), (1, 0));
    }
}

/// What others appended is read alone, with the few bytes before it that show that nothing else changed.
#[test]
fn a_foreign_append_is_read_alone() {
    let (storage, options) = recorded(chain(1_000));
    let [mut one, mut two] = [(); 2].map(|()| options.open(FILE).unwrap());
    one.append_message(user()).unwrap();
    let _ = storage.take();
    assert_eq!(two.reload().unwrap(), 1);
    let read = storage.bytes(Verb::ReadAt);
    assert!(read < 300, "{read} bytes");
}

/// F-17: the same at the end as at the start, with and without an answer in the file.
#[test]
fn ten_thousand_appends_cost_the_same_each() {
    for start in [Some(answer()), None] {
        let (storage, options) = recorded(chain(0));
        let mut session = options.open(FILE).unwrap();
        if let Some(answer) = start {
            session.append_message(answer).unwrap();
        }
        let _ = verbs(&storage, &mut session);
        let first = verbs(&storage, &mut session);
        for _ in 0..10_000 {
            session.append_message(user()).unwrap();
        }
        assert_eq!(verbs(&storage, &mut session), first);
        let moved = storage.bytes(Verb::ReadAt);
        assert_eq!(moved, 0, "nothing is read to append");
    }
}

/// An append allocates for its line, its entry and its id, whatever is in the session; tables that grow do so now and then.
#[test]
fn appends_allocate_the_same_at_the_end() {
    let memory = MemoryStorage::new();
    memory.put(FILE, chain(10)).unwrap();
    let mut session = SessionOptions::new().storage(Arc::new(memory)).open(FILE).unwrap();
    let message = user();
    let mut least_of = |appends: usize| {
        let once = |_| {
            let used = allocation_counter::measure(|| {
                session.append_message(message.clone()).unwrap();
            });
            used.count_total
        };
        (0..appends).map(once).min().unwrap()
    };
    let (first, _, last) = (least_of(20), least_of(5_000), least_of(20));
    assert!(last <= first + 2 && first < 12, "{first} at the start, {last} at the end");
}

/// A session without an answer waits in memory, asks the storage for nothing, and then comes in one write.
#[test]
fn a_deferred_session_costs_nothing_and_comes_in_one_write() {
    let storage = RecordingStorage::new(Arc::new(MemoryStorage::new()));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    let mut session = options.create("/d", NewSession::default()).unwrap();
    for _ in 0..1_000 {
        session.append_message(user()).unwrap();
    }
    assert_eq!(storage.take(), []);
    session.append_message(answer()).unwrap();
    let calls = storage.take();
    let length = calls.iter().filter(|call| call.verb == Verb::Append).map(|call| call.bytes);
    let file = session.session_file().map(Path::to_path_buf).unwrap();
    let there = options.read_only(true).open(file).unwrap();
    assert_eq!(there.tree().len(), 1_001);
    assert_eq!(length.count(), 1);
    assert!(calls.iter().all(|call| call.verb != Verb::SyncAll && call.verb != Verb::List));
}
