//! What other programs did to the file: what they appended is read in, a file that was replaced is read again.

use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::line::Position;
use crate::problem::{Problem, ProblemKind};
use crate::storage::{AppendFile, Exclusive, FileId, Storage, StoredFile};

use super::bodies::{Bodies, KEEP_LIMIT};
use super::disk::{Disk, Found, Stored, WHAT, changed, gone, lock, look, read_full};
use super::loaded::Loaded;
use super::manager::SessionManager;
use super::read::{Opened, read_open, read_session};

/// How often an operation starts over because the file was replaced between opening and locking it.
const TRIES: u32 = 100;

/// How often, and how long between, an append looks whether the line of another program gets its end.
const LOOKS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(1);

/// A tail longer than this, in bytes, is read before the lock is taken: others must not wait for it.
const LONG: u64 = 1024 * 1024;
/// How often that is tried; an operation that finds as much to read again each time reads it under the lock, so that it ends.
const PATIENCE: u32 = 3;

impl SessionManager {
    /// Reads in what was appended, or the whole file when it was replaced.
    pub(super) fn catch_up(&mut self) -> Result<()> {
        if !self.place.read_only {
            return self.hold(|_, _| Ok(Some(())));
        }
        let Disk::Stored(stored) = &self.disk else { return Ok(()) };
        let (identity, path) = (stored.identity, self.file());
        match self.look_without_lock(&path, identity, None)? {
            true => Ok(()),
            false => self.reload_whole(),
        }
    }

    /// Takes the lock of the file that has the session's name now, reads in what others did to it, and then does `act`, which may ask
    /// for another try by none.
    pub(super) fn hold<T>(
        &mut self,
        mut act: impl FnMut(&mut Self, &mut Exclusive<'_>) -> Result<Option<T>>,
    ) -> Result<T> {
        let path = self.file();
        let storage = self.world.storage.clone();
        for attempt in 0..TRIES {
            let Disk::Stored(mut stored) = std::mem::take(&mut self.disk) else {
                return Err(gone(&path));
            };
            self.courtesy.pause();
            let is_patient = attempt < PATIENCE;
            let outcome = self.hold_once(&mut stored, &*storage, &path, is_patient, &mut act);
            // A rewrite has set it to the new file.
            if !matches!(self.disk, Disk::Stored(_)) {
                self.disk = Disk::Stored(stored);
            }
            if let Some(value) = outcome? {
                return Ok(value);
            }
        }
        Err(changed(&path, "the file is replaced again and again"))
    }

    fn hold_once<T>(
        &mut self,
        stored: &mut Stored,
        storage: &dyn Storage,
        path: &Path,
        is_patient: bool,
        act: &mut impl FnMut(&mut Self, &mut Exclusive<'_>) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        let mut identity = stored.identity;
        let writer = stored.writer(storage, path)?;
        let held = writer.identity;
        let mut locked = lock(&mut *writer.file, path)?;
        self.note_lock(locked.is_guarded());
        let found = look(&locked, held, storage, path, (identity, self.loaded.end))?;
        if found == Found::Stale {
            drop(locked);
            stored.writer = None;
            return Ok(None);
        }
        let others = locked.has_waited() || found != Found::Same;
        if is_patient && !self.read_short(found, &mut locked, path)? {
            drop(locked);
            self.read_without_lock(found, identity, path)?;
            return Ok(None);
        }
        let ready = if is_patient { Ok(()) } else { self.read_in(found, &mut locked, path) };
        if ready.is_ok() && found == Found::Other {
            identity = held;
        }
        let outcome = ready.and_then(|()| act(self, &mut locked));
        drop(locked);
        self.courtesy.note(others);
        stored.identity = identity;
        outcome
    }

    /// On a file system without locks a write goes on, with a problem that says so once.
    pub(super) fn note_lock(&mut self, is_guarded: bool) {
        if is_guarded {
            return;
        }
        let problems = &mut self.loaded.problems;
        if !problems.iter().any(|problem| problem.kind == ProblemKind::NoLock) {
            problems.push(Problem::of_file(ProblemKind::NoLock));
        }
    }

    /// Brings memory up to what was found on the disk, where that is soon done; false where it is not.
    fn read_short(
        &mut self,
        found: Found,
        locked: &mut Exclusive<'_>,
        path: &Path,
    ) -> Result<bool> {
        match found {
            Found::Other => Ok(false),
            Found::Grown(len) if len.saturating_sub(self.loaded.end) > LONG => Ok(false),
            Found::Grown(len) => {
                let len = wait_for_line_end(locked, len).map_err(|e| Error::io(WHAT, path, e))?;
                self.read_tail(&mut **locked, path, len)
            }
            Found::Same | Found::Stale | Found::Shrunk | Found::Gone => {
                self.read_in(found, locked, path).map(|()| true)
            }
        }
    }

    /// The same where it takes long, while nobody has to wait for it. A tail is read as far as it went under the lock: behind that
    /// another process may be in the middle of a write that it takes back.
    fn read_without_lock(
        &mut self,
        found: Found,
        identity: Option<FileId>,
        path: &Path,
    ) -> Result<()> {
        let known = if let Found::Grown(len) = found { Some(len) } else { None };
        match self.look_without_lock(path, identity, known)? {
            true => Ok(()),
            false => self.reload_whole(),
        }
    }

    /// Brings memory up to what was found on the disk.
    pub(super) fn read_in(
        &mut self,
        found: Found,
        locked: &mut Exclusive<'_>,
        path: &Path,
    ) -> Result<()> {
        match found {
            Found::Same | Found::Stale => Ok(()),
            Found::Grown(len) => {
                let len = wait_for_line_end(locked, len).map_err(|e| Error::io(WHAT, path, e))?;
                match self.read_tail(&mut **locked, path, len)? {
                    true => Ok(()),
                    false => self.reload_from(&mut **locked, path),
                }
            }
            Found::Other => self.reload_from(&mut **locked, path),
            Found::Shrunk => Err(changed(path, "the file is shorter than it was")),
            Found::Gone => Err(gone(path)),
        }
    }

    /// Reads the whole file whose lock is held; it must be the same session and still have the current position.
    fn reload_from(&mut self, file: &mut dyn AppendFile, path: &Path) -> Result<()> {
        let (loaded, bytes) = read_open(file, path)?;
        let bodies = match bytes {
            Some(bytes) => Bodies::Kept(bytes),
            None => {
                let file = self.world.storage.open(path);
                Bodies::stored(file.map_err(|error| Error::io(WHAT, path, error))?)
            }
        };
        self.become_what_was_read(loaded, bodies, path)
    }

    fn become_what_was_read(&mut self, loaded: Loaded, bodies: Bodies, path: &Path) -> Result<()> {
        let end = loaded.end;
        self.adopt(loaded, path)?;
        self.bodies = bodies;
        let place = Position { byte: end, line: self.loaded.lines };
        self.loaded.problems.push(Problem::at(ProblemKind::ForeignAppend, place));
        Ok(())
    }

    /// Reads in what was appended, up to `known` where that is given; false when the whole file must be read again.
    fn look_without_lock(
        &mut self,
        path: &Path,
        identity: Option<FileId>,
        known: Option<u64>,
    ) -> Result<bool> {
        let io = |error| Error::io("cannot read session", path, error);
        let mut file = self.world.storage.open(path).map_err(io)?;
        let now = file.metadata().map_err(io)?;
        if now.identity != identity || now.len < self.loaded.end {
            return Ok(false);
        }
        self.read_tail(&mut *file, path, known.map_or(now.len, |known| known.min(now.len)))
    }

    /// Takes the bytes behind what is known; a torn line that they continue is read anew. False when they continue a whole entry that
    /// had no LF, or when what stands before them is not what it was (another program rewrote the file in place): then the whole file
    /// must be read again.
    pub(super) fn read_tail(
        &mut self,
        file: &mut (impl StoredFile + ?Sized),
        path: &Path,
        len: u64,
    ) -> Result<bool> {
        let (end, torn) = (self.loaded.end, self.loaded.torn_line());
        let known = end.saturating_sub(self.loaded.seam.bytes().len() as u64);
        let start = torn.map_or(known, |torn| torn.min(known));
        let mut bytes = vec![0; usize::try_from(len.saturating_sub(start)).unwrap_or(0)];
        let count = read_full(file, start, &mut bytes).map_err(|e| Error::io(WHAT, path, e))?;
        bytes.truncate(count);
        let Some((before, mut tail)) = bytes.split_at_checked((end - start) as usize) else {
            return Ok(false);
        };
        if !before.ends_with(self.loaded.seam.bytes()) {
            return Ok(false);
        }
        if tail.is_empty() {
            return Ok(true);
        }
        if !self.loaded.ends_with_newline && tail.first() != Some(&b'\n') {
            let Some(torn) = torn else { return Ok(false) };
            self.forget_torn_line();
            tail = bytes.get((torn - start) as usize..).unwrap_or_default();
        }
        let leaf = self.leaf();
        let place = Position { byte: self.loaded.end, line: self.loaded.lines + 1 };
        self.accept(tail);
        self.set_leaf(leaf);
        self.loaded.problems.push(Problem::at(ProblemKind::ForeignAppend, place));
        Ok(true)
    }

    /// Forgets the torn line at the end, which is not to be kept as it was.
    fn forget_torn_line(&mut self) {
        self.loaded.forget_torn_line();
        if let Bodies::Kept(image) = &mut self.bodies {
            image.truncate(usize::try_from(self.loaded.end).unwrap_or(usize::MAX));
        }
    }

    /// Reads the file from the start, without a lock; it must be the same session and still have the current position.
    fn reload_whole(&mut self) -> Result<()> {
        let path = self.file();
        let Opened::Session(loaded, bodies, identity) = read_session(&*self.world.storage, &path)?
        else {
            return Err(changed(&path, "the file is empty now"));
        };
        self.become_what_was_read(*loaded, bodies, &path)?;
        self.disk = Disk::Stored(Stored::of(identity));
        Ok(())
    }

    /// Becomes what the file holds now, when that is the same session and has the current position.
    pub(super) fn adopt(&mut self, loaded: Loaded, path: &Path) -> Result<()> {
        if loaded.header.id() != self.loaded.header.id() {
            return Err(changed(path, "it holds another session now"));
        }
        let leaf = match self.leaf_id() {
            None => None,
            Some(id) => match loaded.tree.find(id) {
                Some(leaf) => Some(leaf),
                None => return Err(changed(path, "the current entry is not in it any more")),
            },
        };
        // What is not said by the file stays.
        let beside = [ProblemKind::OpenElsewhere, ProblemKind::NoLock];
        let is_beside = |problem: &mut Problem| beside.contains(&problem.kind);
        let known: Vec<_> = self.loaded.problems.extract_if(.., is_beside).collect();
        self.loaded = loaded;
        self.loaded.problems.extend(known);
        self.set_leaf(leaf);
        Ok(())
    }

    /// A session that outgrew the limit for keeping it is read by position from now on.
    pub(super) fn let_go_of_a_large_image(&mut self) {
        let Bodies::Kept(image) = &self.bodies else { return };
        if image.len() as u64 <= 2 * KEEP_LIMIT {
            return;
        }
        // Where the file cannot be opened for reading the image is simply kept.
        if let Ok(file) = self.world.storage.open(&self.file()) {
            self.bodies = Bodies::stored(file);
        }
    }
}

/// A program that takes no lock may be in the middle of its write, of which the system shows the beginning already. A line that has no
/// end after a moment counts as torn; what is taken in as torn and goes on later is read again with the rest of it.
fn wait_for_line_end(file: &mut Exclusive<'_>, mut len: u64) -> io::Result<u64> {
    for _ in 0..LOOKS {
        let mut last = [0];
        if read_full(&mut **file, len.saturating_sub(1), &mut last)? == 1 && last == *b"\n" {
            break;
        }
        thread::sleep(PAUSE);
        len = file.metadata()?.len;
    }
    Ok(len)
}
