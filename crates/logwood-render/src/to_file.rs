//! An export gets to its file whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use logwood::error::{Error, ErrorKind, Result};
use logwood::storage::{Durability, Replacement, Storage};

use crate::export::Exported;

const WHAT: &str = "cannot export to";

/// Puts what `write` writes into a file: a private one (0600), complete or not there at all. What is there is not touched unless
/// `force` says so. Nothing is left of an export that still holds secrets after they were taken out.
///
/// # Errors
/// `invalid_argument` when `path` is `source`, the file that is exported, under whatever name and `force` or not; when something is there, or secrets are left; what the system says; what `write` says.
pub fn write_file<E: From<Error>>(
    (source, path): (&Path, &Path),
    force: bool,
    storage: &dyn Storage,
    write: impl FnOnce(&mut dyn Write) -> std::result::Result<io::Result<Exported>, E>,
) -> std::result::Result<Exported, E> {
    let failed = |error| Error::io(WHAT, path, error);
    if is_same(source, path, storage) {
        return Err(itself(path).into());
    }
    let mut new = begin(path, force, storage)?;
    let exported = write(&mut new)?.map_err(failed)?;
    if exported.left.total() > 0 {
        return Err(secrets_left(path, &exported).into());
    }
    match new.commit() {
        Ok(_) => Ok(exported),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken(path).into()),
        Err(error) => Err(failed(error).into()),
    }
}

fn begin<'s>(path: &Path, force: bool, storage: &'s dyn Storage) -> Result<Replacement<'s>> {
    let failed = |error| Error::io(WHAT, path, error);
    let there = storage.link_metadata(path).is_ok();
    if there && !force {
        return Err(taken(path));
    }
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        storage.create_dir_all(dir).map_err(failed)?;
    }
    let new = match there {
        true => Replacement::of(path, storage),
        false => Replacement::of_nothing(path, storage),
    };
    Ok(new.map_err(failed)?.durability(Durability::Synced))
}

/// Whether two names lead to one file, through links too.
fn is_same(one: &Path, other: &Path, storage: &dyn Storage) -> bool {
    let real = |path: &Path| storage.canonicalize(path).ok();
    let identity = |path: &Path| storage.metadata(path).ok().and_then(|there| there.identity);
    real(one).is_some_and(|one| real(other) == Some(one))
        || identity(one).is_some_and(|one| identity(other) == Some(one))
}

fn itself(path: &Path) -> Error {
    Error::new(ErrorKind::InvalidArgument, WHAT)
        .with_path(path)
        .with_why("it is the session that is exported")
        .with_hint("name another file; exporting never changes its source")
}

fn taken(path: &Path) -> Error {
    Error::new(ErrorKind::InvalidArgument, WHAT)
        .with_path(path)
        .with_why("there is a file already")
        .with_hint("write over it with --force (`force` in the protocol), or name another file")
}

/// Only kinds and counts; what they are stays unsaid.
fn secrets_left(path: &Path, exported: &Exported) -> Error {
    let kinds: Vec<_> =
        exported.left.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
    Error::new(ErrorKind::InvalidArgument, WHAT)
        .with_path(path)
        .with_why(format!("secrets are left in it ({}), so nothing was written", kinds.join(", ")))
        .with_hint("they stand where they cannot be taken out, such as in an id; `logwood scan` shows in which entry")
}
