//! Takes a repair back.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Replacement, read_all};

use super::apply::{Repair, WHAT, side_names};
use super::plan::Fingerprint;
use super::salvage::Record;

const WHAT_UNDO: &str = "cannot undo the repair of session";

/// What an undo did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Undone {
    /// The copy that the file was restored from; it stays.
    pub backup: PathBuf,
    /// Files of other sessions that the repair made and that went again: the restored file has them.
    pub removed: Vec<PathBuf>,
    /// Those that stay, because somebody wrote to them since.
    pub kept: Vec<PathBuf>,
}

/// A repair of the past.
struct Past {
    backup: PathBuf,
    record: Record,
}

impl Repair {
    /// Restores the file as it was before its last repair, byte for byte.
    ///
    /// # Errors
    /// `not_found` when there is no repair to undo; `changed_on_disk` when something was written to the session since: going back
    /// would lose it; `locked`; those of reading and writing.
    pub fn undo(&self) -> Result<Undone> {
        let target = self.target()?;
        let mut file = self.open(&target)?;
        let mut locked = self.lock(&mut *file)?;
        let (now, seen) = self.read(&mut locked, &target)?;
        let past = self.past_of(&target, &now)?;
        let original = read_all(&*self.storage, &past.backup)
            .map_err(|error| Error::io(WHAT_UNDO, &past.backup, error))?;
        if Fingerprint::of([&*original]) != past.record.before {
            return Err(Error::new(ErrorKind::ChangedOnDisk, WHAT_UNDO)
                .with_path(&past.backup)
                .with_why("the copy is not what was repaired"));
        }
        let write = || {
            let mut new = Replacement::of(&target, &*self.storage)?;
            new.write_all(&original)?;
            new.prepare()?;
            Ok(new)
        };
        let new = write().map_err(|error| self.io(error))?;
        self.require_same(&locked, &target, seen)?;
        self.commit(new)?;
        let (removed, kept) = self.take_back(&target, &past.record);
        Ok(Undone { backup: past.backup, removed, kept })
    }

    /// The repair that made the file what it is now.
    fn past_of(&self, target: &Path, now: &[u8]) -> Result<Past> {
        let mut is_original = false;
        let mut appended = None;
        let pasts = self.pasts(target)?;
        let is_first = pasts.is_empty();
        let current = Fingerprint::of([now]);
        for past in pasts.into_iter().rev() {
            let after = &past.record.after;
            if current == *after {
                return Ok(past);
            }
            is_original |= current == past.record.before;
            let start = usize::try_from(after.length).ok().and_then(|length| now.get(..length));
            if start.is_some_and(|start| Fingerprint::of([start]) == *after) {
                appended.get_or_insert((now.len() as u64 - after.length, past.backup));
            }
        }
        Err(match appended {
            _ if is_original || is_first => Error::new(ErrorKind::NotFound, WHAT_UNDO)
                .with_path(target)
                .with_why(match is_first {
                    true => "there is no repair to undo",
                    false => "it is as it was before the repair",
                })
                .with_hint("`logwood check` shows how it is"),
            Some((bytes, backup)) => {
                self.refuse(&format!("{bytes} bytes were appended since"), &backup)
            }
            None => self.refuse("it was changed since", &side_names(target, 1).1),
        })
    }

    fn refuse(&self, why: &str, backup: &Path) -> Error {
        self.changed(&format!("{why}, and going back would lose that")).with_hint(format!(
            "the original stays in `{}`: copy it beside the session, under a name of its own, to have both",
            backup.display()
        ))
    }

    /// Every repair of which the side file and the copy are there, the first one first.
    fn pasts(&self, target: &Path) -> Result<Vec<Past>> {
        let mut pasts = Vec::new();
        for number in 1..=u32::MAX {
            let (salvage, backup) = side_names(target, number);
            let record = read_all(&*self.storage, &salvage);
            let record = match record {
                Ok(bytes) => Record::parse(&bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                    match self.storage.link_metadata(&backup) {
                        Ok(_) => continue,
                        Err(_) => break,
                    }
                }
                Err(error) => return Err(Error::io(WHAT, &salvage, error)),
            };
            pasts.extend(record.map(|record| Past { backup, record }));
        }
        Ok(pasts)
    }

    /// Removes the files that the repair made for other sessions, as long as they are what it wrote.
    fn take_back(&self, target: &Path, record: &Record) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let is_ours = |(path, content): &(PathBuf, &Fingerprint)| {
            let bytes = read_all(&*self.storage, path);
            bytes.is_ok_and(|bytes| Fingerprint::of([&*bytes]) == **content)
                && self.storage.remove_file(path).is_ok()
        };
        let files =
            record.sessions.iter().map(|(name, content)| (target.with_file_name(name), content));
        let (removed, kept): (Vec<_>, Vec<_>) = files.partition(is_ours);
        let paths =
            |files: Vec<(PathBuf, &Fingerprint)>| files.into_iter().map(|(path, _)| path).collect();
        (paths(removed), paths(kept))
    }
}
