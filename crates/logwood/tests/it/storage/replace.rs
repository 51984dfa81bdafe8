//! Interrupted at any call, a replacement leaves the old file or the new one, whole; after a power cut, too.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use logwood::storage::{
    Access, Create, MemoryStorage, Replacement, Settled, Storage, create_dir_all_synced, read_all,
    replace,
};
use logwood_testkit::storage::{Code, CrashStorage, Fault, FaultyStorage, Verb};

const DIR: &str = "/s";
const PATH: &str = "/s/a.jsonl";
const MODE: u32 = 0o640;

/// Longer than what is buffered, so that there are several appends.
fn new_bytes() -> Vec<u8> {
    b"{\"type\":\"custom\"}\n".repeat(10_000)
}

fn old_bytes() -> Vec<u8> {
    b"{\"type\":\"session\"}\n".repeat(3)
}

fn with_old_file() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(PATH, old_bytes()).unwrap();
    let access = memory.metadata(Path::new(PATH)).unwrap().access;
    memory.set_access(PATH, Access { mode: MODE, ..access }).unwrap();
    memory
}

/// Writes in two calls, each longer than what is buffered.
fn run_replace(storage: &dyn Storage) -> io::Result<Settled> {
    replace(storage, Path::new(PATH), |out| {
        let bytes = new_bytes();
        let (start, end) = bytes.split_at(bytes.len() / 2);
        out.write_all(start)?;
        out.write_all(end)
    })
}

fn run_create(storage: &dyn Storage) -> io::Result<Settled> {
    let mut new = Replacement::of_nothing(Path::new(PATH), storage)?;
    new.write_all(&new_bytes())?;
    new.commit()
}

fn names(memory: &MemoryStorage) -> Vec<String> {
    let entries = memory.list(Path::new(DIR)).unwrap();
    entries.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
}

/// Every fault at every call of an operation, each on files of its own.
fn every_fault(
    make: fn() -> MemoryStorage,
    run: fn(&dyn Storage) -> io::Result<Settled>,
    mut check: impl FnMut(&str, Fault, &MemoryStorage, io::Result<Settled>),
) {
    let dry = FaultyStorage::new(Arc::new(make()));
    assert!(matches!(run(&dry), Ok(Settled::Durable)));
    let calls = dry.calls();
    assert!(calls >= 10, "{calls} calls");
    for fault in Fault::all() {
        for call in 0..calls {
            let memory = make();
            let storage = FaultyStorage::new(Arc::new(memory.clone())).with(call, fault);
            let outcome = run(&storage);
            let hit = storage.hit();
            assert_eq!(hit.len(), 1, "{fault:?} never came to call {call}");
            check(&format!("{fault:?} at {hit:?}"), fault, &memory, outcome);
        }
    }
}

#[test]
fn an_interrupted_replacement_leaves_the_old_file_or_the_new_one() {
    let (old, new) = (old_bytes(), new_bytes());
    let (mut failed, mut worked) = (0, 0);
    every_fault(with_old_file, run_replace, |what, fault, memory, outcome| {
        let now = memory.contents(PATH).unwrap();
        assert_eq!(memory.metadata(Path::new(PATH)).unwrap().access.mode, MODE, "{what}");
        match &outcome {
            Ok(_) => assert!(now == new, "{what}: said to be done, and is not"),
            Err(_) if fault == Fault::StopsAfter => assert!(now == old || now == new, "{what}"),
            Err(_) => assert!(now == old, "{what}: said to have failed, and did not"),
        }
        failed += u32::from(outcome.is_err());
        worked += u32::from(outcome.is_ok());
        // Whatever was left, the next replacement clears away.
        drop(outcome);
        assert!(matches!(run_replace(memory), Ok(Settled::Durable)), "{what}");
        assert_eq!(names(memory), ["a.jsonl"], "{what}");
    });
    assert!(failed > 100 && worked > 20, "{failed} failed, {worked} worked");
}

#[test]
fn an_interrupted_new_file_is_not_there_or_whole() {
    let nothing = || {
        let memory = MemoryStorage::new();
        memory.create_dir_all(Path::new(DIR)).unwrap();
        memory
    };
    every_fault(nothing, run_create, |what, fault, memory, outcome| {
        match (memory.contents(PATH), outcome) {
            (Ok(bytes), Ok(_)) => assert!(bytes == new_bytes(), "{what}"),
            (Ok(bytes), Err(_)) => {
                assert_eq!(fault, Fault::StopsAfter, "{what}");
                assert!(bytes == new_bytes(), "{what}");
            }
            (Err(error), outcome) => {
                assert_eq!(error.kind(), io::ErrorKind::NotFound, "{what}");
                assert!(outcome.is_err(), "{what}: said to be there, and is not");
            }
        }
    });
}

/// A failure that ends the operation is the one that came, not one of clearing up after it.
#[test]
fn the_error_is_the_one_that_came() {
    for code in Code::ALL {
        for verb in [Verb::Create, Verb::Append, Verb::SetAccess, Verb::SyncAll, Verb::RenameOver] {
            let memory = with_old_file();
            let dry = logwood_testkit::storage::RecordingStorage::new(Arc::new(with_old_file()));
            assert!(matches!(run_replace(&dry), Ok(Settled::Durable)));
            let call = dry.take().iter().position(|call| call.verb == verb).unwrap();
            let storage =
                FaultyStorage::new(Arc::new(memory)).with(call as u64, Fault::Fails(code));
            let error = run_replace(&storage).unwrap_err();
            assert_eq!(storage.hit(), [(call as u64, verb)]);
            assert_eq!(error.raw_os_error(), code.error().raw_os_error(), "{verb:?}");
        }
    }
}

/// Directories that cannot be synced do not undo what happened, and are told.
#[test]
fn a_directory_that_cannot_be_synced_is_told() {
    let memory = with_old_file();
    let dry = FaultyStorage::new(Arc::new(with_old_file()));
    assert!(matches!(run_replace(&dry), Ok(Settled::Durable)));
    let storage =
        FaultyStorage::new(Arc::new(memory.clone())).with(dry.calls() - 1, Fault::Fails(Code::Io));
    let settled = run_replace(&storage).unwrap();
    assert_eq!(storage.hit()[0].1, Verb::SyncDir);
    assert!(matches!(settled, Settled::Unconfirmed(error) if error.raw_os_error() == Some(5)));
    assert_eq!(memory.contents(PATH).unwrap(), new_bytes());
}

#[test]
fn after_a_power_cut_the_old_file_or_the_new_one_is_there() {
    let (old, new) = (old_bytes(), new_bytes());
    let crash = || CrashStorage::new(with_old_file()).unwrap();
    let dry = FaultyStorage::new(Arc::new(crash()));
    assert!(matches!(run_replace(&dry), Ok(Settled::Durable)));
    let mut seen = [0, 0];
    for call in 0..=dry.calls() {
        for fault in [Fault::StopsBefore, Fault::StopsWithin, Fault::StopsAfter] {
            let power = crash();
            let storage = FaultyStorage::new(Arc::new(power.clone())).with(call, fault);
            let is_durable = matches!(run_replace(&storage), Ok(Settled::Durable));
            for names in [false, true] {
                let now = power.after_power_cut(names).unwrap().contents(PATH).unwrap();
                assert!(now == old || now == new, "{fault:?} at call {call}: a broken file");
                assert!(now == new || !is_durable, "{fault:?} at call {call}: acknowledged, gone");
                seen[usize::from(now == new)] += 1;
            }
        }
    }
    assert!(seen.iter().all(|count| *count > 2), "{seen:?}");
}

/// What `Durability::Synced` stands on: bytes are on the disk once `sync_data` came back, and not before.
#[test]
fn synced_bytes_survive_a_power_cut_and_others_may_not() {
    let power = CrashStorage::new(with_old_file()).unwrap();
    let mut file = power.open_append(Path::new(PATH), Create::Never).unwrap();
    file.append(b"synced\n").unwrap();
    file.sync_data().unwrap();
    file.append(b"buffered\n").unwrap();
    let image = power.after_power_cut(true).unwrap();
    let wanted = [old_bytes(), b"synced\n".to_vec()].concat();
    assert_eq!(image.contents(PATH).unwrap(), wanted);
    let live = [wanted, b"buffered\n".to_vec()].concat();
    assert_eq!(read_all(&power, Path::new(PATH)).unwrap(), live);
}

#[test]
fn a_new_file_survives_once_its_directory_is_synced() {
    let power = CrashStorage::new(with_old_file()).unwrap();
    let path = Path::new("/s/b.jsonl");
    let mut file = power.open_append(path, Create::Exclusive).unwrap();
    file.append(b"line\n").unwrap();
    file.sync_data().unwrap();
    assert!(power.after_power_cut(false).unwrap().contents(path).is_err());
    power.sync_dir(Path::new(DIR)).unwrap();
    assert_eq!(power.after_power_cut(false).unwrap().contents(path).unwrap(), b"line\n");
}

/// A file of another kind of owner keeps it; only root can try.
#[cfg(unix)]
#[test]
fn the_owner_is_kept() {
    use std::os::unix::fs::MetadataExt as _;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.jsonl");
    std::fs::write(&path, "old").unwrap();
    if std::os::unix::fs::chown(&path, Some(4321), Some(8765)).is_err() {
        return;
    }
    let settled =
        replace(&logwood::storage::LocalStorage, &path, |out| out.write_all(b"new")).unwrap();
    assert!(matches!(settled, Settled::Durable));
    let metadata = std::fs::metadata(&path).unwrap();
    assert_eq!((metadata.uid(), metadata.gid()), (4321, 8765));
    assert_eq!(std::fs::read(&path).unwrap(), b"new");
}

/// A file that was synced is of no use when its directory is gone.
#[test]
fn directories_that_were_synced_survive_a_power_cut() {
    let dir = Path::new("/s/--p--/deep");
    let file = dir.join("a.jsonl");
    let survives = |make: fn(&dyn Storage, &Path) -> io::Result<()>| {
        let power = CrashStorage::new(with_old_file()).unwrap();
        make(&power, dir).unwrap();
        make(&power, dir).unwrap();
        let mut new = Replacement::of_nothing(&file, &power).unwrap();
        new.write_all(b"line\n").unwrap();
        assert!(matches!(new.commit().unwrap(), Settled::Durable));
        power.after_power_cut(false).unwrap().contents(&file).is_ok_and(|bytes| bytes == b"line\n")
    };
    assert!(survives(create_dir_all_synced));
    assert!(!survives(|storage, dir| storage.create_dir_all(dir)));
}
