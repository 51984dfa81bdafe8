//! The last entries of a session, read from the end of its file.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::context::Entries;
use crate::entry::{RecordKind, SessionHeader, parse_line};
use crate::error::{Error, Result};
use crate::json::Raw;
use crate::line::{BLOCK, LineReader, LineRef, Position, ReverseLines};
use crate::migration::Steps;
use crate::storage::{Sequential, StoredFile};
use crate::tree::{NodeId, SessionTree};

use super::bodies::Bodies;
use super::loaded::Loaded;
use super::manager::SessionManager;
use super::options::SessionOptions;

/// Up to this length, in bytes, a file is simply opened.
const SMALL: u64 = BLOCK as u64;

/// How many bytes of other branches are passed over, at most, between an entry of the branch and its parent.
const FAR: u64 = 1024 * 1024;

const WHAT: &str = "cannot read the end of session";

/// The last entries of the current branch of a session; nothing before them was read.
///
/// The tree in it holds what stands in the file from the first of them on, other branches too; what it says of entries before them
/// (parents, labels, the name) is not known, and a loop of parents is cut where this part shows it.
#[derive(Debug)]
pub struct SessionTail {
    session: SessionManager,
    nodes: Vec<NodeId>,
    before: Before,
    size: u64,
}

/// What stands before the entries of a tail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Before {
    /// Nothing: the branch begins with them.
    Nothing,
    /// More of the branch: the first of them names a parent, which was not looked for.
    More,
    /// The branch goes on at the entry with this id, further up than the end that was read: other branches stand between.
    Elsewhere(String),
}

impl SessionOptions {
    /// The last `count` entries of the branch that ends in the last entry of the file, as far as the end of the file holds them: between
    /// an entry and its parent at most 1 MiB of other branches is passed over. A file up to 256 KiB, or of version 1 or 2, is read whole.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    ///
    /// ```
    /// use logwood::session::{Before, SessionOptions};
    /// use logwood::storage::MemoryStorage;
    ///
    /// let storage = MemoryStorage::new();
    /// let entry = |id: &str, parent: &str| format!("{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":{parent}}}\n");
    /// let text = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
    /// storage.put("/s.jsonl", text + &entry("a", "null") + &entry("b", "\"a\""))?;
    /// let options = SessionOptions::new().storage(std::sync::Arc::new(storage));
    /// let tail = options.open_tail("/s.jsonl", 1)?;
    /// assert_eq!((tail.nodes().len(), tail.before()), (1, &Before::More));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn open_tail(&self, path: impl AsRef<Path>, count: usize) -> Result<SessionTail> {
        let path = path.as_ref();
        let options = self.clone().read_only(true);
        let io = |error| Error::io(WHAT, path, error);
        let mut file = self.world.storage.open(path).map_err(io)?;
        let size = file.metadata().map_err(io)?.len;
        let head = if size > SMALL { header(&mut *file).map_err(io)? } else { None };
        let Some((header, behind)) = head else {
            let session = options.open(path)?;
            let leaf = session.leaf();
            let branch = leaf.map(|leaf| session.tree().branch(leaf)).unwrap_or_default();
            let before = if branch.len() > count { Before::More } else { Before::Nothing };
            let nodes = last(&branch, count);
            return Ok(SessionTail { session, nodes, before, size });
        };
        let found = search(&mut *file, behind, size, count).map_err(io)?;
        let loaded = load(&mut *file, header, found.from, size).map_err(io)?;
        let session = options.partial(path, loaded, Bodies::stored(file));
        let branch = session.leaf().map(|leaf| session.tree().branch(leaf)).unwrap_or_default();
        let nodes = last(&branch, found.count.min(count));
        Ok(SessionTail { session, nodes, before: found.before, size })
    }
}

impl SessionTail {
    /// The entries, the earliest first.
    pub fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// What stands before them.
    pub fn before(&self) -> &Before {
        &self.before
    }

    /// The header of the session.
    pub fn header(&self) -> &SessionHeader {
        self.session.header()
    }

    /// The session's file.
    pub fn session_file(&self) -> Option<&Path> {
        self.session.session_file()
    }

    /// The current position: the last entry of the file.
    pub fn leaf_id(&self) -> Option<&str> {
        self.session.leaf_id()
    }

    /// The size of the file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }
}

impl Entries for SessionTail {
    fn tree(&self) -> &SessionTree {
        self.session.tree()
    }

    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>> {
        self.session.entry_text(node)
    }
}

fn last(nodes: &[NodeId], count: usize) -> Vec<NodeId> {
    nodes.get(nodes.len().saturating_sub(count)..).unwrap_or_default().to_vec()
}

/// The header, where the first record is one of version 3 or later, and the byte behind its line.
fn header(file: &mut dyn StoredFile) -> std::io::Result<Option<(SessionHeader, u64)>> {
    let mut reader = LineReader::with_block(Sequential::new(file), 4096);
    while let Some(line) = reader.next_line()? {
        let Some(parsed) = parse_line(line.bytes) else { continue };
        let header = parsed.ok().and_then(|parsed| SessionHeader::parse(parsed.text));
        let header = header.filter(|header| Steps::of(header) == Steps::None);
        let end = line.position.byte + line.bytes.len() as u64 + u64::from(line.complete);
        return Ok(header.map(|header| (header, end)));
    }
    Ok(None)
}

/// Where the entries that are wanted begin.
struct Found {
    from: u64,
    count: usize,
    before: Before,
}

/// Goes from the end of the file up the branch.
fn search(
    file: &mut dyn StoredFile,
    behind: u64,
    size: u64,
    wanted: usize,
) -> std::io::Result<Found> {
    let mut climb = Climb { wanted, ..Climb::default() };
    let mut from = size;
    let mut lines = ReverseLines::new(size, |at, room: &mut [u8]| file.read_at(at, room));
    let before = loop {
        if let Some(before) = climb.end() {
            break before;
        }
        let Some(line) = lines.next_line()?.filter(|line| line.position.byte >= behind) else {
            // A parent that is nowhere in the file makes a root.
            break Before::Nothing;
        };
        if climb.take(line) {
            from = line.position.byte;
        }
    };
    Ok(Found { from, count: climb.path.len(), before })
}

/// A way up a branch, from line to line backwards.
#[derive(Default)]
struct Climb {
    wanted: usize,
    /// The entries of the branch so far.
    path: HashSet<String>,
    /// The parent of the last of them.
    next: Option<String>,
    /// The parents of other entries that were passed, as their last lines say it.
    passed: HashMap<String, Option<String>>,
    /// Bytes since an entry of the branch was met.
    since: u64,
}

impl Climb {
    /// Whether it ends here, and what stands before.
    fn end(&self) -> Option<Before> {
        match &self.next {
            None if self.path.is_empty() => None,
            None => Some(Before::Nothing),
            Some(_) if self.path.len() >= self.wanted => Some(Before::More),
            Some(next) if self.since > FAR => Some(Before::Elsewhere(next.clone())),
            Some(_) => None,
        }
    }

    /// Takes a line; says whether an entry of the branch stands on it.
    fn take(&mut self, line: LineRef<'_>) -> bool {
        let Some((id, parent)) = entry(line) else {
            self.since += line.bytes.len() as u64;
            return false;
        };
        let is_next = self.path.is_empty() || self.next.as_ref() == Some(&id);
        if !is_next {
            self.since += line.bytes.len() as u64;
            self.passed.entry(id).or_insert(parent);
            return false;
        }
        self.since = 0;
        self.step(id, parent);
        // An id that stands on several lines says with its last one what it is, and that one was passed already.
        while let Some(next) = self.next.clone().filter(|_| self.path.len() < self.wanted)
            && let Some(parent) = self.passed.remove(&next)
        {
            self.step(next, parent);
        }
        true
    }

    fn step(&mut self, id: String, parent: Option<String>) {
        self.path.insert(id);
        // A loop of parents ends where it closes.
        self.next = parent.filter(|parent| !self.path.contains(parent));
    }
}

/// Id and parent of the entry on a line.
fn entry(line: LineRef<'_>) -> Option<(String, Option<String>)> {
    let envelope = parse_line(line.bytes)?.ok()?.envelope;
    let text = |value: Raw<'_>| value.as_str().filter(|text| !text.is_empty()).map(Cow::into_owned);
    let is_entry = envelope.record_kind() == RecordKind::Entry;
    let id = envelope.usable_id().filter(|_| is_entry).and_then(text)?;
    Some((id, envelope.parent_id.and_then(text)))
}

/// Reads the file from a line on; lines have no numbers there.
fn load(
    file: &mut dyn StoredFile,
    header: SessionHeader,
    from: u64,
    size: u64,
) -> std::io::Result<Loaded> {
    let mut loaded = Loaded::new(header, Steps::None, Vec::new(), Vec::new());
    let mut bytes = vec![0; usize::try_from(size - from).unwrap_or(0)];
    let count = super::disk::read_full(file, from, &mut bytes)?;
    let start = Position { byte: from, line: 0 };
    let lines = crate::line::Lines::starting_at(bytes.get(..count).unwrap_or_default(), start);
    lines.for_each(|line| {
        loaded.line(LineRef { position: Position { line: 0, ..line.position }, ..line });
    });
    loaded.settle();
    Ok(loaded)
}
