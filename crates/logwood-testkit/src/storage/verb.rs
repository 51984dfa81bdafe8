//! The calls of a storage, by name.

/// A call of `Storage`, `StoredFile` or `AppendFile`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "named as the methods are")]
pub enum Verb {
    Open,
    OpenAppend,
    Create,
    Metadata,
    LinkMetadata,
    List,
    CreateDirAll,
    Rename,
    RenameOver,
    RemoveFile,
    Canonicalize,
    SyncDir,
    ReadAt,
    FileMetadata,
    Append,
    EndOfAppend,
    Truncate,
    SetAccess,
    SyncData,
    SyncAll,
    TryLock,
    Unlock,
}

impl Verb {
    /// Whether the call changes bytes, names or modes.
    pub fn is_change(self) -> bool {
        matches!(
            self,
            Self::Create
                | Self::CreateDirAll
                | Self::Rename
                | Self::RenameOver
                | Self::RemoveFile
                | Self::Append
                | Self::Truncate
                | Self::SetAccess
        )
    }

    /// The verb of opening for appending: it is a change when it may make the file.
    pub(super) fn of_open_append(create: logwood::storage::Create) -> Self {
        match create {
            logwood::storage::Create::Never => Self::OpenAppend,
            _ => Self::Create,
        }
    }
}
