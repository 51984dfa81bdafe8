//! Which files of a folder may be sessions.

use std::ffi::{OsStr, OsString};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::location::{Layout, same_cwd};
use crate::storage::{FileKind, Metadata, Storage};

use super::{FileProblem, KnownFile, Place};

/// Files to be read, and folders that could not be.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub(super) files: Vec<Candidate>,
    pub(super) problems: Vec<FileProblem>,
    /// The folders that were looked into.
    pub(super) folders: Vec<Folder>,
    /// The roots of nested places whose folders are all known.
    pub(super) roots: Vec<PathBuf>,
}

/// The files of one folder.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) dir: PathBuf,
    /// Where they are among the candidates.
    pub(super) files: Range<usize>,
}

/// A file below a place whose name is that of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFile {
    /// The file, as it was found; not resolved.
    pub path: PathBuf,
    /// The name of the store it lies in.
    pub store: Arc<str>,
    /// Whether a session that names no working directory counts as one of the folder's project.
    pub adopts: bool,
}

/// The files below the places that may be sessions, in the order of the places and of the names below each, and the folders that
/// cannot be read. No file is looked at; one that is reached by two paths comes twice.
pub fn session_files(
    storage: &dyn Storage,
    places: &[Place],
) -> (Vec<SessionFile>, Vec<FileProblem>) {
    let mut candidates = Candidates::default();
    places.iter().for_each(|place| candidates.add_place(storage, place));
    let file =
        |file: Candidate| SessionFile { path: file.path, store: file.store, adopts: file.adopts };
    (candidates.files.into_iter().map(file).collect(), candidates.problems)
}

/// A file that may be a session.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    pub(super) path: PathBuf,
    /// The store it lies in.
    pub(super) store: Arc<str>,
    /// Whether a session that names no working directory counts as one of the folder's project.
    pub(super) adopts: bool,
    /// What the file is, where it was asked for.
    pub(super) metadata: Option<Metadata>,
    /// What is remembered of it.
    pub(super) known: Option<KnownFile>,
}

impl Candidate {
    /// Whether a session of the project at `cwd` is wanted, or all are.
    pub(super) fn is_wanted(&self, cwd: &str, wanted: Option<&str>) -> bool {
        wanted.is_none_or(|wanted| if cwd.is_empty() { self.adopts } else { same_cwd(cwd, wanted) })
    }
}

impl Candidates {
    /// Adds the files of a place; a place that is not there has none.
    pub(super) fn add_place(&mut self, storage: &dyn Storage, place: &Place) {
        for job in self.jobs(storage, place) {
            let found = job.list(storage);
            self.take(job, found);
        }
    }

    /// The folders of a place that are to be looked into.
    pub(super) fn jobs(&mut self, storage: &dyn Storage, place: &Place) -> Vec<Job> {
        let job = |dir, adopts| Job { dir, store: Arc::clone(&place.store), adopts };
        match place.layout {
            Layout::Flat => vec![job(place.root.clone(), true)],
            Layout::Nested => match folders(storage, &place.root) {
                Ok(folders) => {
                    self.roots.push(place.root.clone());
                    folders.into_iter().map(|dir| job(dir, false)).collect()
                }
                Err(error) => {
                    self.problems.push(FileProblem::unreadable(&place.root, &error));
                    Vec::new()
                }
            },
        }
    }

    /// Adds what a folder was found to hold.
    pub(super) fn take(&mut self, job: Job, found: io::Result<Vec<Candidate>>) {
        match found {
            Ok(files) => {
                let start = self.files.len();
                self.files.extend(files);
                self.folders.push(Folder { dir: job.dir, files: start..self.files.len() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.problems.push(FileProblem::unreadable(&job.dir, &error)),
        }
    }
}

/// A folder to look into.
#[derive(Debug)]
pub(super) struct Job {
    dir: PathBuf,
    store: Arc<str>,
    adopts: bool,
}

impl Job {
    /// Every name that ends in `.jsonl` directly in the folder, by name.
    fn list(&self, storage: &dyn Storage) -> io::Result<Vec<Candidate>> {
        let entries = storage.list(&self.dir)?;
        let names = entries.iter().filter(|entry| is_session_name(&entry.name));
        Ok(names.map(|entry| self.candidate(&entry.name, None)).collect())
    }

    /// The same with the metadata of each file.
    pub(super) fn survey(&self, storage: &dyn Storage) -> io::Result<Vec<Candidate>> {
        let names = storage.survey(&self.dir, &is_session_name)?;
        let candidate = |(name, metadata): (OsString, io::Result<Metadata>)| {
            self.candidate(&name, metadata.ok())
        };
        Ok(names.into_iter().map(candidate).collect())
    }

    fn candidate(&self, name: &OsStr, metadata: Option<Metadata>) -> Candidate {
        Candidate {
            path: join(&self.dir, name),
            store: Arc::clone(&self.store),
            adopts: self.adopts,
            metadata,
            known: None,
        }
    }
}

/// As `Path::join` does, with one allocation.
fn join(dir: &Path, name: &OsStr) -> PathBuf {
    let mut path = PathBuf::with_capacity(dir.as_os_str().len() + 1 + name.len());
    path.push(dir);
    path.push(name);
    path
}

/// The folders below a root, links followed, in the order of their names; none where there is no root.
fn folders(storage: &dyn Storage, root: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match storage.list(root) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other?,
    };
    let is_dir = |path: &Path| storage.metadata(path).is_ok_and(|file| file.kind == FileKind::Dir);
    let folders = entries.iter().filter(|entry| match entry.kind {
        FileKind::Dir => true,
        FileKind::Symlink => is_dir(&root.join(&entry.name)),
        FileKind::File | FileKind::Other => false,
    });
    Ok(folders.map(|entry| root.join(&entry.name)).collect())
}

/// Whether a file name may be that of a session: it ends in `.jsonl`, with case (spec 1.1).
pub(crate) fn is_session_name(name: &OsStr) -> bool {
    name.as_encoded_bytes().ends_with(b".jsonl")
}
