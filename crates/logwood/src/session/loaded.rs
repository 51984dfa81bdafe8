//! A session as it was read, and the findings that only the whole file shows.

use std::collections::BTreeMap;

use crate::entry::SessionHeader;
use crate::line::Position;
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::tree::{LinkFault, NodeId, SessionTree};

use super::record::Record;

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
    pub(super) problems: Vec<Problem>,
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
    /// The record that says what a node is.
    pub(super) fn record(&self, node: NodeId) -> Option<&Record> {
        let number = *self.latest.get(node.index())?;
        self.records.get(number as usize)
    }

    /// Links the tree and adds the findings that need all of it, then puts all findings in file order.
    pub(super) fn settle(&mut self, label_targets: &[(u32, String)]) {
        self.link();
        self.find_dangling_labels(label_targets);
        self.find_dangling_first_kept();
        self.problems.sort_by_key(|problem| problem.position);
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

    fn find_dangling_labels(&mut self, label_targets: &[(u32, String)]) {
        for (record, target) in label_targets {
            if self.tree.find(target).is_some() {
                continue;
            }
            if let Some(record) = self.records.get(*record as usize) {
                let problem = Problem::at(ProblemKind::DanglingLabelTarget, record.position());
                self.problems.push(problem.with_detail(target));
            }
        }
    }

    fn find_dangling_first_kept(&mut self) {
        if self.first_kept.is_empty() {
            return;
        }
        let descent = self.tree.descent();
        let dangling: Vec<_> = self
            .first_kept
            .iter()
            .filter(|(node, kept)| !self.is_on_path(&descent, **node, kept))
            .map(|(node, kept)| (*node, kept.clone()))
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
    fn is_on_path(&self, descent: &crate::tree::Descent, compaction: NodeId, kept: &Kept) -> bool {
        let first = match kept {
            Kept::Named(id) => self.tree.find(id),
            Kept::Index(node) => Some(*node),
            Kept::DroppedIndex | Kept::Missing => None,
        };
        first.is_some_and(|first| descent.is_below(compaction, first))
    }

    fn about(&self, kind: ProblemKind, node: NodeId) -> Problem {
        let position = self.record(node).map_or(Position { byte: 0, line: 0 }, Record::position);
        Problem::at(kind, position).with_entry(self.tree.id(node))
    }
}
