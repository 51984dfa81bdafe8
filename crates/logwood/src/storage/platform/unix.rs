//! Linux, macOS and the other Unixes.

#[cfg(any(target_os = "linux", target_os = "android"))]
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Seek as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
    fchown,
};
use std::path::Path;

#[cfg(any(target_os = "linux", target_os = "android"))]
use rustix::fs::AtFlags;
use rustix::fs::OFlags;
use rustix::io::Errno;

use super::rename_by_link;
use crate::storage::metadata::{Access, DirEntry, FileId, FileKind, Metadata};

const PRIVATE_FILE: u32 = 0o600;
const PRIVATE_DIR: u32 = 0o700;

/// Opening never waits for the other end of a pipe and never takes over a terminal.
const QUIET: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY);

/// Reading leaves the time of last access alone.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_ACCESS_TIME: OFlags = OFlags::NOATIME;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const NO_ACCESS_TIME: OFlags = OFlags::empty();

/// Opens without a trace; the system refuses that for files of others, which are then opened as anybody would.
pub(in crate::storage) fn open_quietly(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let open = |flags: OFlags| options.clone().custom_flags(flags.bits().cast_signed()).open(path);
    match open(QUIET | NO_ACCESS_TIME) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => open(QUIET),
        other => other,
    }
}

pub(in crate::storage) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(PRIVATE_FILE)
}

pub(in crate::storage) fn private_dir(builder: &mut DirBuilder) -> &mut DirBuilder {
    builder.mode(PRIVATE_DIR)
}

pub(in crate::storage) fn read_at(
    file: &mut File,
    offset: u64,
    buf: &mut [u8],
) -> io::Result<usize> {
    file.read_at(buf, offset)
}

/// The position of the descriptor: a write to the end moves it there, and reading by position leaves it.
pub(in crate::storage) fn end_of_append(file: &File) -> io::Result<u64> {
    let mut file = file;
    file.stream_position()
}

pub(in crate::storage) fn metadata(of: &fs::Metadata) -> Metadata {
    Metadata {
        len: of.len(),
        modified_ns: of.mtime().saturating_mul(1_000_000_000).saturating_add(of.mtime_nsec()),
        kind: kind(of.file_type()),
        identity: Some(FileId { device: of.dev(), inode: of.ino() }),
        access: Access { mode: of.mode() & 0o7777, owner: Some((of.uid(), of.gid())) },
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

/// Owner first: giving a file away clears bits of its mode.
pub(in crate::storage) fn set_access(file: &File, access: &Access) -> io::Result<()> {
    let is = file.metadata()?;
    if let Some((user, group)) = access.owner {
        let user = Some(user).filter(|user| *user != is.uid());
        let group = Some(group).filter(|group| *group != is.gid());
        if user.is_some() || group.is_some() {
            fchown(file, user, group)?;
        }
    }
    file.set_permissions(fs::Permissions::from_mode(access.mode & 0o7777))
}

pub(in crate::storage) fn means_no_locks(error: &io::Error) -> bool {
    let codes = [Errno::NOLCK, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];
    error.kind() == io::ErrorKind::Unsupported || is_one_of(error, &codes)
}

fn is_one_of(error: &io::Error, codes: &[Errno]) -> bool {
    let code = error.raw_os_error();
    code.is_some_and(|code| codes.iter().any(|known| known.raw_os_error() == code))
}

pub(in crate::storage) fn sync_dir(path: &Path) -> io::Result<()> {
    match File::open(path)?.sync_all() {
        Err(error) if is_one_of(&error, &[Errno::INVAL, Errno::NOSYS, Errno::NOTSUP]) => Ok(()),
        other => other,
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
pub(in crate::storage) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => rename_by_link(from, to),
        other => Ok(other?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
pub(in crate::storage) fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    rename_by_link(from, to)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(in crate::storage) fn list(path: &Path) -> io::Result<Vec<DirEntry>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        Ok(DirEntry { name: entry.file_name(), kind: kind(entry.file_type()?) })
    };
    fs::read_dir(path)?.map(entry).collect()
}

/// As `read_dir`, but the directory's time of last access stays.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in crate::storage) fn list(path: &Path) -> io::Result<Vec<DirEntry>> {
    let mut dir = rustix::fs::Dir::new(open_dir(path)?)?;
    let mut entries = Vec::new();
    while let Some(entry) = dir.read() {
        let entry = entry?;
        if !matches!(entry.file_name().to_bytes(), b"." | b"..") {
            entries.extend(named(&dir, &entry)?);
        }
    }
    Ok(entries)
}

/// The names that are wanted with what stands there. Asked from the open directory, each costs less than by its whole path.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(in crate::storage) fn survey(
    path: &Path,
    is_wanted: &dyn Fn(&OsStr) -> bool,
) -> io::Result<Vec<(OsString, io::Result<Metadata>)>> {
    use std::os::unix::ffi::OsStrExt as _;

    let mut dir = rustix::fs::Dir::new(open_dir(path)?)?;
    let mut found = Vec::new();
    while let Some(entry) = dir.read() {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if !matches!(name.as_bytes(), b"." | b"..") && is_wanted(name) {
            let stat = rustix::fs::statat(dir.fd()?, entry.file_name(), AtFlags::empty());
            found.push((name.to_owned(), stat.map(|stat| of_stat(&stat)).map_err(io::Error::from)));
        }
    }
    Ok(found)
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn of_stat(of: &rustix::fs::Stat) -> Metadata {
    use rustix::fs::FileType;
    let kind = match FileType::from_raw_mode(of.st_mode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        FileType::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    let fraction = i64::try_from(of.st_mtime_nsec).unwrap_or_default();
    Metadata {
        len: u64::try_from(of.st_size).unwrap_or_default(),
        modified_ns: of.st_mtime.saturating_mul(1_000_000_000).saturating_add(fraction),
        kind,
        identity: Some(FileId { device: of.st_dev, inode: of.st_ino }),
        access: Access { mode: of.st_mode & 0o7777, owner: Some((of.st_uid, of.st_gid)) },
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn open_dir(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    let options = options.read(true);
    let mut open = |more: OFlags| {
        options.custom_flags((OFlags::DIRECTORY | more).bits().cast_signed()).open(path)
    };
    match open(NO_ACCESS_TIME) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => open(OFlags::empty()),
        other => other,
    }
}

/// A name and its kind; none when it went away while we looked. Some file systems do not tell the kind while listing.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn named(dir: &rustix::fs::Dir, entry: &rustix::fs::DirEntry) -> io::Result<Option<DirEntry>> {
    use rustix::fs::{FileType, statat};
    use std::os::unix::ffi::OsStrExt as _;

    let told = match entry.file_type() {
        FileType::Unknown => {
            match statat(dir.fd()?, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                Err(Errno::NOENT) => return Ok(None),
                Err(error) => return Err(error.into()),
            }
        }
        told => told,
    };
    let kind = match told {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        FileType::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    let name = std::ffi::OsStr::from_bytes(entry.file_name().to_bytes()).to_owned();
    Ok(Some(DirEntry { name, kind }))
}
