//! The copies and side files that logwood keeps beside a session file (design section 2, "Rewrites").

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::storage::{DirEntry, FileKind, Storage};

/// What stands behind the name of the session; a number may follow (`.v1.bak.2`).
const ENDINGS: [&str; 4] = [".v1.bak", ".v2.bak", ".repair.bak", ".salvage"];

/// The side files of sessions; every folder is listed once, however many of its sessions are asked for.
#[derive(Debug)]
pub(super) struct Sides<'a> {
    storage: &'a dyn Storage,
    folders: HashMap<PathBuf, Vec<DirEntry>>,
}

impl<'a> Sides<'a> {
    pub(super) fn new(storage: &'a dyn Storage) -> Self {
        Self { storage, folders: HashMap::new() }
    }

    /// The side files of a session that are there, by name.
    pub(super) fn of(&mut self, session: &Path) -> Vec<PathBuf> {
        let (Some(dir), Some(name)) = (session.parent(), session.file_name()) else {
            return Vec::new();
        };
        if !self.folders.contains_key(dir) {
            let entries = self.storage.list(dir).unwrap_or_default();
            self.folders.insert(dir.to_path_buf(), entries);
        }
        let entries = self.folders.get(dir).map(Vec::as_slice).unwrap_or_default();
        // A listing is in the order of its bytes, so what starts with the name stands together.
        let first = entries.partition_point(|entry| entry.name.as_os_str() < name);
        let same =
            |entry: &&DirEntry| entry.name.as_encoded_bytes().starts_with(name.as_encoded_bytes());
        let near = entries.get(first..).unwrap_or_default().iter().take_while(same);
        let sides =
            near.filter(|entry| entry.kind == FileKind::File && is_side_of(name, &entry.name));
        sides.map(|entry| dir.join(&entry.name)).collect()
    }
}

/// Whether `other` is the name of a side file of the session file `name`.
pub(super) fn is_side_of(name: &OsStr, other: &OsStr) -> bool {
    let rest = other.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
    rest.is_some_and(|rest| ENDINGS.iter().any(|ending| is_ending(rest, ending.as_bytes())))
}

fn is_ending(rest: &[u8], ending: &[u8]) -> bool {
    match rest.strip_prefix(ending) {
        Some([]) => true,
        Some([b'.', number @ ..]) => !number.is_empty() && number.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
