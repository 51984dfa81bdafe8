//! The lock of a file, between threads and between processes.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use logwood::storage::{
    AppendFile, Create, Exclusive, LOCK_WAIT, LocalStorage, LockOutcome, MemoryStorage, Storage,
    read_all,
};
use logwood_testkit::storage::FaultyStorage;

const FILE: &str = "LOGWOOD_TEST_LOCKED_FILE";
const WRITER: &str = "LOGWOOD_TEST_WRITER";
const LINES: usize = 300;

/// Appends lines, each in two pieces that only the lock keeps together.
fn append_lines(storage: &dyn Storage, path: &Path, writer: &str) {
    for number in 0..LINES {
        let mut file = storage.open_append(path, Create::IfMissing).unwrap();
        let mut locked = Exclusive::acquire(&mut *file, LOCK_WAIT).unwrap().expect("in 5 s");
        assert!(locked.is_guarded());
        let before = locked.metadata().unwrap().len;
        let line = format!("{writer} {number}\n");
        let (start, end) = line.split_at(3);
        locked.append(start.as_bytes()).unwrap();
        std::thread::yield_now();
        locked.append(end.as_bytes()).unwrap();
        assert_eq!(locked.metadata().unwrap().len, before + line.len() as u64);
    }
}

/// Every line of every writer, each writer's in order.
fn assert_whole(bytes: &[u8], writers: &[&str]) {
    let text = std::str::from_utf8(bytes).unwrap();
    assert_eq!(text.lines().count(), writers.len() * LINES);
    for writer in writers {
        let own = text.lines().filter_map(|line| line.strip_prefix(writer)?.strip_prefix(' '));
        assert!(
            own.map(|number| number.parse::<usize>().unwrap()).eq(0..LINES),
            "lines of {writer}"
        );
    }
}

fn contend(storage: &dyn Storage, path: &Path) {
    let writers = ["one", "two", "three"];
    std::thread::scope(|scope| {
        for writer in writers {
            scope.spawn(move || append_lines(storage, path, writer));
        }
    });
    assert_whole(&read_all(storage, path).unwrap(), &writers);
}

#[test]
fn threads_keep_out_of_each_others_way_on_disk() {
    let dir = tempfile::tempdir().unwrap();
    contend(&LocalStorage, &dir.path().join("a"));
}

#[test]
fn threads_keep_out_of_each_others_way_in_memory() {
    contend(&MemoryStorage::new(), Path::new("/a"));
}

/// Starts this test binary again, for one test, as a process of its own.
fn again(test: &str, file: &Path, writer: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture"])
        .env(FILE, file)
        .env(WRITER, writer)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn processes_keep_out_of_each_others_way() {
    if let (Some(file), Ok(writer)) = (std::env::var_os(FILE), std::env::var(WRITER)) {
        return append_lines(&LocalStorage, Path::new(&file), &writer);
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    let test = "storage::locks::processes_keep_out_of_each_others_way";
    let writers = ["one", "two"];
    let children = writers.map(|writer| again(test, &path, writer));
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    assert_whole(&std::fs::read(&path).unwrap(), &writers);
}

/// A killed process leaves nothing to clean up by hand (case 84).
#[test]
fn a_killed_holder_gives_the_lock_back() {
    if let Some(file) = std::env::var_os(FILE) {
        let mut file = LocalStorage.open_append(Path::new(&file), Create::Never).unwrap();
        assert_eq!(file.try_lock().unwrap(), LockOutcome::Acquired);
        println!("\nlocked");
        std::thread::sleep(Duration::from_secs(60));
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    std::fs::write(&path, "line\n").unwrap();
    let mut holder = again("storage::locks::a_killed_holder_gives_the_lock_back", &path, "");
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line == "locked"));
    let mut file = LocalStorage.open_append(&path, Create::Never).unwrap();
    assert!(Exclusive::acquire(&mut *file, Duration::from_millis(50)).unwrap().is_none());
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(Exclusive::acquire(&mut *file, Duration::from_secs(5)).unwrap().is_some());
    assert_eq!(std::fs::read(&path).unwrap(), b"line\n");
}

/// Without locks one goes on, and knows it (design section 2, "Appending").
#[test]
fn a_file_system_without_locks_is_no_failure() {
    let storage = FaultyStorage::new(Arc::new(MemoryStorage::new())).without_locks();
    let mut file = storage.open_append(Path::new("/a"), Create::Exclusive).unwrap();
    let mut locked = Exclusive::acquire(&mut *file, Duration::ZERO).unwrap().expect("no waiting");
    assert!(!locked.is_guarded());
    locked.append(b"x").unwrap();
}

/// With a file that is closed the lock is free, whatever the guard could do.
#[test]
fn a_guard_ends_with_its_scope() {
    let storage = MemoryStorage::new();
    let mut one = storage.open_append(Path::new("/a"), Create::Exclusive).unwrap();
    let mut two: Box<dyn AppendFile> = storage.open_append(Path::new("/a"), Create::Never).unwrap();
    let locked = Exclusive::acquire(&mut *one, Duration::ZERO).unwrap().unwrap();
    assert_eq!(two.try_lock().unwrap(), LockOutcome::Busy);
    drop(locked);
    assert_eq!(two.try_lock().unwrap(), LockOutcome::Acquired);
}
