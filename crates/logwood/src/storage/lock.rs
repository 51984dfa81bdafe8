//! The lock of a file: taken for one write, waited for a while, given back.

use std::io;
use std::ops::{Deref, DerefMut};
use std::thread;
use std::time::{Duration, Instant};

use super::contract::AppendFile;

/// How long an append waits for the lock of a session (design section 2, "Appending").
pub const LOCK_WAIT: Duration = Duration::from_secs(5);

const SHORTEST_SLEEP: Duration = Duration::from_micros(500);
/// Whoever has the lock gives it back after microseconds, as a rule, and a question costs no more than that: it pays to ask often.
const LONGEST_SLEEP: Duration = Duration::from_millis(1);
/// How long a writer beside others leaves the lock free: longer than they sleep between two questions.
const FREE: Duration = Duration::from_millis(2);
/// For how many writes it does so after it last saw others.
const ROUNDS: u8 = 16;

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
    has_waited: bool,
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
        let mut has_waited = false;
        loop {
            let outcome = file.try_lock()?;
            if outcome != LockOutcome::Busy {
                let is_guarded = outcome == LockOutcome::Acquired;
                return Ok(Some(Self { file, is_guarded, has_waited }));
            }
            has_waited = true;
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

    /// Whether another had the lock when it was first asked for.
    pub fn has_waited(&self) -> bool {
        self.has_waited
    }
}

/// Lets others in. The lock knows no queue: who takes it again at once, write after write, can keep a waiter out for seconds. So a
/// writer that has seen others leaves it free for a moment between two of its writes; one that is alone, or slow, waits for nothing.
#[derive(Debug, Default)]
pub struct Courtesy {
    rounds: u8,
    given_back: Option<Instant>,
}

impl Courtesy {
    /// Call it before the lock is taken.
    pub fn pause(&mut self) {
        if let Some(free) = self.given_back.take().map(|then| then.elapsed()) {
            thread::sleep(FREE.saturating_sub(free));
        }
    }

    /// Call it when the lock was given back; `others` says whether anybody else writes to the file.
    pub fn note(&mut self, others: bool) {
        self.rounds = if others { ROUNDS } else { self.rounds.saturating_sub(1) };
        self.given_back = (self.rounds > 0).then(Instant::now);
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    use super::*;
    use crate::storage::{Create, MemoryStorage, Storage};

    /// One writes for 2 ms each time, in a tight loop; another gets in beside it again and again.
    #[test]
    fn a_writer_in_a_tight_loop_lets_others_in() {
        let storage = MemoryStorage::new();
        let open = || storage.open_append("/f".as_ref(), Create::IfMissing).unwrap();
        let (done, others, rounds) = (AtomicBool::new(false), AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                let (mut file, mut courtesy, mut seen) = (open(), Courtesy::default(), 0);
                courtesy.note(true);
                while !done.load(Ordering::Relaxed) {
                    courtesy.pause();
                    let locked = Exclusive::acquire(&mut *file, LOCK_WAIT).unwrap().unwrap();
                    let now = others.load(Ordering::Relaxed);
                    let news = locked.has_waited() || now != seen;
                    thread::sleep(Duration::from_millis(2));
                    drop(locked);
                    courtesy.note(news);
                    seen = now;
                    rounds.fetch_add(1, Ordering::Relaxed);
                }
            });
            let (mut file, mut before) = (open(), 0);
            for _ in 0..40 {
                while rounds.load(Ordering::Relaxed) == before {
                    thread::yield_now();
                }
                before = rounds.load(Ordering::Relaxed);
                match Exclusive::acquire(&mut *file, LOCK_WAIT / 5).unwrap() {
                    Some(locked) => drop(locked),
                    None => break,
                }
                others.fetch_add(1, Ordering::Relaxed);
            }
            done.store(true, Ordering::Relaxed);
        });
        let (rounds, others) = (rounds.into_inner(), others.into_inner());
        assert!(others == 40 && rounds < 800, "{rounds} of one, {others} of the other");
    }
}
