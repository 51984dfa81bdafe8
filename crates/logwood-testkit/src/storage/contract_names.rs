//! Clauses about names: directories, links, renaming, removing, and what is no regular file.

use std::io::{self, ErrorKind};

use logwood::storage::{Create, DirEntry, FileKind};

use super::contract::{Clause, refused};
use super::subject::Subject;

pub(super) const CLAUSES: &[(&str, Clause)] = &[
    ("a directory is no file, whatever its name", directory_is_refused),
    ("a pipe is refused at once", pipe_is_refused),
    ("a link to nothing is nothing", broken_link_is_nothing),
    ("links are followed, except where the link is meant", links_are_followed),
    ("links that lead in circles end", link_loops_end),
    ("a list is in order and says what is what", list_is_ordered),
    ("a list needs a directory", list_needs_a_directory),
    ("directories are made with those above, private", directories_are_made),
    ("rename takes nobody's place", rename_never_overwrites),
    ("rename moves the link, not the file", rename_moves_links),
    ("rename over takes a file's place", rename_over_replaces),
    ("rename over leaves directories alone", rename_over_refuses_directories),
    ("remove takes a link, not its file", remove_takes_the_link),
    ("remove leaves directories alone", remove_refuses_directories),
    ("a canonical path has no links and no dots", canonical_paths),
    ("syncing a directory needs one", sync_dir_needs_a_directory),
    ("names need not be text", names_need_not_be_text),
];

fn directory_is_refused(on: &Subject) -> io::Result<()> {
    let path = on.path("x.jsonl");
    on.storage.create_dir_all(&path)?;
    refused(on.storage.open(&path), ErrorKind::IsADirectory);
    refused(on.storage.open_append(&path, Create::Never), ErrorKind::IsADirectory);
    assert_eq!(on.storage.metadata(&path)?.kind, FileKind::Dir);
    let below = path.join("a");
    on.storage.open_append(&below, Create::Exclusive)?;
    refused(on.storage.open(&below.join("b")), ErrorKind::NotADirectory);
    Ok(())
}

fn pipe_is_refused(on: &Subject) -> io::Result<()> {
    let path = match on.put_pipe("pipe.jsonl") {
        Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(()),
        other => other?,
    };
    let link = on.put_link("link.jsonl", "pipe.jsonl")?;
    assert_eq!(on.storage.metadata(&path)?.kind, FileKind::Other);
    for path in [&path, &link] {
        refused(on.storage.open(path), ErrorKind::NotSeekable);
        refused(on.storage.open_append(path, Create::Never), ErrorKind::NotSeekable);
        refused(on.storage.open_append(path, Create::IfMissing), ErrorKind::NotSeekable);
    }
    Ok(())
}

fn broken_link_is_nothing(on: &Subject) -> io::Result<()> {
    let path = on.put_link("link", "nothing")?;
    refused(on.storage.open(&path), ErrorKind::NotFound);
    refused(on.storage.open_append(&path, Create::Never), ErrorKind::NotFound);
    refused(on.storage.metadata(&path), ErrorKind::NotFound);
    refused(on.storage.canonicalize(&path), ErrorKind::NotFound);
    assert_eq!(on.storage.link_metadata(&path)?.kind, FileKind::Symlink);
    Ok(())
}

fn links_are_followed(on: &Subject) -> io::Result<()> {
    on.storage.create_dir_all(&on.path("real"))?;
    let file = on.put("real/a", b"one")?;
    on.put_link("dir", "real")?;
    let link = on.put_link("link", on.path("dir").join("a"))?;
    let up = on.put_link("real/up", "../link")?;
    for path in [&link, &up, &on.path("dir/a"), &on.path("dir/../real/./a")] {
        assert_eq!(on.bytes(path)?, b"one");
        assert_eq!(on.storage.metadata(path)?, on.storage.metadata(&file)?);
    }
    on.storage.open_append(&link, Create::Never)?.append(b"two")?;
    assert_eq!(on.bytes(&file)?, b"onetwo");
    assert_eq!(on.storage.link_metadata(&link)?.kind, FileKind::Symlink);
    Ok(())
}

fn link_loops_end(on: &Subject) -> io::Result<()> {
    let a = on.put_link("a", "b")?;
    on.put_link("b", "a")?;
    assert!(on.storage.open(&a).is_err());
    assert!(on.storage.metadata(&a).is_err());
    Ok(())
}

fn list_is_ordered(on: &Subject) -> io::Result<()> {
    on.put("b.jsonl", b"")?;
    on.put("B.jsonl", b"")?;
    on.put("é", b"")?;
    on.put(".hidden", b"")?;
    on.storage.create_dir_all(&on.path("dir/below"))?;
    on.put_link("link", "dir")?;
    on.put_link("broken", "nothing")?;
    let listed = on.storage.list(&on.root)?;
    let wanted = [
        (".hidden", FileKind::File),
        ("B.jsonl", FileKind::File),
        ("b.jsonl", FileKind::File),
        ("broken", FileKind::Symlink),
        ("dir", FileKind::Dir),
        ("link", FileKind::Symlink),
        ("é", FileKind::File),
    ];
    assert_eq!(listed, wanted.map(|(name, kind)| DirEntry { name: name.into(), kind }));
    let through_link = on.storage.list(&on.path("link"))?;
    assert_eq!(through_link, [DirEntry { name: "below".into(), kind: FileKind::Dir }]);
    assert_eq!(on.storage.list(&on.path("dir/below"))?, []);
    Ok(())
}

fn list_needs_a_directory(on: &Subject) -> io::Result<()> {
    let file = on.put("a", b"")?;
    refused(on.storage.list(&file), ErrorKind::NotADirectory);
    refused(on.storage.list(&on.path("nothing")), ErrorKind::NotFound);
    Ok(())
}

fn directories_are_made(on: &Subject) -> io::Result<()> {
    let path = on.path("one/two/three");
    on.storage.create_dir_all(&path)?;
    on.storage.create_dir_all(&path)?;
    for name in ["one", "one/two", "one/two/three"] {
        let metadata = on.storage.metadata(&on.path(name))?;
        assert_eq!(metadata.kind, FileKind::Dir);
        if cfg!(unix) {
            assert_eq!(metadata.access.mode & 0o777, 0o700);
        }
    }
    on.put_link("link", "one")?;
    on.storage.create_dir_all(&on.path("link/four"))?;
    assert_eq!(on.storage.metadata(&on.path("one/four"))?.kind, FileKind::Dir);
    on.put("file", b"")?;
    assert!(on.storage.create_dir_all(&on.path("file")).is_err());
    assert!(on.storage.create_dir_all(&on.path("file/below")).is_err());
    Ok(())
}

fn rename_never_overwrites(on: &Subject) -> io::Result<()> {
    let from = on.put("from", b"from")?;
    let file = on.put("file", b"file")?;
    let dir = on.path("dir");
    on.storage.create_dir_all(&dir)?;
    let broken = on.put_link("broken", "nothing")?;
    for to in [&file, &dir, &broken] {
        refused(on.storage.rename(&from, to), ErrorKind::AlreadyExists);
    }
    assert_eq!(on.bytes(&file)?, b"file");
    assert_eq!(on.storage.link_metadata(&broken)?.kind, FileKind::Symlink);
    let to = on.path("to");
    on.storage.rename(&from, &to)?;
    assert_eq!(on.bytes(&to)?, b"from");
    refused(on.storage.link_metadata(&from), ErrorKind::NotFound);
    refused(on.storage.rename(&from, &on.path("else")), ErrorKind::NotFound);
    refused(on.storage.rename(&to, &on.path("no/to")), ErrorKind::NotFound);
    assert_eq!(on.bytes(&to)?, b"from");
    Ok(())
}

fn rename_moves_links(on: &Subject) -> io::Result<()> {
    let file = on.put("file", b"file")?;
    let link = on.put_link("link", &file)?;
    let moved = on.path("moved");
    on.storage.rename(&link, &moved)?;
    assert_eq!(on.storage.link_metadata(&moved)?.kind, FileKind::Symlink);
    assert_eq!(on.storage.link_metadata(&file)?.kind, FileKind::File);
    assert_eq!(on.bytes(&moved)?, b"file");
    Ok(())
}

fn rename_over_replaces(on: &Subject) -> io::Result<()> {
    let old = on.put("old", b"old")?;
    let new = on.put("new", b"new")?;
    on.storage.rename_over(&new, &old)?;
    assert_eq!(on.bytes(&old)?, b"new");
    refused(on.storage.link_metadata(&new), ErrorKind::NotFound);
    refused(on.storage.rename_over(&new, &old), ErrorKind::NotFound);
    let free = on.path("free");
    on.storage.rename_over(&old, &free)?;
    let link = on.put_link("link", "nothing")?;
    on.storage.rename_over(&free, &link)?;
    assert_eq!(on.storage.link_metadata(&link)?.kind, FileKind::File);
    Ok(())
}

fn rename_over_refuses_directories(on: &Subject) -> io::Result<()> {
    let file = on.put("file", b"file")?;
    let dir = on.path("dir");
    on.storage.create_dir_all(&dir)?;
    assert!(on.storage.rename_over(&file, &dir).is_err());
    assert_eq!(on.bytes(&file)?, b"file");
    Ok(())
}

fn remove_takes_the_link(on: &Subject) -> io::Result<()> {
    let file = on.put("file", b"file")?;
    let link = on.put_link("link", "file")?;
    on.storage.remove_file(&link)?;
    assert_eq!(on.bytes(&file)?, b"file");
    on.storage.remove_file(&file)?;
    refused(on.storage.remove_file(&file), ErrorKind::NotFound);
    assert_eq!(on.storage.list(&on.root)?, []);
    Ok(())
}

fn remove_refuses_directories(on: &Subject) -> io::Result<()> {
    let dir = on.path("dir");
    on.storage.create_dir_all(&dir)?;
    assert!(on.storage.remove_file(&dir).is_err());
    assert_eq!(on.storage.metadata(&dir)?.kind, FileKind::Dir);
    Ok(())
}

fn canonical_paths(on: &Subject) -> io::Result<()> {
    on.storage.create_dir_all(&on.path("real"))?;
    let file = on.put("real/a", b"")?;
    on.put_link("dir", "real")?;
    on.put_link("link", "dir/../dir/a")?;
    for name in ["link", "dir/a", "real/../dir/./a"] {
        assert_eq!(on.storage.canonicalize(&on.path(name))?, file);
    }
    assert_eq!(on.storage.canonicalize(&on.path("dir/.."))?, on.root);
    refused(on.storage.canonicalize(&on.path("nothing")), ErrorKind::NotFound);
    Ok(())
}

fn sync_dir_needs_a_directory(on: &Subject) -> io::Result<()> {
    if cfg!(unix) {
        refused(on.storage.sync_dir(&on.path("nothing")), ErrorKind::NotFound);
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn names_need_not_be_text(on: &Subject) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt as _;
    let name = std::ffi::OsStr::from_bytes(b"\xff\xfe.jsonl");
    let path = on.root.join(name);
    on.storage.open_append(&path, Create::Exclusive)?.append(b"x")?;
    let listed = on.storage.list(&on.root)?;
    assert_eq!(listed, [DirEntry { name: name.to_owned(), kind: FileKind::File }]);
    assert_eq!(on.bytes(&path)?, b"x");
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn names_need_not_be_text(_on: &Subject) -> io::Result<()> {
    Ok(())
}
