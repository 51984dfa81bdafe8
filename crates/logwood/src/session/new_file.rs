//! A session file that is being put together line by line, in memory or on the disk, and read in the same pass.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::entry::ParsedLine;
use crate::error::{Error, Result};
use crate::line::{LineRef, Position};
use crate::storage::{Replacement, create_dir_all_synced};
use crate::tree::NewNode;

use super::bodies::{Bodies, KEEP_LIMIT};
use super::disk::{Stored, changed};
use super::load::Loader;
use super::loaded::Loaded;
use super::world::World;

const WHAT: &str = "cannot write session";

/// Takes lines; what is written to the disk is in its place only after [`finish`](Self::finish).
pub(super) struct NewFile<'a> {
    loader: Loader,
    /// Everything so far, as long as it is kept.
    image: Option<Vec<u8>>,
    out: Option<Replacement<'a>>,
    next: Position,
    path: PathBuf,
}

/// A session that was put together.
pub(super) struct Written {
    pub(super) loaded: Loaded,
    pub(super) bodies: Bodies,
    pub(super) stored: Option<Stored>,
}

impl<'a> NewFile<'a> {
    pub(super) fn expecting(mut self, entries: usize) -> Self {
        self.loader = self.loader.expecting(entries);
        self
    }

    pub(super) fn in_memory() -> Self {
        let next = Position { byte: 0, line: 1 };
        Self {
            loader: Loader::new(true),
            image: Some(Vec::new()),
            out: None,
            next,
            path: PathBuf::new(),
        }
    }

    /// A file that must not be there yet; its folder is made.
    pub(super) fn on_disk(world: &'a World, path: &Path) -> Result<Self> {
        let storage = &*world.storage;
        let io = |error| Error::io(WHAT, path, error);
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create_dir_all_synced(storage, parent).map_err(io)?;
        }
        let out = Replacement::of_nothing(path, storage).map_err(io)?;
        let out = Some(out.in_background(world.background_writes));
        Ok(Self { out, path: path.to_path_buf(), ..Self::in_memory() })
    }

    /// Takes the next line, without LF.
    pub(super) fn line(&mut self, bytes: &[u8]) -> Result<()> {
        self.write(bytes)?;
        let line = self.advance(bytes);
        self.loader.line(line);
        Ok(())
    }

    /// Takes the next line, a copy of one of which all is known.
    pub(super) fn copied(&mut self, bytes: &[u8], new: &NewNode<'_>) -> Result<()> {
        self.write(bytes)?;
        let line = self.advance(bytes);
        self.loader.copied(line, new);
        Ok(())
    }

    /// Takes the next line, which was read already as a part of another one.
    pub(super) fn parsed(&mut self, bytes: &[u8], parsed: &ParsedLine<'_>) -> Result<()> {
        self.write(bytes)?;
        let line = self.advance(bytes);
        let parsed = ParsedLine { text: bytes, had_bom: false, ..*parsed };
        self.loader.parsed(line, &parsed);
        Ok(())
    }

    /// Makes room for about this many more entries.
    pub(super) fn reserve(&mut self, entries: usize) {
        self.loader.reserve(entries);
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(out) = &mut self.out {
            let written = out.write_all(bytes).and_then(|()| out.write_all(b"\n"));
            written.map_err(|error| Error::io(WHAT, &self.path, error))?;
        }
        self.keep(bytes);
        Ok(())
    }

    fn advance<'b>(&mut self, bytes: &'b [u8]) -> LineRef<'b> {
        let position = self.next;
        self.next.byte += bytes.len() as u64 + 1;
        self.next.line += 1;
        LineRef { bytes, position, complete: true }
    }

    fn keep(&mut self, bytes: &[u8]) {
        let Some(image) = &mut self.image else { return };
        image.extend_from_slice(bytes);
        image.push(b'\n');
        if self.out.is_some() && image.len() as u64 > KEEP_LIMIT {
            self.image = None;
        }
    }

    /// Puts the file in its place and gives the session that it holds.
    pub(super) fn finish(self, path: &Path) -> Result<Written> {
        let io = |error| Error::io(WHAT, path, error);
        let loaded = self.loader.finish().map_err(|_| changed(path, "the copy has no header"))?;
        let Some(mut out) = self.out else {
            let bodies = Bodies::Kept(self.image.unwrap_or_default());
            return Ok(Written { loaded, bodies, stored: None });
        };
        // All that can fail comes before the file gets its name: after an error nothing is left.
        let identity = out.identity().map_err(io)?;
        let bodies = match self.image {
            Some(image) => Bodies::Kept(image),
            None => {
                out.flush().map_err(io)?;
                Bodies::stored(out.open().map_err(io)?)
            }
        };
        let _ = out.commit().map_err(io)?;
        Ok(Written { loaded, bodies, stored: Some(Stored::of(identity)) })
    }
}
