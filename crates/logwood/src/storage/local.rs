//! The disk of this machine.

#[cfg(any(target_os = "linux", target_os = "android"))]
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::contract::{AppendFile, Create, Storage, StoredFile};
use super::local_file::LocalFile;
use super::metadata::{DirEntry, Metadata};
use super::platform;

/// How often [`Create::IfMissing`] starts over while others make and remove the file.
const ATTEMPTS: u32 = 8;

/// The files of this machine, as the operating system gives them.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalStorage;

impl Storage for LocalStorage {
    fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
        let file = open_existing(path, File::options().read(true))?;
        Ok(Box::new(LocalFile::new(file)))
    }

    fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
        let file = match create {
            Create::Never => open_existing(path, File::options().read(true).append(true))?,
            Create::Exclusive => create_private(path)?,
            Create::IfMissing => open_or_create(path)?,
        };
        Ok(Box::new(LocalFile::new(file)))
    }

    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        fs::metadata(path).map(|metadata| platform::metadata(&metadata))
    }

    fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
        fs::symlink_metadata(path).map(|metadata| platform::metadata(&metadata))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = platform::list(path)?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn survey(
        &self,
        path: &Path,
        is_wanted: &dyn Fn(&OsStr) -> bool,
    ) -> io::Result<Vec<(OsString, io::Result<Metadata>)>> {
        let mut found = platform::survey(path, is_wanted)?;
        found.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        Ok(found)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        platform::private_dir(&mut builder).recursive(true).create(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        platform::rename_new(from, to)
    }

    fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        platform::sync_dir(path)
    }
}

/// Looks before it opens: only to open a pipe would set free whoever waits at its other end. And looks again after, since another
/// file may have come in between.
fn open_existing(path: &Path, options: &OpenOptions) -> io::Result<File> {
    platform::metadata(&fs::metadata(path)?).require_file()?;
    let file = platform::open_quietly(path, options)?;
    platform::metadata(&file.metadata()?).require_file()?;
    Ok(file)
}

fn create_private(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    platform::private_file(options.read(true).append(true).create_new(true)).open(path)
}

fn open_or_create(path: &Path) -> io::Result<File> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts -= 1;
        match open_existing(path, File::options().read(true).append(true)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            other => return other,
        }
        match create_private(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempts > 0 => {}
            other => return other,
        }
    }
}
