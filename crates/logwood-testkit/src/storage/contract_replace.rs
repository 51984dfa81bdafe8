//! Clauses about whole files: replacing one, and making one that takes nobody's place.

use std::io::{self, ErrorKind, Write as _};

use logwood::storage::{Access, Create, FileKind, Replacement, Settled, replace};

use super::contract::{Clause, refused};
use super::subject::Subject;

pub(super) const CLAUSES: &[(&str, Clause)] = &[
    ("a replaced file is the new one, and nothing else is left", replace_replaces),
    ("until the commit nothing has changed", nothing_changes_before_the_commit),
    ("what is dropped leaves no trace", dropped_replacement_leaves_no_trace),
    ("a link is followed, and stays", replace_follows_links),
    ("the mode is kept", replace_keeps_the_mode),
    ("only files are replaced", only_files_are_replaced),
    ("a failing writer changes nothing", failing_writer_changes_nothing),
    ("a new file takes nobody's place", new_file_takes_nobodys_place),
    ("a new file is private", new_whole_file_is_private),
    ("leftovers go, work in progress stays", leftovers_go),
    ("leftovers of new files go, work in progress stays", leftovers_of_new_files_go),
    ("large files come through whole", large_files_come_through),
];

fn replace_replaces(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let old = on.storage.metadata(&path)?;
    let settled = replace(&*on.storage, &path, |out| out.write_all(b"new!"))?;
    assert!(matches!(settled, Settled::Durable));
    assert_eq!(on.bytes(&path)?, b"new!");
    assert_eq!(on.storage.list(&on.root)?.len(), 1);
    assert_eq!(on.storage.metadata(&path)?.access, old.access);
    Ok(())
}

fn nothing_changes_before_the_commit(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let before = on.storage.metadata(&path)?;
    let mut new = Replacement::of(&path, &*on.storage)?;
    new.write_all(b"new")?;
    new.prepare()?;
    assert_eq!(on.bytes(&path)?, b"old");
    assert_eq!(on.storage.metadata(&path)?, before);
    for entry in on.storage.list(&on.root)? {
        assert!(entry.name == "a.jsonl" || !entry.name.to_string_lossy().ends_with(".jsonl"));
    }
    new.write_all(b"er")?;
    assert!(matches!(new.commit()?, Settled::Durable));
    assert_eq!(on.bytes(&path)?, b"newer");
    Ok(())
}

fn dropped_replacement_leaves_no_trace(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let mut new = Replacement::of(&path, &*on.storage)?;
    new.write_all(b"new")?;
    new.prepare()?;
    drop(new);
    assert_eq!(on.bytes(&path)?, b"old");
    assert_eq!(on.storage.list(&on.root)?.len(), 1);
    Ok(())
}

fn replace_follows_links(on: &Subject) -> io::Result<()> {
    on.storage.create_dir_all(&on.path("far"))?;
    let file = on.put("far/a.jsonl", b"old")?;
    let link = on.put_link("link.jsonl", "far/a.jsonl")?;
    let settled = replace(&*on.storage, &link, |out| out.write_all(b"new"))?;
    assert!(matches!(settled, Settled::Durable));
    assert_eq!(on.storage.link_metadata(&link)?.kind, FileKind::Symlink);
    assert_eq!(on.bytes(&file)?, b"new");
    assert_eq!(on.storage.list(&on.path("far"))?.len(), 1);
    Ok(())
}

fn replace_keeps_the_mode(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let old = on.storage.metadata(&path)?.access;
    for mode in [0o640, 0o666, 0o604] {
        on.storage.open_append(&path, Create::Never)?.set_access(&Access { mode, ..old })?;
        let settled = replace(&*on.storage, &path, |out| out.write_all(b"new"))?;
        assert!(matches!(settled, Settled::Durable));
        let access = on.storage.metadata(&path)?.access;
        assert_eq!(access.owner, old.owner);
        if cfg!(unix) {
            assert_eq!(access.mode, mode);
        }
    }
    Ok(())
}

fn only_files_are_replaced(on: &Subject) -> io::Result<()> {
    let dir = on.path("dir.jsonl");
    on.storage.create_dir_all(&dir)?;
    let broken = on.put_link("broken", "nothing")?;
    let write = |path| replace(&*on.storage, path, |out| out.write_all(b"new"));
    refused(write(&dir), ErrorKind::IsADirectory);
    refused(write(&broken), ErrorKind::NotFound);
    refused(write(&on.path("nothing")), ErrorKind::NotFound);
    assert_eq!(on.storage.list(&on.root)?.len(), 2);
    Ok(())
}

fn failing_writer_changes_nothing(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let outcome = replace(&*on.storage, &path, |out| {
        out.write_all(&[b'x'; 200_000])?;
        Err(ErrorKind::InvalidData.into())
    });
    refused(outcome, ErrorKind::InvalidData);
    assert_eq!(on.bytes(&path)?, b"old");
    assert_eq!(on.storage.list(&on.root)?.len(), 1);
    Ok(())
}

fn new_file_takes_nobodys_place(on: &Subject) -> io::Result<()> {
    let taken = on.put("taken", b"mine")?;
    let broken = on.put_link("broken", "nothing")?;
    for path in [&taken, &broken] {
        refused(Replacement::of_nothing(path, &*on.storage), ErrorKind::AlreadyExists);
    }
    let path = on.path("a.jsonl");
    let mut new = Replacement::of_nothing(&path, &*on.storage)?;
    new.write_all(b"new")?;
    new.prepare()?;
    refused(on.storage.link_metadata(&path), ErrorKind::NotFound);
    on.put("a.jsonl", b"other")?;
    refused(new.commit(), ErrorKind::AlreadyExists);
    assert_eq!(on.bytes(&path)?, b"other");
    assert_eq!(on.storage.list(&on.root)?.len(), 3);
    refused(Replacement::of_nothing(&on.path("no/a"), &*on.storage), ErrorKind::NotFound);
    Ok(())
}

fn new_whole_file_is_private(on: &Subject) -> io::Result<()> {
    let path = on.path("a.jsonl");
    let mut new = Replacement::of_nothing(&path, &*on.storage)?;
    new.write_all(b"new")?;
    assert!(matches!(new.commit()?, Settled::Durable));
    assert_eq!(on.bytes(&path)?, b"new");
    if cfg!(unix) {
        assert_eq!(on.storage.metadata(&path)?.access.mode, 0o600);
    }
    Ok(())
}

fn leftovers_go(on: &Subject) -> io::Result<()> {
    let path = on.put("a.jsonl", b"old")?;
    let left = [
        on.put(".a.jsonl.0123abcd.logwood-tmp", b"half")?,
        on.put(".b.jsonl.0123abcd.logwood-tmp", b"of another file")?,
    ];
    let others = [
        on.put(".a.jsonl.notes.logwood-tmp", b"of somebody else")?,
        on.put("a.jsonl.0123abcd.logwood-tmp", b"of somebody else")?,
    ];
    let busy = Replacement::of(&path, &*on.storage)?;
    for left in &left {
        refused(on.storage.link_metadata(left), ErrorKind::NotFound);
    }
    let settled = replace(&*on.storage, &path, |out| out.write_all(b"new"))?;
    assert!(matches!(settled, Settled::Durable));
    for other in &others {
        assert_eq!(on.storage.link_metadata(other)?.kind, FileKind::File);
    }
    assert_eq!(on.storage.list(&on.root)?.len(), 4, "the other replacement still has its file");
    assert!(matches!(busy.commit()?, Settled::Durable));
    assert_eq!(on.bytes(&path)?, b"");
    Ok(())
}

fn leftovers_of_new_files_go(on: &Subject) -> io::Result<()> {
    let [one, two] =
        [on.put(".new-0.logwood-tmp", b"half")?, on.put(".new-2.logwood-tmp", b"half")?];
    let other = on.put(".new-note.logwood-tmp", b"of somebody else")?;
    let busy = Replacement::of_nothing(&on.path("b.jsonl"), &*on.storage)?;
    refused(on.storage.link_metadata(&two), ErrorKind::NotFound);
    assert!(on.bytes(&one)?.is_empty(), "it is written anew");
    assert_eq!(on.storage.list(&on.root)?.len(), 2, "the note, and what is being written");
    let mut many = Vec::new();
    for number in 0..8 {
        let path = on.path(&format!("{number}.jsonl"));
        let mut new = Replacement::of_nothing(&path, &*on.storage)?;
        new.write_all(b"new")?;
        many.push(new);
    }
    assert_eq!(on.storage.list(&on.root)?.len(), 10, "who is at work keeps its file");
    assert!(matches!(busy.commit()?, Settled::Durable));
    for new in many {
        assert!(matches!(new.commit()?, Settled::Durable));
    }
    assert_eq!(on.storage.link_metadata(&other)?.kind, FileKind::File);
    assert_eq!(on.storage.list(&on.root)?.len(), 10);
    Ok(())
}

fn large_files_come_through(on: &Subject) -> io::Result<()> {
    let name = format!("{}.jsonl", "é".repeat(124));
    let path = on.put(&name, b"old")?;
    let line: Vec<u8> = (0..=255).cycle().take(1001).collect();
    let settled =
        replace(&*on.storage, &path, |out| (0..500).try_for_each(|_| out.write_all(&line)))?;
    assert!(matches!(settled, Settled::Durable));
    assert_eq!(on.bytes(&path)?, line.repeat(500));
    Ok(())
}
