//! An import on a storage that fails or stops at every call: the whole file is there or nothing, and what was there stays.

use std::path::Path;
use std::sync::Arc;

use logwood::import::Import;
use logwood::storage::{MemoryStorage, Storage};
use logwood_testkit::storage::{Fault, FaultyStorage};

const SOURCE: &str = "{\"type\":\"session\",\"id\":\"a\"}\n{\"type\":\"x\"}\n";

fn import(fault: Option<(u64, Fault)>) -> u64 {
    let memory = MemoryStorage::new();
    memory.put("/drop/a.jsonl", SOURCE).unwrap();
    memory.put("/store/a.jsonl", "taken").unwrap();
    let mut storage = FaultyStorage::new(Arc::new(memory.clone()));
    if let Some((call, fault)) = fault {
        storage = storage.with(call, fault);
    }
    let import = |storage: Arc<dyn Storage>| {
        Import::new("/store").storage(storage).run(Path::new("/drop/a.jsonl"))
    };
    let outcome = import(Arc::new(storage.clone()));
    assert_eq!(memory.contents("/store/a.jsonl").unwrap(), b"taken", "{fault:?}");
    assert_eq!(memory.contents("/drop/a.jsonl").unwrap(), SOURCE.as_bytes(), "{fault:?}");
    let sessions = || {
        let names = memory.list(Path::new("/store")).unwrap();
        let names = names.into_iter().map(|entry| entry.name.into_string().unwrap());
        names.filter(|name| name.ends_with(".jsonl") && name != "a.jsonl").collect::<Vec<_>>()
    };
    if let Ok(imported) = outcome {
        assert_eq!(memory.contents(imported.path).unwrap(), SOURCE.as_bytes(), "{fault:?}");
    }
    for name in sessions() {
        assert_eq!(memory.contents(Path::new("/store").join(name)).unwrap(), SOURCE.as_bytes());
    }
    // Again, without faults: then it is there, once.
    import(Arc::new(memory.clone())).unwrap();
    assert_eq!(sessions(), ["a-2.jsonl"], "{fault:?}");
    storage.calls()
}

#[test]
fn at_every_call() {
    let calls = import(None);
    assert!(calls > 10, "{calls}");
    for call in 0..calls {
        for fault in Fault::all() {
            import(Some((call, fault)));
        }
    }
}
