//! Whole-file rewrites: migration and header setters (design section 2, "Rewrites").
//!
//! The new file is written beside the old one, synced and renamed over it: interrupted anywhere, the old file or the new one is there.

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::entry::JsonText;
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Raw, remove_member, set_member, trim_js_bytes};
use crate::migration::upgrade_header;
use crate::storage::{Replacement, Settled};

use super::bodies::Bodies;
use super::disk::{Disk, Found, changed, gone, lock, look};
use super::manager::SessionManager;
use super::read::load_bytes;
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
        self.catch_up()?;
        let version = self.loaded.header.version().max(1);
        let header = upgrade_header(self.loaded.header.raw());
        let backup = self.rewrite(&header, Some(&format!("v{version}.bak")))?;
        Ok(backup)
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

    fn change_header(&mut self, change: impl FnOnce(Raw<'_>) -> Vec<u8>) -> Result<()> {
        self.require_writable()?;
        self.migrate_before_write()?;
        match self.disk {
            Disk::Stored(_) => {
                self.catch_up()?;
                let header = change(self.loaded.header.raw());
                self.rewrite(&header, None).map(drop)
            }
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

    /// Writes the file anew with this header and every entry as version 3 has it; all other lines stay as they are, byte for byte.
    fn rewrite(&mut self, header: &[u8], backup: Option<&str>) -> Result<Option<PathBuf>> {
        let path = self.file();
        let storage = self.world.storage.clone();
        let io = |error| Error::io("cannot rewrite session", &path, error);
        let Disk::Stored(mut stored) = std::mem::take(&mut self.disk) else {
            return Err(gone(&path));
        };
        let seen = (stored.identity, self.loaded.end);
        let outcome = (|| {
            let mut locked = lock(&mut **stored.writer(&*storage, &path)?, &path)?;
            if look(&locked, &*storage, &path, seen)? != Found::Same {
                return Err(changed(&path, "another program changed it just now"));
            }
            let old = read_old(&mut locked, seen.1).map_err(io)?;
            let backup = match backup {
                Some(ending) => Some(keep_copy(&*storage, &path, ending, &old)?),
                None => None,
            };
            let mut new = Replacement::of(&path, &*storage).map_err(io)?;
            self.write_anew(&mut new, &old, header).map_err(io)?;
            new.prepare().map_err(io)?;
            if look(&locked, &*storage, &path, seen)? != Found::Same {
                return Err(changed(&path, "another program changed it just now"));
            }
            match new.commit().map_err(io)? {
                Settled::Durable | Settled::Unconfirmed(_) => Ok(backup),
            }
        })();
        self.disk = Disk::Stored(stored);
        let backup = outcome?;
        self.reload_rewritten()?;
        Ok(backup)
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

    /// Reads the file that was just written; the position stays.
    fn reload_rewritten(&mut self) -> Result<()> {
        let problems = self.loaded.problems.len();
        self.reload_whole()?;
        // It was us who replaced it.
        self.loaded.problems.pop();
        debug_assert!(self.loaded.problems.len() <= problems);
        Ok(())
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

fn read_old(locked: &mut crate::storage::Exclusive<'_>, len: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(len).unwrap_or(0)];
    let mut done = 0;
    while let Some(room) = bytes.get_mut(done..).filter(|room| !room.is_empty()) {
        match locked.read_at(done as u64, room)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            count => done += count,
        }
    }
    Ok(bytes)
}

/// Keeps the original beside the file as `<name>.<ending>`; one that is there is never overwritten (`.2`, `.3`, …).
fn keep_copy(
    storage: &dyn crate::storage::Storage,
    path: &Path,
    ending: &str,
    bytes: &[u8],
) -> Result<PathBuf> {
    let target = storage.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    for number in 1..=u32::MAX {
        let suffix = if number == 1 { String::new() } else { format!(".{number}") };
        let mut name = target.as_os_str().to_owned();
        name.push(format!(".{ending}{suffix}"));
        let name = PathBuf::from(name);
        let io = |error| Error::io("cannot keep a copy of the session at", &name, error);
        let mut copy = match Replacement::of_nothing(&name, storage) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => continue,
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
