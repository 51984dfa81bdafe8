//! What is in a catalog, whether it is whole, and how it goes away.

use std::io;
use std::path::{Path, PathBuf};

use logwood::error::{Error, Result};
use logwood::inventory::KnownFile;
use logwood::storage::Storage;

use super::open::{Catalog, Fault, SIDES, beside};
use super::place::stem;
use super::rows::{self, COLUMNS};

/// What a catalog holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Status {
    /// The file.
    pub path: PathBuf,
    /// What it takes on the disk, in bytes, with the files that SQLite keeps beside it.
    pub size: u64,
    /// Session files that it knows.
    pub sessions: u64,
    /// Files that it knows to be no sessions.
    pub others: u64,
    /// The bytes of all of them.
    pub bytes: u64,
}

impl Catalog {
    /// What it holds; nothing is read from session files.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn status(&self) -> Result<Status> {
        let mut status = Status {
            path: self.path().to_path_buf(),
            size: size(self.path(), &*self.storage),
            ..Status::default()
        };
        let counted = self.each_row(|file| {
            let count =
                if file.verdict.is_ok() { &mut status.sessions } else { &mut status.others };
            *count += 1;
            status.bytes += file.key.size;
        });
        counted.map_err(|fault| self.unreadable(&fault))?;
        Ok(status)
    }

    /// Whether every page and every row is as it was written.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn check(&self) -> Result<()> {
        self.check_rows().map_err(|fault| self.unreadable(&fault))
    }

    fn check_rows(&self) -> std::result::Result<(), Fault> {
        let sql = "PRAGMA integrity_check(1)";
        let answer: String = self.connection().query_row(sql, [], |row| row.get(0))?;
        if answer != "ok" {
            return Err(Fault::Damaged("SQLite finds its pages damaged"));
        }
        self.each_row(|_| ())
    }

    fn each_row(&self, mut visit: impl FnMut(&KnownFile)) -> std::result::Result<(), Fault> {
        let connection = self.connection();
        let mut select = connection.prepare(&format!("SELECT {COLUMNS} FROM file"))?;
        let mut found = select.query([])?;
        while let Some(row) = found.next()? {
            if let Some((_, file)) = rows::named_file(row)? {
                visit(&file);
            }
        }
        Ok(())
    }

    fn unreadable(&self, fault: &Fault) -> Error {
        Error::new(logwood::error::ErrorKind::Io, "cannot read the catalog")
            .with_path(self.path())
            .with_why(fault.to_string())
            .with_hint("`logwood catalog rebuild` makes it anew")
    }
}

/// The bytes of a catalog file and of those beside it.
fn size(path: &Path, storage: &dyn Storage) -> u64 {
    let sides = SIDES.map(|ending| beside(path, ending));
    let files = sides.iter().map(PathBuf::as_path).chain([path]);
    files.filter_map(|file| storage.metadata(file).ok()).map(|file| file.len).sum()
}

/// Removes the catalogs of an agent directory from the folder of catalogs, those of other versions too; how many bytes that frees.
/// Processes that have one open go on with it, and it vanishes with them.
///
/// # Errors
/// When a file cannot be removed.
pub fn clear(folder: &Path, agent_dir: &Path, storage: &dyn Storage) -> Result<u64> {
    let names = match storage.list(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        other => other.map_err(|error| Error::io("cannot list", folder, error))?,
    };
    let start = format!("{}-", stem(agent_dir));
    let mut freed = 0;
    for entry in names {
        if entry.name.as_encoded_bytes().starts_with(start.as_bytes()) {
            let path = folder.join(&entry.name);
            freed += storage.link_metadata(&path).map_or(0, |file| file.len);
            storage.remove_file(&path).map_err(|error| Error::io("cannot remove", &path, error))?;
        }
    }
    Ok(freed)
}
