//! One import: validate, look whether the session is there already, copy to a free name.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::entry::{HeaderFault, JsonText};
use crate::env::{IdSource, RandomIds};
use crate::error::{Error, ErrorKind, Result};
use crate::inventory::{HeaderLine, copy_all, read_headers};
use crate::json::set_member;
use crate::location::SessionFileName;
use crate::storage::{
    LocalStorage, Replacement, Sequential, Storage, StoredFile, create_dir_all_synced,
};

const WHAT: &str = "cannot import session";
/// How many names are tried.
const NAMES: u32 = 10_000;

/// How a session file is taken into a store.
///
/// ```
/// use logwood::import::{Import, Outcome};
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// storage.put("/drop/a.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"a\"}\n")?;
/// let import = Import::new("/store/p").storage(Arc::new(storage.clone()));
/// assert_eq!(import.run("/drop/a.jsonl".as_ref())?.outcome, Outcome::Copied);
/// assert_eq!(import.run("/drop/a.jsonl".as_ref())?.outcome, Outcome::AlreadyThere);
/// assert_eq!(storage.contents("/store/p/a.jsonl")?, storage.contents("/drop/a.jsonl")?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Import {
    storage: Arc<dyn Storage>,
    ids: Arc<dyn IdSource>,
    dir: PathBuf,
    roots: Vec<PathBuf>,
    new_id: bool,
}

/// Where a session is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The file.
    pub path: PathBuf,
    /// The id of the session.
    pub id: String,
    /// What was done.
    pub outcome: Outcome,
}

/// What an import did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The file was copied.
    Copied,
    /// The same bytes were there already; nothing was written.
    AlreadyThere,
}

impl Import {
    /// Into this folder, which is made when it is not there.
    pub fn new(dir: impl Into<PathBuf>) -> Self {
        Self {
            storage: Arc::new(LocalStorage),
            ids: Arc::new(RandomIds),
            dir: dir.into(),
            roots: Vec::new(),
            new_id: false,
        }
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// Uses another source of ids.
    #[must_use]
    pub fn ids(mut self, ids: Arc<dyn IdSource>) -> Self {
        self.ids = ids;
        self
    }

    /// Where else the session may be already, besides the folder: whole stores, other folders.
    #[must_use]
    pub fn roots(mut self, roots: Vec<PathBuf>) -> Self {
        self.roots = roots;
        self
    }

    /// Gives the copy an id of its own, so that it can stand beside the session that it comes from. This is disabled by default.
    #[must_use]
    pub fn new_id(mut self, yes: bool) -> Self {
        self.new_id = yes;
        self
    }

    /// Imports a file; it stays as it is. Of an import that fails nothing is left but, perhaps, the folder.
    ///
    /// # Errors
    /// `not_found`, `not_a_file`, `empty_file`, `not_a_session`, `header_corrupt` for the source; `changed_on_disk` when another
    /// session of its id is there; what the system says about the copy.
    #[doc(alias = "importFromJsonl")]
    pub fn run(&self, source: &Path) -> Result<Imported> {
        let reading = |error| Error::io(WHAT, source, error);
        let mut file = self.storage.open(source).map_err(reading)?;
        let header = HeaderLine::find(&mut *file).map_err(reading)?;
        let header = header.map_err(|fault| no_session(source, fault))?;
        if self.new_id {
            return self.copy(source, &mut *file, &header, Some(self.ids.new_uuid()));
        }
        match self.existing(source, header.header.id(), &mut *file)? {
            Some(path) => Ok(Imported {
                path,
                id: header.header.id().to_owned(),
                outcome: Outcome::AlreadyThere,
            }),
            None => self.copy(source, &mut *file, &header, None),
        }
    }

    /// The file that holds the same bytes already.
    fn existing(
        &self,
        source: &Path,
        id: &str,
        file: &mut dyn StoredFile,
    ) -> Result<Option<PathBuf>> {
        let roots: Vec<_> = std::iter::once(&self.dir).chain(&self.roots).cloned().collect();
        let rows = read_headers(&*self.storage, &roots).rows;
        let mut other = None;
        for row in rows.into_iter().filter(|row| row.header.id() == id) {
            let is_same = self.is_same(file, &row.path);
            if is_same.map_err(|error| Error::io(WHAT, &row.path, error))? {
                return Ok(Some(row.path));
            }
            other.get_or_insert(row.path);
        }
        match other {
            None => Ok(None),
            Some(other) => Err(Error::new(ErrorKind::ChangedOnDisk, WHAT)
                .with_path(source)
                .with_why(format!("`{}` has the same id and other content", other.display()))
                .with_hint("nothing was written; `--new-id` imports it as a session of its own")),
        }
    }

    fn is_same(&self, file: &mut dyn StoredFile, path: &Path) -> io::Result<bool> {
        let mut other = self.storage.open(path)?;
        let (own, others) = (file.metadata()?, other.metadata()?);
        if own.len != others.len {
            return Ok(false);
        }
        Ok((own.identity.is_some() && own.identity == others.identity)
            || same_bytes(&mut Sequential::new(file), &mut Sequential::new(&mut *other))?)
    }

    fn copy(
        &self,
        source: &Path,
        file: &mut dyn StoredFile,
        header: &HeaderLine,
        new_id: Option<String>,
    ) -> Result<Imported> {
        create_dir_all_synced(&*self.storage, &self.dir)
            .map_err(|error| Error::io(WHAT, &self.dir, error))?;
        let name = match &new_id {
            Some(id) => own_name(header, id)?,
            None => jsonl(source.file_name().unwrap_or(OsStr::new("session"))),
        };
        for number in 1..=NAMES {
            let path = self.dir.join(numbered(&name, number));
            match self.write(&path, file, header, new_id.as_deref()) {
                Ok(()) => {
                    let id = new_id.unwrap_or_else(|| header.header.id().to_owned());
                    return Ok(Imported { path, id, outcome: Outcome::Copied });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::io(WHAT, path, error)),
            }
        }
        Err(Error::io(WHAT, source, io::ErrorKind::AlreadyExists.into()))
    }

    fn write(
        &self,
        path: &Path,
        file: &mut dyn StoredFile,
        header: &HeaderLine,
        new_id: Option<&str>,
    ) -> io::Result<()> {
        let mut out = Replacement::of_nothing(path, &*self.storage)?;
        match new_id {
            None => copy_all(file, &mut out)?,
            Some(id) => header.copy_with(file, &mut out, |header| {
                let id = JsonText::string(id);
                set_member(header, "id", id.as_str().as_bytes())
            })?,
        }
        // In its place it is whole, whether or not a power cut takes the name away again.
        out.commit().map(drop)
    }
}

fn no_session(source: &Path, fault: HeaderFault) -> Error {
    let why = match fault.kind {
        ErrorKind::EmptyFile => "the file has no line that is not blank",
        ErrorKind::HeaderCorrupt => "its header line cannot be read",
        _ => "it has no session header",
    };
    let error = Error::new(fault.kind, WHAT).with_path(source).with_why(why);
    match fault.position {
        Some(position) => error.with_position(position),
        None => error,
    }
}

fn own_name(header: &HeaderLine, id: &str) -> Result<OsString> {
    let timestamp = header.header.timestamp().filter(|time| !time.is_empty());
    let named = timestamp.and_then(|time| SessionFileName::new(&time, id).ok());
    Ok(named.map_or_else(|| format!("{id}.jsonl"), |name| name.to_string()).into())
}

/// A name that ends as that of a session does.
fn jsonl(name: &OsStr) -> OsString {
    let mut name = name.to_owned();
    if !name.as_encoded_bytes().ends_with(b".jsonl") {
        name.push(".jsonl");
    }
    name
}

/// `trip.jsonl`, `trip-2.jsonl`, `trip-3.jsonl`, …
fn numbered(name: &OsStr, number: u32) -> OsString {
    if number == 1 {
        return name.to_owned();
    }
    let mut numbered = Path::new(name).file_stem().unwrap_or(name).to_owned();
    numbered.push(format!("-{number}.jsonl"));
    numbered
}

fn same_bytes(a: &mut dyn io::Read, b: &mut dyn io::Read) -> io::Result<bool> {
    let mut a = io::BufReader::with_capacity(64 * 1024, a);
    let mut b = io::BufReader::with_capacity(64 * 1024, b);
    loop {
        let (left, right) = (io::BufRead::fill_buf(&mut a)?, io::BufRead::fill_buf(&mut b)?);
        let common = left.len().min(right.len());
        if common == 0 {
            return Ok(left.len() == right.len());
        }
        if left.get(..common) != right.get(..common) {
            return Ok(false);
        }
        io::BufRead::consume(&mut a, common);
        io::BufRead::consume(&mut b, common);
    }
}
