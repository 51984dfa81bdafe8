//! How sessions hang together: parents, forks, and children of subagents, by their headers (spec 4.4, 6.10; case 60).

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

use crate::inventory::{HeaderRow, Lineage, telling_name};
use crate::json::parse_iso_ms;
use crate::storage::{FileId, Storage};

/// Who of some sessions came from whom.
///
/// A `parentSession` means the file at its path, links followed; where nothing is there, the file of the same name, if that is one that
/// tells a session apart (see [`Lineage`]).
///
/// ```
/// use std::path::Path;
/// use logwood::inventory::read_headers;
/// use logwood::storage::MemoryStorage;
/// use logwood::transcript::Kinship;
///
/// let storage = MemoryStorage::new();
/// storage.put("/s/a.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"a\"}\n")?;
/// storage.put("/s/b.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"b\",\"parentSession\":\"/s/a.jsonl\"}\n")?;
/// let rows = read_headers(&storage, &["/s".into()]).rows;
/// let family = Kinship::of(&storage, &rows).family(Path::new("/s/b.jsonl")).unwrap();
/// let ids: Vec<_> = family.members.iter().map(|m| (rows[m.row].header.id(), m.depth, m.is_given)).collect();
/// assert_eq!(ids, [("a", 0, false), ("b", 1, true)]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Kinship<'a> {
    storage: &'a dyn Storage,
    rows: &'a [HeaderRow],
    lineage: Lineage<'a>,
    by_file: HashMap<FileId, usize>,
    by_name: HashMap<&'a OsStr, usize>,
}

/// A session and everybody it is related to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// The parent that the first member names and that is not among the sessions; others that name it too are members.
    pub gone: Option<String>,
    /// All of them, each below the one it came from; of those that have the same parent the oldest first.
    pub members: Vec<Member>,
}

/// One session of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// Its place among the rows.
    pub row: usize,
    /// How many generations stand above it, the missing parent included.
    pub depth: usize,
    /// Whether it is the one whose family this is.
    pub is_given: bool,
}

impl<'a> Kinship<'a> {
    /// Reads the parents of all rows.
    pub fn of(storage: &'a dyn Storage, rows: &'a [HeaderRow]) -> Self {
        let (mut by_file, mut by_name) = (HashMap::new(), HashMap::new());
        for (at, row) in rows.iter().enumerate() {
            if let Some(identity) = row.metadata.identity {
                by_file.entry(identity).or_insert(at);
            }
            if let Some(name) = telling_name(&row.path) {
                by_name.entry(name).or_insert(at);
            }
        }
        let lineage = Lineage::of(storage, rows);
        Self { storage, rows, lineage, by_file, by_name }
    }

    /// The sessions that were forked from the one at `session`, as places among the rows.
    pub fn forks(&self, session: &Path) -> Vec<usize> {
        let mut forks = self.children(session, None);
        forks.retain(|at| !self.is_transcript(*at));
        forks
    }

    /// The transcripts of a session, and theirs, of any depth, each once, also where parents make a loop.
    pub fn transcripts(&self, session: &Path) -> Vec<usize> {
        let mut seen: HashSet<usize> = self.find(session).into_iter().collect();
        let (mut found, mut open) = (Vec::new(), vec![session]);
        while let Some(parent) = open.pop() {
            for at in self.children(parent, None) {
                if self.is_transcript(at) && seen.insert(at) {
                    found.push(at);
                    open.extend(self.rows.get(at).map(|row| row.path.as_path()));
                }
            }
        }
        found
    }

    /// The family of a session: up to the first parent that is there, and everybody below that one. None where the session is not
    /// among the rows.
    pub fn family(&self, session: &Path) -> Option<Family> {
        let given = self.find(session)?;
        let top = self.oldest(given);
        let gone = self.missing_parent(top);
        let first = match &gone {
            None => vec![top],
            Some(gone) => self.orphans_of(gone),
        };
        let depth = usize::from(gone.is_some());
        let mut seen: HashSet<usize> = first.iter().copied().collect();
        let mut open: Vec<(usize, usize)> = first.iter().rev().map(|at| (*at, depth)).collect();
        let mut members = Vec::new();
        while let Some((at, depth)) = open.pop() {
            members.push(Member { row: at, depth, is_given: at == given });
            let Some(row) = self.rows.get(at) else { continue };
            let mut below = self.children(&row.path, Some(at));
            below.retain(|child| seen.insert(*child));
            open.extend(below.into_iter().rev().map(|child| (child, depth + 1)));
        }
        Some(Family { gone, members })
    }

    /// The row of a file.
    fn find(&self, path: &Path) -> Option<usize> {
        let identity = self.storage.metadata(path).ok().and_then(|file| file.identity);
        let known = identity.and_then(|identity| self.by_file.get(&identity).copied());
        known.or_else(|| self.rows.iter().position(|row| row.path == path))
    }

    /// The ancestor without a parent among the rows; in a loop the row that comes first.
    fn oldest(&self, from: usize) -> usize {
        let mut path = vec![from];
        let mut seen = HashSet::from([from]);
        let mut at = from;
        while let Some(parent) = self.parent(at) {
            if !seen.insert(parent) {
                let start = path.iter().position(|row| *row == parent).unwrap_or_default();
                return path.into_iter().skip(start).min().unwrap_or(from);
            }
            path.push(parent);
            at = parent;
        }
        at
    }

    /// The row that a row names as its parent, where that is among them.
    pub fn parent(&self, at: usize) -> Option<usize> {
        let parent = self.rows.get(at)?.named_parent()?;
        match self.storage.metadata(&parent) {
            Ok(_) => self.find(&parent),
            Err(_) => self.by_name.get(telling_name(&parent)?).copied(),
        }
    }

    /// The parent that a row names and that is not among the rows.
    fn missing_parent(&self, at: usize) -> Option<String> {
        let named = self.rows.get(at)?.header.parent_session()?.into_owned();
        self.parent(at).is_none().then_some(named)
    }

    /// The rows that name a parent which is not there, oldest first.
    fn orphans_of(&self, gone: &str) -> Vec<usize> {
        let names = |row: &HeaderRow| row.header.parent_session().is_some_and(|name| name == gone);
        let rows = self.rows.iter().enumerate().filter(|(_, row)| names(row));
        self.by_age(rows.map(|(at, _)| at).collect())
    }

    /// The rows that came from a file, without the one that it is itself, oldest first.
    fn children(&self, path: &Path, own: Option<usize>) -> Vec<usize> {
        let own = own.or_else(|| self.find(path));
        let mut children = self.lineage.children(path);
        children.retain(|at| Some(*at) != own);
        self.by_age(children)
    }

    fn by_age(&self, mut rows: Vec<usize>) -> Vec<usize> {
        let age = |row: &HeaderRow| {
            let time = row.header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
            (time.unwrap_or_else(|| row.metadata.modified_ms()), row.path.clone())
        };
        rows.sort_by_cached_key(|at| self.rows.get(*at).map(age));
        rows
    }

    fn is_transcript(&self, at: usize) -> bool {
        self.rows.get(at).is_some_and(|row| row.header.agent_type().is_some())
    }
}
