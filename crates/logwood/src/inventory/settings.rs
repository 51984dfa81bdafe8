//! Settings files through storage: read, never written (rules L14 to L17).

use std::io;
use std::path::{Path, PathBuf};

use crate::location::{Settings, SettingsFile, SettingsScope, Store};
use crate::storage::{Storage, read_whole};

/// The settings of a store for the project at `project`: what is wrong with a file is in [`Settings::problems`], and the file counts
/// as unset. A missing file is no fault.
pub fn read_settings(storage: &dyn Storage, store: &Store, project: &Path) -> Settings {
    let read = |scope, path: Option<PathBuf>| match path {
        None => SettingsFile::absent(scope, ""),
        Some(path) => read_file(storage, scope, path),
    };
    Settings::new(
        read(SettingsScope::Global, store.dir.settings()),
        read(SettingsScope::Project, store.dir.project_settings(project)),
    )
}

fn read_file(storage: &dyn Storage, scope: SettingsScope, path: PathBuf) -> SettingsFile {
    match storage.open(&path).and_then(|mut file| read_whole(&mut *file)) {
        Ok(bytes) => SettingsFile::parse(scope, path, &bytes),
        Err(error) if is_missing(&error) => SettingsFile::absent(scope, path),
        Err(error) => SettingsFile::unreadable(scope, path, error),
    }
}

/// A folder on the way that is a file means that there is no such file either.
fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
