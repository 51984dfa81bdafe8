//! A file that says how far somebody came.

use std::io::{self, Write as _};
use std::path::Path;

use logwood::error::Error;
use logwood::follow::FollowCursor;
use logwood::storage::{LocalStorage, Replacement, read_all};

use crate::error::Result;

/// The cursor in a file; none where there is no file yet.
pub(super) fn read(path: &Path) -> Result<Option<FollowCursor>> {
    match read_all(&LocalStorage, path) {
        Ok(bytes) => {
            Ok(Some(FollowCursor::parse(bytes.trim_ascii()).map_err(|e| e.with_path(path))?))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot read the cursor in", path, error).into()),
    }
}

/// Writes the cursor in place of the old one, in one step.
pub(super) fn write(path: &Path, cursor: &FollowCursor) -> Result<()> {
    let new = match Replacement::of(path, &LocalStorage) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Replacement::of_nothing(path, &LocalStorage)
        }
        other => other,
    };
    let written = new.and_then(|mut new| {
        new.write_all(&cursor.to_json())?;
        new.write_all(b"\n")?;
        // What a power cut takes back is told again, and nothing is missed.
        new.commit().map(drop)
    });
    Ok(written.map_err(|error| Error::io("cannot keep the cursor in", path, error))?)
}
