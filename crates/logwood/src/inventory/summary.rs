//! One session file into one row, line by line, holding nothing of the lines.

use std::borrow::Cow;
use std::io::{self, Read};
use std::sync::Arc;

use crate::entry::{
    Content, EntryKind, Envelope, HeaderFault, HeaderSearch, HeaderStep, ParsedLine, RecordKind,
    Role, SessionHeader, parse_line,
};
use crate::json::{MAX_DATE_MS, Raw, parse_iso_ms};
use crate::line::{LineReader, LineRef};
use crate::problem::{Problem, ProblemKind};

use super::branches::BranchCount;
use super::files::Candidate;
use super::info::{SessionInfo, SessionStatus};
use super::{Facts, FileKey};

/// What the caller knows of the file, and what it wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileFacts<'a> {
    pub(super) candidate: &'a Candidate,
    /// The project that is wanted, if not all.
    pub(super) cwd: Option<&'a str>,
    pub(super) key: FileKey,
    pub(super) now_ms: Option<i64>,
    pub(super) with_text: bool,
}

/// Reads a session file into its row; none, after its header, for one of another project; the fault where it is no session.
pub(super) fn summarise<R: Read>(
    reader: &mut LineReader<R>,
    file: FileFacts<'_>,
) -> io::Result<Result<Option<SessionInfo>, HeaderFault>> {
    let mut summary = Summary { with_text: file.with_text, ..Summary::default() };
    let mut wanted = false;
    while let Some(line) = reader.next_line()? {
        if let Err(fault) = summary.line(line) {
            return Ok(Err(fault));
        }
        if !wanted && summary.has_header {
            if !file.candidate.is_wanted(&summary.facts.cwd, file.cwd) {
                return Ok(Ok(None));
            }
            wanted = true;
        }
    }
    let text = file.with_text.then(|| std::mem::take(&mut summary.text));
    Ok(summary.finish().map(|facts| {
        let candidate = file.candidate;
        let store = Arc::clone(&candidate.store);
        let row = facts.into_row(candidate.path.clone(), store, &file.key, file.now_ms);
        Some(SessionInfo { all_messages_text: text, ..row })
    }))
}

/// What is known after some lines.
#[derive(Debug, Default, Clone)]
pub(super) struct Summary {
    pub(super) with_text: bool,
    pub(super) search: HeaderSearch,
    pub(super) has_header: bool,
    /// Version 1 has no ids: every object with a type is an entry and there is one branch.
    pub(super) linear: bool,
    pub(super) branches: BranchCount,
    /// The number of branches is not yet in them.
    pub(super) facts: Facts,
    pub(super) text: String,
    /// Provider and model of the last answer, as raw text, so that the same again costs nothing.
    pub(super) last_model: (Vec<u8>, Vec<u8>),
}

impl Summary {
    pub(super) fn line(&mut self, line: LineRef<'_>) -> Result<(), HeaderFault> {
        match parse_line(line.bytes) {
            None => Ok(()),
            Some(Err(_)) => {
                self.problem(ProblemKind::of_bad_line(line), line);
                if !self.has_header {
                    self.search.bad_line(line);
                }
                Ok(())
            }
            Some(Ok(parsed)) if !self.has_header => self.before_header(line, &parsed),
            Some(Ok(parsed)) => {
                self.record(line, &parsed.envelope);
                Ok(())
            }
        }
    }

    fn before_header(
        &mut self,
        line: LineRef<'_>,
        parsed: &ParsedLine<'_>,
    ) -> Result<(), HeaderFault> {
        match self.search.line(line, parsed) {
            HeaderStep::NotYet => {}
            HeaderStep::Refused(fault) => return Err(fault),
            HeaderStep::Found { header, first } => {
                if !first {
                    let only_titles = self.search.is_only_titles();
                    self.facts.problems.push(Problem::header_not_first(line.position, only_titles));
                }
                if header.version() > 3 {
                    self.problem(ProblemKind::NewerVersion, line);
                }
                self.header(&header);
            }
        }
        Ok(())
    }

    fn header(&mut self, header: &SessionHeader) {
        let owned = |text: Cow<'_, str>| text.into_owned();
        self.has_header = true;
        self.linear = header.version_number() < 2.0;
        let facts = &mut self.facts;
        facts.title = self.search.title(header);
        facts.id = header.id().to_owned();
        facts.cwd = header.cwd().map(owned).unwrap_or_default();
        facts.parent = header.parent_session().map(owned);
        facts.agent_type = header.agent_type().map(owned);
        facts.version = header.version();
        facts.created_ms = header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
    }

    fn record(&mut self, line: LineRef<'_>, envelope: &Envelope<'_>) {
        if !line.complete {
            self.problem(ProblemKind::MissingFinalNewline, line);
        }
        match envelope.record_kind() {
            RecordKind::Header => self.problem(ProblemKind::DuplicateHeader, line),
            RecordKind::NotAnEntry => self.problem(ProblemKind::NotAnEntry, line),
            RecordKind::MissingId if !self.linear => {
                self.problem(ProblemKind::MissingId, line);
                self.content(envelope);
            }
            RecordKind::Entry | RecordKind::MissingId => {
                self.facts.entries += 1;
                self.branch(envelope);
                self.content(envelope);
            }
        }
    }

    fn branch(&mut self, envelope: &Envelope<'_>) {
        if let Some(id) = envelope.usable_id().and_then(Raw::as_string_bytes) {
            let parent = envelope.parent_id.and_then(Raw::as_string_bytes);
            self.branches.entry(id, parent.filter(|parent| !parent.is_empty()));
        }
    }

    /// What an entry says, also one without an id, as dreb counts it.
    fn content(&mut self, envelope: &Envelope<'_>) {
        match envelope.entry_kind() {
            EntryKind::Message => self.message(envelope),
            EntryKind::SessionInfo => self.facts.name = envelope.display_name(),
            _ => {}
        }
    }

    fn message(&mut self, envelope: &Envelope<'_>) {
        self.facts.messages += 1;
        match envelope.role() {
            role @ (Role::User | Role::Assistant) => {
                self.facts.status = status_of(role, envelope);
                if envelope.head.content.is_some() {
                    self.note_time(envelope);
                    self.note_text(role, envelope);
                }
                if role == Role::Assistant {
                    self.note_model(envelope);
                }
            }
            Role::ToolResult => self.facts.status = SessionStatus::Interrupted,
            _ => {}
        }
    }

    /// The time of a message: its own number within the range of dates, else its entry's (spec 6.1).
    fn note_time(&mut self, envelope: &Envelope<'_>) {
        let own = envelope.head.timestamp.and_then(Raw::as_f64);
        let own = own.filter(|time| time.abs() <= MAX_DATE_MS as f64).map(|time| time as i64);
        let entry = || parse_iso_ms(envelope.timestamp?.as_string_bytes()?);
        self.facts.activity_ms = self.facts.activity_ms.max(own.or_else(entry).unwrap_or(0));
    }

    fn note_text(&mut self, role: Role, envelope: &Envelope<'_>) {
        let first = role == Role::User && self.facts.first_message.is_none();
        if !first && !self.with_text {
            return;
        }
        let text = Content::of(envelope.head.content).text(" ");
        if text.is_empty() {
            return;
        }
        if self.with_text {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            self.text.push_str(&text);
        }
        if first {
            self.facts.first_message = Some(text.into_owned());
        }
    }

    fn note_model(&mut self, envelope: &Envelope<'_>) {
        let parts = [envelope.head.provider, envelope.head.model];
        let raw = parts.map(|part| part.map_or(&[][..], Raw::bytes));
        if raw == [self.last_model.0.as_slice(), self.last_model.1.as_slice()] {
            return;
        }
        let [provider, model] = raw;
        self.last_model = (provider.to_vec(), model.to_vec());
        let [Some(provider), Some(model)] = parts.map(|part| part.and_then(Raw::as_str)) else {
            return;
        };
        let name = format!("{provider}/{model}");
        if !self.facts.models.contains(&name) {
            self.facts.models.push(name);
        }
    }

    fn problem(&mut self, kind: ProblemKind, line: LineRef<'_>) {
        self.facts.problems.push(Problem::at(kind, line.position));
    }

    /// What all lines together say; the summary is left without it.
    pub(super) fn finish(&mut self) -> Result<Facts, HeaderFault> {
        if !self.has_header {
            return Err(self.search.at_end());
        }
        let entries = self.facts.entries;
        self.facts.branches = if self.linear { entries.min(1) } else { self.branches.count() };
        Ok(std::mem::take(&mut self.facts))
    }
}

fn status_of(role: Role, envelope: &Envelope<'_>) -> SessionStatus {
    if role == Role::User {
        return SessionStatus::Interrupted;
    }
    match envelope.head.stop_reason.and_then(Raw::as_string_bytes) {
        Some(b"error") => SessionStatus::Error,
        Some(b"aborted") => SessionStatus::Aborted,
        Some(b"toolUse") => SessionStatus::Interrupted,
        _ => SessionStatus::Complete,
    }
}
