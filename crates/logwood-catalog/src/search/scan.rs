//! One session file, line by line.

use std::io;
use std::sync::Arc;

use logwood::entry::{
    Entry, EntryKind, HeaderSearch, HeaderStep, ParsedLine, RecordKind, SessionHeader, parse_line,
};
use logwood::inventory::SessionInfo;
use logwood::json::Raw;
use logwood::line::{LineReader, LineRef};
use logwood::storage::{Sequential, Storage};

use super::branches::{Branches, Lookup};
use super::judge::{InTree, Judge, Verdict};
use super::prefilter::Prefilter;
use super::rank::branch_points;
use super::top::Top;
use super::{Branch, Hit, Snippet};
use crate::text::Field;

/// How a search reads.
#[derive(Debug)]
pub(super) struct Scan<'s> {
    pub(super) storage: &'s Arc<dyn Storage>,
    pub(super) judge: &'s Judge,
    /// What all lines with a hit have.
    pub(super) wanted: &'s Prefilter,
    /// What lines have that exclude a session, one for each term with a minus.
    pub(super) unwanted: &'s [Prefilter],
}

/// What one thread has found.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) top: Top,
    pub(super) total: u64,
    pub(super) sessions: u64,
    pub(super) cut: u64,
}

/// A line of a session.
#[derive(Clone, Copy)]
enum Record<'r, 'a> {
    Header(&'r SessionHeader),
    Entry(&'r ParsedLine<'a>),
}

impl Scan<'_> {
    /// Finds the entries of a session that have all that is asked.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(super) fn entries(
        &self,
        row: &SessionInfo,
        buffer: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> io::Result<()> {
        let mut session = InSession { scan: self, row, branches: None };
        let before = tally.total;
        let may_hold = |line: &[u8]| self.wanted.may_match(line);
        self.records(row, buffer, &may_hold, &mut |line, record| {
            match record {
                Record::Header(header) => {
                    let verdict = self.judge.header(header);
                    if verdict.may_hold(self.judge) {
                        session.header_hit(line, &verdict, tally);
                    }
                }
                Record::Entry(parsed) => {
                    let verdict = self.judge.entry(parsed);
                    if verdict.may_hold(self.judge) {
                        session.entry_hit(line, parsed, &verdict, tally);
                    } else {
                        tally.cut += u64::from(verdict.cut);
                    }
                }
            }
            true
        })?;
        tally.sessions += u64::from(tally.total > before);
        Ok(())
    }

    /// Takes the session itself as a hit, for what is asked about sessions only.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(super) fn header(
        &self,
        row: &SessionInfo,
        buffer: &mut Vec<u8>,
        tally: &mut Tally,
    ) -> io::Result<()> {
        let mut session = InSession { scan: self, row, branches: None };
        self.records(row, buffer, &|_| false, &mut |line, record| {
            if let Record::Header(header) = record {
                let mut verdict = self.judge.header(header);
                verdict.time_ms = Some(row.modified_ms);
                session.header_hit(line, &verdict, tally);
                tally.sessions += 1;
            }
            false
        })
    }

    /// Whether one entry of a session has all that is wanted, and none has anything that is not.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub(super) fn session(&self, row: &SessionInfo, buffer: &mut Vec<u8>) -> io::Result<bool> {
        let mut session = InSession { scan: self, row, branches: None };
        let mut found = self.judge.asked().iter().all(|asked| asked.term.negated);
        let mut excluded = false;
        let may_hold = |line: &[u8]| {
            self.wanted.may_match(line) || self.unwanted.iter().any(|filter| filter.may_match(line))
        };
        self.records(row, buffer, &may_hold, &mut |line, record| {
            let (verdict, tree) = match record {
                Record::Header(header) => (self.judge.header(header), InTree::default()),
                Record::Entry(parsed) if self.judge.asks_the_tree() => {
                    let Some(tree) = session.in_tree(line) else { return true };
                    (self.judge.entry(parsed), tree)
                }
                Record::Entry(parsed) => (self.judge.entry(parsed), InTree::default()),
            };
            found |= verdict.holds_wanted(self.judge, tree);
            excluded |= verdict.holds_unwanted(self.judge, tree);
            !(excluded || (found && self.unwanted.is_empty()))
        })?;
        Ok(found && !excluded)
    }

    /// Gives `visit` the header and every entry whose line may hold what is asked, until it says that it has enough.
    fn records(
        &self,
        row: &SessionInfo,
        buffer: &mut Vec<u8>,
        may_hold: &dyn Fn(&[u8]) -> bool,
        visit: &mut dyn FnMut(LineRef<'_>, Record<'_, '_>) -> bool,
    ) -> io::Result<()> {
        let mut file = self.storage.open(&row.path)?;
        let mut reader = LineReader::reusing(Sequential::new(&mut *file), std::mem::take(buffer));
        let mut search = Some(HeaderSearch::default());
        let mut go_on = true;
        while let Some(line) = reader.next_line()?.filter(|_| go_on) {
            if search.is_none() && !may_hold(line.bytes) {
                continue;
            }
            let Some(Ok(parsed)) = parse_line(line.bytes) else { continue };
            go_on = match &mut search {
                Some(before) => match before.line(line, &parsed) {
                    HeaderStep::Found { header, .. } => {
                        search = None;
                        visit(line, Record::Header(&header))
                    }
                    HeaderStep::NotYet => true,
                    HeaderStep::Refused(_) => false,
                },
                None => match parsed.envelope.record_kind() {
                    RecordKind::Entry | RecordKind::MissingId => {
                        visit(line, Record::Entry(&parsed))
                    }
                    RecordKind::Header | RecordKind::NotAnEntry => true,
                },
            };
        }
        *buffer = reader.into_buffer();
        Ok(())
    }
}

/// One session and, once something was found in it, its tree.
struct InSession<'s, 'r> {
    scan: &'s Scan<'s>,
    row: &'r SessionInfo,
    /// None before it is needed; empty where the session cannot be read as a tree.
    branches: Option<Option<Branches>>,
}

impl InSession<'_, '_> {
    fn branches(&mut self) -> Option<&Branches> {
        let (storage, path) = (self.scan.storage, &self.row.path);
        self.branches.get_or_insert_with(|| Branches::read(storage, path).ok()).as_ref()
    }

    /// What the tree knows of an entry; none for a line that a later one outdates.
    fn in_tree(&mut self, line: LineRef<'_>) -> Option<InTree<'_>> {
        let Some(branches) = self.branches() else { return Some(InTree::default()) };
        match branches.line(line.position.byte) {
            Lookup::Node(node) => Some(InTree {
                branch: Some(branches.of(node)),
                label: branches.session().tree().label(node),
            }),
            Lookup::Outdated => None,
            Lookup::Unknown => Some(InTree::default()),
        }
    }

    fn header_hit(&mut self, line: LineRef<'_>, verdict: &Verdict<'_>, tally: &mut Tally) {
        let judge = self.scan.judge;
        if !verdict.holds(judge, InTree::default()) {
            return;
        }
        tally.total += 1;
        if tally.top.wants(verdict.score, verdict.time_ms) {
            let hit = self.hit(line, verdict, None, Ids::default());
            tally.top.push(hit);
        }
    }

    fn entry_hit(
        &mut self,
        line: LineRef<'_>,
        parsed: &ParsedLine<'_>,
        verdict: &Verdict<'_>,
        tally: &mut Tally,
    ) {
        let judge = self.scan.judge;
        let Some(tree) = self.in_tree(line) else { return };
        if !verdict.holds(judge, tree) {
            return;
        }
        tally.total += 1;
        let branch = tree.branch;
        if !tally.top.wants(verdict.score + branch_points(branch), verdict.time_ms) {
            return;
        }
        let ids = self.ids(line, parsed);
        let mut hit = self.hit(line, verdict, branch, ids);
        if hit.field == Field::Id && judge.wanted().next().is_none() {
            // It has no text of its own, and none was asked for: say what it is.
            let preview = Entry::parse(parsed.text).map(Entry::preview).unwrap_or_default();
            (hit.field, hit.snippet) = (Field::Other, Snippet::of(preview));
        }
        tally.top.push(hit);
    }

    fn ids(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) -> Ids {
        let Some(branches) = self.branches() else {
            let own = parsed.envelope.usable_id().and_then(Raw::as_str);
            return Ids::same(own.map(std::borrow::Cow::into_owned));
        };
        let tree = branches.session().tree();
        let own = match branches.line(line.position.byte) {
            Lookup::Node(node) => Some(tree.id(node).to_owned()),
            Lookup::Outdated | Lookup::Unknown => {
                parsed.envelope.usable_id().and_then(Raw::as_str).map(std::borrow::Cow::into_owned)
            }
        };
        let target = (parsed.envelope.entry_kind() == EntryKind::Label)
            .then(|| parsed.envelope.target_id.and_then(Raw::as_str))
            .flatten()
            .filter(|target| tree.find(target).is_some());
        match target {
            Some(target) => Ids { own, open_at: Some(target.into_owned()) },
            None => Ids::same(own),
        }
    }

    fn hit(
        &self,
        line: LineRef<'_>,
        verdict: &Verdict<'_>,
        branch: Option<Branch>,
        ids: Ids,
    ) -> Hit {
        let best = verdict.best.as_ref();
        Hit {
            path: self.row.path.clone(),
            store: Arc::clone(&self.row.store),
            session_id: self.row.id.clone(),
            cwd: self.row.cwd.clone(),
            session_name: self.row.name.clone(),
            entry_id: ids.own,
            open_at: ids.open_at,
            line: line.position.line,
            time_ms: verdict.time_ms,
            field: best.map_or(Field::Other, |piece| piece.field),
            snippet: best.map(|piece| self.scan.judge.snippet(piece)).unwrap_or_default(),
            score: verdict.score + branch_points(branch),
            branch,
        }
    }
}

/// The id of an entry, and where to open the session for it.
#[derive(Default)]
struct Ids {
    own: Option<String>,
    open_at: Option<String>,
}

impl Ids {
    fn same(own: Option<String>) -> Self {
        Self { open_at: own.clone(), own }
    }
}
