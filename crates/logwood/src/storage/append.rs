//! One append that is whole or taken back, and reads that are full or at the end.

use std::io;

use super::contract::{AppendFile, StoredFile};
use super::durability::Durability;

/// Writes bytes behind the first `old_len` bytes of a file, its end, in one call; what fails or goes in only in part is taken back,
/// as long as nobody wrote behind it. Hold the lock that the other writers take.
///
/// ```
/// use logwood::storage::{Create, Durability, MemoryStorage, Storage, append_whole};
///
/// let storage = MemoryStorage::new();
/// let mut file = storage.open_append("/a.jsonl".as_ref(), Create::Exclusive)?;
/// append_whole(&mut *file, 0, b"{}\n", Durability::Buffered)?;
/// assert_eq!(storage.contents("/a.jsonl")?, b"{}\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The system's; `StorageFull` when only a part went in.
pub fn append_whole(
    file: &mut (impl AppendFile + ?Sized),
    old_len: u64,
    bytes: &[u8],
    durability: Durability,
) -> io::Result<()> {
    let outcome = match file.append(bytes) {
        Ok(count) if count == bytes.len() => settle(file, durability),
        Ok(count) => Err(short_write(count, bytes.len())),
        Err(error) => Err(error),
    };
    if outcome.is_err() {
        take_back(file, old_len, bytes);
    }
    outcome
}

fn settle(file: &mut (impl AppendFile + ?Sized), durability: Durability) -> io::Result<()> {
    match durability {
        Durability::Buffered => Ok(()),
        Durability::Synced => file.sync_data(),
    }
}

/// Cuts what we wrote, when nothing else stands behind the old end: another program, which takes no lock, may have appended. Then
/// our piece stays as a torn line, which the next append fences; so does what cannot be cut.
fn take_back(file: &mut (impl AppendFile + ?Sized), old_len: u64, bytes: &[u8]) {
    let Ok(now) = file.metadata() else { return };
    let added = now.len.saturating_sub(old_len);
    let Some(ours) = usize::try_from(added).ok().and_then(|added| bytes.get(..added)) else {
        return;
    };
    let mut there = vec![0; ours.len()];
    if !ours.is_empty()
        && read_full(file, old_len, &mut there).is_ok_and(|count| count == ours.len())
        && there == ours
    {
        let _ = file.truncate(old_len);
    }
}

/// Reads until the buffer is full or the file ends; says how many bytes came.
///
/// # Errors
/// As [`StoredFile::read_at`].
pub fn read_full(
    file: &mut (impl StoredFile + ?Sized),
    offset: u64,
    buf: &mut [u8],
) -> io::Result<usize> {
    let mut done = 0;
    while let Some(room) = buf.get_mut(done..).filter(|room| !room.is_empty()) {
        match file.read_at(offset + done as u64, room) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

fn short_write(written: usize, of: usize) -> io::Error {
    let message = format!("only {written} of {of} bytes could be written");
    io::Error::new(io::ErrorKind::StorageFull, message)
}
