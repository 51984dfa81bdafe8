//! What a storage says about a file without reading it.

use std::ffi::OsString;
use std::io;

/// What a file is, how long, and when it last changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// Length in bytes.
    pub len: u64,
    /// Time of the last change of the content, in nanoseconds since 1970-01-01T00:00:00Z.
    pub modified_ns: i64,
    /// What it is.
    pub kind: FileKind,
    /// Which file it is, whatever its name; none where the system does not say.
    pub identity: Option<FileId>,
    /// Who may do what with it.
    pub access: Access,
}

impl Metadata {
    /// The time of the last change in whole milliseconds, rounded to the nearest as `stat.mtime` of Node is.
    #[doc(alias = "mtime")]
    pub fn modified_ms(&self) -> i64 {
        whole_ms(self.modified_ns)
    }

    /// Whether nobody may write to it, going by its mode alone.
    pub fn is_read_only(&self) -> bool {
        self.access.mode & 0o222 == 0
    }

    /// Refuses what is not a regular file.
    pub(super) fn require_file(self) -> io::Result<Self> {
        match self.kind {
            FileKind::File => Ok(self),
            FileKind::Dir => Err(io::ErrorKind::IsADirectory.into()),
            FileKind::Symlink | FileKind::Other => {
                Err(io::Error::new(io::ErrorKind::NotSeekable, "not a regular file"))
            }
        }
    }
}

/// Nanoseconds in whole milliseconds, rounded to the nearest.
pub(crate) fn whole_ms(ns: i64) -> i64 {
    ns.div_euclid(1_000_000) + i64::from(ns.rem_euclid(1_000_000) >= 500_000)
}

/// What stands at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link; only where links are not followed.
    Symlink,
    /// A pipe, a socket, a device.
    Other,
}

/// The identity of a file: two paths or handles that give the same one are the same file.
///
/// The system may give the identity of a removed file to a new one, but not while a handle of the old one is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId {
    /// The device.
    pub device: u64,
    /// The number of the file on its device.
    pub inode: u64,
}

/// Mode and owner of a file, to be given to another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    /// Permission bits (the last 12 bits of a Unix mode). Where the system has none, 0666 or, for read-only files, 0444.
    pub mode: u32,
    /// User and group; none where the system has none.
    pub owner: Option<(u32, u32)>,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    /// The name, without its directory.
    pub name: OsString,
    /// What has this name; a link is a link.
    pub kind: FileKind,
}
