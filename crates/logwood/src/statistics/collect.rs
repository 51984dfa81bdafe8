use crate::entry::{Envelope, HeaderSearch, HeaderStep, ParsedLine, RecordKind, Role};
use crate::json::Raw;
use crate::line::LineRef;
use crate::tree::{NewNode, NodeId, SessionTree};

use super::UsageRecord;
use super::read::UsageReader;
use super::version_1::Version1;

/// Picks the usage records out of the lines of one session, in one pass that may serve others too.
///
/// It holds the records, and of every entry its id and its parent, which say at the end what is on the current branch; it holds no body.
///
/// ```
/// use logwood::entry::parse_line;
/// use logwood::line::Lines;
/// use logwood::statistics::UsageCollector;
///
/// let file = br#"{"type":"session","version":3,"id":"s","timestamp":"2025-03-04T09:00:00.000Z","cwd":"/p"}
/// {"type":"message","id":"a","parentId":null,"timestamp":"2025-03-04T09:01:00.000Z","message":{"role":"assistant","content":[],
/// "provider":"p","model":"m","usage":{"input":10,"output":5,"cost":{"total":0.1}},"timestamp":1741078860000}}"#;
/// let file = String::from_utf8_lossy(file).replace(",\n", ",");
/// let mut usage = UsageCollector::default();
/// for line in Lines::of(file.as_bytes()) {
///     if let Some(Ok(parsed)) = parse_line(line.bytes) {
///         usage.line(line, &parsed);
///     }
/// }
/// let records = usage.finish();
/// assert_eq!(records[0].cost.unwrap().dollars(), 0.1);
/// assert_eq!(records[0].model.label().as_deref(), Some("p/m"));
/// assert!(records[0].current_branch);
/// ```
#[derive(Debug, Default)]
pub struct UsageCollector {
    search: HeaderSearch,
    has_header: bool,
    /// Entries by their own ids.
    tree: SessionTree,
    /// Entries of version 1 by the ids they get.
    version_1: Option<Version1>,
    reader: UsageReader,
    records: Vec<Found>,
}

/// A record and its place.
#[derive(Debug)]
struct Found {
    record: UsageRecord,
    node: Option<NodeId>,
    /// The id that it gets if the session is of version 1.
    assigned: Option<String>,
}

impl UsageCollector {
    /// Takes the next line that is JSON, in file order from the first; what stands before the header is passed over.
    pub fn line(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        if !self.has_header {
            self.before_header(line, parsed);
            return;
        }
        match parsed.envelope.record_kind() {
            RecordKind::Entry | RecordKind::MissingId => self.entry(line, parsed),
            RecordKind::Header | RecordKind::NotAnEntry => {}
        }
    }

    fn before_header(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        if let HeaderStep::Found { header, .. } = self.search.line(line, parsed) {
            self.has_header = true;
            self.version_1 = Version1::of(&header);
        }
    }

    fn entry(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        let envelope = &parsed.envelope;
        let assigned = self.version_1.as_mut().map(|first| first.entry(line, envelope));
        let node = self.wants_tree().then(|| self.insert(envelope)).flatten();
        if let Some(record) = self.reader.record(parsed) {
            self.records.push(Found { record, node, assigned });
        }
    }

    fn wants_tree(&self) -> bool {
        self.version_1.as_ref().is_none_or(Version1::is_in_doubt)
    }

    /// Puts an entry with a usable id into the tree.
    fn insert(&mut self, envelope: &Envelope<'_>) -> Option<NodeId> {
        let id = envelope.usable_id()?.as_str()?;
        let parent = envelope.parent_id.and_then(Raw::as_str).filter(|parent| !parent.is_empty());
        let new = NewNode {
            id: &id,
            parent: parent.as_deref(),
            timestamp_ms: None,
            kind: envelope.entry_kind(),
            role: Role::None,
        };
        Some(self.tree.insert(&new).node())
    }

    /// The records in file order; of an id that stands on several lines, one for each. Copies of one answer have the same
    /// [`key`](UsageRecord::key).
    pub fn finish(mut self) -> Vec<UsageRecord> {
        let linear = !self.wants_tree() || (self.version_1.is_some() && self.tree.is_empty());
        if linear {
            return self.records.into_iter().map(Found::of_version_1).collect();
        }
        self.tree.link();
        let current = Current::of(&self.tree);
        self.records.into_iter().map(|found| found.of_tree(&current)).collect()
    }
}

impl Found {
    fn of_version_1(self) -> UsageRecord {
        let entry_id = self.assigned.map(String::into_boxed_str);
        UsageRecord { entry_id, current_branch: true, ..self.record }
    }

    fn of_tree(self, current: &Current) -> UsageRecord {
        let current_branch = self.node.is_some_and(|node| current.has(node));
        UsageRecord { current_branch, ..self.record }
    }
}

/// Which entries are on the way from the root to the current position.
#[derive(Debug)]
pub(super) struct Current(Vec<bool>);

impl Current {
    pub(super) fn of(tree: &SessionTree) -> Self {
        let mut on = vec![false; tree.len()];
        for node in tree.leaf().into_iter().flat_map(|leaf| tree.ancestors(leaf)) {
            if let Some(flag) = on.get_mut(node.index()) {
                *flag = true;
            }
        }
        Self(on)
    }

    pub(super) fn has(&self, node: NodeId) -> bool {
        self.0.get(node.index()).copied().unwrap_or(false)
    }
}
