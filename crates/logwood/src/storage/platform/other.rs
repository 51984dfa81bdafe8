//! Systems that are no Unix: without modes, owners, identities and directories that can be synced.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Seek as _};
use std::path::Path;
use std::time::SystemTime;

use super::rename_by_link;
use crate::storage::metadata::{Access, DirEntry, FileKind, Metadata};

pub(in crate::storage) fn open_quietly(path: &Path, options: &OpenOptions) -> io::Result<File> {
    options.open(path)
}

pub(in crate::storage) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

pub(in crate::storage) fn private_dir(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder
}

pub(in crate::storage) fn read_at(
    file: &mut File,
    offset: u64,
    buf: &mut [u8],
) -> io::Result<usize> {
    file.seek(io::SeekFrom::Start(offset))?;
    file.read(buf)
}

/// Reading by position moves the handle, so the length has to do.
pub(in crate::storage) fn end_of_append(file: &File) -> io::Result<u64> {
    file.metadata().map(|metadata| metadata.len())
}

pub(in crate::storage) fn metadata(of: &fs::Metadata) -> Metadata {
    let mode = if of.permissions().readonly() { 0o444 } else { 0o666 };
    Metadata {
        len: of.len(),
        modified_ns: of.modified().map_or(0, nanoseconds),
        kind: kind(of.file_type()),
        identity: None,
        access: Access { mode, owner: None },
    }
}

fn nanoseconds(time: SystemTime) -> i64 {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_nanos()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(i64::MIN, |ns| -ns),
    }
}

fn kind(of: fs::FileType) -> FileKind {
    if of.is_file() {
        FileKind::File
    } else if of.is_dir() {
        FileKind::Dir
    } else if of.is_symlink() {
        FileKind::Symlink
    } else {
        FileKind::Other
    }
}

pub(in crate::storage) fn set_access(file: &File, access: &Access) -> io::Result<()> {
    let mut permissions = file.metadata()?.permissions();
    permissions.set_readonly(access.mode & 0o222 == 0);
    file.set_permissions(permissions)
}

pub(in crate::storage) fn means_no_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported
}

pub(in crate::storage) fn sync_dir(_path: &Path) -> io::Result<()> {
    Ok(())
}

pub(in crate::storage) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    rename_by_link(from, to)
}

pub(in crate::storage) fn list(path: &Path) -> io::Result<Vec<DirEntry>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok(DirEntry { name: entry.file_name(), kind: kind(entry.file_type()?) })
    };
    fs::read_dir(path)?.map(entry).collect()
}
