//! One pass over the lines of a file: validates each, picks its envelope, finds the header, and builds the tree.

use std::collections::BTreeMap;

use crate::entry::{
    Envelope, HeaderFault, HeaderSearch, HeaderStep, ParsedLine, RecordKind, SessionHeader,
    parse_line,
};
use crate::line::{LineRef, Position};
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::tree::{NodeId, SessionTree};

use super::loaded::{Kept, Loaded};
use super::record::{Record, What};

/// How a load may end without a session (design section 2, "Bad files").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// The file is no session.
    Refused(HeaderFault),
    /// A header without a version stands before entries that all have ids and parents: read it again as a tree (rule F86).
    ReadAsTree,
}

/// Takes lines in file order.
#[derive(Debug, Default)]
pub(super) struct Loader {
    /// Entries of a file without a version are read as a tree, not as version 1.
    as_tree: bool,
    pub(super) header: Option<SessionHeader>,
    pub(super) steps: Option<Steps>,
    refused: Option<Fault>,
    search: HeaderSearch,
    /// Whether every entry so far brought its own id and parent.
    pub(super) all_have_ids: bool,
    pub(super) tree: SessionTree,
    pub(super) records: Vec<Record>,
    pub(super) latest: Vec<u32>,
    /// For version 1: the node of each parsed record, the header first.
    pub(super) parsed: Vec<Option<NodeId>>,
    /// The records of labels and the entries they name.
    pub(super) label_targets: Vec<(u32, String)>,
    pub(super) first_kept: BTreeMap<NodeId, Kept>,
    pub(super) name: Option<String>,
    problems: Vec<Problem>,
}

impl Loader {
    /// A loader at the start of a file; `as_tree` after [`Fault::ReadAsTree`].
    pub(super) fn new(as_tree: bool) -> Self {
        Self { as_tree, all_have_ids: true, ..Self::default() }
    }

    /// Whether the load has failed already, so that the rest of the file need not be read.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Takes the next line.
    pub(super) fn line(&mut self, line: LineRef<'_>) {
        match parse_line(line.bytes) {
            None => {}
            Some(Err(_)) => self.malformed(line),
            Some(Ok(parsed)) => {
                self.note_text(line, &parsed);
                self.record_of(line, &parsed);
            }
        }
    }

    /// What was read, or why it is no session.
    pub(super) fn finish(self) -> Result<Loaded, Fault> {
        if let Some(fault) = self.refused {
            return Err(fault);
        }
        let Some(header) = self.header else {
            return Err(Fault::Refused(self.search.at_end()));
        };
        let in_doubt = self.steps == Some(Steps::AssignIds) && !header.has_version();
        if in_doubt && self.all_have_ids && !self.tree.is_empty() {
            return Err(Fault::ReadAsTree);
        }
        let mut loaded = Loaded {
            header,
            steps: self.steps.unwrap_or(Steps::None),
            tree: self.tree,
            records: self.records,
            latest: self.latest,
            first_kept: self.first_kept,
            name: self.name,
            problems: self.problems,
        };
        loaded.settle(&self.label_targets);
        Ok(loaded)
    }

    fn record_of(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        let envelope = &parsed.envelope;
        match (envelope.record_kind(), self.steps) {
            (_, None) => self.before_header(line, parsed),
            (RecordKind::Header, _) => self.left_alone(line, ProblemKind::DuplicateHeader),
            (RecordKind::NotAnEntry, _) => self.left_alone(line, ProblemKind::NotAnEntry),
            (_, Some(Steps::AssignIds)) => self.version_1_entry(line, envelope),
            (RecordKind::Entry, _) => self.entry(line, envelope),
            (RecordKind::MissingId, _) => {
                self.problem(ProblemKind::MissingId, line.position);
                self.push(line, What::MissingId);
            }
        }
    }

    fn before_header(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        match self.search.line(line, parsed) {
            HeaderStep::Found { header, first } => self.adopt_header(line, header, first),
            HeaderStep::Refused(fault) => self.refused = Some(Fault::Refused(fault)),
            HeaderStep::NotYet => {
                self.push(line, What::Other);
            }
        }
    }

    fn adopt_header(&mut self, line: LineRef<'_>, header: SessionHeader, first: bool) {
        if !first {
            self.problem(ProblemKind::HeaderNotFirst, line.position);
        }
        if header.version_number() > 3.0 {
            let problem = Problem::at(ProblemKind::NewerVersion, line.position);
            self.problems.push(problem.with_detail(header.version().to_string()));
        }
        let steps = Steps::of(&header);
        let as_tree = self.as_tree && !header.has_version();
        self.steps = Some(if as_tree { Steps::RenameRole } else { steps });
        self.header = Some(header);
        self.parsed.push(None);
        self.push(line, What::Header);
    }

    /// A line that is JSON and stays as it is without a meaning.
    fn left_alone(&mut self, line: LineRef<'_>, kind: ProblemKind) {
        self.problem(kind, line.position);
        self.parsed.push(None);
        self.push(line, What::Other);
    }

    fn malformed(&mut self, line: LineRef<'_>) {
        let nul = memchr::memchr(0, line.bytes).is_some();
        let kind = match (nul, line.complete) {
            (true, _) => ProblemKind::NulBytes,
            (false, true) => ProblemKind::MalformedLine,
            (false, false) => ProblemKind::TornTail,
        };
        self.problem(kind, line.position);
        if self.header.is_none() {
            self.search.bad_line(line);
        }
        self.push(line, What::Malformed);
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

    pub(super) fn problem(&mut self, kind: ProblemKind, position: Position) {
        self.problems.push(Problem::at(kind, position));
    }

    pub(super) fn problem_about(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Keeps a record and returns its number.
    pub(super) fn push(&mut self, line: LineRef<'_>, what: What) -> u32 {
        let number = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
        self.records.push(Record {
            offset: line.position.byte,
            len: u32::try_from(line.bytes.len()).unwrap_or(u32::MAX),
            line: u32::try_from(line.position.line).unwrap_or(u32::MAX),
            what,
        });
        number
    }
}

impl Loader {
    /// The fields of an envelope that the tree is told.
    pub(super) fn timestamp_of(
        &mut self,
        line: LineRef<'_>,
        envelope: &Envelope<'_>,
    ) -> Option<i64> {
        let text = envelope.timestamp.and_then(crate::json::Raw::as_string_bytes);
        let time = text.and_then(crate::json::parse_iso_ms);
        if time.is_none() {
            self.problem(ProblemKind::InvalidTimestamp, line.position);
        }
        time
    }
}
