//! New sessions out of old ones: a branch taken out, or a whole session copied for another project (spec 4.4, 4.11).
//!
//! Lines are copied byte for byte; only what named a removed label is linked anew (F-03).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::context::Entries;
use crate::entry::{EntryDraft, EntryKind, JsonText, SessionHeader};
use crate::error::Result;
use crate::json::{Raw, set_member};
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::storage::Storage;
use crate::tree::{NewNode, NodeId};

use super::bodies::KEEP_LIMIT;
use super::create::NewSession;
use super::disk::Disk;
use super::manager::SessionManager;
use super::new_file::NewFile;
use super::options::SessionOptions;
use super::record::{Record, What};

impl SessionOptions {
    /// Copies a whole session, all branches, into a new one of another working directory; written at once, also without an answer.
    ///
    /// The source stays as it is; a source of version 1 or 2 is migrated in the copy. Lines that are no entries are left out, one
    /// problem each.
    ///
    /// # Errors
    /// As [`open`](Self::open) for the source; `read_only` under [`read_only`](Self::read_only); `permission`, `no_space`, `io` for the copy, of which then nothing is left.
    #[doc(alias = "forkFrom")]
    pub fn fork_from(
        &self,
        source: impl AsRef<Path>,
        target_cwd: &str,
        dir: impl Into<PathBuf>,
    ) -> Result<SessionManager> {
        let source_path = source.as_ref();
        let dir = dir.into();
        let make = |parent_session| {
            let cwd = Some(target_cwd.to_owned());
            self.create(&dir, NewSession { cwd, parent_session, ..NewSession::default() })
        };
        match self.copy_in_passing(source_path, KEEP_LIMIT, make)? {
            Some(copy) => Ok(copy),
            None => self.copy_opened(source_path, make),
        }
    }

    /// Opens the source and copies it into the session that `make` makes for a parent.
    pub(super) fn copy_opened(
        &self,
        source_path: &Path,
        make: impl Fn(Option<String>) -> Result<SessionManager>,
    ) -> Result<SessionManager> {
        let source = self.clone().read_only(true).open(source_path)?;
        let mut copy = make(source.as_parent())?;
        copy.require_writable()?;
        let header = source.header_of_copy(&copy);
        let world = self.world.clone();
        let mut file = NewFile::on_disk(&world, &copy.file())?;
        file = file.expecting(source.loaded.records.len());
        file.line(&header)?;
        let plain = Plain::of(&source);
        for record in &source.loaded.records {
            match record.what {
                What::Entry(node) => source.copy_entry(record, node, &plain, &mut file)?,
                What::MissingId => file.line(&source.plain_text(record)?)?,
                What::Header | What::Other | What::Malformed => {}
            }
        }
        copy.take_over(file)?;
        copy.loaded.problems.extend(source.problems().iter().filter(|p| is_left_out(p)).cloned());
        Ok(copy)
    }
}

impl SessionManager {
    /// Makes the branch that ends at `leaf` a session of its own, which this manager then is; the old file stays as it is.
    ///
    /// Labels come along as new entries at the end, then the display name. The new file is written at once when the branch has an
    /// assistant message (or as [`FirstWrite`](super::FirstWrite) says), else with its first. Returns the new file, none in memory.
    ///
    /// # Errors
    /// `entry_not_found`; `read_only`; what the system says about the new file, of which then nothing is left.
    #[doc(alias = "createBranchedSession")]
    pub fn create_branched_session(
        &mut self,
        leaf: &str,
        cwd: Option<&str>,
    ) -> Result<Option<&Path>> {
        self.require_writable()?;
        let leaf = self.require(leaf)?;
        let plan = BranchPlan::of(self, leaf);
        let parent = self.as_parent();
        let cwd = cwd.unwrap_or(self.cwd()).to_owned();
        let new = NewSession { cwd: Some(cwd), parent_session: parent, ..NewSession::default() };
        let mut branch = self.empty_branch(&new)?;
        let header = self.header_of_copy(&branch);
        let world = self.world.clone();
        let due = plan.is_due(self);
        let mut file = match branch.session_file() {
            Some(path) if due => NewFile::on_disk(&world, path)?,
            _ => NewFile::in_memory(),
        };
        file = file.expecting(plan.kept.len());
        file.line(&header)?;
        let plain = Plain::of(self);
        for node in &plan.kept {
            match self.loaded.record(*node).filter(|_| !plan.parents.contains_key(node)) {
                Some(record) => self.copy_kept(record, *node, &plain, &plan, &mut file)?,
                None => file.line(&plan.text(self, *node)?)?,
            }
        }
        for line in plan.appendix(self) {
            file.line(&line)?;
        }
        branch.take_over(file)?;
        *self = branch;
        // Nobody else can have a session that was not there before.
        let _ = self.announce();
        Ok(self.session_file())
    }

    /// How a session that comes from this one names it: its file by a path from the root, and none that was never written (F-24).
    pub(super) fn as_parent(&self) -> Option<String> {
        let file = self.session_file().filter(|_| !matches!(self.disk, Disk::Deferred))?;
        Some(named_from_root(&*self.world.storage, file))
    }

    /// Copies an entry of the path, its boundary linked anew where that is needed.
    fn copy_kept(
        &self,
        record: &Record,
        node: NodeId,
        plain: &Plain,
        plan: &BranchPlan,
        file: &mut NewFile<'_>,
    ) -> Result<()> {
        if self.tree().kind(node) == EntryKind::Compaction {
            return file.line(&plan.text(self, node)?);
        }
        self.copy_entry(record, node, plain, file)
    }

    /// Copies an entry as it stands, without reading again what is known of it.
    fn copy_entry(
        &self,
        record: &Record,
        node: NodeId,
        plain: &Plain,
        file: &mut NewFile<'_>,
    ) -> Result<()> {
        let tree = self.tree();
        if !plain.holds(self, record, node) {
            return file.line(&self.record_text(record, node)?);
        }
        let new = NewNode {
            id: tree.id(node),
            parent: tree.parent(node).map(|parent| tree.id(parent)),
            timestamp_ms: tree.timestamp_ms(node),
            kind: tree.kind(node),
            role: tree.role(node),
        };
        let mut outcome = Ok(());
        self.read_entry(node, &mut |text| outcome = file.copied(text, &new))?;
        outcome
    }

    fn empty_branch(&self, new: &NewSession) -> Result<Self> {
        let mut place = self.place.clone();
        place.cwd = new.cwd.clone().unwrap_or_default();
        let disk = if self.is_persisted() { Disk::Deferred } else { Disk::None };
        let mut branch = Self::fresh(self.world.clone(), place, disk, new);
        if branch.is_persisted() {
            branch.name_file()?;
        }
        Ok(branch)
    }

    fn header_of_copy(&self, copy: &Self) -> Vec<u8> {
        header_of_copy(&self.loaded.header, copy)
    }

    /// Becomes what was written.
    pub(super) fn take_over(&mut self, file: NewFile<'_>) -> Result<()> {
        let written = file.finish(&self.file())?;
        self.loaded = written.loaded;
        self.bodies = written.bodies;
        if let Some(stored) = written.stored {
            self.disk = Disk::Stored(stored);
        }
        Ok(())
    }
}

/// The header of a copy; a version above 3 of the source is kept (design section 2).
pub(super) fn header_of_copy(source: &SessionHeader, copy: &SessionManager) -> Vec<u8> {
    let header = copy.loaded.header.raw();
    match source.raw().get("version") {
        Some(version) if source.version_number() > 3.0 => {
            set_member(header, "version", version.bytes())
        }
        _ => header.bytes().to_vec(),
    }
}

/// Which lines can be copied without being read again: those of version 3 of which nothing odd was found, and which change nothing
/// beyond the tree.
struct Plain {
    odd_lines: HashSet<u64>,
    is_current: bool,
}

impl Plain {
    fn of(session: &SessionManager) -> Self {
        let positions = session.problems().iter().filter_map(|problem| problem.position);
        Self {
            odd_lines: positions.map(|position| position.line).collect(),
            is_current: session.loaded.steps == Steps::None,
        }
    }

    fn holds(&self, session: &SessionManager, record: &Record, node: NodeId) -> bool {
        let kind = session.tree().kind(node);
        let silent =
            !matches!(kind, EntryKind::Label | EntryKind::SessionInfo | EntryKind::Compaction);
        // Of an id that stands on several lines only the last one is what the tree knows.
        let last = session.loaded.record(node).is_some_and(|last| last.offset == record.offset);
        self.is_current && silent && last && !self.odd_lines.contains(&u64::from(record.line))
    }
}

/// Which entries of a branch go into a session of its own, and how they are linked.
struct BranchPlan {
    /// The entries of the path that are no labels, root first.
    kept: Vec<NodeId>,
    /// For entries whose parent is a removed label: the nearest ancestor that is kept.
    parents: HashMap<NodeId, Option<NodeId>>,
    /// For removed labels: the next entry of the path that is kept.
    next_kept: HashMap<NodeId, NodeId>,
}

impl BranchPlan {
    fn of(session: &SessionManager, leaf: NodeId) -> Self {
        let tree = session.tree();
        let path = tree.branch(leaf);
        let is_label = |node: &NodeId| tree.kind(*node) == EntryKind::Label;
        let mut plan =
            Self { kept: Vec::new(), parents: HashMap::new(), next_kept: HashMap::new() };
        let mut removed = Vec::new();
        for node in path {
            if is_label(&node) {
                removed.push(node);
                continue;
            }
            if !removed.is_empty() {
                plan.parents.insert(node, plan.kept.last().copied());
                plan.next_kept.extend(removed.drain(..).map(|label| (label, node)));
            }
            plan.kept.push(node);
        }
        plan
    }

    /// Whether it has a message that brings a session to the disk.
    fn is_due(&self, session: &SessionManager) -> bool {
        let (tree, rule) = (session.tree(), session.world.first_write);
        self.kept.iter().any(|node| rule.begins_with(tree.role(*node)))
    }

    /// The line of a kept entry: as it stands, or with what named a removed label linked anew.
    fn text<'a>(&self, session: &'a SessionManager, node: NodeId) -> Result<Cow<'a, [u8]>> {
        let mut text = session.entry_text(node)?;
        if let Some(parent) = self.parents.get(&node) {
            let id = parent.map_or_else(JsonText::null, |p| JsonText::string(session.tree().id(p)));
            text = edited(text, "parentId", &id);
        }
        if session.tree().kind(node) == EntryKind::Compaction
            && let Some(first) = self.moved_boundary(session, &text)
        {
            text = edited(text, "firstKeptEntryId", &JsonText::string(session.tree().id(first)));
        }
        Ok(text)
    }

    /// Where a compaction's boundary goes that stood on a removed label.
    fn moved_boundary(&self, session: &SessionManager, text: &[u8]) -> Option<NodeId> {
        let id = Raw::parse(text).ok()?.get_str("firstKeptEntryId")?.into_owned();
        self.next_kept.get(&session.tree().find(&id)?).copied()
    }

    /// What stands behind the branch: its labels in the order they were set, then the name, each below the one before.
    fn appendix(&self, session: &SessionManager) -> Vec<Vec<u8>> {
        let tree = session.tree();
        let mut new_ids: HashSet<String> = HashSet::new();
        let mut lines = Vec::new();
        let mut parent = self.kept.last().map(|node| tree.id(*node).to_owned());
        let kept: HashSet<_> = self.kept.iter().copied().collect();
        let labels = tree.labels().in_order();
        let labels = labels
            .into_iter()
            .filter(|(target, _)| tree.find(target).is_some_and(|target| kept.contains(&target)));
        let mut drafts: Vec<EntryDraft> = labels
            .map(|(target, label)| EntryDraft::Label {
                target_id: target.to_owned(),
                label: Some(label.to_owned()),
            })
            .collect();
        drafts.extend(self.carried_name(session, &kept));
        for draft in drafts {
            let id = session.fresh_id(|id| new_ids.contains(id));
            lines.push(draft.line(&id, parent.as_deref(), &session.now()));
            parent = Some(id.clone());
            new_ids.insert(id);
        }
        lines
    }

    /// The last name of the whole session, also a cleared one, where it is not on the branch.
    fn carried_name(&self, session: &SessionManager, kept: &HashSet<NodeId>) -> Option<EntryDraft> {
        let node = session.loaded.name_entry.filter(|node| !kept.contains(node))?;
        let text = session.entry_text(node).ok()?;
        let name = Raw::parse(&text).ok()?.get("name").map(|name| name.bytes().to_vec());
        let name = name.and_then(|name| JsonText::parse(&name).ok());
        Some(EntryDraft::CarriedName { name })
    }
}

fn edited<'a>(text: Cow<'a, [u8]>, key: &str, value: &JsonText) -> Cow<'a, [u8]> {
    match Raw::parse(&text).map(|raw| set_member(raw, key, value.as_str().as_bytes())) {
        Ok(edited) => Cow::Owned(edited),
        Err(_) => text,
    }
}

/// Whether a copy leaves out what a finding is about.
fn is_left_out(problem: &Problem) -> bool {
    matches!(
        problem.kind,
        ProblemKind::MalformedLine
            | ProblemKind::TornTail
            | ProblemKind::NulBytes
            | ProblemKind::NotAnEntry
            | ProblemKind::DuplicateHeader
            | ProblemKind::Bom
    )
}

/// How a header names a session file.
pub(super) fn named_from_root(storage: &dyn Storage, file: &Path) -> String {
    from_root(storage, file).to_string_lossy().into_owned()
}

/// The path from the root; one that is so already stays as it is spelt. Only the storage knows where relative ones begin.
fn from_root(storage: &dyn Storage, file: &Path) -> PathBuf {
    if file.is_absolute() {
        return file.to_path_buf();
    }
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = storage.canonicalize(parent.unwrap_or(Path::new(".")));
    match (parent, file.file_name()) {
        (Ok(parent), Some(name)) => parent.join(name),
        _ => file.to_path_buf(),
    }
}
