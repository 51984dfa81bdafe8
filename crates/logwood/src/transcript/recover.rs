//! The children of a session, found on the disk as after a restart (rule L28; spec 6.11).

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::entry::SessionHeader;
use crate::error::{Error, Result};
use crate::inventory::{FileProblem, HeaderRow, Lineage, read_header};
use crate::json::parse_iso_ms;
use crate::location::TranscriptRoots;
use crate::storage::Storage;

use super::discover::{TranscriptFile, is_dir, transcript_files};
use super::outcome::{AgentStatus, status_of, task_of};

/// A child that was found again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecoveredChild {
    /// Its folder; that of the chain, for a chain.
    pub dir: PathBuf,
    /// Its file; for a chain that of the first step which names the parent.
    pub file: PathBuf,
    /// The same without links, by which it is known again.
    pub(super) real: PathBuf,
    /// The agent; `agent` where the header names none.
    pub agent_type: String,
    /// The start of its task; its agent and its folder where it has none.
    pub task_summary: String,
    /// When it was started, in milliseconds since 1970: the header's time, else the file's.
    pub started_ms: i64,
    /// How it ended; for a chain how its last step did.
    pub status: AgentStatus,
    /// Its working directory.
    pub cwd: Option<String>,
}

/// What a look for children gives.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The children, root by root and by name in each.
    pub children: Vec<RecoveredChild>,
    /// Folders and files that could not be read, and so may be children.
    pub problems: Vec<FileProblem>,
}

/// The children of the session at `parent`: of each folder below the roots whose transcript names it as its parent. Nothing is
/// moved or written.
///
/// A child names its parent by path, links followed. Where nothing is at that path, the same file name will do if it is one that
/// tells a session apart, so that children survive a store that was moved, and none is taken from another parent (F-32).
///
/// # Errors
/// When the first root is there and cannot be read; of a later root, and of a single folder, that is a problem of the answer.
pub fn recover_children(
    storage: &dyn Storage,
    roots: &TranscriptRoots,
    parent: &Path,
) -> Result<Recovery> {
    let mut scan = Scan::new(storage);
    for (at, root) in roots.all().enumerate() {
        match scan.root(root) {
            Err(error) if at == 0 => {
                return Err(Error::io("cannot look for transcripts in", root, error));
            }
            Err(error) => scan.problems.push(FileProblem::unreadable(root, &error)),
            Ok(()) => {}
        }
    }
    Ok(scan.children_of(parent))
}

struct Scan<'a> {
    storage: &'a dyn Storage,
    /// Folders that were looked at, without links.
    seen: HashSet<PathBuf>,
    folders: Vec<Folder>,
    /// The headers of all folders, in the order of the steps in each.
    rows: Vec<HeaderRow>,
    /// The folder of each row.
    owners: Vec<usize>,
    problems: Vec<FileProblem>,
}

/// A folder with transcripts.
struct Folder {
    dir: PathBuf,
    real: PathBuf,
    /// The last file, be it with a header or not.
    last: PathBuf,
}

impl<'a> Scan<'a> {
    fn new(storage: &'a dyn Storage) -> Self {
        Self {
            storage,
            seen: HashSet::new(),
            folders: Vec::new(),
            rows: Vec::new(),
            owners: Vec::new(),
            problems: Vec::new(),
        }
    }

    fn root(&mut self, root: &Path) -> io::Result<()> {
        let entries = match self.storage.list(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            other => other?,
        };
        for entry in entries {
            let dir = root.join(&entry.name);
            let looked = is_dir(self.storage, root, &entry)
                .and_then(|is_dir| if is_dir { self.folder(dir.clone()) } else { Ok(()) });
            if let Err(error) = looked {
                self.problems.push(FileProblem::unreadable(&dir, &error));
            }
        }
        Ok(())
    }

    fn folder(&mut self, dir: PathBuf) -> io::Result<()> {
        let real = match self.storage.canonicalize(&dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other?,
        };
        if !self.seen.insert(real.clone()) {
            return Ok(());
        }
        let files = transcript_files(self.storage, &dir)?;
        let Some(last) = files.last().map(|file| file.path.clone()) else { return Ok(()) };
        for TranscriptFile { path, metadata, .. } in files {
            match read_header(self.storage, &path) {
                Ok(Ok(header)) => {
                    self.rows.push(HeaderRow { path, header, metadata });
                    self.owners.push(self.folders.len());
                }
                Ok(Err(_)) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.problems.push(FileProblem::unreadable(&path, &error)),
            }
        }
        self.folders.push(Folder { dir, real, last });
        Ok(())
    }

    fn children_of(self, parent: &Path) -> Recovery {
        let mut recovery = Recovery { children: Vec::new(), problems: Vec::new() };
        let mut before = None;
        let mut unread = Vec::new();
        for at in Lineage::of(self.storage, &self.rows).children(parent) {
            let (Some(row), Some(owner)) = (self.rows.get(at), self.owners.get(at)) else {
                continue;
            };
            // Of the steps of a chain the first one counts.
            if before.replace(owner) == Some(owner) {
                continue;
            }
            let Some(folder) = self.folders.get(*owner) else { continue };
            match self.child(folder, row) {
                Ok(child) => recovery.children.push(child),
                Err(error) => unread.push(FileProblem::unreadable(&row.path, &error)),
            }
        }
        recovery.problems = self.problems;
        recovery.problems.extend(unread);
        recovery
    }

    fn child(&self, folder: &Folder, row: &HeaderRow) -> io::Result<RecoveredChild> {
        let agent_type = agent_of(&row.header);
        let name = folder.dir.file_name().unwrap_or_default().to_string_lossy();
        let task = task_of(self.storage, &row.path)?;
        let time = row.header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
        Ok(RecoveredChild {
            dir: folder.dir.clone(),
            file: row.path.clone(),
            real: folder.real.clone(),
            task_summary: task.unwrap_or_else(|| format!("{agent_type} ({name})")),
            agent_type,
            started_ms: time.unwrap_or_else(|| row.metadata.modified_ms()),
            status: status_of(self.storage, &folder.last)?,
            cwd: row.header.cwd().map(|cwd| cwd.into_owned()),
        })
    }
}

/// The agent that a header names; `agent` where that is blank.
fn agent_of(header: &SessionHeader) -> String {
    let named = header.agent_type().filter(|agent| !crate::json::trim_js(agent).is_empty());
    named.map_or_else(|| "agent".to_owned(), |agent| agent.into_owned())
}
