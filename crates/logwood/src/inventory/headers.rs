//! The headers of many files, and who names whom as its parent; bodies are not read.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::entry::SessionHeader;
use crate::location::SessionFileName;
use crate::storage::{FileId, FileKind, Metadata, Storage};

use super::FileProblem;
use super::files::is_session_name;
use super::recent::read_header;

/// How many folders lie between a root and its session files at most: `<root>/chain-<id>/step-<n>/` (spec 6.10).
const DEPTH: usize = 2;

/// One session file and its header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderRow {
    /// The file, as it was found; not resolved.
    pub path: PathBuf,
    /// Its header.
    pub header: SessionHeader,
    /// What the storage said about the file, links followed.
    pub metadata: Metadata,
}

impl HeaderRow {
    /// The path that the header names as its parent's; a relative one starts at the session's working directory.
    pub(crate) fn named_parent(&self) -> Option<PathBuf> {
        let parent = PathBuf::from(self.header.parent_session()?.into_owned());
        match self.header.cwd() {
            Some(cwd) if parent.is_relative() => Some(Path::new(&*cwd).join(parent)),
            _ => Some(parent),
        }
    }
}

/// The sessions below some roots, and what could not be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headers {
    /// One row for each file, in the order of the roots and of the names below each.
    pub rows: Vec<HeaderRow>,
    /// Folders and files that could not be read.
    pub problems: Vec<FileProblem>,
}

/// Reads the header of every session file below the roots, each file once, links followed; files that are no sessions are passed over.
///
/// A root may hold session files, project folders, or transcripts of subagents: files are found up to two folders below it.
pub fn read_headers(storage: &dyn Storage, roots: &[PathBuf]) -> Headers {
    read_headers_and(storage, roots, &[])
}

/// As [`read_headers`], and of the session files that lie directly in some folders.
pub fn read_headers_and(storage: &dyn Storage, roots: &[PathBuf], folders: &[PathBuf]) -> Headers {
    let mut walk = Walk { storage, seen: HashSet::new(), found: Headers::default() };
    let roots = roots.iter().map(|root| (root, 0));
    let folders = folders.iter().map(|folder| (folder, DEPTH));
    let all = roots.chain(folders).rev();
    let mut open: Vec<_> = all.map(|(dir, depth)| (dir.clone(), depth)).collect();
    while let Some((dir, depth)) = open.pop() {
        let below = walk.folder(&dir);
        if depth < DEPTH {
            open.extend(below.into_iter().rev().map(|dir| (dir, depth + 1)));
        }
    }
    walk.found
}

struct Walk<'a> {
    storage: &'a dyn Storage,
    /// Folders and files that were looked at, so that a loop of links ends and a linked file comes once.
    seen: HashSet<FileId>,
    found: Headers,
}

impl Walk<'_> {
    /// Takes the session files of a folder and gives the folders in it.
    fn folder(&mut self, dir: &Path) -> Vec<PathBuf> {
        let entries = match self.storage.list(dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.found.problems.push(FileProblem::unreadable(dir, &error));
                return Vec::new();
            }
        };
        let mut folders = Vec::new();
        for entry in entries {
            let path = dir.join(&entry.name);
            let may_be = is_session_name(&entry.name);
            if !may_be && matches!(entry.kind, FileKind::File | FileKind::Other) {
                continue;
            }
            match self.storage.metadata(&path) {
                Ok(metadata) if !self.is_new(&metadata) => {}
                Ok(metadata) if metadata.kind == FileKind::Dir => folders.push(path),
                Ok(metadata) if may_be && metadata.kind == FileKind::File => {
                    self.file(path, metadata);
                }
                // A link to nothing, or a file that went meanwhile, is nothing; neither is a pipe.
                _ => {}
            }
        }
        folders
    }

    fn is_new(&mut self, metadata: &Metadata) -> bool {
        metadata.identity.is_none_or(|identity| self.seen.insert(identity))
    }

    fn file(&mut self, path: PathBuf, metadata: Metadata) {
        match read_header(self.storage, &path) {
            Ok(Ok(header)) => self.found.rows.push(HeaderRow { path, header, metadata }),
            Ok(Err(_)) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.found.problems.push(FileProblem::unreadable(&path, &error)),
        }
    }
}

/// Who names whom as its parent.
///
/// A `parentSession` means the file that its path leads to, links followed. Where nothing is at that path, it means the file of the same
/// name, if that is a name that logwood, dreb or pi gives (it holds the session id), so that links survive a store that was moved.
#[derive(Debug)]
pub struct Lineage<'a> {
    storage: &'a dyn Storage,
    by_path: HashMap<PathBuf, Vec<usize>>,
    by_name: HashMap<OsString, Vec<usize>>,
}

impl<'a> Lineage<'a> {
    /// Reads the parents of all rows; each path is looked up once.
    pub fn of(storage: &'a dyn Storage, rows: &[HeaderRow]) -> Self {
        let mut lineage = Self { storage, by_path: HashMap::new(), by_name: HashMap::new() };
        let mut known: HashMap<PathBuf, Option<PathBuf>> = HashMap::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(parent) = row.named_parent() else { continue };
            let real = known.entry(parent.clone()).or_insert_with(|| {
                parent.is_absolute().then(|| storage.canonicalize(&parent).ok()).flatten()
            });
            match real {
                Some(real) => lineage.by_path.entry(real.clone()).or_default().push(at),
                None => lineage.add_by_name(&parent, at),
            }
        }
        lineage
    }

    fn add_by_name(&mut self, parent: &Path, at: usize) {
        if let Some(name) = telling_name(parent) {
            self.by_name.entry(name.to_owned()).or_default().push(at);
        }
    }

    /// The rows whose parent is the file at `path`, as positions in the rows, in their order.
    pub fn children(&self, path: &Path) -> Vec<usize> {
        let real = self.storage.canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let mut found = self.by_path.get(&real).cloned().unwrap_or_default();
        let by_name = telling_name(&real).and_then(|name| self.by_name.get(name));
        found.extend(by_name.into_iter().flatten());
        found.sort_unstable();
        found
    }
}

/// The file name, where it is one that tells the session apart from all others.
pub(crate) fn telling_name(path: &Path) -> Option<&OsStr> {
    let name = path.file_name()?;
    SessionFileName::parse(name.to_str()?).map(|_| name)
}
