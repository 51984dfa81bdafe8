//! The kinds of failure, as stable words.

use std::io;

/// The stable kinds of failure (design section 5); the words never change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file, folder or session is not there.
    NotFound,
    /// The file holds no session header and no trace of one.
    NotASession,
    /// The file holds entries but its header cannot be read.
    HeaderCorrupt,
    /// The file has no line that is not blank.
    EmptyFile,
    /// The session has no entry with that id.
    EntryNotFound,
    /// The word fits several sessions.
    Ambiguous,
    /// The session is the one in use.
    ActiveSession,
    /// The path is a folder, a pipe or another thing that is not a regular file.
    NotAFile,
    /// The path does not end in `.jsonl`.
    NotJsonl,
    /// Another program changed the file in a way that cannot be joined.
    ChangedOnDisk,
    /// Another process holds the lock.
    Locked,
    /// The session was opened read-only, or the file system is.
    ReadOnly,
    /// The system denied access.
    Permission,
    /// The disk or the quota is full.
    NoSpace,
    /// The value is larger than the limit.
    TooLarge,
    /// An argument does not make sense.
    InvalidArgument,
    /// Any other failure of the operating system.
    Io,
    /// The input is not what its format asks for.
    Parse,
    /// There is no command of that name.
    UnknownCommand,
}

impl ErrorKind {
    /// Every kind, in the order of design section 5.
    pub const ALL: [Self; 19] = [
        Self::NotFound,
        Self::NotASession,
        Self::HeaderCorrupt,
        Self::EmptyFile,
        Self::EntryNotFound,
        Self::Ambiguous,
        Self::ActiveSession,
        Self::NotAFile,
        Self::NotJsonl,
        Self::ChangedOnDisk,
        Self::Locked,
        Self::ReadOnly,
        Self::Permission,
        Self::NoSpace,
        Self::TooLarge,
        Self::InvalidArgument,
        Self::Io,
        Self::Parse,
        Self::UnknownCommand,
    ];

    /// The stable word, as `errorKind` of the line protocol shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotFound => "not_found",
            Self::NotASession => "not_a_session",
            Self::HeaderCorrupt => "header_corrupt",
            Self::EmptyFile => "empty_file",
            Self::EntryNotFound => "entry_not_found",
            Self::Ambiguous => "ambiguous",
            Self::ActiveSession => "active_session",
            Self::NotAFile => "not_a_file",
            Self::NotJsonl => "not_jsonl",
            Self::ChangedOnDisk => "changed_on_disk",
            Self::Locked => "locked",
            Self::ReadOnly => "read_only",
            Self::Permission => "permission",
            Self::NoSpace => "no_space",
            Self::TooLarge => "too_large",
            Self::InvalidArgument => "invalid_argument",
            Self::Io => "io",
            Self::Parse => "parse",
            Self::UnknownCommand => "unknown_command",
        }
    }

    /// The kind that a failure of the operating system counts as.
    pub fn of_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::Permission,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoSpace,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::NotSeekable => Self::NotAFile,
            io::ErrorKind::FileTooLarge => Self::TooLarge,
            _ => Self::Io,
        }
    }
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
