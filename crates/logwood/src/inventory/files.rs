//! Which files of a folder may be sessions.

use std::io;
use std::path::{Path, PathBuf};

use crate::error::ErrorKind;
use crate::problem::ProblemKind;
use crate::storage::Storage;

use super::FileProblem;

/// Files to be read, and folders that could not be.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) files: Vec<PathBuf>,
    pub(super) problems: Vec<FileProblem>,
}

/// Every name that ends in `.jsonl` directly in these folders, by folder and name.
pub(super) fn session_files(storage: &dyn Storage, dirs: &[PathBuf]) -> Candidates {
    let mut found = Candidates::default();
    for dir in dirs {
        match storage.list(dir) {
            Ok(entries) => {
                let names = entries.iter().filter(|entry| is_session_name(&entry.name));
                found.files.extend(names.map(|entry| dir.join(&entry.name)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => found.problems.push(unreadable(dir, &error)),
        }
    }
    found
}

/// Whether a file name may be that of a session: it ends in `.jsonl`, with case (spec 1.1).
pub(super) fn is_session_name(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".jsonl")
}

pub(super) fn unreadable(path: &Path, error: &io::Error) -> FileProblem {
    FileProblem {
        path: path.to_path_buf(),
        kind: ProblemKind::UnreadableFile,
        error: ErrorKind::of_io(error),
        why: error.to_string(),
    }
}
