use std::borrow::Cow;
use std::path::{Path, PathBuf};

use crate::context::{Entries, ExplainRow, SessionContext, explain};
use crate::entry::SessionHeader;
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Raw, trim_js_bytes};
use crate::line::Position;
use crate::migration::{EntryUpgrade, FirstKept, Steps, upgrade_entry, upgrade_header};
use crate::problem::Problem;
use crate::storage::Courtesy;
use crate::tree::{NodeId, SessionTree};

use super::bodies::{Bodies, BodyError};
use super::disk::Disk;
use super::loaded::{Kept, Loaded};
use super::presence::Presence;
use super::record::{Record, What};
use super::world::World;

/// One open session: its entries as a tree, the current position, and what a model would see there.
///
/// Opening reads the file and changes nothing of it. A session of an older version looks like version 3 at once.
///
/// ```
/// use logwood::session::SessionOptions;
///
/// let session = SessionOptions::new().in_memory("/home/ana/shop");
/// assert_eq!(session.cwd(), "/home/ana/shop");
/// assert!(session.leaf().is_none());
/// assert!(session.context()?.is_empty());
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug)]
pub struct SessionManager {
    pub(super) loaded: Loaded,
    pub(super) bodies: Bodies,
    pub(super) place: Place,
    pub(super) disk: Disk,
    pub(super) world: World,
    /// The announcement that it is open.
    pub(super) presence: Option<Presence>,
    /// Towards others that write to its file.
    pub(super) courtesy: Courtesy,
}

/// Where a session lives.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    pub(super) file: Option<PathBuf>,
    pub(super) session_dir: PathBuf,
    pub(super) cwd: String,
    pub(super) inventory_root: Option<PathBuf>,
    pub(super) read_only: bool,
}

/// One entry line of a session; an id that stands on several lines has several.
#[derive(Debug, Clone, Copy)]
pub struct EntryLine {
    /// The node that the line belongs to.
    pub node: NodeId,
    /// Where the line starts.
    pub position: Position,
    record: Record,
}

impl SessionManager {
    /// The header as it stands in the file.
    pub fn header(&self) -> &SessionHeader {
        &self.loaded.header
    }

    /// The header as version 3 has it, as JSON text.
    #[doc(alias = "getHeader")]
    pub fn header_text(&self) -> Vec<u8> {
        let raw = self.loaded.header.raw();
        if self.needs_migration() { upgrade_header(raw) } else { raw.bytes().to_vec() }
    }

    /// Whether the file is of version 1 or 2: it is migrated in memory, and on disk with the next write.
    pub fn needs_migration(&self) -> bool {
        self.loaded.steps != Steps::None
    }

    /// The session id.
    #[doc(alias = "getSessionId")]
    pub fn session_id(&self) -> &str {
        self.loaded.header.id()
    }

    /// The session's file; none for a session in memory.
    #[doc(alias = "getSessionFile")]
    pub fn session_file(&self) -> Option<&Path> {
        self.place.file.as_deref()
    }

    /// The folder that new sessions of this manager go to; empty for a session in memory.
    #[doc(alias = "getSessionDir")]
    pub fn session_dir(&self) -> &Path {
        &self.place.session_dir
    }

    /// The working directory of the session.
    #[doc(alias = "getCwd")]
    pub fn cwd(&self) -> &str {
        &self.place.cwd
    }

    /// Whether the session has a file.
    #[doc(alias = "isPersisted")]
    pub fn is_persisted(&self) -> bool {
        self.place.file.is_some()
    }

    /// Whether it was opened only to be read.
    pub fn is_read_only(&self) -> bool {
        self.place.read_only
    }

    /// The flat inventory root that the session carries, if any (spec 6.9).
    #[doc(alias = "getCustomSessionInventoryRoot")]
    pub fn custom_session_inventory_root(&self) -> Option<&Path> {
        self.place.inventory_root.as_deref()
    }

    /// The display name: that of the last `session_info` in the file; none when it is empty (spec 4.8).
    #[doc(alias = "getSessionName")]
    pub fn session_name(&self) -> Option<&str> {
        self.loaded.name.as_deref()
    }

    /// The title that oh-my-pi keeps before or in the header; only for display, and only where there is no name.
    pub fn title(&self) -> Option<&str> {
        self.loaded.title.as_deref()
    }

    /// What was wrong and survivable, in file order.
    pub fn problems(&self) -> &[Problem] {
        &self.loaded.problems
    }

    /// The tree of entries.
    #[doc(alias = "getTree")]
    pub fn tree(&self) -> &SessionTree {
        &self.loaded.tree
    }

    /// The current position; none is the position before every entry.
    #[doc(alias = "getLeafId")]
    pub fn leaf(&self) -> Option<NodeId> {
        self.loaded.tree.leaf()
    }

    /// The id of the current position.
    pub fn leaf_id(&self) -> Option<&str> {
        self.leaf().map(|leaf| self.loaded.tree.id(leaf))
    }

    /// The node with this id.
    ///
    /// # Errors
    /// `entry_not_found` when the session has none.
    pub fn require(&self, id: &str) -> Result<NodeId> {
        self.loaded.tree.find(id).ok_or_else(|| {
            let error = Error::new(ErrorKind::EntryNotFound, format!("Entry {id} not found"));
            match self.session_file() {
                Some(file) => error.with_path(file),
                None => error,
            }
        })
    }

    /// Moves the current position to an entry; writes nothing (spec 4.10).
    ///
    /// # Errors
    /// `entry_not_found` when the session has no such entry; the position stays.
    #[doc(alias = "branch")]
    pub fn move_leaf(&mut self, id: &str) -> Result<()> {
        let node = self.require(id)?;
        self.loaded.tree.move_leaf(Some(node));
        Ok(())
    }

    /// Moves the current position before every entry; the next append starts another root.
    #[doc(alias = "resetLeaf")]
    pub fn reset_leaf(&mut self) {
        self.loaded.tree.move_leaf(None);
    }

    /// Every entry line in file order, duplicates included.
    #[doc(alias = "getEntries")]
    pub fn entries(&self) -> impl Iterator<Item = EntryLine> + '_ {
        self.loaded.records.iter().filter_map(|record| {
            let node = record.node()?;
            Some(EntryLine { node, position: record.position(), record: *record })
        })
    }

    /// The JSON text of one entry line, as version 3 has it.
    ///
    /// # Errors
    /// `changed_on_disk` when another program rewrote the line, else what the system says.
    pub fn line_text(&self, line: &EntryLine) -> Result<Cow<'_, [u8]>> {
        self.record_text(&line.record, line.node)
    }

    /// The JSON text of every line that has a type and no usable id, in file order: kept, and no entry of the tree (case 14).
    ///
    /// Each is an error where the line cannot be read any more.
    pub fn lines_without_id(&self) -> impl Iterator<Item = Result<Cow<'_, [u8]>>> + '_ {
        let records = self.loaded.records.iter();
        let without = records.filter(|record| record.what == What::MissingId);
        without.map(|record| self.plain_text(record))
    }

    /// The line that says what an entry is: the last one with its id.
    pub fn entry_line(&self, node: NodeId) -> Option<EntryLine> {
        let record = *self.loaded.record(node)?;
        Some(EntryLine { node, position: record.position(), record })
    }

    /// The context at the current position.
    ///
    /// # Errors
    /// When an entry of the path cannot be read any more.
    #[doc(alias = "buildSessionContext")]
    pub fn context(&self) -> Result<SessionContext> {
        self.context_at(self.leaf())
    }

    /// The context at another position; none is the position before every entry.
    ///
    /// # Errors
    /// When an entry of the path cannot be read any more.
    pub fn context_at(&self, leaf: Option<NodeId>) -> Result<SessionContext> {
        SessionContext::build(self, leaf)
    }

    /// What each entry of the path to `leaf` gave to the context, or why it gave nothing.
    ///
    /// # Errors
    /// When an entry of the path cannot be read any more.
    pub fn explain(&self, leaf: Option<NodeId>) -> Result<Vec<ExplainRow>> {
        explain(self, leaf)
    }

    /// The JSON text of a line that is no entry of the tree, as it stands.
    pub(super) fn plain_text(&self, record: &Record) -> Result<Cow<'_, [u8]>> {
        self.bodies.line(record, None).map(trimmed).map_err(|error| self.unreadable(record, error))
    }

    pub(super) fn record_text(&self, record: &Record, node: NodeId) -> Result<Cow<'_, [u8]>> {
        let id = (self.loaded.steps != Steps::AssignIds).then(|| self.loaded.tree.id(node));
        let line = self.bodies.line(record, id).map_err(|error| self.unreadable(record, error))?;
        let text = trimmed(line);
        match self.loaded.steps {
            Steps::None => Ok(text),
            steps => Ok(Cow::Owned(self.upgraded(&text, node, steps))),
        }
    }

    pub(super) fn upgraded(&self, text: &[u8], node: NodeId, steps: Steps) -> Vec<u8> {
        let tree = &self.loaded.tree;
        let assign = (steps == Steps::AssignIds).then(|| EntryUpgrade {
            id: tree.id(node),
            parent: tree.parent(node).map(|parent| tree.id(parent)),
            first_kept: match self.loaded.first_kept.get(&node) {
                Some(Kept::Index(first)) => FirstKept::Entry(tree.id(*first)),
                Some(Kept::DroppedIndex) => FirstKept::Dropped,
                _ => FirstKept::Keep,
            },
        });
        Raw::parse(text).map_or_else(|_| text.to_vec(), |raw| upgrade_entry(raw, assign))
    }

    fn unreadable(&self, record: &Record, error: BodyError) -> Error {
        const WHAT: &str = "cannot read an entry of session";
        let path = self.place.file.clone().unwrap_or_default();
        let error = match error {
            BodyError::Io(error) => Error::io(WHAT, path, error),
            BodyError::Changed => Error::new(ErrorKind::ChangedOnDisk, WHAT)
                .with_path(path)
                .with_why("another program rewrote the file since it was opened"),
        };
        error.with_position(record.position())
    }
}

impl Entries for SessionManager {
    fn tree(&self) -> &SessionTree {
        &self.loaded.tree
    }

    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>> {
        match self.loaded.record(node) {
            Some(record) => self.record_text(record, node),
            None => Err(Error::new(ErrorKind::EntryNotFound, "cannot read an entry")),
        }
    }

    fn read_entry(&self, node: NodeId, look: &mut dyn FnMut(&[u8])) -> Result<()> {
        let Some(record) = self.loaded.record(node).filter(|_| self.loaded.steps == Steps::None)
        else {
            look(&self.entry_text(node)?);
            return Ok(());
        };
        let id = self.loaded.tree.id(node);
        let seen = self.bodies.look(record, Some(id), &mut |line| look(trim_line(line)));
        seen.map_err(|error| self.unreadable(record, error))
    }

    fn read_plain_message(&self, node: NodeId, look: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let record = self.loaded.record(node).filter(|_| self.loaded.steps == Steps::None);
        let Some(record) = record.filter(|record| record.message.len > 0) else {
            return Ok(false);
        };
        let mut shown = false;
        let mut show = |line: &[u8]| {
            if let Some(message) = record.message.slice(line) {
                look(message);
                shown = true;
            }
        };
        // The sum over the line says more than its id does; where it differs the caller reads the whole entry.
        let seen = self.bodies.look(record, None, &mut show);
        seen.map_err(|error| self.unreadable(record, error)).map(|()| shown)
    }
}

/// The JSON text of a line, without a byte order mark or other white space around it.
fn trimmed(line: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    match line {
        Cow::Borrowed(line) => Cow::Borrowed(trim_line(line)),
        Cow::Owned(line) if trim_line(&line).len() == line.len() => Cow::Owned(line),
        Cow::Owned(line) => Cow::Owned(trim_line(&line).to_vec()),
    }
}

pub(super) fn trim_line(line: &[u8]) -> &[u8] {
    if line.starts_with(b"{") && line.ends_with(b"}") { line } else { trim_js_bytes(line) }
}
