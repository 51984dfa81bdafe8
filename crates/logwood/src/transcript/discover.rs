//! Which files of a folder are its transcript (rule L29; spec 6.11).

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use crate::inventory::is_session_name;
use crate::location::step_number;
use crate::storage::{DirEntry, FileKind, Metadata, Storage};

/// A file of a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptFile {
    /// The file.
    pub path: PathBuf,
    /// What the storage said about it, links followed.
    pub metadata: Metadata,
    /// The number of the step, for a file of a chain.
    pub step: Option<u64>,
}

/// The files of a transcript folder: the newest file directly in it, else the newest of each step, steps in order. None where there is
/// no folder, or nothing in it yet.
///
/// # Errors
/// What the system says of the folder or of one in it; what vanishes meanwhile is left out.
pub fn transcript_files(storage: &dyn Storage, dir: &Path) -> io::Result<Vec<TranscriptFile>> {
    let entries = list(storage, dir)?;
    match newest(storage, dir, &entries)? {
        Some((path, metadata)) => Ok(vec![TranscriptFile { path, metadata, step: None }]),
        None => steps(storage, dir, &entries),
    }
}

/// The newest file directly in a folder.
pub(super) fn newest_in(storage: &dyn Storage, dir: &Path) -> io::Result<Option<PathBuf>> {
    Ok(newest(storage, dir, &list(storage, dir)?)?.map(|(path, _)| path))
}

/// The newest file of each step in the folder of a chain.
pub(super) fn steps_in(storage: &dyn Storage, dir: &Path) -> io::Result<Vec<TranscriptFile>> {
    steps(storage, dir, &list(storage, dir)?)
}

/// The names in a folder; none where it is not there, or is no folder.
pub(super) fn list(storage: &dyn Storage, dir: &Path) -> io::Result<Vec<DirEntry>> {
    match storage.list(dir) {
        Err(error) if is_missing(&error) => Ok(Vec::new()),
        other => other,
    }
}

pub(super) fn is_missing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether a name is a folder, links followed; one that vanished or leads nowhere is none.
pub(super) fn is_dir(storage: &dyn Storage, dir: &Path, entry: &DirEntry) -> io::Result<bool> {
    match entry.kind {
        FileKind::Dir => Ok(true),
        FileKind::Symlink => Ok(stat(storage, &dir.join(&entry.name))?
            .is_some_and(|metadata| metadata.kind == FileKind::Dir)),
        FileKind::File | FileKind::Other => Ok(false),
    }
}

fn stat(storage: &dyn Storage, path: &Path) -> io::Result<Option<Metadata>> {
    match storage.metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Of files that changed at the same time the first one by name.
fn newest(
    storage: &dyn Storage,
    dir: &Path,
    entries: &[DirEntry],
) -> io::Result<Option<(PathBuf, Metadata)>> {
    let mut found: Option<(PathBuf, Metadata)> = None;
    for entry in entries.iter().filter(|entry| is_session_name(&entry.name)) {
        let path = dir.join(&entry.name);
        let Some(metadata) = stat(storage, &path)?.filter(|file| file.kind == FileKind::File)
        else {
            continue;
        };
        let newer = |(_, best): &(PathBuf, Metadata)| metadata.modified_ns > best.modified_ns;
        if found.as_ref().is_none_or(newer) {
            found = Some((path, metadata));
        }
    }
    Ok(found)
}

fn steps(
    storage: &dyn Storage,
    dir: &Path,
    entries: &[DirEntry],
) -> io::Result<Vec<TranscriptFile>> {
    let mut numbered: Vec<(u64, &OsString)> = Vec::new();
    for entry in entries {
        if let Some(number) = step_number(&entry.name)
            && is_dir(storage, dir, entry)?
        {
            numbered.push((number, &entry.name));
        }
    }
    numbered.sort();
    let mut files = Vec::new();
    for (number, name) in numbered {
        let step = dir.join(name);
        let entries = list(storage, &step)?;
        let newest = newest(storage, &step, &entries)?;
        files.extend(newest.map(|(path, metadata)| TranscriptFile {
            path,
            metadata,
            step: Some(number),
        }));
    }
    Ok(files)
}
