//! Finds the header of a file (design section 2, "Bad files"); the same rule for opening and for listing.

use crate::error::ErrorKind;
use crate::json::{Raw, trim_js};
use crate::line::{LineRef, Position};

use super::{ParsedLine, RecordKind, SessionHeader};

/// Looks for the first record of type `session`, line by line.
#[derive(Debug, Clone, Default)]
pub struct HeaderSearch {
    bad: Option<Position>,
    bad_header: bool,
    others: bool,
    /// Whether one of them is no `title` line.
    strangers: bool,
    title: Option<String>,
}

/// What one line did to the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderStep {
    /// The header comes later, if at all; the record is kept.
    NotYet,
    /// This is the header; `first` says whether no other record stands before it.
    Found {
        /// The header.
        header: SessionHeader,
        /// Whether no other record stands before it.
        first: bool,
    },
    /// The file is no session.
    Refused(HeaderFault),
}

/// Why a file is no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderFault {
    /// `empty_file`, `not_a_session` or `header_corrupt`.
    pub kind: ErrorKind,
    /// The line that shows it.
    pub position: Option<Position>,
}

impl HeaderSearch {
    /// Takes a line that is not JSON.
    pub fn bad_line(&mut self, line: LineRef<'_>) {
        self.bad.get_or_insert(line.position);
        self.bad_header |= looks_like_a_header(line.bytes);
    }

    /// Takes a line that is JSON.
    pub fn line(&mut self, line: LineRef<'_>, parsed: &ParsedLine<'_>) -> HeaderStep {
        let refused =
            |kind, position| HeaderStep::Refused(HeaderFault { kind, position: Some(position) });
        match (parsed.envelope.record_kind(), self.bad) {
            (RecordKind::Header, _) => match SessionHeader::parse(parsed.text) {
                Some(header) => HeaderStep::Found { header, first: !self.others },
                None => refused(ErrorKind::HeaderCorrupt, line.position),
            },
            (RecordKind::Entry, Some(bad)) => refused(ErrorKind::HeaderCorrupt, bad),
            (RecordKind::Entry, None) => refused(ErrorKind::NotASession, line.position),
            (RecordKind::MissingId | RecordKind::NotAnEntry, _) => {
                self.other(parsed);
                HeaderStep::NotYet
            }
        }
    }

    fn other(&mut self, parsed: &ParsedLine<'_>) {
        self.others = true;
        if parsed.envelope.kind.is_some_and(|kind| kind.is_str("title")) {
            let title = Raw::parse(parsed.text).ok().and_then(title_in);
            self.title = title.or(self.title.take());
        } else {
            self.strangers = true;
        }
    }

    /// Whether the records so far are `title` lines, as oh-my-pi writes one before the header (newer dialects).
    pub(crate) fn is_only_titles(&self) -> bool {
        self.others && !self.strangers
    }

    /// The display title: that of the last `title` line that says something, else that of the header.
    pub(crate) fn title(&self, header: &SessionHeader) -> Option<String> {
        self.title.clone().or_else(|| title_in(header.raw()))
    }

    /// What a file that ends without a header and without an entry is.
    pub fn at_end(&self) -> HeaderFault {
        let blank = self.bad.is_none() && !self.others;
        let kind = match (blank, self.bad_header) {
            (true, _) => ErrorKind::EmptyFile,
            (false, true) => ErrorKind::HeaderCorrupt,
            (false, false) => ErrorKind::NotASession,
        };
        HeaderFault { kind, position: self.bad }
    }
}

/// The member `title`, if it says something.
fn title_in(record: Raw<'_>) -> Option<String> {
    let title = record.get_str("title")?;
    let title = trim_js(&title);
    (!title.is_empty()).then(|| title.to_owned())
}

/// Whether a line that is not JSON starts as a header does, as far as it goes.
fn looks_like_a_header(line: &[u8]) -> bool {
    let start = br#"{"type":"session""#;
    let common = start.len().min(line.len());
    common > 1 && line.get(..common) == start.get(..common)
}
