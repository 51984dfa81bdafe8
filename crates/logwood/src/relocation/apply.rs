//! Carries a plan out: each file moves, then its header changes; links are mended last.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::entry::JsonText;
use crate::error::{Error, ErrorKind, Result};
use crate::inventory::HeaderLine;
use crate::json::{Raw, set_member};
use crate::storage::{Create, Exclusive, LOCK_WAIT, Replacement, Storage, create_dir_all_synced};

use super::plan::{Mended, Moved, Relocation, RelocationPlan};

/// What was to be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Moving it and changing its working directory.
    Move,
    /// Changing its parent.
    Mend,
}

/// A file with which something was not done.
#[derive(Debug)]
pub struct RelocationFailure {
    /// The file, where it is now.
    pub path: PathBuf,
    /// What was to be done.
    pub step: Step,
    /// Why it was not.
    pub error: Error,
}

/// What came of a plan.
#[derive(Debug, Default)]
#[must_use]
pub struct RelocationReport {
    /// The sessions that moved, where they are now.
    pub moved: Vec<PathBuf>,
    /// The sessions whose parent was mended.
    pub mended: Vec<PathBuf>,
    /// What was not done; nothing of it is lost, and the same relocation again tries it again.
    pub failed: Vec<RelocationFailure>,
}

const WHAT: &str = "cannot relocate session";

impl Relocation {
    /// Does what the plan says, on past single failures. Sessions keep their order by file time.
    pub fn apply(&self, plan: &RelocationPlan) -> RelocationReport {
        let mut report = RelocationReport::default();
        let mut stayed = HashMap::new();
        for moved in &plan.moved {
            match self.relocate(moved) {
                Ok(()) => report.moved.push(moved.to.clone()),
                Err(error) => {
                    let path = self.where_is(moved);
                    if path != moved.to {
                        stayed.insert(moved.to.clone(), path.clone());
                    }
                    report.failed.push(RelocationFailure { path, step: Step::Move, error });
                }
            }
        }
        for mended in &plan.mended {
            if stayed.contains_key(Path::new(&mended.new_parent)) {
                // It did not move, so its name is still right.
                continue;
            }
            let path = stayed.get(&mended.path).unwrap_or(&mended.path).clone();
            match self.mend(&path, mended) {
                Ok(()) => report.mended.push(path),
                Err(error) => {
                    report.failed.push(RelocationFailure { path, step: Step::Mend, error });
                }
            }
        }
        report
    }

    fn where_is(&self, moved: &Moved) -> PathBuf {
        let is_there = self.storage.link_metadata(&moved.from).is_ok();
        if is_there { moved.from.clone() } else { moved.to.clone() }
    }

    /// A process that has the session open would find it gone at its next append.
    fn require_closed(&self, path: &Path) -> Result<()> {
        if self.live.is_empty() {
            return Ok(());
        }
        let real = self.storage.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        match self.live.iter().find(|holder| holder.session == real) {
            None => Ok(()),
            Some(holder) => Err(Error::new(ErrorKind::Locked, WHAT)
                .with_path(path)
                .with_why(format!("it is open in {holder}"))
                .with_hint("it was left as it is; close it there, then relocate once more")),
        }
    }

    /// First the name, then the header: a file with the old path in the new folder is found by it the next time.
    fn relocate(&self, moved: &Moved) -> Result<()> {
        if moved.from != moved.to {
            self.require_closed(&moved.from)?;
            self.rename(&moved.from, &moved.to)?;
        }
        let cwd = JsonText::string(&moved.new_cwd);
        rewrite_header(&*self.storage, &moved.to, &|header| {
            let is_old = header.get_str("cwd").is_some_and(|cwd| cwd == moved.old_cwd);
            is_old.then(|| set_member(header, "cwd", cwd.as_str().as_bytes()))
        })
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let io = |error| Error::io(WHAT, from, error);
        if let Some(dir) = to.parent() {
            create_dir_all_synced(&*self.storage, dir).map_err(io)?;
        }
        self.storage.rename(from, to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Error::new(ErrorKind::ChangedOnDisk, WHAT)
                .with_path(from)
                .with_why(format!("`{}` is there already", to.display()))
                .with_hint("nothing was changed; give one of them another name, then try again"),
            _ => io(error),
        })?;
        // Both names are right, so that whichever a power cut leaves is one that is looked at.
        let _ = to.parent().map(|dir| self.storage.sync_dir(dir));
        let _ = from.parent().map(|dir| self.storage.sync_dir(dir));
        self.move_sides(from, to);
        Ok(())
    }

    /// Copies and side files go along; one that cannot stays, since nothing depends on it.
    fn move_sides(&self, from: &Path, to: &Path) {
        let (Some(dir), Some(name), Some(new_dir)) = (from.parent(), from.file_name(), to.parent())
        else {
            return;
        };
        for entry in self.storage.list(dir).unwrap_or_default() {
            let rest = entry.name.as_encoded_bytes().strip_prefix(name.as_encoded_bytes());
            if rest.is_some_and(is_side) {
                let _ = self.storage.rename(&dir.join(&entry.name), &new_dir.join(&entry.name));
            }
        }
    }

    fn mend(&self, path: &Path, mended: &Mended) -> Result<()> {
        let parent = JsonText::string(&mended.new_parent);
        rewrite_header(&*self.storage, path, &|header| {
            let key = ["parentSession", "branchedFrom"]
                .into_iter()
                .find(|key| header.get_str(key).is_some_and(|old| old == mended.old_parent))?;
            Some(set_member(header, key, parent.as_str().as_bytes()))
        })
    }
}

/// Whether a name that goes on like this belongs to a session file: it is neither a session itself nor being written.
fn is_side(rest: &[u8]) -> bool {
    rest.starts_with(b".")
        && ![&b".jsonl"[..], b".logwood-tmp"].iter().any(|end| rest.ends_with(end))
}

/// Writes a file anew with another header, under its lock; every other byte stays. Without a change nothing is written.
fn rewrite_header(
    storage: &dyn Storage,
    path: &Path,
    change: &dyn Fn(Raw<'_>) -> Option<Vec<u8>>,
) -> Result<()> {
    let io = |error| Error::io(WHAT, path, error);
    let changed =
        |why: &str| Error::new(ErrorKind::ChangedOnDisk, WHAT).with_path(path).with_why(why);
    let mut file = storage.open_append(path, Create::Never).map_err(io)?;
    let mut locked = Exclusive::acquire(&mut *file, LOCK_WAIT).map_err(io)?.ok_or_else(|| {
        let why = format!("another process has held its lock for {} seconds", LOCK_WAIT.as_secs());
        Error::new(ErrorKind::Locked, WHAT).with_path(path).with_why(why)
    })?;
    let before = locked.metadata().map_err(io)?;
    let header = HeaderLine::find(&mut *locked).map_err(io)?;
    let header = header.map_err(|_| changed("it has no header any more"))?;
    let Some(text) = change(header.header.raw()) else { return Ok(()) };
    let mut new = Replacement::of(path, storage).map_err(io)?;
    header.copy_with(&mut *locked, &mut new, |_| text).map_err(io)?;
    new.prepare().map_err(io)?;
    let now = locked.metadata().map_err(io)?;
    let named = storage.metadata(path).map_err(io)?;
    if now.len != before.len || named.identity != before.identity {
        return Err(changed("another program changed it just now"));
    }
    new.commit().map(drop).map_err(io)
}
