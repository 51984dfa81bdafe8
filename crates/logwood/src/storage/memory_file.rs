//! An open file in memory.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use super::contract::{AppendFile, StoredFile};
use super::lock::LockOutcome;
use super::memory::MemoryStorage;
use super::memory_disk::{Body, Node};
use super::metadata::{Access, Metadata};

static HANDLES: AtomicU64 = AtomicU64::new(1);

/// A handle: the number of its file, and its own number, which a lock belongs to.
#[derive(Debug)]
pub(super) struct MemoryFile {
    storage: MemoryStorage,
    node: u64,
    handle: u64,
    /// Where the last append ended.
    end: u64,
}

impl MemoryFile {
    /// Opens a node; it lives as long as the handle.
    pub(super) fn open(storage: &MemoryStorage, node: u64) -> io::Result<Self> {
        storage.disk().node_mut(node)?.handles += 1;
        let handle = HANDLES.fetch_add(1, Ordering::Relaxed);
        Ok(Self { storage: storage.clone(), node, handle, end: 0 })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Node) -> T) -> io::Result<T> {
        self.storage.disk().node_mut(self.node).map(change)
    }

    fn change_bytes<T>(&self, change: impl FnOnce(&mut Vec<u8>) -> T) -> io::Result<T> {
        let now_ns = self.storage.now_ns();
        self.change(|node| {
            node.modified_ns = now_ns;
            match &mut node.body {
                Body::File(bytes) => Ok(change(bytes)),
                _ => Err(io::ErrorKind::IsADirectory.into()),
            }
        })?
    }
}

impl StoredFile for MemoryFile {
    fn read_at(&mut self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let disk = self.storage.disk();
        let Body::File(bytes) = &disk.node(self.node)?.body else {
            return Err(io::ErrorKind::IsADirectory.into());
        };
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = bytes.get(start..).unwrap_or_default();
        let count = rest.len().min(buf.len());
        for (to, from) in buf.iter_mut().zip(rest) {
            *to = *from;
        }
        Ok(count)
    }

    fn metadata(&self) -> io::Result<Metadata> {
        self.storage.disk().metadata(self.node)
    }
}

impl AppendFile for MemoryFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.end = self.change_bytes(|all| {
            all.extend_from_slice(bytes);
            all.len() as u64
        })?;
        Ok(bytes.len())
    }

    fn end_of_append(&self) -> io::Result<u64> {
        Ok(self.end)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(io::Error::other)?;
        self.change_bytes(|all| all.resize(len, 0))
    }

    fn set_access(&mut self, access: &Access) -> io::Result<()> {
        self.change(|node| {
            node.access = Access { owner: access.owner.or(node.access.owner), ..*access };
        })
    }

    fn sync_data(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn sync_all(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn try_lock(&mut self) -> io::Result<LockOutcome> {
        self.change(|node| match node.lock {
            Some(holder) if holder != self.handle => LockOutcome::Busy,
            _ => {
                node.lock = Some(self.handle);
                LockOutcome::Acquired
            }
        })
    }

    fn unlock(&mut self) -> io::Result<()> {
        self.change(|node| {
            node.lock.take_if(|holder| *holder == self.handle);
        })
    }
}

impl Drop for MemoryFile {
    fn drop(&mut self) {
        // A handle keeps its node, so there is one; without it there would be nothing to give back.
        let _ = self.unlock();
        let _ = self.change(|node| node.handles -= 1);
        self.storage.disk().sweep(self.node);
    }
}
