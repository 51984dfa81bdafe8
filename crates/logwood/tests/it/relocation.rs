//! A relocation on a storage that fails or stops at every call: every session is there, whole, once, and doing it again does the rest.

use std::path::Path;
use std::sync::Arc;

use logwood::inventory::Place;
use logwood::location::Layout;
use logwood::relocation::Relocation;
use logwood::storage::{MemoryStorage, Storage};
use logwood_testkit::storage::{Fault, FaultyStorage};

fn session(id: &str, cwd: &str, more: &str) -> String {
    format!(
        "{{\"type\":\"session\",\"id\":\"{id}\",\"cwd\":\"{cwd}\"{more}}}\n{{\"type\":\"x\"}}\n"
    )
}

fn parent(path: &str) -> String {
    format!(",\"parentSession\":\"{path}\"")
}

fn relocation(storage: Arc<dyn Storage>) -> Relocation {
    let places = vec![Place::new("", "/store", Layout::Nested)];
    Relocation::new("/old", "/new").unwrap().storage(storage).places(places)
}

fn relocate(fault: Option<(u64, Fault)>) -> u64 {
    let memory = MemoryStorage::new();
    let (a, b) = ("/store/--old--/a.jsonl", "/store/--else--/b.jsonl");
    memory.put(a, session("a", "/old", "")).unwrap();
    memory.put(b, session("b", "/else", &parent(a))).unwrap();
    let plan = relocation(Arc::new(memory.clone())).plan();
    let mut storage = FaultyStorage::new(Arc::new(memory.clone()));
    if let Some((call, fault)) = fault {
        storage = storage.with(call, fault);
    }
    let report = relocation(Arc::new(storage.clone())).apply(&plan);
    let to = "/store/--new--/a.jsonl";
    let is_done = (report.moved.len(), report.mended.len()) == (1, 1);
    assert!(is_done || !report.failed.is_empty(), "{fault:?}");
    let found: Vec<_> = [a, to].iter().filter_map(|path| memory.contents(path).ok()).collect();
    assert_eq!(found.len(), 1, "{fault:?}: it is in one place");
    let texts = ["/old", "/new"].map(|cwd| session("a", cwd, "").into_bytes());
    assert!(found.iter().all(|text| texts.contains(text)), "{fault:?}");
    // Again, without faults.
    let again = relocation(Arc::new(memory.clone()));
    assert!(again.apply(&again.plan()).failed.is_empty(), "{fault:?}");
    assert_eq!(memory.contents(to).unwrap(), texts[1], "{fault:?}");
    assert_eq!(
        memory.contents(b).unwrap(),
        session("b", "/else", &parent(to)).into_bytes(),
        "{fault:?}"
    );
    assert_eq!(
        memory
            .list(Path::new("/store/--new--"))
            .unwrap()
            .iter()
            .filter(|e| e.name == "a.jsonl")
            .count(),
        1
    );
    storage.calls()
}

#[test]
fn at_every_call() {
    let calls = relocate(None);
    assert!(calls > 30, "{calls}");
    for call in 0..calls {
        for fault in Fault::all() {
            relocate(Some((call, fault)));
        }
    }
}
