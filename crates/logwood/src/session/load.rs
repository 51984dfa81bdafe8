//! One pass over the lines of a file: finds the header, then lets the session take each line.

use crate::entry::{HeaderFault, HeaderSearch, HeaderStep, ParsedLine, SessionHeader, parse_line};
use crate::line::LineRef;
use crate::migration::Steps;
use crate::problem::{Problem, ProblemKind};
use crate::tree::NewNode;

use super::loaded::Loaded;
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
    refused: Option<HeaderFault>,
    search: HeaderSearch,
    /// What stands before the header.
    records: Vec<Record>,
    problems: Vec<Problem>,
    loaded: Option<Loaded>,
    expected: usize,
}

impl Loader {
    /// A loader at the start of a file; `as_tree` after [`Fault::ReadAsTree`].
    pub(super) fn new(as_tree: bool) -> Self {
        Self { as_tree, ..Self::default() }
    }

    /// Makes room for about this many entries, once the header is found.
    pub(super) fn expecting(mut self, entries: usize) -> Self {
        self.expected = entries;
        self
    }

    /// Makes room for about this many more entries now.
    pub(super) fn reserve(&mut self, entries: usize) {
        if let Some(loaded) = &mut self.loaded {
            loaded.reserve(entries);
        }
    }

    /// Takes the next line, a copy of one of which all is known; only behind the header.
    pub(super) fn copied(&mut self, line: LineRef<'_>, new: &NewNode<'_>) {
        if let Some(loaded) = &mut self.loaded {
            loaded.copied(line, new);
        }
    }

    /// Takes the next line, which was read already; only behind the header.
    pub(super) fn parsed(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        if let Some(loaded) = &mut self.loaded {
            loaded.parsed(line, parsed);
        }
    }

    /// Whether the load has failed already, so that the rest of the file need not be read.
    pub(super) fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Takes the next line.
    pub(super) fn line(&mut self, line: LineRef<'_>) {
        match &mut self.loaded {
            Some(loaded) => loaded.line(line),
            None => self.before_header(line),
        }
    }

    /// What was read, or why it is no session.
    pub(super) fn finish(self) -> Result<Loaded, Fault> {
        if let Some(fault) = self.refused {
            return Err(Fault::Refused(fault));
        }
        let Some(mut loaded) = self.loaded else {
            return Err(Fault::Refused(self.search.at_end()));
        };
        let in_doubt = loaded.steps == Steps::AssignIds && !loaded.header.has_version();
        if in_doubt && loaded.version_1.all_have_ids && !loaded.tree.is_empty() {
            return Err(Fault::ReadAsTree);
        }
        loaded.settle();
        Ok(loaded)
    }

    fn before_header(&mut self, line: LineRef<'_>) {
        match parse_line(line.bytes) {
            None => {}
            Some(Err(_)) => {
                self.search.bad_line(line);
                let kind = ProblemKind::of_bad_line(line);
                self.problems.push(Problem::at(kind, line.position));
                self.records.push(Record::of(line, What::Malformed));
            }
            Some(Ok(parsed)) => self.record_before_header(line, &parsed),
        }
    }

    fn record_before_header(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) {
        match self.search.line(line, parsed) {
            HeaderStep::Found { header, first } => self.adopt_header(line, parsed, header, first),
            HeaderStep::Refused(fault) => self.refused = Some(fault),
            HeaderStep::NotYet => self.records.push(Record::of(line, What::Other)),
        }
    }

    fn adopt_header(
        &mut self,
        line: LineRef<'_>,
        parsed: &ParsedLine<'_>,
        header: SessionHeader,
        first: bool,
    ) {
        if !first {
            let only_titles = self.search.is_only_titles();
            self.problems.push(Problem::header_not_first(line.position, only_titles));
        }
        if header.version_number() > 3.0 {
            let problem = Problem::at(ProblemKind::NewerVersion, line.position);
            self.problems.push(problem.with_detail(header.version().to_string()));
        }
        let as_tree = self.as_tree && !header.has_version();
        let steps = if as_tree { Steps::RenameRole } else { Steps::of(&header) };
        let records = std::mem::take(&mut self.records);
        let problems = std::mem::take(&mut self.problems);
        let title = self.search.title(&header);
        let mut loaded = Loaded::new(header, steps, records, problems);
        loaded.title = title;
        loaded.reserve(self.expected);
        loaded.header_line(line, parsed);
        self.loaded = Some(loaded);
    }
}
