//! Whole-file rewrites: migration and header setters (design section 2, "Rewrites").
//!
//! The new file is written beside the old one, synced and renamed over it: interrupted anywhere, the old file or the new one is there.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::entry::JsonText;
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Raw, remove_member, set_member, trim_js_bytes};
use crate::line::Position;
use crate::migration::upgrade_header;
use crate::problem::{Problem, ProblemKind};
use crate::storage::{
    AppendFile, Create, Durability, Exclusive, Replacement, Settled, Storage, read_all, read_whole,
};

use super::bodies::{Bodies, KEEP_LIMIT};
use super::disk::{Disk, Found, Stored, gone, lock, look, read_full, write_once};
use super::manager::SessionManager;
use super::read::{load_bytes, load_whole};
use super::record::{Record, What};

impl SessionManager {
    /// Brings a file of version 1 or 2 to version 3 on disk; returns the copy of the original that is kept beside it, none when there
    /// was nothing to do.
    ///
    /// # Errors
    /// As [`append`](Self::append); after any error the old file stands as it was.
    #[doc(alias = "migrateSession")]
    pub fn migrate(&mut self) -> Result<Option<PathBuf>> {
        self.require_writable()?;
        if !self.needs_migration() || !matches!(self.disk, Disk::Stored(_)) {
            return Ok(None);
        }
        self.rewrite(&upgrade_header)
    }

    pub(super) fn migrate_before_write(&mut self) -> Result<()> {
        if matches!(self.disk, Disk::Stored(_)) { self.migrate().map(drop) } else { Ok(()) }
    }

    /// Records the agent in the header, for a subagent's session.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "setAgentType")]
    pub fn set_agent_type(&mut self, agent: &str) -> Result<()> {
        let agent = JsonText::string(agent);
        self.change_header(|header| set_member(header, "agentType", agent.as_str().as_bytes()))
    }

    /// Records in the header which session this one came from; an empty path changes nothing. It stands before `agentType` (spec 1.2).
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "setParentSession")]
    pub fn set_parent_session(&mut self, path: &str) -> Result<()> {
        if path.is_empty() {
            return self.require_writable();
        }
        let path = JsonText::string(path);
        self.change_header(|header| with_parent(header, path.as_str().as_bytes()))
    }

    fn change_header(&mut self, change: impl Fn(Raw<'_>) -> Vec<u8>) -> Result<()> {
        self.require_writable()?;
        self.migrate_before_write()?;
        match self.disk {
            Disk::Stored(_) => self.rewrite(&change).map(drop),
            _ => self.change_image(&change(self.loaded.header.raw())),
        }
    }

    /// A session without a file: its image gets the new header.
    fn change_image(&mut self, header: &[u8]) -> Result<()> {
        let leaf = self.leaf_id().map(str::to_owned);
        let Bodies::Kept(image) = &self.bodies else { return Err(gone(&self.file())) };
        let rest = image.split_inclusive(|byte| *byte == b'\n').skip(1).flatten();
        let bytes: Vec<u8> = header.iter().chain(b"\n").chain(rest).copied().collect();
        self.loaded = load_bytes(&bytes, false).map_err(|_| broken(&self.file()))?;
        self.bodies = Bodies::Kept(bytes);
        let leaf = leaf.and_then(|id| self.loaded.tree.find(&id));
        self.set_leaf(leaf);
        Ok(())
    }

    /// Writes the file anew with this change of its header and every entry as version 3 has it; all other lines stay as they are,
    /// byte for byte. Returns the copy of an original of an older version.
    fn rewrite(&mut self, change: &dyn Fn(Raw<'_>) -> Vec<u8>) -> Result<Option<PathBuf>> {
        let path = self.file();
        let storage = self.world.storage.clone();
        self.hold(|session, locked| session.rewrite_locked(locked, &*storage, &path, change))
    }

    /// One try under the lock; none when another program appended meanwhile.
    fn rewrite_locked(
        &mut self,
        locked: &mut Exclusive<'_>,
        storage: &dyn Storage,
        path: &Path,
        change: &dyn Fn(Raw<'_>) -> Vec<u8>,
    ) -> Result<Option<Option<PathBuf>>> {
        let io = |error| Error::io("cannot rewrite session", path, error);
        let seen = locked.metadata().map_err(io)?.identity;
        // What is written anew is what stands there now, not what was read some time ago: another program may have changed it in place.
        let old = read_whole(&mut **locked).map_err(io)?;
        self.adopt_old(&old, path)?;
        let header = change(self.loaded.header.raw());
        if !self.needs_migration() && header == self.loaded.header.raw().bytes() {
            return Ok(Some(None));
        }
        let backup = match self.needs_migration() {
            true => Some(keep_copy(storage, path, self.loaded.header.version().max(1), &old)?),
            false => None,
        };
        let mut bytes = Vec::with_capacity(old.len() + header.len());
        self.write_anew(&mut bytes, &old, &header).map_err(io)?;
        let loaded = load_whole(path, &bytes)?;
        let mut new = Replacement::of(path, storage).map_err(io)?;
        new.write_all(&bytes).and_then(|()| new.prepare()).map_err(io)?;
        let identity = new.identity().map_err(io)?;
        let bodies = match bytes.len() as u64 <= KEEP_LIMIT {
            true => Bodies::Kept(bytes),
            false => Bodies::stored(new.open().map_err(io)?),
        };
        if look(locked, seen, storage, path, (seen, old.len() as u64))? != Found::Same {
            return Ok(None);
        }
        match new.commit().map_err(io)? {
            Settled::Durable | Settled::Unconfirmed(_) => {}
        }
        self.adopt(loaded, path)?;
        self.bodies = bodies;
        self.disk = Disk::Stored(Stored::of(identity));
        carry_over(&mut **locked, old.len() as u64, storage, path)?;
        Ok(Some(backup))
    }

    /// Takes the file as it is under the lock.
    fn adopt_old(&mut self, old: &[u8], path: &Path) -> Result<()> {
        if matches!(&self.bodies, Bodies::Kept(image) if image == old) {
            return Ok(());
        }
        let grown = old.len() as u64 > self.loaded.end;
        let place = Position { byte: self.loaded.end, line: self.loaded.lines + 1 };
        self.adopt(load_whole(path, old)?, path)?;
        if let Bodies::Kept(image) = &mut self.bodies {
            *image = old.to_vec();
        }
        if grown {
            self.loaded.problems.push(Problem::at(ProblemKind::ForeignAppend, place));
        }
        Ok(())
    }

    /// The new content of the file: gaps and lines that are no entries as they stand, header and entries as they should be.
    fn write_anew(&self, out: &mut impl Write, old: &[u8], header: &[u8]) -> std::io::Result<()> {
        let mut at = 0;
        let mut header = Some(header);
        for record in &self.loaded.records {
            let (start, end) = (record.offset as usize, record.end() as usize);
            out.write_all(old.get(at..start).unwrap_or_default())?;
            let line = old.get(start..end).unwrap_or_default();
            match record.what {
                What::Header => write_text(out, line, header.take().unwrap_or(line))?,
                What::Entry(_) => write_text(out, line, &self.text_of(record, line))?,
                What::MissingId | What::Other | What::Malformed => out.write_all(line)?,
            }
            at = end;
        }
        out.write_all(old.get(at..).unwrap_or_default())?;
        if !self.loaded.ends_with_newline {
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn text_of(&self, record: &Record, line: &[u8]) -> Vec<u8> {
        match record.node() {
            Some(node) => self.upgraded(trim_js_bytes(line), node, self.loaded.steps),
            None => line.to_vec(),
        }
    }
}

/// One line: what stood around the text of the old one (a byte order mark, a CR) stays.
fn write_text(out: &mut impl Write, old: &[u8], new: &[u8]) -> std::io::Result<()> {
    let text = trim_js_bytes(old);
    let start = text.as_ptr().addr().saturating_sub(old.as_ptr().addr());
    out.write_all(old.get(..start).unwrap_or_default())?;
    out.write_all(new)?;
    out.write_all(old.get(start + text.len()..).unwrap_or_default())
}

fn with_parent(header: Raw<'_>, path: &[u8]) -> Vec<u8> {
    let agent = header.get("agentType").filter(|_| header.get("parentSession").is_none());
    let Some(agent) = agent else { return set_member(header, "parentSession", path) };
    let edit = |text: &[u8], key: &str, value: &[u8]| match Raw::parse(text) {
        Ok(raw) => set_member(raw, key, value),
        Err(_) => text.to_vec(),
    };
    let without = remove_member(header, "agentType");
    edit(&edit(&without, "parentSession", path), "agentType", agent.bytes())
}

/// A program that takes no lock may have appended to the old file in the moment before its name went to the new one: those lines
/// follow.
fn carry_over(
    old: &mut dyn AppendFile,
    from: u64,
    storage: &dyn Storage,
    path: &Path,
) -> Result<()> {
    let io = |error| Error::io("cannot carry over what was appended to session", path, error);
    // The new file is in its place; without an answer there is nothing to carry.
    let len = old.metadata().map_or(from, |now| now.len);
    if len <= from {
        return Ok(());
    }
    let mut late = vec![0; usize::try_from(len - from).unwrap_or(0)];
    let count = read_full(old, from, &mut late).map_err(io)?;
    late.truncate(count);
    let mut writer = storage.open_append(path, Create::Never).map_err(io)?;
    let mut locked = lock(&mut *writer, path)?;
    let end = locked.metadata().map_err(io)?.len;
    write_once(&mut locked, path, end, &late, Durability::Synced)
}

/// Keeps the original beside the file as `<name>.v<version>.bak`; one that is there is never overwritten (`.2`, `.3`, …), and is
/// enough when it holds the same, as after a migration that failed half-way.
fn keep_copy(storage: &dyn Storage, path: &Path, version: u32, bytes: &[u8]) -> Result<PathBuf> {
    let target = storage.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    for number in 1..=u32::MAX {
        let suffix = if number == 1 { String::new() } else { format!(".{number}") };
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".v{version}.bak{suffix}"));
        let name = PathBuf::from(name);
        let io = |error| Error::io("cannot keep a copy of the session at", &name, error);
        let mut copy = match Replacement::of_nothing(&name, storage) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                if read_all(storage, &name).is_ok_and(|there| there == bytes) {
                    return Ok(name);
                }
                continue;
            }
            other => other.map_err(io)?,
        };
        copy.write_all(bytes).map_err(io)?;
        return copy.commit().map(|_| name.clone()).map_err(io);
    }
    Err(broken(path))
}

fn broken(path: &Path) -> Error {
    Error::new(ErrorKind::Io, "cannot rewrite session").with_path(path)
}
