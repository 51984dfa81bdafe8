//! Rows into the file: in parcels, each one transaction, by one process at a time.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use logwood::inventory::{News, Place, SessionKind};
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior};

use super::open::{Catalog, Fault, guard};
use super::os_bytes::bytes;
use super::rows::{Sum, folder_id};

/// A parcel is written when it has this many changes, or bytes, or is this old: what a killed process loses is small.
const MOST_CHANGES: usize = 512;
const MOST_BYTES: usize = 4 * 1024 * 1024;
const OLDEST: Duration = Duration::from_millis(500);

/// One thing to write.
#[derive(Debug)]
pub(super) enum Change {
    Keep(PathBuf, Box<News>),
    Forget(PathBuf, OsString),
    ForgetFolder(PathBuf),
    /// All of the place was looked at.
    Complete(Place),
}

/// What is not yet written.
#[derive(Debug, Default)]
pub(super) struct Pending {
    changes: Vec<Change>,
    bytes: usize,
    since: Option<Instant>,
}

impl Pending {
    /// Adds a change; the parcel, if it is to be written now.
    fn add(&mut self, change: Change) -> Option<Vec<Change>> {
        if let Change::Keep(_, news) = &change {
            let facts = news.file.verdict.as_ref().map_or(0, |facts| facts.size());
            self.bytes += facts + news.checkpoint.as_ref().map_or(0, Vec::len);
        }
        self.changes.push(change);
        let age = self.since.get_or_insert_with(Instant::now).elapsed();
        let full = self.changes.len() >= MOST_CHANGES || self.bytes >= MOST_BYTES || age >= OLDEST;
        full.then(|| self.take())
    }

    fn take(&mut self) -> Vec<Change> {
        std::mem::take(self).changes
    }
}

impl Catalog {
    pub(super) fn change(&self, change: Change) {
        let parcel = guard(&self.pending).add(change);
        if let Some(parcel) = parcel {
            self.write(&parcel);
        }
    }

    /// Writes what is left of what listings found, and lets others write. Without it the rest is written by the next listing.
    pub fn finish(&self) {
        let parcel = guard(&self.pending).take();
        self.write(&parcel);
        self.stop_writing();
    }

    fn write(&self, parcel: &[Change]) {
        if parcel.is_empty() || self.is_broken() || !self.may_write() {
            return;
        }
        let written = write(&mut self.connection(), parcel);
        if let Err(error) = written {
            self.failed(&error);
        }
    }
}

impl Drop for Catalog {
    fn drop(&mut self) {
        self.finish();
    }
}

fn write(connection: &mut Connection, parcel: &[Change]) -> Result<(), Fault> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for change in parcel {
        match change {
            Change::Keep(path, news) => keep(&transaction, path, news)?,
            Change::Forget(dir, name) => forget(&transaction, dir, name)?,
            Change::ForgetFolder(dir) => forget_folder(&transaction, dir)?,
            Change::Complete(place) => complete(&transaction, place)?,
        }
    }
    Ok(transaction.commit()?)
}

fn keep(to: &Connection, path: &Path, news: &News) -> Result<(), Fault> {
    let (Some(dir), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let name = bytes(name);
    let folder = match folder_id(to, dir.as_os_str())? {
        Some(folder) => folder,
        None => {
            to.prepare_cached("INSERT INTO folder(path) VALUES (?)")?
                .execute([bytes(dir.as_os_str())])?;
            to.last_insert_rowid()
        }
    };
    let old = file_id(to, folder, name)?;
    let id = match old {
        Some(id) if news.grown => id,
        Some(id) => {
            forget_file(to, id)?;
            next_id(to)?
        }
        None => next_id(to)?,
    };
    let facts = news.file.verdict.as_deref().ok();
    let active = facts.map(|facts| facts.modified_ms(&news.file.key));
    let hidden = facts.is_none_or(|facts| facts.kind() == SessionKind::Subagent);
    let sum = Sum::default().number(folder).number(id).bytes(name);
    let record = sum.sealed(&news.file.to_bytes());
    let sql = "INSERT OR REPLACE INTO file(folder, name, id, active, hidden, record)
        VALUES (?, ?, ?, ?, ?, ?)";
    to.prepare_cached(sql)?.execute((folder, name, id, active, hidden, record))?;
    match &news.checkpoint {
        Some(state) => to
            .prepare_cached("INSERT OR REPLACE INTO checkpoint VALUES (?, ?)")?
            .execute((id, Sum::default().number(id).sealed(state)))?,
        None => to.prepare_cached("DELETE FROM checkpoint WHERE file = ?")?.execute([id])?,
    };
    Ok(())
}

fn complete(to: &Connection, place: &Place) -> Result<(), Fault> {
    let root = bytes(place.root.as_os_str());
    to.prepare_cached("INSERT OR IGNORE INTO complete VALUES (?, ?)")?
        .execute((root, place.layout.as_str()))?;
    Ok(())
}

fn next_id(to: &Connection) -> rusqlite::Result<i64> {
    let sql = "UPDATE meta SET value = value + 1 WHERE key = 'next_file' RETURNING value - 1";
    to.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

fn file_id(to: &Connection, folder: i64, name: &[u8]) -> rusqlite::Result<Option<i64>> {
    let mut select = to.prepare_cached("SELECT id FROM file WHERE folder = ? AND name = ?")?;
    select.query_row((folder, name), |row| row.get(0)).optional()
}

fn forget(to: &Connection, dir: &Path, name: &OsString) -> Result<(), Fault> {
    let Some(folder) = folder_id(to, dir.as_os_str())? else { return Ok(()) };
    if let Some(id) = file_id(to, folder, bytes(name))? {
        forget_file(to, id)?;
    }
    Ok(())
}

/// Removes a file and all that hangs on it.
fn forget_file(to: &Connection, id: i64) -> rusqlite::Result<()> {
    to.prepare_cached("DELETE FROM checkpoint WHERE file = ?")?.execute([id])?;
    to.prepare_cached("DELETE FROM file WHERE id = ?")?.execute([id])?;
    Ok(())
}

fn forget_folder(to: &Connection, dir: &Path) -> Result<(), Fault> {
    let Some(folder) = folder_id(to, dir.as_os_str())? else { return Ok(()) };
    let ids: Vec<i64> = to
        .prepare_cached("SELECT id FROM file WHERE folder = ?")?
        .query_map([folder], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    for id in ids {
        forget_file(to, id)?;
    }
    to.prepare_cached("DELETE FROM folder WHERE id = ?")?.execute([folder])?;
    Ok(())
}
