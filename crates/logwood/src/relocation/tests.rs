//! Relocations, in memory.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::error::ErrorKind;
use crate::inventory::Place;
use crate::location::Layout;
use crate::storage::{MemoryStorage, Storage};

fn session(id: &str, cwd: &str, more: &str) -> String {
    format!(
        "\u{feff}{{\"type\":\"session\", \"n\":1.0,\"id\":\"{id}\",\"cwd\":\"{cwd}\"{more}}}\r\n{{\"cwd\":\"/old\"}}\nnot json"
    )
}

fn parent(path: &str) -> String {
    format!(",\"parentSession\":\"{path}\"")
}

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    for (path, text) in [
        ("/store/--old--/a.jsonl", session("a", "/old", "")),
        ("/store/--old--/a.jsonl.v1.bak", "backup".to_owned()),
        ("/store/--old-sub--/b.jsonl", session("b", "/old/sub", &parent("/store/--old--/a.jsonl"))),
        ("/store/--old-sub--/c.jsonl", session("c", "/old-sub", "")),
        ("/store/--else--/d.jsonl", session("d", "/else", &parent("/store/./--old--/a.jsonl"))),
        (
            "/store/--else--/e.jsonl",
            session("e", "/else", ",\"branchedFrom\":\"/store/--old-sub--/b.jsonl\""),
        ),
        ("/t/0123456789ab/t.jsonl", session("t", "/old", &parent("/store/--old--/a.jsonl"))),
    ] {
        memory.put(path, text).unwrap();
    }
    memory
}

fn relocation(storage: Arc<dyn Storage>) -> Relocation {
    let places = vec![Place::new("", "/store", Layout::Nested)];
    let relocation = Relocation::new("/old/", "/new/home").unwrap();
    relocation.storage(storage).places(places).transcripts(vec!["/t".into()])
}

/// What every file has to be afterwards.
fn wanted() -> Vec<(&'static str, String)> {
    let a = "/store/--new-home--/a.jsonl";
    vec![
        (a, session("a", "/new/home", "")),
        ("/store/--new-home--/a.jsonl.v1.bak", "backup".to_owned()),
        ("/store/--new-home-sub--/b.jsonl", session("b", "/new/home/sub", &parent(a))),
        ("/store/--old-sub--/c.jsonl", session("c", "/old-sub", "")),
        ("/store/--else--/d.jsonl", session("d", "/else", &parent(a))),
        (
            "/store/--else--/e.jsonl",
            session("e", "/else", ",\"branchedFrom\":\"/store/--new-home-sub--/b.jsonl\""),
        ),
        ("/t/0123456789ab/t.jsonl", session("t", "/new/home", &parent(a))),
    ]
}

fn assert_wanted(memory: &MemoryStorage) {
    for (path, text) in wanted() {
        assert_eq!(String::from_utf8(memory.contents(path).unwrap()).unwrap(), text, "{path}");
    }
    assert!(memory.list(Path::new("/store/--old--")).unwrap().is_empty());
    assert_eq!(memory.list(Path::new("/store/--old-sub--")).unwrap().len(), 1);
}

#[test]
fn sessions_move_with_their_folder_and_stay_linked() {
    let memory = memory();
    let relocation = relocation(Arc::new(memory.clone()));
    let plan = relocation.plan();
    assert_eq!((plan.moved.len(), plan.mended.len()), (3, 4));
    let report = relocation.apply(&plan);
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    assert_eq!((report.moved.len(), report.mended.len()), (3, 4));
    assert_wanted(&memory);
    let again = relocation.plan();
    assert!(again.moved.is_empty() && again.mended.is_empty(), "{again:?}");
}

#[test]
fn planning_changes_nothing() {
    let memory = memory();
    relocation(Arc::new(memory.clone())).plan();
    assert_eq!(
        memory.contents("/store/--old--/a.jsonl").unwrap(),
        session("a", "/old", "").into_bytes()
    );
    assert!(memory.list(Path::new("/store/--new-home--")).is_err());
}

#[test]
fn a_name_that_is_taken_is_reported_and_the_others_move() {
    let memory = memory();
    memory.put("/store/--new-home--/a.jsonl", "taken").unwrap();
    let relocation = relocation(Arc::new(memory.clone()));
    let report = relocation.apply(&relocation.plan());
    assert_eq!(report.failed.len(), 1);
    let failed = &report.failed[0];
    assert_eq!((failed.step, failed.error.kind()), (Step::Move, ErrorKind::ChangedOnDisk));
    assert_eq!(failed.path, Path::new("/store/--old--/a.jsonl"));
    assert_eq!(memory.contents("/store/--new-home--/a.jsonl").unwrap(), b"taken");
    assert_eq!(
        memory.contents("/store/--old--/a.jsonl").unwrap(),
        session("a", "/old", "").into_bytes()
    );
    let b = memory.contents("/store/--new-home-sub--/b.jsonl").unwrap();
    let still = parent("/store/--old--/a.jsonl");
    assert_eq!(b, session("b", "/new/home/sub", &still).into_bytes(), "it names what did not move");
    // Out of the way, the same relocation does the rest.
    memory.remove_file(Path::new("/store/--new-home--/a.jsonl")).unwrap();
    assert!(relocation.apply(&relocation.plan()).failed.is_empty());
    assert_wanted(&memory);
}

#[test]
fn in_a_flat_folder_only_headers_change() {
    let memory = MemoryStorage::new();
    memory.put("/flat/a.jsonl", session("a", "/old/x", "")).unwrap();
    let places = vec![Place::new("", "/flat", Layout::Flat)];
    let relocation = relocation(Arc::new(memory.clone())).places(places);
    assert!(relocation.apply(&relocation.plan()).failed.is_empty());
    assert_eq!(
        memory.contents("/flat/a.jsonl").unwrap(),
        session("a", "/new/home/x", "").into_bytes()
    );
}

#[test]
fn drive_letters_compare_without_case() {
    let memory = MemoryStorage::new();
    memory.put("/flat/a.jsonl", session("a", r"c:\\Work\\Demo\\x", "")).unwrap();
    let relocation = Relocation::new(r"C:\work\demo", r"D:\demo").unwrap();
    let places = vec![Place::new("", "/flat", Layout::Flat)];
    let plan = relocation.storage(Arc::new(memory)).places(places).plan();
    assert_eq!(plan.moved[0].new_cwd, r"D:\demo\x");
}

#[test]
fn folders_that_are_none_or_the_same_are_refused() {
    for (old, new) in [("", "/a"), ("/a", ""), ("/a", "/a/"), (r"C:\a", r"c:\A")] {
        assert_eq!(Relocation::new(old, new).unwrap_err().kind(), ErrorKind::InvalidArgument);
    }
}

/// The order of the file times is kept, since it says which session is continued.
#[test]
fn the_session_that_changed_last_moves_last() {
    let memory = MemoryStorage::new();
    for name in ["c", "a", "b"] {
        memory.put(format!("/flat/{name}.jsonl"), session(name, "/old", "")).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let places = vec![Place::new("", "/flat", Layout::Flat)];
    let plan = relocation(Arc::new(memory)).places(places).plan();
    let names: Vec<_> = plan.moved.iter().map(|moved| moved.from.file_stem().unwrap()).collect();
    assert_eq!(names, ["c", "a", "b"]);
}

/// A process that has a session open keeps it where it is; the others move.
#[test]
fn a_session_that_is_open_stays_and_is_told() {
    let memory = Arc::new(memory());
    let options = crate::session::SessionOptions::new()
        .storage(memory.clone())
        .presence("/run", "another program");
    let open = options.open("/store/--old--/a.jsonl").unwrap();
    let relocation = Relocation::new("/old", "/new")
        .unwrap()
        .storage(memory.clone())
        .places(vec![Place::new("", "/store", Layout::Nested)])
        .live(options.live_sessions().unwrap());
    let report = relocation.apply(&relocation.plan());
    let [failed] = &report.failed[..] else { panic!("{:?}", report.failed) };
    assert_eq!(failed.error.kind(), ErrorKind::Locked);
    assert!(failed.error.to_string().contains("it is open in another program"), "{}", failed.error);
    assert_eq!(failed.path, Path::new("/store/--old--/a.jsonl"));
    assert!(memory.contents("/store/--old--/a.jsonl").is_ok() && !report.moved.is_empty());
    drop(open);
    let relocation = relocation.live(options.live_sessions().unwrap());
    let _ = relocation.apply(&relocation.plan());
    assert!(memory.contents("/store/--new--/a.jsonl").is_ok());
}
