//! The lock of a file: taken for one write, waited for a while, given back.

use std::io;
use std::ops::{Deref, DerefMut};
use std::thread;
use std::time::{Duration, Instant};

use super::contract::AppendFile;

/// How long an append waits for the lock of a session (design section 2, "Appending").
pub const LOCK_WAIT: Duration = Duration::from_secs(5);

const SHORTEST_SLEEP: Duration = Duration::from_micros(500);
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

/// What came of asking for a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockOutcome {
    /// The lock is ours.
    Acquired,
    /// Another handle has it.
    Busy,
    /// The file system has no locks: whoever goes on does so without.
    Unsupported,
}

/// An append file whose lock is held, until this is dropped.
///
/// ```
/// use logwood::storage::{Create, Exclusive, LOCK_WAIT, MemoryStorage, Storage};
///
/// let storage = MemoryStorage::new();
/// let mut file = storage.open_append("/a.jsonl".as_ref(), Create::Exclusive)?;
/// let mut locked = Exclusive::acquire(&mut *file, LOCK_WAIT)?.expect("nobody else has it");
/// locked.append(b"{}\n")?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Exclusive<'a> {
    file: &'a mut (dyn AppendFile + 'static),
    is_guarded: bool,
}

impl<'a> Exclusive<'a> {
    /// Takes the lock, asking again and again for as long as `wait`; none when another had it all the time.
    ///
    /// The file may have been replaced meanwhile: compare its identity with that of its path before writing.
    ///
    /// # Errors
    /// The system's. A file system without locks is no error, see [`is_guarded`](Self::is_guarded).
    pub fn acquire(
        file: &'a mut (dyn AppendFile + 'static),
        wait: Duration,
    ) -> io::Result<Option<Self>> {
        let start = Instant::now();
        let mut sleep = SHORTEST_SLEEP;
        loop {
            match file.try_lock()? {
                LockOutcome::Acquired => return Ok(Some(Self { file, is_guarded: true })),
                LockOutcome::Unsupported => return Ok(Some(Self { file, is_guarded: false })),
                LockOutcome::Busy => {}
            }
            let left = wait.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(None);
            }
            thread::sleep(sleep.min(left));
            sleep = (sleep * 2).min(LONGEST_SLEEP);
        }
    }

    /// Whether the lock is really held: false on file systems that have none.
    pub fn is_guarded(&self) -> bool {
        self.is_guarded
    }
}

impl Deref for Exclusive<'_> {
    type Target = dyn AppendFile + 'static;

    fn deref(&self) -> &Self::Target {
        self.file
    }
}

impl DerefMut for Exclusive<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.file
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        if self.is_guarded {
            // What cannot be given back now is given back when the file is closed.
            let _ = self.file.unlock();
        }
    }
}
