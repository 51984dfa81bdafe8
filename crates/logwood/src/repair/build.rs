//! Decides for each line of a session what becomes of it.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::entry::{RecordKind, SessionHeader};
use crate::json::{Raw, set_member, trim_js_bytes};
use crate::line::Position;
use crate::location::SessionFileName;
use crate::migration::{Steps, entry_id};
use crate::problem::ProblemKind;

use super::draft::{Known, Taken, Text, id_of_fragment};
use super::header;
use super::pieces::{Record, Unit, What};
use super::plan::{SplitSession, Step, StepKind};
use super::reattach::Reattaching;

/// Collects what is done to the sessions of a file.
pub(super) struct Builder<'a, 'k> {
    known: Known<'k>,
    pub(super) steps: Vec<Step>,
    pub(super) taken: Vec<Taken<'a>>,
    pub(super) recovered: Vec<String>,
}

/// One session as it is written.
#[derive(Debug, Default)]
pub(super) struct Session<'a> {
    pub(super) id: String,
    pub(super) text: Text<'a>,
    pub(super) entries: usize,
    timestamp: Option<String>,
    start: Option<(Position, u64)>,
}

impl Session<'_> {
    /// What the file of a split session is called.
    pub(super) fn named(&self, main: &str, at: usize) -> SplitSession {
        let time = self.timestamp.as_deref().unwrap_or_default();
        let stem = main.strip_suffix(".jsonl").unwrap_or(main);
        let name = SessionFileName::new(time, &self.id).map(|name| name.to_string());
        SplitSession {
            file_name: name.unwrap_or_else(|_| format!("{stem}-{}.jsonl", at + 2)),
            session_id: self.id.clone(),
            entries: self.entries,
        }
    }
}

/// The header that a session gets.
struct Head {
    header: SessionHeader,
    /// Which unit it stands on, and whether it stays there.
    unit: Option<usize>,
    is_in_place: bool,
    /// The new text, where it is not the old one.
    line: Option<Vec<u8>>,
}

impl<'a, 'k> Builder<'a, 'k> {
    pub(super) fn new(known: Known<'k>) -> Self {
        Self { known, steps: Vec::new(), taken: Vec::new(), recovered: Vec::new() }
    }

    /// Takes the units of one session.
    pub(super) fn session(&mut self, units: &[&Unit<'a>]) -> Session<'a> {
        let head = self.head(units);
        let is_linear = is_linear(units, &head);
        let mut session = Session {
            id: head.header.id().to_owned(),
            timestamp: head.header.timestamp().map(Cow::into_owned),
            start: units.first().map(|unit| (unit.position, unit.bytes.len() as u64)),
            ..Session::default()
        };
        let mut ids = Ids::of(units, &head, is_linear);
        let mut reattaching = Reattaching::new(self.known.reattach && !is_linear);
        if !head.is_in_place {
            let old = head.unit.and_then(|at| units.get(at)).map(|unit| unit.bytes);
            session.text.extend(head.line.clone().map(Cow::Owned).or(old.map(Cow::Borrowed)));
        }
        for (at, unit) in units.iter().enumerate() {
            if head.unit == Some(at) {
                if head.is_in_place {
                    let line = head.line.as_ref().map(|line| around(unit.bytes, line).into());
                    session.text.push(line.unwrap_or(Cow::Borrowed(unit.bytes)));
                }
                continue;
            }
            let is_before = head.is_in_place && head.unit.is_some_and(|header| at < header);
            let line = self.line(unit, is_linear, is_before, &mut ids);
            session.entries += usize::from(line.is_entry);
            if let (Some(id), Some(record)) = (&line.id, unit.record()) {
                reattaching.entry(id, record, line.is_given, session.text.len(), unit);
            }
            session.text.extend(line.text);
        }
        self.reattach(reattaching, &mut session);
        session
    }

    /// Finds the header, or makes one, and says so.
    fn head(&mut self, units: &[&Unit<'a>]) -> Head {
        let valid = units.iter().position(|u| u.record().is_some_and(|r| r.header().is_some()));
        let is_header =
            |unit: &&Unit<'_>| unit.record().map(|r| r.kind) == Some(RecordKind::Header);
        let unit = valid.or_else(|| units.iter().position(is_header));
        let before = unit.and_then(|at| units.get(..at)).unwrap_or_default();
        let is_in_place = unit.is_some() && !before.iter().any(|unit| unit.is_entry());
        let found = unit.and_then(|at| units.get(at));
        let record = found.and_then(|unit| unit.record());
        let line = match (valid, record) {
            (Some(_), _) => None,
            (None, Some(record)) => Some(header::with_id(record, &self.known)),
            (None, None) => Some(header::rebuilt(units, &self.known)),
        };
        let text = line.as_deref().or(record.map(|record| record.text)).unwrap_or_default();
        let header = SessionHeader::parse(text)
            .expect("found by this parser, or written with a text as its id");
        let detail = line.as_ref().map(|line| String::from_utf8_lossy(line).into_owned());
        let kind = match (unit, valid) {
            (None, _) => Some((StepKind::HeaderRebuilt, ProblemKind::HeaderCorrupt)),
            (_, None) => Some((StepKind::HeaderId, ProblemKind::HeaderCorrupt)),
            _ if !is_in_place => Some((StepKind::HeaderMoved, ProblemKind::HeaderNotFirst)),
            _ => None,
        };
        if let Some((kind, cause)) = kind {
            self.step(kind, found.copied(), cause, None, detail);
        }
        if let (Some(unit), Some(_)) = (found, &line) {
            self.take(unit, ProblemKind::HeaderCorrupt, true);
        }
        if let Some(unit) = found.filter(|unit| !unit.whole_line) {
            self.step(StepKind::LineSplit, Some(unit), ProblemKind::MalformedLine, None, None);
        }
        Head { header, unit, is_in_place, line }
    }

    /// What becomes of a line that is not the header.
    fn line(
        &mut self,
        unit: &Unit<'a>,
        is_linear: bool,
        is_before: bool,
        ids: &mut Ids,
    ) -> Line<'a> {
        let record = match &unit.what {
            What::Blank => return Line::kept(unit),
            What::Fragment(kind) => {
                let fragment = id_of_fragment(unit.bytes);
                self.fence(unit, *kind, fragment);
                // The ids of version 1 count lines: an empty one keeps the place.
                return Line::fenced(is_linear && unit.whole_line);
            }
            What::Record(record) => record,
        };
        match record.kind {
            RecordKind::Header if !is_linear || is_before => {
                self.fence(unit, ProblemKind::DuplicateHeader, None);
                Line::fenced(false)
            }
            RecordKind::NotAnEntry if !is_linear && !is_before => {
                self.fence(unit, ProblemKind::NotAnEntry, None);
                Line::fenced(false)
            }
            RecordKind::Header | RecordKind::NotAnEntry => Line::kept(unit),
            RecordKind::Entry | RecordKind::MissingId => {
                self.entry(unit, record, is_linear, is_before, ids)
            }
        }
    }

    fn entry(
        &mut self,
        unit: &Unit<'a>,
        record: &Record<'a>,
        is_linear: bool,
        is_before: bool,
        ids: &mut Ids,
    ) -> Line<'a> {
        let id = record.id.filter(|_| record.kind == RecordKind::Entry).and_then(Raw::as_str);
        if let Some(id) = id.clone().filter(|_| !unit.whole_line && !is_linear) {
            self.recovered.push(id.into_owned());
        }
        if !unit.whole_line {
            let id = id.as_deref().map(str::to_owned);
            self.step(StepKind::LineSplit, Some(unit), ProblemKind::MalformedLine, id, None);
        }
        let kept = Line { is_entry: !is_before, ..Line::kept(unit) };
        match id {
            _ if is_linear => kept,
            Some(id) => Line { id: Some(id.into_owned()), ..kept },
            None if is_before || !record.is_entry() => Line::kept(unit),
            None => self.give_id(unit, record, ids),
        }
    }

    fn give_id(&mut self, unit: &Unit<'a>, record: &Record<'a>, ids: &mut Ids) -> Line<'a> {
        let id = ids.give(record, unit.position);
        let old = record.id.map(|id| id.text().into_owned());
        self.step(StepKind::IdGiven, Some(unit), ProblemKind::MissingId, Some(id.clone()), old);
        self.take(unit, ProblemKind::MissingId, true);
        self.recovered.push(id.clone());
        let text = Raw::parse(record.text).map(|raw| set_member(raw, "id", &header::string(&id)));
        let text = text.unwrap_or_else(|_| record.text.to_vec());
        Line {
            text: Some(around(unit.bytes, &text).into()),
            is_entry: true,
            id: Some(id),
            is_given: true,
        }
    }

    fn fence(&mut self, unit: &Unit<'a>, cause: ProblemKind, entry: Option<String>) {
        self.step(StepKind::FencedOff, Some(unit), cause, entry, None);
        self.take(unit, cause, false);
    }

    fn take(&mut self, unit: &Unit<'a>, cause: ProblemKind, is_changed: bool) {
        let (bytes, position) = (unit.bytes, unit.position);
        self.taken.push(Taken { bytes, position, cause, is_changed });
    }

    fn step(
        &mut self,
        kind: StepKind,
        unit: Option<&Unit<'a>>,
        cause: ProblemKind,
        entry: Option<String>,
        detail: Option<String>,
    ) {
        let position = unit.map(|unit| unit.position);
        let length = unit.map_or(0, |unit| unit.bytes.len() as u64);
        self.steps.push(Step { kind, position, length, cause, entry, detail });
    }

    /// Hangs orphans on the entries before them.
    fn reattach(&mut self, reattaching: Reattaching<'_, 'a>, session: &mut Session<'a>) {
        for found in reattaching.finish() {
            let Some(line) = session.text.get_mut(found.line) else { continue };
            let Ok(raw) = Raw::parse(trim_js_bytes(line)) else { continue };
            let text = set_member(raw, "parentId", &header::string(&found.parent));
            let text = around(line, &text);
            let cause = ProblemKind::OrphanParent;
            if matches!(line, Cow::Borrowed(_)) {
                self.take(found.unit, cause, true);
            }
            *line = text.into();
            let (id, parent) = (Some(found.id), Some(found.parent));
            self.step(StepKind::Reattached, Some(found.unit), cause, id, parent);
        }
    }

    /// Says which sessions get files of their own.
    pub(super) fn note_split(&mut self, others: &[Session<'a>], split: &[SplitSession]) {
        for (other, split) in others.iter().zip(split) {
            self.steps.push(Step {
                kind: StepKind::SessionSplit,
                position: other.start.map(|(position, _)| position),
                length: other.start.map_or(0, |(_, length)| length),
                cause: ProblemKind::DuplicateHeader,
                entry: None,
                detail: Some(split.file_name.clone()),
            });
        }
    }
}

/// What a line becomes.
#[derive(Debug, Default)]
struct Line<'a> {
    text: Option<Cow<'a, [u8]>>,
    /// Whether a session counts it as an entry.
    is_entry: bool,
    id: Option<String>,
    is_given: bool,
}

impl<'a> Line<'a> {
    fn kept(unit: &Unit<'a>) -> Self {
        Self { text: Some(Cow::Borrowed(unit.bytes)), ..Self::default() }
    }

    fn fenced(keeps_place: bool) -> Self {
        Self { text: keeps_place.then(Cow::default), ..Self::default() }
    }
}

/// The new text with what stood around the old one (a byte order mark, a CR).
fn around(old: &[u8], new: &[u8]) -> Vec<u8> {
    let text = trim_js_bytes(old);
    let start = text.as_ptr().addr().saturating_sub(old.as_ptr().addr());
    let before = old.get(..start).unwrap_or_default();
    let after = old.get(start + text.len()..).unwrap_or_default();
    [before, new, after].concat()
}

/// Whether the entries are of version 1, whose ids come from their lines (spec 2.4): then nothing may be said about ids here.
fn is_linear(units: &[&Unit<'_>], head: &Head) -> bool {
    if Steps::of(&head.header) != Steps::AssignIds {
        return false;
    }
    let from = head.unit.filter(|_| head.is_in_place).unwrap_or(0);
    let records = units.iter().skip(from).filter_map(|unit| unit.record());
    let entry = |kind| matches!(kind, RecordKind::Entry | RecordKind::MissingId);
    let mut entries = records.filter(|record| entry(record.kind)).peekable();
    let is_empty = entries.peek().is_none();
    let is_tree = entries.all(|record| record.kind == RecordKind::Entry && record.parent.is_some());
    // As a load reads them: a header without a version before entries that are all linked (rule F86).
    head.header.has_version() || is_empty || !is_tree
}

/// The ids of a session, to which new ones are added.
struct Ids {
    session: String,
    taken: HashSet<String>,
}

impl Ids {
    fn of(units: &[&Unit<'_>], head: &Head, is_linear: bool) -> Self {
        let records = || units.iter().filter_map(|unit| unit.record());
        let needs = |record: &Record<'_>| record.kind == RecordKind::MissingId && record.is_entry();
        let mut taken = HashSet::new();
        if !is_linear && records().any(needs) {
            let entries = records().filter(|record| record.kind == RecordKind::Entry);
            let ids = entries.filter_map(|record| record.id.and_then(Raw::as_str));
            taken.extend(ids.map(Cow::into_owned));
        }
        Self { session: head.header.id().to_owned(), taken }
    }

    /// A number becomes the text of it, which is what entries that hang on it name; else an id from the place in the file.
    fn give(&mut self, record: &Record<'_>, position: Position) -> String {
        let number = record.id.filter(|id| id.as_f64().is_some()).map(Raw::text);
        let number = number.filter(|number| !self.taken.contains(&**number));
        let id = match number {
            Some(number) => number.into_owned(),
            None => {
                let index = position.line.saturating_sub(1);
                entry_id(&self.session, index, |id| self.taken.contains(id))
            }
        };
        self.taken.insert(id.clone());
        id
    }
}
