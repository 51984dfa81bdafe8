//! Looking changes nothing: no byte, no time, no permission, no new file (invariant 7 of ARCHITECTURE.md, case 78).

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::support::{Store, root, run};

/// Every file and folder below `dir`: bytes, times, mode.
fn snapshot(dir: &Path) -> BTreeMap<String, (Vec<u8>, i64, i64, i64, u32)> {
    let mut all = BTreeMap::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let meta = std::fs::symlink_metadata(&path).unwrap();
            let bytes = if meta.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
            let state = (bytes, meta.mtime(), meta.mtime_nsec(), meta.ctime(), meta.mode());
            all.insert(path.to_str().unwrap().to_owned(), state);
            if meta.is_dir() {
                folders.push(path);
            }
        }
    }
    all
}

fn copy(from: &Path, store: &Store) {
    let mut folders = vec![from.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(from).unwrap().to_str().unwrap();
                store.file(name, std::fs::read(&path).unwrap());
            }
        }
    }
}

#[test]
fn by_any_command_on_any_file() {
    let store = Store::new();
    copy(&root().join("examples/agent"), &store);
    store.file("sessions/--x--/empty.jsonl", "");
    store.file("sessions/--x--/torn.jsonl", "{\"type\":\"sess");
    let dir = store.path();
    let before = snapshot(Path::new(&dir));
    let files: Vec<_> = before.keys().filter(|path| path.ends_with(".jsonl")).cloned().collect();
    assert!(files.len() > 10);
    for file in &files {
        for words in [
            &["show"][..],
            &["show", "--all", "--json"],
            &["repair", "--dry-run"],
            &["tree"],
            &["tree", "--json"],
            &["context"],
            &["context", "--explain"],
            &["check"],
            &["debug", "lines"],
            &["debug", "entries"],
            &["debug", "tree"],
            &["debug", "context"],
        ] {
            run(&[words, &[file.as_str()]].concat());
        }
    }
    for word in ["@", "e04b", "nothing of this name"] {
        run(&["--agent-dir", &dir, "--cwd", "/home/mira/tidepool", "show", word]);
    }
    for words in [&["list", "--all"][..], &["list"], &["where"], &["doctor"]] {
        run(&[&["--agent-dir", &dir, "--cwd", "/home/mira/tidepool"], words].concat());
    }
    assert_eq!(snapshot(Path::new(&dir)), before);
}
