//! An open file of this machine.

use std::fs::{File, TryLockError};
use std::io::{self, Write};

use super::contract::{AppendFile, StoredFile};
use super::lock::LockOutcome;
use super::metadata::{Access, Metadata};
use super::platform;

/// A handle of the operating system.
#[derive(Debug)]
pub(super) struct LocalFile {
    file: File,
}

impl LocalFile {
    pub(super) fn new(file: File) -> Self {
        Self { file }
    }
}

impl StoredFile for LocalFile {
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        platform::read_at(&mut self.file, offset, buf)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata().map(|metadata| platform::metadata(&metadata))
    }
}

impl AppendFile for LocalFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn end_of_append(&self) -> io::Result<u64> {
        platform::end_of_append(&self.file)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.file.set_len(len)
    }

    fn set_access(&mut self, access: &Access) -> io::Result<()> {
        platform::set_access(&self.file, access)
    }

    fn sync_data(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn sync_all(&mut self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn try_lock(&mut self) -> io::Result<LockOutcome> {
        match self.file.try_lock() {
            Ok(()) => Ok(LockOutcome::Acquired),
            Err(TryLockError::WouldBlock) => Ok(LockOutcome::Busy),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {
                Ok(LockOutcome::Busy)
            }
            Err(TryLockError::Error(error)) if platform::means_no_locks(&error) => {
                Ok(LockOutcome::Unsupported)
            }
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn unlock(&mut self) -> io::Result<()> {
        self.file.unlock()
    }
}
