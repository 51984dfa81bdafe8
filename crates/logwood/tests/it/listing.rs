//! What a listing costs, and what it says of stores that are odd.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use logwood::inventory::{Inventory, Place, files_with_id, most_recent};
use logwood::location::Layout;
use logwood::storage::LocalStorage;
use logwood_testkit::storage::{RecordingStorage, Verb};

fn session(id: usize, cwd: &str) -> String {
    let time = 1_750_000_000_000u64 + id as u64 * 1000;
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"s{id:05}\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"{cwd}\"}}\n\
         {{\"type\":\"message\",\"id\":\"a{id:05}\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"task {id}\",\"timestamp\":{time}}}}}\n"
    )
}

/// A nested store of `count` sessions in ten projects.
fn store(count: usize) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("sessions");
    for id in 0..count {
        let project = format!("--p{}--", id % 10);
        let folder = root.join(&project);
        if id < 10 {
            std::fs::create_dir_all(&folder).unwrap();
        }
        let cwd = format!("/p{}", id % 10);
        std::fs::write(folder.join(format!("{id:05}.jsonl")), session(id, &cwd)).unwrap();
    }
    (dir, root)
}

fn recording() -> Arc<RecordingStorage> {
    Arc::new(RecordingStorage::new(Arc::new(LocalStorage)))
}

#[test]
fn ten_thousand_sessions_are_listed_in_order_whatever_the_threads() {
    let (_dir, root) = store(10_000);
    let listing = Inventory::new().threads(4).list_all(&root).unwrap();
    assert_eq!((listing.sessions.len(), listing.problems.len()), (10_000, 0));
    let ids = listing.sessions.iter().map(|row| row.id.clone());
    assert!(ids.eq((0..10_000).rev().map(|id| format!("s{id:05}"))), "the last active first");
    assert_eq!(listing.sessions, Inventory::new().list_all(&root).unwrap().sessions);
}

#[test]
fn a_listing_opens_each_file_once_and_reads_each_byte_once() {
    let (_dir, root) = store(50);
    let storage = recording();
    let inventory = Inventory::new().threads(3).storage(storage.clone());
    let rows = inventory.list_all(&root).unwrap().sessions;
    let size: u64 = rows.iter().map(|row| row.size).sum();
    assert_eq!(storage.count(Verb::Open), 50);
    assert_eq!(storage.bytes(Verb::ReadAt) as u64, size);
    assert_eq!(storage.changes(), 0);
    let touched = storage.take().into_iter().filter(|call| !call.path.starts_with(&root));
    assert_eq!(touched.count(), 0, "no working directory is looked at");
}

#[test]
fn the_most_recent_session_opens_one_file() {
    let (_dir, root) = store(50);
    let dir = root.join("--p3--");
    let storage = recording();
    let found = most_recent(&*storage, &dir, "/p3").unwrap();
    assert_eq!(found.unwrap().parent(), Some(dir.as_path()));
    assert_eq!((storage.count(Verb::Open), storage.changes()), (1, 0));
}

#[test]
fn an_id_is_found_by_headers_alone() {
    let (_dir, root) = store(50);
    let twice = root.join("--p1--/again.jsonl");
    std::fs::copy(root.join("--p0--/00010.jsonl"), &twice).unwrap();
    let places = [Place::new("", &root, Layout::Nested)];
    assert_eq!(files_with_id(&LocalStorage, &places, "s00003"), [root.join("--p3--/00003.jsonl")]);
    assert!(files_with_id(&LocalStorage, &places, "s0000").is_empty());
    assert_eq!(files_with_id(&LocalStorage, &places, "s00010").len(), 2);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&twice, root.join("--p2--/link.jsonl")).unwrap();
        assert_eq!(files_with_id(&LocalStorage, &places, "s00010").len(), 2, "a link is no other");
    }
}

/// One with an endless pipe, a broken link, a folder and a loop in it: each is told, the rest is listed, nothing hangs.
#[cfg(unix)]
#[test]
fn a_store_with_a_pipe_and_a_broken_link_in_it_is_listed() {
    let (_dir, root) = store(20);
    let folder = root.join("--p0--");
    let pipe = folder.join("pipe.jsonl");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/nowhere/x.jsonl", folder.join("broken.jsonl")).unwrap();
    std::fs::create_dir(folder.join("folder.jsonl")).unwrap();
    std::os::unix::fs::symlink("loop.jsonl", folder.join("loop.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.join("zero.jsonl")).unwrap();
    std::os::unix::fs::symlink("/nowhere", root.join("--gone--")).unwrap();
    let listing = Inventory::new().threads(2).list_all(&root).unwrap();
    assert_eq!(listing.sessions.len(), 20);
    let told: Vec<_> = listing
        .problems
        .iter()
        .map(|problem| {
            let name = problem.path.file_name().unwrap().to_str().unwrap();
            (name, problem.kind.as_str(), problem.error.as_str())
        })
        .collect();
    assert_eq!(
        told,
        [
            ("broken.jsonl", "unreadable_file", "not_found"),
            ("folder.jsonl", "unreadable_file", "not_a_file"),
            ("loop.jsonl", "unreadable_file", "io"),
            ("pipe.jsonl", "unreadable_file", "not_a_file"),
            ("zero.jsonl", "unreadable_file", "not_a_file"),
        ]
    );
    assert_eq!(most_recent(&LocalStorage, &folder, "/none").unwrap(), None);
}

#[test]
fn a_root_that_is_a_file_is_an_error_and_a_missing_one_is_empty() {
    let (_dir, root) = store(10);
    let file = root.join("--p0--/00000.jsonl");
    let error = Inventory::new().list_all(&file).unwrap_err();
    assert_eq!((error.kind().as_str(), error.path()), ("not_a_file", Some(file.as_path())));
    let missing: &Path = &root.join("missing");
    assert_eq!(Inventory::new().list_all(missing).unwrap().sessions.len(), 0);
}
