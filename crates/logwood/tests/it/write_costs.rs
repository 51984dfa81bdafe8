//! What writing costs, in calls to the storage, bytes and allocations: counts do not depend on the machine.

use std::path::Path;
use std::sync::Arc;

use logwood::deletion::{Deletion, Removal, Trash};
use logwood::entry::{BlockDraft, JsonText, user_message};
use logwood::problem::ProblemKind;
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::{Create, MemoryStorage, Storage};
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

fn append(storage: &RecordingStorage, path: &str, bytes: &[u8]) {
    let mut file = storage.open_append(path.as_ref(), Create::IfMissing).unwrap();
    assert_eq!(file.append(bytes).unwrap(), bytes.len());
}

fn append_foreign(storage: &RecordingStorage, text: &str) {
    append(storage, FILE, text.as_bytes());
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

/// A program that takes no lock was in the middle of a line at the last look: only that line is read again.
#[test]
fn a_line_that_was_half_there_is_read_alone_when_it_is_whole() {
    for entries in [1_000, 60_000] {
        let (storage, options) = recorded(chain(entries));
        let mut session = options.open(FILE).unwrap();
        append_foreign(&storage, "{\"type\":\"custom\",\"id\":\"the");
        session.reload().unwrap();
        let torn = |session: &SessionManager| {
            session.problems().iter().filter(|p| p.kind == ProblemKind::TornTail).count()
        };
        assert_eq!(torn(&session), 1);
        let rest = "irs\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:00.000Z\"}\n";
        append_foreign(&storage, rest);
        let _ = storage.take();
        session.append_message(user()).unwrap();
        let read = storage.bytes(Verb::ReadAt);
        assert!(read < 300, "{read} bytes");
        assert!(session.tree().find("theirs").is_some() && torn(&session) == 0);
        session.append_message(user()).unwrap();
        let again = options.clone().read_only(true).open(FILE).unwrap();
        let lines = |session: &SessionManager| -> Vec<_> {
            let text = |line| session.line_text(&line).unwrap().into_owned();
            session.entries().map(|line| (line.position, text(line))).collect()
        };
        assert_eq!(lines(&session), lines(&again));
        assert_eq!(again.problems(), []);
    }
}

/// Nobody waits for the lock while much is read: a file that was replaced, or one that grew a lot.
#[test]
fn what_takes_long_to_read_is_read_without_the_lock() {
    type Change = fn(&RecordingStorage);
    let replaced: Change = |storage| {
        append(storage, "/new", &chain(10_000));
        storage.rename_over("/new".as_ref(), FILE.as_ref()).unwrap();
    };
    let grown: Change = |storage| {
        let lines = chain(10_000);
        let from = lines.split_inclusive(|byte| *byte == b'\n').take(101).map(<[u8]>::len).sum();
        append(storage, FILE, &lines[from..]);
    };
    for (change, what) in [(replaced, "replaced"), (grown, "grown")] {
        let (storage, options) = recorded(chain(100));
        let mut session = options.open(FILE).unwrap();
        change(&storage);
        let _ = storage.take();
        let id = session.append_message(user()).unwrap();
        let (mut is_locked, mut free, mut held) = (false, 0, 0);
        for call in storage.take() {
            match call.verb {
                Verb::TryLock => is_locked = true,
                Verb::Unlock => is_locked = false,
                Verb::ReadAt if is_locked => held += call.bytes,
                Verb::ReadAt => free += call.bytes,
                _ => {}
            }
        }
        assert!(free > 1_000_000 && held < 300, "{what}: {free} read without, {held} with it");
        let again = options.read_only(true).open(FILE).unwrap();
        assert_eq!((again.tree().len(), again.leaf_id()), (10_001, Some(&*id)), "{what}");
        assert_eq!(session.tree().len(), 10_001, "{what}");
    }
}

/// The lock knows no queue: who saw another writer leaves it free for a moment between two appends.
#[test]
fn a_writer_beside_another_one_leaves_the_lock_free_now_and_then() {
    let (_, options) = recorded(chain(10));
    let [mut one, mut two] = [(); 2].map(|()| options.open(FILE).unwrap());
    one.append_message(user()).unwrap();
    two.append_message(user()).unwrap();
    let start = std::time::Instant::now();
    (0..8).for_each(|_| drop(two.append_message(user()).unwrap()));
    assert!(start.elapsed().as_millis() >= 14, "{:?}", start.elapsed());
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

/// Entries whose parent is not in the file are looked at when they come, not at each append after them.
#[test]
fn an_append_behind_many_orphans_costs_as_much_as_behind_few() {
    let least_behind = |orphans: u32| {
        let orphan = |n| {
            format!(
                "{{\"type\":\"custom\",\"id\":\"o{n:07}\",\"parentId\":\"p{n:07}\",\"timestamp\":\"2025-01-01T00:00:00.000Z\"}}\n"
            )
        };
        let memory = MemoryStorage::new();
        let text: String = (0..orphans).map(orphan).collect();
        memory.put(FILE, [chain(10), text.into_bytes()].concat()).unwrap();
        let mut session = SessionOptions::new().storage(Arc::new(memory)).open(FILE).unwrap();
        let once = |_| {
            let append = || drop(session.append_message(user()).unwrap());
            allocation_counter::measure(append).count_total
        };
        (0..20).map(once).min().unwrap()
    };
    let (few, many) = (least_behind(1), least_behind(10_000));
    assert!(many <= few + 2, "{few} allocations behind one orphan, {many} behind 10,000");
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

/// Of many sessions of a folder the folder is listed once, the headers of the store are read once, and the folder is synced once.
#[test]
fn deleting_many_sessions_looks_around_once() {
    let memory = MemoryStorage::new();
    memory.create_dir_all(Path::new("/d")).unwrap();
    let names: Vec<String> = (0..40).map(|number| format!("/d/s{number}.jsonl")).collect();
    for (number, name) in names.iter().enumerate() {
        let header = format!("{{\"type\":\"session\",\"version\":3,\"id\":\"{number}\"}}\n");
        memory.put(name, header).unwrap();
    }
    memory.put("/d/s3.jsonl.v1.bak.2", "old").unwrap();
    let storage = RecordingStorage::new(Arc::new(memory.clone()));
    let deletion = Deletion::new()
        .storage(Arc::new(storage.clone()))
        .roots(vec!["/d".into()])
        .durability(Durability::Synced);
    let plans = deletion.plan_all(&names).unwrap();
    assert_eq!(plans.iter().flat_map(|plan| plan.files()).count(), 41);
    // Once for the side files, once for the headers; each header for the check, and once more to find who is a fork.
    assert_eq!((storage.count(Verb::List), storage.count(Verb::Open)), (2, 80));
    let report = deletion.apply_all(&plans, &Trash::none(), Removal::Unlink);
    assert_eq!((report.removed.len(), report.failed.len()), (41, 0));
    assert_eq!((storage.count(Verb::SyncDir), storage.count(Verb::RemoveFile)), (1, 41));
    assert_eq!(memory.list(Path::new("/d")).unwrap(), []);
}
