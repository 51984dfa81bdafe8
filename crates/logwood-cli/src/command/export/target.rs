//! Where an export goes, and how it gets there whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use logwood::error::{Error, ErrorKind};
use logwood::storage::{Durability, LocalStorage, Replacement, Storage as _};
use logwood_render::export::Exported;

use crate::error::{CommandError, Result};

const WHAT: &str = "cannot export to";

/// Writes a file with `write`: a private one, complete or not there at all. What is there is not touched unless `force` says so, nor is
/// anything left of an export that still holds secrets.
///
/// # Errors
/// `invalid_argument` when something is there; what the system says; what `write` says.
pub(crate) fn write_file(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<io::Result<Exported>>,
) -> Result<Exported> {
    let failed = |error| CommandError::from(Error::io(WHAT, path, error));
    let there = LocalStorage.link_metadata(path).is_ok();
    if there && !force {
        return Err(taken(path));
    }
    if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
        LocalStorage.create_dir_all(dir).map_err(failed)?;
    }
    let new = match there {
        true => Replacement::of(path, &LocalStorage),
        false => Replacement::of_nothing(path, &LocalStorage),
    };
    let mut new = new.map_err(failed)?.durability(Durability::Synced);
    let exported = write(&mut new)?.map_err(failed)?;
    if exported.left.total() > 0 {
        return Err(secrets_left(path, &exported));
    }
    match new.commit() {
        Ok(_) => Ok(exported),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(taken(path)),
        Err(error) => Err(failed(error)),
    }
}

fn taken(path: &Path) -> CommandError {
    let message = format!("{WHAT} `{}`: there is a file already", path.display());
    CommandError::new(ErrorKind::InvalidArgument, message)
        .hint("--force writes over it; -o names another file")
}

/// Only kinds and counts; what they are stays unsaid.
fn secrets_left(path: &Path, exported: &Exported) -> CommandError {
    let kinds: Vec<_> =
        exported.left.kinds().map(|(kind, count)| format!("{count} {kind}")).collect();
    let message = format!(
        "{WHAT} `{}`: secrets are left in it ({}), so nothing was written",
        path.display(),
        kinds.join(", ")
    );
    CommandError::new(ErrorKind::InvalidArgument, message).hint(
        "they stand where they cannot be taken out, such as in an id; `logwood scan` shows in which entry",
    )
}

/// `dreb-session-` is dreb's name for its pages; ours end in the format.
pub(crate) fn default_name(session: &Path, extension: &str) -> PathBuf {
    let stem = session.file_stem().unwrap_or(session.as_os_str());
    let mut name = stem.to_owned();
    name.push(if extension == "jsonl" { ".export." } else { "." });
    name.push(extension);
    PathBuf::from(name)
}
