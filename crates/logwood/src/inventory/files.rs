//! Which files of a folder may be sessions.

use std::ffi::OsStr;
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
    /// Whether the metadata of each file is wanted too.
    pub(super) with_metadata: bool,
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
        match place.layout {
            Layout::Flat => self.add_folder(storage, &place.root, &place.store, true),
            Layout::Nested => match folders(storage, &place.root) {
                Ok(folders) => {
                    let mut add =
                        |dir: PathBuf| self.add_folder(storage, &dir, &place.store, false);
                    folders.into_iter().for_each(&mut add);
                    self.roots.push(place.root.clone());
                }
                Err(error) => self.problems.push(FileProblem::unreadable(&place.root, &error)),
            },
        }
    }

    /// Adds every name that ends in `.jsonl` directly in the folder, by name.
    fn add_folder(&mut self, storage: &dyn Storage, dir: &Path, store: &Arc<str>, adopts: bool) {
        let start = self.files.len();
        let candidate = |name: &OsStr, metadata| Candidate {
            path: join(dir, name),
            store: Arc::clone(store),
            adopts,
            metadata,
            known: None,
        };
        let found: io::Result<()> = if self.with_metadata {
            storage.survey(dir, &is_session_name).map(|names| {
                let files = names.into_iter();
                self.files.extend(files.map(|(name, file)| candidate(&name, file.ok())));
            })
        } else {
            storage.list(dir).map(|entries| {
                let names = entries.iter().filter(|entry| is_session_name(&entry.name));
                self.files.extend(names.map(|entry| candidate(&entry.name, None)));
            })
        };
        match found {
            Ok(()) => {
                self.folders
                    .push(Folder { dir: dir.to_path_buf(), files: start..self.files.len() });
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => self.problems.push(FileProblem::unreadable(dir, &error)),
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
