//! What differs between operating systems: flags, modes, owners, identities, and renaming that takes nobody's place.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::*;
#[cfg(unix)]
pub(super) use unix::*;

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// A rename that takes nobody's place, where the system has no call for it: a second name is made, which fails when it is taken,
/// and the first one goes. Without second names an empty file keeps the place for the moment of the rename.
pub(super) fn rename_by_link(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(error),
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => Err(error),
        Err(_) => rename_by_place(from, to),
    }
}

fn rename_by_place(from: &Path, to: &Path) -> io::Result<()> {
    fs::symlink_metadata(from)?;
    drop(File::create_new(to)?);
    fs::rename(from, to).inspect_err(|_| {
        // The empty file is ours: it was made a moment ago, and nothing took its place.
        let _ = fs::remove_file(to);
    })
}
