//! The home trash of freedesktop.org (Trash specification 1.0): `files/` holds what was deleted, `info/` says where it came from.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::env::{Clock, SystemClock};
use crate::json::iso_from_ms;
use crate::storage::{AppendFile, Create, Storage, create_dir_all_synced, read_all};

use super::trash_info::TrashInfo;

/// How many names are tried for a file.
const NAMES: u32 = 10_000;
/// Bytes of a name that are kept, so that the number and `.trashinfo` fit into the 255 that file systems allow.
const NAME_LIMIT: usize = 230;

/// The trash folder of the person, `$XDG_DATA_HOME/Trash`; it takes files of its own device.
#[derive(Debug, Clone)]
pub struct HomeTrash {
    dir: PathBuf,
    clock: Arc<dyn Clock>,
    utc_offset_ms: i64,
}

impl HomeTrash {
    /// The trash in this folder, which is made with the first file.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), clock: Arc::new(SystemClock), utc_offset_ms: 0 }
    }

    /// Uses another clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// How far the local time, in which deletions are dated, is ahead of UTC, in milliseconds. Default: 0.
    #[must_use]
    pub fn utc_offset_ms(mut self, offset: i64) -> Self {
        self.utc_offset_ms = offset;
        self
    }

    /// The folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Moves a file, or a link itself, into the trash. `info/` is written first, so that whatever is in `files/` can be restored.
    ///
    /// # Errors
    /// The system's; `CrossesDevices` for a file of another device. The file is then still there, and nothing of it in the trash.
    pub(super) fn put(&self, storage: &dyn Storage, file: &Path, group: &str) -> io::Result<()> {
        create_dir_all_synced(storage, &self.files())?;
        create_dir_all_synced(storage, &self.info())?;
        let name = file.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        for number in 1..=NAMES {
            let name = numbered(name, number);
            let info = self.info_of(&name);
            let mut entry = match storage.open_append(&info, Create::Exclusive) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                other => other?,
            };
            let moved = write(&mut *entry, &self.text(file, group))
                .and_then(|()| storage.sync_dir(&self.info()))
                .and_then(|()| storage.rename(file, &self.files().join(&name)));
            match moved {
                Ok(()) => return self.settle(storage, file),
                Err(error) => {
                    // An entry without a file says nothing to anybody.
                    let _ = storage.remove_file(&info);
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Brings both names to the disk. The file is in the trash already: a power cut may at worst bring it back.
    fn settle(&self, storage: &dyn Storage, file: &Path) -> io::Result<()> {
        let _ = storage.sync_dir(&self.files());
        let _ = file.parent().map(|dir| storage.sync_dir(dir));
        Ok(())
    }

    /// What is in the trash, with the names there; entries that cannot be read are passed over.
    pub(super) fn entries(&self, storage: &dyn Storage) -> io::Result<Vec<(OsString, TrashInfo)>> {
        let names = match storage.list(&self.info()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            other => other?,
        };
        let entry = |name: OsString| {
            let name: OsString = name.to_str()?.strip_suffix(".trashinfo")?.into();
            let text = read_all(storage, &self.info_of(&name)).ok()?;
            storage.link_metadata(&self.files().join(&name)).ok()?;
            Some((name, TrashInfo::parse(&String::from_utf8_lossy(&text))?))
        };
        Ok(names.into_iter().filter_map(|found| entry(found.name)).collect())
    }

    /// Moves a file of the trash to a path where nothing is.
    ///
    /// # Errors
    /// The system's; `AlreadyExists` when something is there. The file is then still in the trash.
    pub(super) fn take(&self, storage: &dyn Storage, name: &OsString, to: &Path) -> io::Result<()> {
        if let Some(dir) = to.parent() {
            create_dir_all_synced(storage, dir)?;
        }
        storage.rename(&self.files().join(name), to)?;
        let _ = to.parent().map(|dir| storage.sync_dir(dir));
        // An entry without a file is passed over.
        let _ = storage.remove_file(&self.info_of(name));
        Ok(())
    }

    /// Where the file of this name lies in the trash.
    pub(super) fn file(&self, name: &OsString) -> PathBuf {
        self.files().join(name)
    }

    fn text(&self, file: &Path, group: &str) -> String {
        let local = self.clock.now_ms().saturating_add(self.utc_offset_ms);
        let iso = iso_from_ms(local).unwrap_or_default();
        let deleted = iso.split('.').next().unwrap_or_default().to_owned();
        TrashInfo { original: file.to_path_buf(), deleted, group: Some(group.to_owned()) }.text()
    }

    fn files(&self) -> PathBuf {
        self.dir.join("files")
    }

    fn info(&self) -> PathBuf {
        self.dir.join("info")
    }

    fn info_of(&self, name: &OsString) -> PathBuf {
        let mut name = name.clone();
        name.push(".trashinfo");
        self.info().join(name)
    }
}

fn write(entry: &mut dyn AppendFile, text: &str) -> io::Result<()> {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match entry.append(rest)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => rest = rest.get(count..).unwrap_or_default(),
        }
    }
    entry.sync_data()
}

/// `a.jsonl`, `a.jsonl.2`, `a.jsonl.3`, …
fn numbered(name: &std::ffi::OsStr, number: u32) -> OsString {
    let text = name.to_string_lossy();
    let end = text.floor_char_boundary(NAME_LIMIT);
    let mut name = OsString::from(text.get(..end).unwrap_or_default());
    if number > 1 {
        name.push(format!(".{number}"));
    }
    name
}
