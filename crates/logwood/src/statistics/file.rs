//! One session file, read once from its first byte to its last: whose it is, and its usage.

use std::io::{self, Read};

use crate::entry::{
    Content, EntryKind, Envelope, HeaderFault, HeaderSearch, HeaderStep, Role, SessionHeader,
    parse_line,
};
use crate::inventory::{SessionFile, SessionKind};
use crate::json::{Raw, parse_iso_ms, trim_js, truncate_utf16};
use crate::line::{LineReader, LineRef};

use super::{UsageCollector, UsageOwner, UsageRecord};

/// A heading is kept no further than this, in UTF-16 units: a first message may be megabytes long.
const LONGEST_HEADING: usize = 200;

/// What was read.
#[derive(Debug)]
pub(super) struct FileUsage {
    pub(super) header: SessionHeader,
    pub(super) owner: UsageOwner,
    pub(super) records: Vec<UsageRecord>,
}

/// Reads a session; none, after its header, where that is not wanted; the fault where it is no session.
pub(super) fn read_usage<R: Read>(
    reader: &mut LineReader<R>,
    file: &SessionFile,
    modified_ms: i64,
    wanted: &dyn Fn(&SessionHeader) -> bool,
) -> io::Result<Result<Option<FileUsage>, HeaderFault>> {
    let mut reading = Reading::default();
    let mut asked = false;
    while let Some(line) = reader.next_line()? {
        if let Err(fault) = reading.line(line) {
            return Ok(Err(fault));
        }
        if let (false, Some(header)) = (asked, &reading.header) {
            if !wanted(header) {
                return Ok(Ok(None));
            }
            asked = true;
        }
    }
    Ok(reading.finish(file, modified_ms).map(Some))
}

#[derive(Debug, Default)]
struct Reading {
    search: HeaderSearch,
    header: Option<SessionHeader>,
    usage: UsageCollector,
    name: Option<String>,
    first_message: Option<String>,
}

impl Reading {
    fn line(&mut self, line: LineRef<'_>) -> Result<(), HeaderFault> {
        let parsed = match parse_line(line.bytes) {
            None => return Ok(()),
            Some(Err(_)) => {
                if self.header.is_none() {
                    self.search.bad_line(line);
                }
                return Ok(());
            }
            Some(Ok(parsed)) => parsed,
        };
        self.usage.line(line, &parsed);
        if self.header.is_some() {
            self.note_heading(&parsed.envelope);
            return Ok(());
        }
        match self.search.line(line, &parsed) {
            HeaderStep::NotYet => Ok(()),
            HeaderStep::Found { header, .. } => {
                self.header = Some(header);
                Ok(())
            }
            HeaderStep::Refused(fault) => Err(fault),
        }
    }

    fn note_heading(&mut self, envelope: &Envelope<'_>) {
        match envelope.entry_kind() {
            EntryKind::SessionInfo => {
                self.name = envelope.name.and_then(Raw::as_str).map(|name| heading(&name));
            }
            EntryKind::Message if self.first_message.is_none() && envelope.role() == Role::User => {
                let text = Content::of(envelope.head.content).text(" ");
                self.first_message = (!text.is_empty()).then(|| heading(&text));
            }
            _ => {}
        }
    }

    fn finish(self, file: &SessionFile, modified_ms: i64) -> Result<FileUsage, HeaderFault> {
        let Some(header) = self.header else { return Err(self.search.at_end()) };
        let time = header.timestamp().and_then(|time| parse_iso_ms(time.as_bytes()));
        let name = self.name.filter(|name| !name.is_empty());
        let heading = name.or_else(|| self.search.title(&header)).or(self.first_message);
        let agent_type = header.agent_type().map(|agent| agent.into_owned());
        let kind = match (&agent_type, header.parent_session()) {
            (Some(_), _) => SessionKind::Subagent,
            (None, Some(_)) => SessionKind::Fork,
            (None, None) => SessionKind::Main,
        };
        let owner = UsageOwner {
            path: file.path.clone(),
            store: file.store.clone(),
            id: header.id().to_owned(),
            cwd: header.cwd().map(|cwd| cwd.into_owned()).unwrap_or_default(),
            heading: heading.unwrap_or_default(),
            kind,
            agent_type,
            created_ms: time.unwrap_or(modified_ms),
        };
        Ok(FileUsage { header, owner, records: self.usage.finish() })
    }
}

fn heading(text: &str) -> String {
    truncate_utf16(trim_js(text), LONGEST_HEADING).to_owned()
}
