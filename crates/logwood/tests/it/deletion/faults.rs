//! Deletion and restore on a storage that fails or stops at every call: the file is always in one place, whole, and can come back.

use std::path::Path;
use std::sync::Arc;

use logwood::deletion::{Deletion, HomeTrash, Removal, Trash};
use logwood::storage::MemoryStorage;
use logwood_testkit::storage::{Fault, FaultyStorage};

const SESSION: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/p\"}\n";
const PATH: &str = "/s/a.jsonl";
const BACKUP: &str = "/s/a.jsonl.v1.bak";

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(PATH, SESSION).unwrap();
    memory.put(BACKUP, "old").unwrap();
    memory
}

fn home() -> HomeTrash {
    HomeTrash::new("/home/Trash")
}

/// Deletes with the fault at a call, and says how many calls there were and whether it was said to be done.
fn delete(memory: &MemoryStorage, fault: Option<(u64, Fault)>) -> (u64, bool) {
    let plan = Deletion::new().storage(Arc::new(memory.clone())).plan(Path::new(PATH)).unwrap();
    let mut storage = FaultyStorage::new(Arc::new(memory.clone()));
    if let Some((call, fault)) = fault {
        storage = storage.with(call, fault);
    }
    let deletion = Deletion::new().storage(Arc::new(storage.clone()));
    let report = deletion.apply(&plan, &Trash::none().home(Some(home())), Removal::ToTrash);
    (storage.calls(), report.failed.is_empty() && report.removed.len() == 2)
}

/// Brings back whatever of the session is in the trash; then it has to be where it was.
fn restored(memory: &MemoryStorage) {
    if memory.contents(PATH).is_err() {
        let plan = home().plan(memory, Path::new(PATH)).unwrap();
        assert!(home().restore(memory, &plan).failed.is_empty());
    }
    assert_eq!(memory.contents(PATH).unwrap(), SESSION.as_bytes());
    assert_eq!(memory.contents(BACKUP).unwrap(), b"old");
}

#[test]
fn at_every_call_of_a_deletion() {
    let (calls, done) = delete(&memory(), None);
    assert!(done && calls > 20, "{calls}");
    let mut failed = 0;
    for call in 0..calls {
        for fault in Fault::all() {
            let memory = memory();
            let (_, done) = delete(&memory, Some((call, fault)));
            failed += u32::from(!done);
            if done {
                assert!(memory.contents(PATH).is_err() && memory.contents(BACKUP).is_err());
            }
            restored(&memory);
        }
    }
    assert!(failed > 100, "the faults were felt: {failed}");
}

#[test]
fn at_every_call_of_a_restore() {
    let restore = |fault: Option<(u64, Fault)>| {
        let memory = memory();
        assert!(delete(&memory, None).1);
        let plan = home().plan(&memory, Path::new(PATH)).unwrap();
        let mut storage = FaultyStorage::new(Arc::new(memory.clone()));
        if let Some((call, fault)) = fault {
            storage = storage.with(call, fault);
        }
        let report = home().restore(&storage, &plan);
        for path in &report.restored {
            assert!(memory.contents(path).is_ok(), "{fault:?}");
        }
        // Again, without faults: what is left in the trash comes back.
        for failed in report.failed {
            let plan = home().plan(&memory, &failed.path);
            if let Ok(plan) = plan {
                assert!(home().restore(&memory, &plan).failed.is_empty(), "{fault:?}");
            }
        }
        assert_eq!(memory.contents(PATH).unwrap(), SESSION.as_bytes(), "{fault:?}");
        assert_eq!(memory.contents(BACKUP).unwrap(), b"old", "{fault:?}");
        storage.calls()
    };
    let calls = restore(None);
    assert!(calls > 8, "{calls}");
    for call in 0..calls {
        for fault in Fault::all() {
            restore(Some((call, fault)));
        }
    }
}
