//! What other programs did to the file: what they appended is read in, a file that was replaced is read again.

use std::path::Path;

use crate::error::{Error, Result};
use crate::line::Position;
use crate::problem::{Problem, ProblemKind};
use crate::storage::StoredFile;

use super::bodies::{Bodies, KEEP_LIMIT};
use super::disk::{Disk, Found, Stored, WHAT, changed, gone, lock, look, read_full};
use super::loaded::Loaded;
use super::manager::SessionManager;
use super::read::{Opened, read_session};

impl SessionManager {
    /// Reads in what was appended, or the whole file when it was replaced.
    pub(super) fn catch_up(&mut self) -> Result<()> {
        let path = self.file();
        let storage = self.world.storage.clone();
        let Disk::Stored(mut stored) = std::mem::take(&mut self.disk) else { return Ok(()) };
        let outcome = self.look_for_more(&mut stored, &*storage, &path);
        self.disk = Disk::Stored(stored);
        if outcome? { Ok(()) } else { self.reload_whole() }
    }

    /// False when the whole file must be read again.
    fn look_for_more(
        &mut self,
        stored: &mut Stored,
        storage: &dyn crate::storage::Storage,
        path: &Path,
    ) -> Result<bool> {
        if self.place.read_only {
            return self.look_without_lock(storage, path, stored);
        }
        let identity = stored.identity;
        let mut locked = lock(&mut **stored.writer(storage, path)?, path)?;
        match look(&locked, storage, path, (identity, self.loaded.end))? {
            Found::Same => Ok(true),
            Found::Grown(len) => self.read_tail(&mut *locked, path, len),
            Found::Shrunk => Err(changed(path, "the file is shorter than it was")),
            Found::Gone => Err(gone(path)),
            Found::Replaced => {
                drop(locked);
                stored.writer = None;
                Ok(false)
            }
        }
    }

    fn look_without_lock(
        &mut self,
        storage: &dyn crate::storage::Storage,
        path: &Path,
        stored: &Stored,
    ) -> Result<bool> {
        let io = |error| Error::io("cannot read session", path, error);
        let mut file = storage.open(path).map_err(io)?;
        let now = file.metadata().map_err(io)?;
        if now.identity != stored.identity || now.len < self.loaded.end {
            return Ok(false);
        }
        self.read_tail(&mut *file, path, now.len)
    }

    /// Takes the bytes behind what is known. False when they continue a line that had no LF, or when what stands before them is not
    /// what it was (another program rewrote the file in place): then the whole file must be read again.
    pub(super) fn read_tail(
        &mut self,
        file: &mut (impl StoredFile + ?Sized),
        path: &Path,
        len: u64,
    ) -> Result<bool> {
        let known = self.loaded.seam.bytes().len();
        let start = self.loaded.end.saturating_sub(known as u64);
        let mut bytes = vec![0; usize::try_from(len.saturating_sub(start)).unwrap_or(0)];
        let count = read_full(file, start, &mut bytes).map_err(|e| Error::io(WHAT, path, e))?;
        bytes.truncate(count);
        let Some(tail) = bytes.strip_prefix(self.loaded.seam.bytes()) else { return Ok(false) };
        if tail.is_empty() {
            return Ok(true);
        }
        if !self.loaded.ends_with_newline && tail.first() != Some(&b'\n') {
            return Ok(false);
        }
        let leaf = self.leaf();
        let place = Position { byte: self.loaded.end, line: self.loaded.lines + 1 };
        self.accept(tail);
        self.set_leaf(leaf);
        self.loaded.problems.push(Problem::at(ProblemKind::ForeignAppend, place));
        Ok(true)
    }

    /// Reads the file from the start; it must be the same session and still have the current position.
    pub(super) fn reload_whole(&mut self) -> Result<()> {
        let path = self.file();
        let Opened::Session(loaded, bodies, identity) = read_session(&*self.world.storage, &path)?
        else {
            return Err(changed(&path, "the file is empty now"));
        };
        let end = loaded.end;
        self.adopt(*loaded, &path)?;
        self.bodies = bodies;
        self.disk = Disk::Stored(Stored::of(identity));
        let place = Position { byte: end, line: self.loaded.lines };
        self.loaded.problems.push(Problem::at(ProblemKind::ForeignAppend, place));
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
        self.loaded = loaded;
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
