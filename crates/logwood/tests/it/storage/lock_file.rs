//! The lock of the performance log (spec 9.3, F-31).

use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use logwood::env::{Clock, SystemClock};
use logwood::storage::{Create, LocalStorage, LockFile, MemoryStorage, Storage};

const LOG: &str = "/agent/performance.jsonl";
const LOCK: &str = "/agent/performance.jsonl.lock";
const NOW: i64 = 1_740_000_000_000;
const FIVE_MINUTES: i64 = 300_000;
const SHORT: Duration = Duration::from_millis(30);

#[derive(Debug)]
struct At(i64);

impl Clock for At {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(LOG, "").unwrap();
    memory
}

fn memory_with_lock_from(time: i64) -> MemoryStorage {
    let memory = memory();
    memory.put(LOCK, "4242").unwrap();
    memory.set_modified_ms(LOCK, time).unwrap();
    memory
}

fn exists(storage: &dyn Storage, path: &str) -> bool {
    storage.link_metadata(Path::new(path)).is_ok()
}

fn acquire<'a>(storage: &'a dyn Storage, now: i64) -> Option<LockFile<'a>> {
    LockFile::acquire(storage, Path::new(LOG), SHORT, &At(now)).unwrap()
}

#[test]
fn the_lock_is_a_file_beside_the_log_and_goes_in_the_end() {
    let memory = memory();
    let lock = LockFile::acquire(&memory, Path::new(LOG), SHORT, &SystemClock).unwrap();
    assert!(lock.is_some());
    assert!(exists(&memory, LOCK));
    drop(lock);
    assert!(!exists(&memory, LOCK));
    assert_eq!(memory.list(Path::new("/agent")).unwrap().len(), 1);
}

#[test]
fn a_lock_of_another_is_waited_for_and_left_alone() {
    let memory = memory_with_lock_from(NOW);
    let start = Instant::now();
    assert!(acquire(&memory, NOW + FIVE_MINUTES).is_none());
    assert!(start.elapsed() >= SHORT);
    assert_eq!(memory.contents(LOCK).unwrap(), b"4242");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(SHORT);
            memory.remove_file(Path::new(LOCK)).unwrap();
        });
        let wait = Duration::from_secs(20);
        assert!(LockFile::acquire(&memory, Path::new(LOG), wait, &At(NOW)).unwrap().is_some());
    });
}

/// Case 70.
#[test]
fn a_lock_left_behind_is_taken_after_five_minutes() {
    let memory = memory_with_lock_from(NOW);
    let lock = acquire(&memory, NOW + FIVE_MINUTES + 1).expect("nobody has it any more");
    assert_eq!(memory.contents(LOCK).unwrap(), b"");
    assert!(acquire(&memory, NOW).is_none());
    drop(lock);
    assert_eq!(memory.list(Path::new("/agent")).unwrap().len(), 1);
}

#[test]
fn a_lock_from_the_future_is_no_stale_one() {
    let memory = memory_with_lock_from(NOW + 10 * FIVE_MINUTES);
    assert!(acquire(&memory, NOW).is_none());
    assert!(exists(&memory, LOCK));
}

/// F-31: dreb's owner removes the lock even when another took it over meanwhile.
#[test]
fn a_lock_that_was_taken_over_stays_with_its_new_owner() {
    let memory = memory();
    let slow = acquire(&memory, NOW).expect("nobody else wants it");
    memory.set_modified_ms(LOCK, NOW).unwrap();
    let quick = acquire(&memory, NOW + FIVE_MINUTES + 1).expect("the first one is stale");
    drop(slow);
    assert!(exists(&memory, LOCK), "it is the second one's");
    drop(quick);
    assert!(!exists(&memory, LOCK));
}

#[test]
fn without_its_directory_there_is_no_lock() {
    let memory = MemoryStorage::new();
    let outcome = LockFile::acquire(&memory, Path::new(LOG), SHORT, &At(NOW));
    assert_eq!(outcome.err().map(|error| error.kind()), Some(ErrorKind::NotFound));
}

#[test]
fn on_disk_one_holder_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("performance.jsonl");
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let wait = Duration::from_secs(30);
                    let lock = LockFile::acquire(&LocalStorage, &log, wait, &SystemClock).unwrap();
                    assert!(lock.is_some());
                    let busy = dir.path().join("busy");
                    drop(LocalStorage.open_append(&busy, Create::Exclusive).unwrap());
                    LocalStorage.remove_file(&busy).unwrap();
                }
            });
        }
    });
    assert_eq!(LocalStorage.list(dir.path()).unwrap(), []);
}
