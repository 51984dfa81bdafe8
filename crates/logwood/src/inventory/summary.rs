//! One session file into one row, line by line, holding nothing of the lines.

use std::io::{self, Read};
use std::sync::Arc;

use crate::entry::{
    Content, EntryKind, Envelope, HeaderFault, HeaderSearch, HeaderStep, ParsedLine, RecordKind,
    Role, SessionHeader, parse_line,
};
use crate::json::{MAX_DATE_MS, Raw, parse_iso_ms, trim_js};
use crate::line::{LineReader, LineRef};
use crate::location::same_cwd;
use crate::problem::{Problem, ProblemKind};

use super::branches::BranchCount;
use super::files::Candidate;
use super::info::{DAY_MS, SessionInfo, SessionKind, SessionStatus};

/// What the caller knows of the file, and what it wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileFacts<'a> {
    pub(super) candidate: &'a Candidate,
    /// The project that is wanted, if not all.
    pub(super) cwd: Option<&'a str>,
    pub(super) size: u64,
    pub(super) modified_ms: i64,
    pub(super) now_ms: Option<i64>,
    pub(super) with_text: bool,
}

impl FileFacts<'_> {
    /// Whether a session with this header is wanted.
    fn wants(&self, header: &SessionHeader) -> bool {
        self.cwd.is_none_or(|wanted| match header.cwd() {
            Some(cwd) if !cwd.is_empty() => same_cwd(&cwd, wanted),
            _ => self.candidate.adopts,
        })
    }
}

/// Reads a session file into its row; none, after its header, for one of another project; the fault where it is no session.
pub(super) fn summarise<R: Read>(
    reader: &mut LineReader<R>,
    facts: FileFacts<'_>,
) -> io::Result<Result<Option<SessionInfo>, HeaderFault>> {
    let mut summary = Summary { with_text: facts.with_text, ..Summary::default() };
    let mut wanted = false;
    while let Some(line) = reader.next_line()? {
        if let Err(fault) = summary.line(line) {
            return Ok(Err(fault));
        }
        if let (false, Some(header)) = (wanted, &summary.header) {
            if !facts.wants(header) {
                return Ok(Ok(None));
            }
            wanted = true;
        }
    }
    Ok(summary.finish(facts).map(Some))
}

/// What is known after some lines.
#[derive(Debug, Default)]
struct Summary {
    with_text: bool,
    search: HeaderSearch,
    header: Option<SessionHeader>,
    /// Version 1 has no ids: every object with a type is an entry and there is one branch.
    linear: bool,
    branches: BranchCount,
    name: Option<String>,
    entries: u64,
    messages: u64,
    first_message: Option<String>,
    text: String,
    activity: i64,
    models: Vec<String>,
    /// Provider and model of the last answer, as raw text, so that the same again costs nothing.
    last_model: (Vec<u8>, Vec<u8>),
    status: SessionStatus,
    problems: Vec<Problem>,
}

impl Summary {
    fn line(&mut self, line: LineRef<'_>) -> Result<(), HeaderFault> {
        match parse_line(line.bytes) {
            None => Ok(()),
            Some(Err(_)) => {
                self.problem(ProblemKind::of_bad_line(line), line);
                if self.header.is_none() {
                    self.search.bad_line(line);
                }
                Ok(())
            }
            Some(Ok(parsed)) if self.header.is_none() => self.before_header(line, &parsed),
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
                    self.problems.push(Problem::header_not_first(line.position, only_titles));
                }
                if header.version() > 3 {
                    self.problem(ProblemKind::NewerVersion, line);
                }
                self.linear = header.version_number() < 2.0;
                self.header = Some(header);
            }
        }
        Ok(())
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
                self.entries += 1;
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
            EntryKind::SessionInfo => {
                let name = envelope.name.and_then(Raw::as_str);
                let name = name.as_deref().map(trim_js).filter(|name| !name.is_empty());
                self.name = name.map(str::to_owned);
            }
            _ => {}
        }
    }

    fn message(&mut self, envelope: &Envelope<'_>) {
        self.messages += 1;
        match envelope.role() {
            role @ (Role::User | Role::Assistant) => {
                self.status = status_of(role, envelope);
                if envelope.head.content.is_some() {
                    self.note_time(envelope);
                    self.note_text(role, envelope);
                }
                if role == Role::Assistant {
                    self.note_model(envelope);
                }
            }
            Role::ToolResult => self.status = SessionStatus::Interrupted,
            _ => {}
        }
    }

    /// The time of a message: its own number within the range of dates, else its entry's (spec 6.1).
    fn note_time(&mut self, envelope: &Envelope<'_>) {
        let own = envelope.head.timestamp.and_then(Raw::as_f64);
        let own = own.filter(|time| time.abs() <= MAX_DATE_MS as f64).map(|time| time as i64);
        let entry = || parse_iso_ms(envelope.timestamp?.as_string_bytes()?);
        self.activity = self.activity.max(own.or_else(entry).unwrap_or(0));
    }

    fn note_text(&mut self, role: Role, envelope: &Envelope<'_>) {
        let first = role == Role::User && self.first_message.is_none();
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
            self.first_message = Some(text.into_owned());
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
        if !self.models.contains(&name) {
            self.models.push(name);
        }
    }

    fn problem(&mut self, kind: ProblemKind, line: LineRef<'_>) {
        self.problems.push(Problem::at(kind, line.position));
    }

    fn finish(self, facts: FileFacts<'_>) -> Result<SessionInfo, HeaderFault> {
        let Some(header) = self.header else { return Err(self.search.at_end()) };
        let header_time = header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
        let created_ms = header_time.unwrap_or(facts.modified_ms);
        let modified_ms = if self.activity > 0 { self.activity } else { created_ms };
        let parent = header.parent_session().map(|parent| parent.into_owned());
        let agent_type = header.agent_type().map(|agent| agent.into_owned());
        let kind = match (&agent_type, &parent) {
            (Some(_), _) => SessionKind::Subagent,
            (None, Some(_)) => SessionKind::Fork,
            (None, None) => SessionKind::Main,
        };
        Ok(SessionInfo {
            path: facts.candidate.path.clone(),
            store: Arc::clone(&facts.candidate.store),
            title: self.search.title(&header),
            id: header.id().to_owned(),
            cwd: header.cwd().map(|cwd| cwd.into_owned()).unwrap_or_default(),
            name: self.name,
            parent_session_path: parent,
            created_ms,
            modified_ms,
            message_count: self.messages,
            first_message: self.first_message,
            all_messages_text: facts.with_text.then_some(self.text),
            kind,
            agent_type,
            version: header.version(),
            size: facts.size,
            file_modified_ms: facts.modified_ms,
            entry_count: self.entries,
            branch_count: if self.linear { self.entries.min(1) } else { self.branches.count() },
            models: self.models,
            status: self.status,
            is_future: facts.now_ms.is_some_and(|now| modified_ms > now + DAY_MS),
            problems: self.problems,
        })
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
