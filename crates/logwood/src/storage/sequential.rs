//! A stored file as a stream.

use std::io::{self, Read};

use super::StoredFile;

/// Reads a file from its start on, as [`std::io::Read`] wants it.
#[derive(Debug)]
pub struct Sequential<'a> {
    file: &'a mut dyn StoredFile,
    offset: u64,
}

impl<'a> Sequential<'a> {
    /// A stream at the start of the file.
    pub fn new(file: &'a mut dyn StoredFile) -> Self {
        Self::starting_at(file, 0)
    }

    /// A stream that starts at a byte.
    pub fn starting_at(file: &'a mut dyn StoredFile, offset: u64) -> Self {
        Self { file, offset }
    }
}

impl Read for Sequential<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(self.offset, buf)?;
        self.offset += count as u64;
        Ok(count)
    }
}
