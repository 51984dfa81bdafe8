//! A session as it was read, and the findings that only the whole file shows.

use std::collections::BTreeMap;

use crate::entry::{ParsedLine, RecordKind, SessionHeader, parse_line};
use crate::line::{LineRef, Position, Seam};
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::tree::{Descent, LinkFault, NewNode, NodeId, SessionTree};

use super::record::{Record, What};

/// Everything of a session but its bodies.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) header: SessionHeader,
    pub(super) steps: Steps,
    pub(super) tree: SessionTree,
    /// Every line that is not blank, in file order.
    pub(super) records: Vec<Record>,
    /// For each node the number of the record that says what it is: the last line with its id.
    pub(super) latest: Vec<u32>,
    /// What each compaction keeps.
    pub(super) first_kept: BTreeMap<NodeId, Kept>,
    /// The display name: that of the last `session_info` of the file.
    pub(super) name: Option<String>,
    /// The title that oh-my-pi keeps before or in the header.
    pub(super) title: Option<String>,
    /// The entry that gives the name, whether it names or clears.
    pub(super) name_entry: Option<NodeId>,
    /// Whether any entry is an assistant message.
    pub(super) has_assistant: bool,
    pub(super) problems: Vec<Problem>,
    /// Bytes of the file that were read.
    pub(super) end: u64,
    /// Lines of the file that were read.
    pub(super) lines: u64,
    /// Whether the last line has its LF; a file without lines has.
    pub(super) ends_with_newline: bool,
    /// The last bytes that were read.
    pub(super) seam: Seam,
    pub(super) version_1: Version1,
    /// The records of labels since the last settling, and the entries they name.
    pub(super) label_targets: Vec<(u32, String)>,
    /// The compactions since the last settling.
    pub(super) new_compactions: Vec<NodeId>,
    /// How many problems are in file order already.
    settled_problems: usize,
}

/// What is needed to give ids to the entries of version 1.
#[derive(Debug)]
pub(super) struct Version1 {
    /// Whether every entry so far brought its own id and parent.
    pub(super) all_have_ids: bool,
    /// The node of each parsed record, the header first.
    pub(super) parsed: Vec<Option<NodeId>>,
}

/// The first entry that a compaction keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// As the entry names it.
    Named(String),
    /// It came from `firstKeptEntryIndex` of version 1.
    Index(NodeId),
    /// There was a `firstKeptEntryIndex` that named nothing before it.
    DroppedIndex,
    /// It names none.
    Missing,
}

impl Loaded {
    /// A session of which only the header is known; the records are those before it.
    pub(super) fn new(
        header: SessionHeader,
        steps: Steps,
        records: Vec<Record>,
        problems: Vec<Problem>,
    ) -> Self {
        Self {
            header,
            steps,
            tree: SessionTree::default(),
            records,
            latest: Vec::new(),
            first_kept: BTreeMap::new(),
            name: None,
            title: None,
            name_entry: None,
            has_assistant: false,
            problems,
            end: 0,
            lines: 0,
            ends_with_newline: true,
            seam: Seam::default(),
            version_1: Version1 { all_have_ids: true, parsed: Vec::new() },
            label_targets: Vec::new(),
            new_compactions: Vec::new(),
            settled_problems: 0,
        }
    }

    pub(super) fn reserve(&mut self, entries: usize) {
        self.tree.reserve(entries);
        self.records.reserve(entries);
        self.latest.reserve(entries);
    }

    /// Takes the header's line.
    pub(super) fn header_line(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        self.seen(line);
        self.note_text(line, parsed);
        self.version_1.parsed.push(None);
        self.push(line, What::Header);
    }

    /// Takes the next line, a copy of one that was read before and of which all is known; not for entries that change labels, the name
    /// or what is kept.
    pub(super) fn copied(&mut self, line: LineRef<'_>, new: &NewNode<'_>) {
        self.seen(line);
        self.insert_node(line, new);
    }

    /// Takes the next line, which was read already.
    pub(super) fn parsed(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        self.seen(line);
        self.note_text(line, parsed);
        self.record_of(line, parsed);
    }

    /// Takes the next line.
    pub(super) fn line(&mut self, line: LineRef<'_>) {
        self.seen(line);
        match parse_line(line.bytes) {
            None => {}
            Some(Err(_)) => {
                self.problem(ProblemKind::of_bad_line(line), line.position);
                self.push(line, What::Malformed);
            }
            Some(Ok(parsed)) => {
                self.note_text(line, &parsed);
                self.record_of(line, &parsed);
            }
        }
    }

    fn record_of(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        let envelope = &parsed.envelope;
        match (envelope.record_kind(), self.steps) {
            (RecordKind::Header, _) => self.left_alone(line, ProblemKind::DuplicateHeader),
            (RecordKind::NotAnEntry, _) => self.left_alone(line, ProblemKind::NotAnEntry),
            (_, Steps::AssignIds) => self.version_1_entry(line, envelope),
            (RecordKind::Entry, _) => self.entry(line, envelope),
            (RecordKind::MissingId, _) => {
                self.problem(ProblemKind::MissingId, line.position);
                self.push(line, What::MissingId);
            }
        }
    }

    /// A line that is JSON and stays as it is without a meaning.
    fn left_alone(&mut self, line: LineRef<'_>, kind: ProblemKind) {
        self.problem(kind, line.position);
        self.version_1.parsed.push(None);
        self.push(line, What::Other);
    }

    fn seen(&mut self, line: LineRef<'_>) {
        self.end = line.position.byte + line.bytes.len() as u64 + u64::from(line.complete);
        self.lines = line.position.line;
        self.ends_with_newline = line.complete;
        self.seam.push(line.bytes);
        if line.complete {
            self.seam.push(b"\n");
        }
    }

    /// Notes what is odd about the text of a line that is JSON.
    fn note_text(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        let odd = [
            (parsed.had_bom, ProblemKind::Bom),
            (parsed.envelope.lone_surrogate, ProblemKind::LoneSurrogate),
            (std::str::from_utf8(line.bytes).is_err(), ProblemKind::InvalidUtf8),
            (!line.complete, ProblemKind::MissingFinalNewline),
        ];
        for (_, kind) in odd.iter().filter(|(found, _)| *found) {
            self.problem(*kind, line.position);
        }
    }

    /// Where the last line begins, when it has no LF and is not JSON: another program may be in the middle of writing it.
    pub(super) fn torn_line(&self) -> Option<u64> {
        let last = self.records.last().filter(|last| last.what == What::Malformed)?;
        (!self.ends_with_newline && last.end() == self.end).then_some(last.offset)
    }

    /// Forgets that line, so that it can be taken again when it is whole.
    pub(super) fn forget_torn_line(&mut self) {
        let Some(start) = self.torn_line() else { return };
        self.records.pop();
        let is_its = |problem: &Problem| {
            let kinds = [ProblemKind::TornTail, ProblemKind::NulBytes];
            problem.position.is_some_and(|at| at.byte == start) && kinds.contains(&problem.kind)
        };
        if let Some(at) = self.problems.iter().rposition(is_its) {
            self.problems.remove(at);
            self.settled_problems -= usize::from(at < self.settled_problems);
        }
        self.seam.take_back(self.end - start);
        self.end = start;
        self.lines -= 1;
        self.ends_with_newline = true;
    }

    pub(super) fn problem(&mut self, kind: ProblemKind, position: Position) {
        self.problems.push(Problem::at(kind, position));
    }

    /// Keeps a record and returns its number.
    pub(super) fn push(&mut self, line: LineRef<'_>, what: What) -> u32 {
        let number = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        self.records.push(Record::of(line, what));
        number
    }

    /// The record that says what a node is.
    pub(super) fn record(&self, node: NodeId) -> Option<&Record> {
        let number = *self.latest.get(node.index())?;
        self.records.get(number as usize)
    }

    /// Links the tree and adds the findings that need all of it, then puts new findings in file order. Call it after a run of lines.
    pub(super) fn settle(&mut self) {
        self.link();
        self.find_dangling_labels();
        self.find_dangling_first_kept();
        if let Some(new) = self.problems.get_mut(self.settled_problems..) {
            new.sort_by_key(|problem| problem.position);
        }
        self.settled_problems = self.problems.len();
    }

    fn link(&mut self) {
        for fault in self.tree.link() {
            let problem = match fault {
                LinkFault::Orphan(node, parent) => {
                    self.about(ProblemKind::OrphanParent, node).with_detail(parent)
                }
                LinkFault::Cycle(node) => self.about(ProblemKind::Cycle, node),
            };
            self.problems.push(problem);
        }
    }

    fn find_dangling_labels(&mut self) {
        for (record, target) in std::mem::take(&mut self.label_targets) {
            if self.tree.find(&target).is_some() {
                continue;
            }
            if let Some(record) = self.records.get(record as usize) {
                let problem = Problem::at(ProblemKind::DanglingLabelTarget, record.position());
                self.problems.push(problem.with_detail(target));
            }
        }
    }

    fn find_dangling_first_kept(&mut self) {
        let new = std::mem::take(&mut self.new_compactions);
        if new.is_empty() {
            return;
        }
        // One compaction, as an append brings it, must not cost a walk through the whole tree.
        let descent = (new.len() > 1).then(|| self.tree.descent());
        let kept = new.iter().filter_map(|node| Some((*node, self.first_kept.get(node)?)));
        let dangling: Vec<_> = kept
            .filter(|(node, kept)| !self.is_on_path(descent.as_ref(), *node, kept))
            .map(|(node, kept)| (node, kept.clone()))
            .collect();
        for (node, kept) in dangling {
            let problem = self.about(ProblemKind::DanglingFirstKept, node);
            self.problems.push(match kept {
                Kept::Named(id) => problem.with_detail(id),
                _ => problem,
            });
        }
    }

    /// Whether what a compaction keeps is on its own branch; its own id means that it keeps nothing on purpose (newer-dialects).
    fn is_on_path(&self, descent: Option<&Descent>, compaction: NodeId, kept: &Kept) -> bool {
        let first = match kept {
            Kept::Named(id) => self.tree.find(id),
            Kept::Index(node) => Some(*node),
            Kept::DroppedIndex | Kept::Missing => None,
        };
        first.is_some_and(|first| match descent {
            Some(descent) => descent.is_below(compaction, first),
            None => self.tree.ancestors(compaction).any(|node| node == first),
        })
    }

    fn about(&self, kind: ProblemKind, node: NodeId) -> Problem {
        let position = self.record(node).map_or(Position { byte: 0, line: 0 }, Record::position);
        Problem::at(kind, position).with_entry(self.tree.id(node))
    }
}
