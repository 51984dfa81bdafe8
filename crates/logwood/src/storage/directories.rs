//! Directories that are still there after a power cut.

use std::io;
use std::path::Path;

use super::contract::Storage;

/// Makes a directory and those above it that are missing, as [`Storage::create_dir_all`] does, and brings their names to the disk.
///
/// A file that was synced is gone after a power cut when the directory it stands in is.
///
/// # Errors
/// The storage's.
pub fn create_dir_all_synced(storage: &dyn Storage, path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = above(path).take_while(|dir| is_missing(storage, dir)).collect();
    storage.create_dir_all(path)?;
    for dir in missing {
        let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty());
        storage.sync_dir(parent.unwrap_or(Path::new(".")))?;
    }
    Ok(())
}

fn above(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().filter(|dir| !dir.as_os_str().is_empty())
}

fn is_missing(storage: &dyn Storage, dir: &Path) -> bool {
    storage.link_metadata(dir).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}
