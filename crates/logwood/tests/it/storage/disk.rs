//! What only a real disk shows: times of last access, pipes with somebody at the other end.

use logwood::storage::{LocalStorage, Storage, read_all};

/// Looking changes no time (ARCHITECTURE.md, invariant 7), where the system has a way to leave it alone and shows the difference.
#[cfg(target_os = "linux")]
#[test]
fn reading_leaves_the_time_of_last_access_alone() {
    use std::fs::{File, FileTimes};
    use std::time::{Duration, SystemTime};

    let dir = tempfile::tempdir().unwrap();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let old = |name: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, "text").unwrap();
        let times = FileTimes::new().set_accessed(long_ago).set_modified(long_ago);
        File::options().write(true).open(&path).unwrap().set_times(times).unwrap();
        path
    };
    let accessed = |path| std::fs::metadata(path).unwrap().accessed().unwrap();
    let control = old("control");
    std::fs::read(&control).unwrap();
    if accessed(&control) == long_ago {
        return; // This file system keeps no such time.
    }
    let path = old("a.jsonl");
    assert_eq!(read_all(&LocalStorage, &path).unwrap(), b"text");
    let mut file = LocalStorage.open_append(&path, logwood::storage::Create::Never).unwrap();
    file.read_at(0, &mut [0; 4]).unwrap();
    assert_eq!(accessed(&path), long_ago);

    let folder = dir.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    let times = FileTimes::new().set_accessed(long_ago).set_modified(long_ago);
    File::open(&folder).unwrap().set_times(times).unwrap();
    assert_eq!(LocalStorage.list(&folder).unwrap(), []);
    assert_eq!(accessed(&folder), long_ago);
}

/// Whoever waits at the other end of a pipe goes on waiting, although its name ends in `.jsonl`.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_even_opened() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    let subject = logwood_testkit::storage::Subject::local().unwrap();
    let path = subject.put_pipe("x.jsonl").unwrap();
    let set_free = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            drop(std::fs::File::options().write(true).open(&path).unwrap());
            set_free.store(true, Ordering::SeqCst);
        });
        std::thread::sleep(Duration::from_millis(50));
        let error = LocalStorage.open(&path).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::NotSeekable);
        std::thread::sleep(Duration::from_millis(50));
        let was_free = set_free.load(Ordering::SeqCst);
        // Open in both directions waits for nobody, and sets the writer free at last.
        drop(std::fs::File::options().read(true).write(true).open(&path).unwrap());
        assert!(!was_free, "the writer was set free");
    });
}

#[test]
fn relative_paths_start_at_the_working_directory() {
    let manifest = read_all(&LocalStorage, "Cargo.toml".as_ref()).unwrap();
    assert!(manifest.starts_with(b"[package]"));
    assert!(LocalStorage.list(".".as_ref()).unwrap().iter().any(|entry| entry.name == "src"));
}
