//! The wrappers do to calls what they say, since every test of failures stands on that.

use std::io;
use std::path::Path;
use std::sync::Arc;

use logwood::storage::{Create, MemoryStorage, Storage};

use super::{Code, Fault, FaultyStorage, RecordingStorage, Verb};

const FILE: &str = "/a";

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(FILE, "0123456789").unwrap();
    memory
}

/// Opens (call 0), appends 5 bytes (call 1), appends 3 more (call 2), reads (call 3); the outcomes and what is in the file.
fn run(call: u64, fault: Fault) -> (Vec<Result<usize, Option<i32>>>, String) {
    let memory = memory();
    let storage = FaultyStorage::new(Arc::new(memory.clone())).with(call, fault);
    let code = |outcome: io::Result<usize>| outcome.map_err(|error| error.raw_os_error());
    let mut outcomes = Vec::new();
    match storage.open_append(Path::new(FILE), Create::Never) {
        Err(error) => outcomes.push(Err(error.raw_os_error())),
        Ok(mut file) => {
            outcomes.push(code(file.append(b"abcde")));
            outcomes.push(code(file.append(b"xyz")));
            outcomes.push(code(file.read_at(0, &mut [0; 8])));
        }
    }
    (outcomes, String::from_utf8(memory.contents(FILE).unwrap()).unwrap())
}

#[test]
fn without_a_fault_everything_works() {
    assert_eq!(
        run(99, Fault::StopsBefore),
        (vec![Ok(5), Ok(3), Ok(8)], "0123456789abcdexyz".into())
    );
}

#[test]
fn one_call_fails_and_the_next_works() {
    let code = Fault::Fails(Code::NoSpace);
    assert_eq!(run(1, code), (vec![Err(Some(28)), Ok(3), Ok(8)], "0123456789xyz".into()));
    assert_eq!(run(0, code), (vec![Err(Some(28))], "0123456789".into()));
    assert_eq!(run(3, code).0, [Ok(5), Ok(3), Err(Some(28))]);
}

#[test]
fn a_full_disk_stays_full_and_can_be_read() {
    let fault = Fault::Sticks(Code::ReadOnly);
    assert_eq!(run(1, fault), (vec![Err(Some(30)), Err(Some(30)), Ok(8)], "0123456789".into()));
}

#[test]
fn short_and_torn_calls_move_half() {
    assert_eq!(run(1, Fault::Shortens), (vec![Ok(3), Ok(3), Ok(8)], "0123456789abcxyz".into()));
    assert_eq!(run(3, Fault::Shortens).0, [Ok(5), Ok(3), Ok(4)]);
    let torn = run(1, Fault::Tears(Code::Io));
    assert_eq!(torn, (vec![Err(Some(5)), Ok(3), Ok(8)], "0123456789abcxyz".into()));
}

#[test]
fn after_a_stop_nothing_works_any_more() {
    let dead = vec![Err(None), Err(None), Err(None)];
    assert_eq!(run(1, Fault::StopsBefore), (dead.clone(), "0123456789".into()));
    assert_eq!(run(1, Fault::StopsWithin), (dead.clone(), "0123456789abc".into()));
    assert_eq!(run(1, Fault::StopsAfter), (dead, "0123456789abcde".into()));
}

#[test]
fn what_was_hit_is_told() {
    let storage = FaultyStorage::new(Arc::new(memory()))
        .with(1, Fault::Fails(Code::Denied))
        .with(2, Fault::StopsAfter);
    assert!(storage.metadata(Path::new(FILE)).is_ok());
    let error = storage.list(Path::new("/")).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::PermissionDenied);
    assert!(storage.clone().remove_file(Path::new(FILE)).is_err());
    assert!(storage.metadata(Path::new("/")).is_err());
    assert_eq!(storage.hit(), [(1, Verb::List), (2, Verb::RemoveFile)]);
    assert_eq!(storage.calls(), 4);
    assert!(storage.is_stopped());
}

/// The numbers are those of Linux and macOS; what matters is the kind that comes of them.
#[cfg(unix)]
#[test]
fn codes_have_their_kinds() {
    assert_eq!(Code::NoSpace.error().kind(), io::ErrorKind::StorageFull);
    assert_eq!(Code::Denied.error().kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(Code::ReadOnly.error().kind(), io::ErrorKind::ReadOnlyFilesystem);
}

#[test]
fn calls_are_recorded_with_path_and_bytes() {
    let storage = RecordingStorage::new(Arc::new(memory()));
    let mut file = storage.open_append(Path::new(FILE), Create::Never).unwrap();
    file.append(b"abc").unwrap();
    file.read_at(11, &mut [0; 100]).unwrap();
    assert!(storage.open(Path::new("/nothing")).is_err());
    assert_eq!((storage.changes(), storage.bytes(Verb::ReadAt)), (1, 2));
    let calls = storage.take();
    let told: Vec<_> =
        calls.iter().map(|call| (call.verb, call.path.to_str().unwrap(), call.bytes)).collect();
    let wanted = [
        (Verb::OpenAppend, FILE, 0),
        (Verb::Append, FILE, 3),
        (Verb::ReadAt, FILE, 2),
        (Verb::Open, "/nothing", 0),
    ];
    assert_eq!(told, wanted);
    assert_eq!(storage.take(), []);
}
