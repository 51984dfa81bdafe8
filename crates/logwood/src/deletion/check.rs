//! Whether a path may be deleted; the first check that is not passed decides (design section 2, "Deleting").

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::entry::SessionHeader;
use crate::inventory::read_header;
use crate::session::Holder;
use crate::storage::{FileId, FileKind, Storage};

use super::refusal::Refusal;

/// What passed every check.
#[derive(Debug)]
pub(super) struct Target {
    /// The absolute path, its folder without links and `..`; the last name as it stands.
    pub(super) path: PathBuf,
    pub(super) header: Option<SessionHeader>,
    pub(super) is_link: bool,
    pub(super) size: u64,
    /// Which file or link it is.
    pub(super) identity: Option<FileId>,
}

/// Checks in this order: not_jsonl, active_session, not_found, not_a_file, not_a_session. Reads no further than the header.
pub(super) fn check(
    storage: &dyn Storage,
    path: &Path,
    active: Option<&Path>,
    live: &[Holder],
    force: bool,
) -> Result<Target, Refusal> {
    if !path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b".jsonl")) {
        return Err(Refusal::NotJsonl);
    }
    if active.is_some_and(|active| is_same(storage, path, active)) {
        return Err(Refusal::Active);
    }
    if let Some(holder) = live.iter().find(|holder| is_same(storage, path, &holder.session)) {
        return Err(Refusal::Live(holder.clone()));
    }
    let place = place(storage, path).map_err(|error| refused(path, error))?;
    let own = storage.link_metadata(&place).map_err(|error| refused(path, error))?;
    let is_link = own.kind == FileKind::Symlink;
    let target = |header| Target {
        path: place.clone(),
        header,
        is_link,
        size: own.len,
        identity: own.identity,
    };
    match storage.metadata(&place) {
        Ok(followed) if followed.kind != FileKind::File => Err(Refusal::NotAFile),
        Ok(_) => match read_header(storage, &place).map_err(|error| refused(path, error))? {
            Ok(header) => Ok(target(Some(header))),
            Err(_) if force => Ok(target(None)),
            Err(fault) => Err(Refusal::NotASession(fault.kind)),
        },
        // A link to nothing is as good as missing, but somebody who insists can have it removed.
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_link && force => {
            Ok(target(None))
        }
        Err(error) => Err(refused(path, error)),
    }
}

fn refused(path: &Path, error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Refusal::NotFound,
        io::ErrorKind::IsADirectory | io::ErrorKind::NotSeekable => Refusal::NotAFile,
        _ => Refusal::Io(path.to_path_buf(), error),
    }
}

/// The path with its folder as the system knows it. Only the system can tell what `..` behind a link means.
pub(super) fn place(storage: &dyn Storage, path: &Path) -> io::Result<PathBuf> {
    let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    Ok(storage.canonicalize(parent.unwrap_or(Path::new(".")))?.join(name))
}

/// Whether two paths lead to one file, in whatever spelling, through links, or by another name; the file need not be there.
fn is_same(storage: &dyn Storage, a: &Path, b: &Path) -> bool {
    let place_of = |path| place(storage, path).ok();
    let real = |path| storage.canonicalize(path).ok();
    let identity = |path| storage.metadata(path).ok().and_then(|metadata| metadata.identity);
    lexical(a) == lexical(b)
        || is_equal(place_of(a), place_of(b))
        || is_equal(real(a), real(b))
        || is_equal(identity(a), identity(b))
}

fn is_equal<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    a.is_some() && a == b
}

/// The path without `.` and `..`, as its text has it.
fn lexical(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            part => clean.push(part),
        }
    }
    clean
}
