//! Clauses about open files: reading, appending, locks, identity.

use std::io::{self, ErrorKind};
use std::time::{Duration, Instant};

use logwood::storage::{Access, AppendFile, Create, Exclusive, FileKind, LockOutcome, StoredFile};

use super::contract::{Clause, refused};
use super::subject::Subject;

pub(super) const CLAUSES: &[(&str, Clause)] = &[
    ("a new file is empty, regular and private", new_file_is_private),
    ("an exclusive create takes nobody's place", exclusive_create_refuses_what_is_there),
    ("without leave to create, a missing file is an error", never_create_needs_the_file),
    ("if missing, the file is made, and only then", if_missing_creates_once),
    ("appends go to the end, whoever moved it", appends_go_to_the_end),
    ("it is known where an append ended", end_of_append_is_where_our_bytes_are),
    ("reads are by position and end with 0", reads_are_by_position),
    ("a file can be cut", truncate_cuts),
    ("one file is one identity", identity_follows_the_file),
    ("an open file outlives its name", handle_outlives_the_name),
    ("a changed file has a later time, or the same", time_does_not_go_back),
    ("a mode can be given", access_can_be_given),
    ("syncing an open file works", sync_works),
    ("one handle at a time has the lock", lock_is_exclusive),
    ("a lock is given back when the file is closed", closing_gives_the_lock_back),
    ("a lock is waited for, and not for ever", lock_is_waited_for),
    ("a lock binds the file, not the name", lock_goes_with_the_file),
];

fn new_file_is_private(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"")?;
    let metadata = on.storage.metadata(&path)?;
    assert_eq!((metadata.len, metadata.kind), (0, FileKind::File));
    if cfg!(unix) {
        assert_eq!(metadata.access.mode, 0o600);
    }
    assert!(!metadata.is_read_only());
    Ok(())
}

fn exclusive_create_refuses_what_is_there(on: &Subject) -> io::Result<()> {
    let file = on.put("file", b"one")?;
    let dir = on.path("dir");
    on.storage.create_dir_all(&dir)?;
    let link = on.put_link("link", "file")?;
    let broken = on.put_link("broken", "nothing")?;
    for path in [&file, &dir, &link, &broken] {
        refused(on.storage.open_append(path, Create::Exclusive), ErrorKind::AlreadyExists);
    }
    assert_eq!(on.bytes(&file)?, b"one");
    refused(on.storage.metadata(&on.path("nothing")), ErrorKind::NotFound);
    Ok(())
}

fn never_create_needs_the_file(on: &Subject) -> io::Result<()> {
    let path = on.path("a");
    refused(on.storage.open_append(&path, Create::Never), ErrorKind::NotFound);
    refused(on.storage.link_metadata(&path), ErrorKind::NotFound);
    refused(on.storage.open_append(&on.path("no/a"), Create::Exclusive), ErrorKind::NotFound);
    Ok(())
}

fn if_missing_creates_once(on: &Subject) -> io::Result<()> {
    let path = on.path("a");
    on.storage.open_append(&path, Create::IfMissing)?.append(b"one")?;
    on.storage.open_append(&path, Create::IfMissing)?.append(b"two")?;
    assert_eq!(on.bytes(&path)?, b"onetwo");
    let link = on.put_link("link", "a")?;
    on.storage.open_append(&link, Create::IfMissing)?.append(b"three")?;
    assert_eq!(on.bytes(&path)?, b"onetwothree");
    let broken = on.put_link("broken", "nothing")?;
    assert!(on.storage.open_append(&broken, Create::IfMissing).is_err());
    Ok(())
}

fn appends_go_to_the_end(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut one = on.storage.open_append(&path, Create::Never)?;
    let mut two = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(one.append(b"aaaa")?, 4);
    assert_eq!(two.append(b"bb")?, 2);
    one.truncate(5)?;
    assert_eq!(two.append(b"c")?, 1);
    assert_eq!(two.append(b"")?, 0);
    assert_eq!(on.bytes(&path)?, b"aaaabc");
    assert_eq!(one.metadata()?.len, 6);
    Ok(())
}

fn end_of_append_is_where_our_bytes_are(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"0123")?;
    let mut one = on.storage.open_append(&path, Create::Never)?;
    let mut two = on.storage.open_append(&path, Create::Never)?;
    one.append(b"45")?;
    assert_eq!(one.end_of_append()?, 6);
    assert_eq!(read(&mut *one, 0, 2)?, b"01");
    assert_eq!(one.end_of_append()?, 6, "reading does not move it");
    two.append(b"678")?;
    assert_eq!(two.end_of_append()?, 9, "not where the handle stood");
    // Exactly, or the length where the system does not keep it.
    assert!([6, 9].contains(&one.end_of_append()?));
    one.append(b"9")?;
    assert_eq!(one.end_of_append()?, 10);
    Ok(())
}

fn reads_are_by_position(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"0123456789")?;
    let mut reader = on.storage.open(&path)?;
    let mut appender = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(read(&mut *reader, 7, 3)?, b"789");
    assert_eq!(read(&mut *reader, 0, 2)?, b"01");
    assert_eq!(read(&mut *appender, 4, 2)?, b"45");
    assert_eq!(read(&mut *reader, 8, 100)?, b"89");
    assert_eq!(read(&mut *reader, 10, 1)?, b"");
    assert_eq!(read(&mut *reader, 1 << 40, 1)?, b"");
    appender.append(b"more")?;
    assert_eq!(read(&mut *reader, 10, 100)?, b"more");
    Ok(())
}

fn read(file: &mut dyn StoredFile, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![b'?'; length];
    let count = file.read_at(offset, &mut bytes)?;
    assert!(bytes.iter().skip(count).all(|byte| *byte == b'?'), "nothing is touched behind");
    bytes.truncate(count);
    Ok(bytes)
}

fn truncate_cuts(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"0123456789")?;
    on.storage.open_append(&path, Create::Never)?.truncate(4)?;
    assert_eq!(on.bytes(&path)?, b"0123");
    Ok(())
}

fn identity_follows_the_file(on: &Subject) -> io::Result<()> {
    let a = on.put("a", b"a")?;
    let b = on.put("b", b"b")?;
    let link = on.put_link("link", "a")?;
    let of = |path| on.storage.metadata(path).map(|metadata| metadata.identity);
    let handle = on.storage.open_append(&a, Create::Never)?;
    let identity = of(&a)?;
    assert_eq!(of(&link)?, identity);
    assert_eq!(handle.metadata()?.identity, identity);
    assert_eq!(on.storage.open(&a)?.metadata()?.identity, identity);
    if cfg!(unix) {
        assert_ne!(of(&b)?, identity);
        assert_ne!(on.storage.link_metadata(&link)?.identity, identity);
    }
    let moved = on.path("moved");
    on.storage.rename(&a, &moved)?;
    assert_eq!(of(&moved)?, identity);
    Ok(())
}

fn handle_outlives_the_name(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"old")?;
    let mut replaced = on.storage.open_append(&path, Create::Never)?;
    let new = on.put("new", b"new")?;
    on.storage.rename_over(&new, &path)?;
    let mut removed = on.storage.open(&path)?;
    replaced.append(b"er")?;
    on.storage.remove_file(&path)?;
    assert_eq!(read(&mut *replaced, 0, 9)?, b"older");
    assert_eq!(read(&mut *removed, 0, 9)?, b"new");
    assert_eq!(removed.metadata()?.len, 3);
    assert_ne!(replaced.metadata()?.identity, removed.metadata()?.identity);
    refused(on.storage.open(&path), ErrorKind::NotFound);
    Ok(())
}

fn time_does_not_go_back(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let before = on.storage.metadata(&path)?;
    std::thread::sleep(Duration::from_millis(20));
    on.storage.open_append(&path, Create::Never)?.append(b"x")?;
    let after = on.storage.metadata(&path)?;
    assert!(after.modified_ns > before.modified_ns, "{before:?} {after:?}");
    on.bytes(&path)?;
    assert_eq!(on.storage.metadata(&path)?, after);
    Ok(())
}

fn access_can_be_given(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut file = on.storage.open_append(&path, Create::Never)?;
    let old = file.metadata()?.access;
    file.set_access(&Access { mode: 0o444, ..old })?;
    assert!(on.storage.metadata(&path)?.is_read_only());
    file.set_access(&Access { mode: 0o640, owner: None })?;
    let new = on.storage.metadata(&path)?;
    assert!(!new.is_read_only());
    assert_eq!(new.access.owner, old.owner);
    if cfg!(unix) {
        assert_eq!(new.access.mode, 0o640);
    }
    Ok(())
}

fn sync_works(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"x")?;
    let mut file = on.storage.open_append(&path, Create::Never)?;
    file.sync_data()?;
    file.sync_all()?;
    on.storage.sync_dir(&on.root)
}

fn lock_is_exclusive(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut one = on.storage.open_append(&path, Create::Never)?;
    let mut two = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(one.try_lock()?, LockOutcome::Acquired);
    assert_eq!(two.try_lock()?, LockOutcome::Busy);
    assert_eq!(two.append(b"x")?, 1, "the lock binds only those who ask");
    one.unlock()?;
    assert_eq!(two.try_lock()?, LockOutcome::Acquired);
    assert_eq!(one.try_lock()?, LockOutcome::Busy);
    Ok(())
}

fn closing_gives_the_lock_back(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut one = on.storage.open_append(&path, Create::Never)?;
    let mut two = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(one.try_lock()?, LockOutcome::Acquired);
    drop(one);
    assert_eq!(two.try_lock()?, LockOutcome::Acquired);
    Ok(())
}

fn lock_is_waited_for(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut one = on.storage.open_append(&path, Create::Never)?;
    let mut two = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(one.try_lock()?, LockOutcome::Acquired);
    let (start, wait) = (Instant::now(), Duration::from_millis(60));
    assert!(Exclusive::acquire(&mut *two, wait)?.is_none());
    assert!(start.elapsed() >= wait);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            drop(one);
        });
        let locked = Exclusive::acquire(&mut *two, Duration::from_secs(20))?;
        assert!(locked.is_some_and(|locked| locked.is_guarded()));
        assert!(start.elapsed() < Duration::from_secs(10));
        Ok(())
    })
}

fn lock_goes_with_the_file(on: &Subject) -> io::Result<()> {
    let path = on.put("a", b"")?;
    let mut old = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(old.try_lock()?, LockOutcome::Acquired);
    let new = on.put("new", b"")?;
    on.storage.rename_over(&new, &path)?;
    let mut other: Box<dyn AppendFile> = on.storage.open_append(&path, Create::Never)?;
    assert_eq!(other.try_lock()?, LockOutcome::Acquired);
    Ok(())
}
