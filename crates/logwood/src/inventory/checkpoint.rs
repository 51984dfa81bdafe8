//! A summary as bytes, so that reading can go on where it stopped; and the facts of a row.

use crate::entry::HeaderSearch;
use crate::error::ErrorKind;
use crate::line::Position;
use crate::problem::{Problem, ProblemKind};

use super::branches::BranchCount;
use super::codec::{Decoder, Encoder};
use super::info::SessionStatus;
use super::summary::Summary;
use super::{Facts, FileKey, KnownFile};

/// Changes whenever bytes of an earlier version would be read wrongly, or a row of the same file would come out differently.
pub const FACTS_VERSION: u32 = 1;

const STATUSES: [SessionStatus; 5] = [
    SessionStatus::Empty,
    SessionStatus::Complete,
    SessionStatus::Interrupted,
    SessionStatus::Error,
    SessionStatus::Aborted,
];

/// What a file that is no session can be.
const FAULTS: [ErrorKind; 3] =
    [ErrorKind::NotASession, ErrorKind::EmptyFile, ErrorKind::HeaderCorrupt];

impl KnownFile {
    /// As bytes, for [`from_bytes`](Self::from_bytes) of the same [`FACTS_VERSION`].
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        let FileKey { size, modified_ns, inode, access } = self.key;
        out.number(size);
        out.signed(modified_ns);
        out.number(inode);
        out.number(access);
        out.number(self.settled.into());
        match &self.verdict {
            Ok(facts) => {
                out.number(0);
                facts.encode(&mut out);
            }
            Err(kind) => {
                let at = FAULTS.iter().position(|fault| fault == kind).unwrap_or_default();
                out.number(1 + at as u64);
            }
        }
        out.finish()
    }

    /// From bytes that [`to_bytes`](Self::to_bytes) made; none for others.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut from = Decoder::new(bytes);
        let key = FileKey {
            size: from.number()?,
            modified_ns: from.signed()?,
            inode: from.number()?,
            access: from.number()?,
        };
        let settled = from.flag()?;
        let verdict = match usize::try_from(from.number()?).ok()?.checked_sub(1) {
            None => Ok(Box::new(Facts::decode(&mut from)?)),
            Some(at) => Err(*FAULTS.get(at)?),
        };
        from.end()?;
        Some(Self { key, settled, verdict })
    }
}

impl Facts {
    fn encode(&self, out: &mut Encoder) {
        out.text(&self.id);
        out.text(&self.cwd);
        for text in [&self.name, &self.title, &self.parent, &self.agent_type, &self.first_message] {
            out.maybe(text.as_deref(), Encoder::text);
        }
        out.number(self.version.into());
        out.maybe(self.created_ms, Encoder::signed);
        out.signed(self.activity_ms);
        out.number(self.messages);
        out.number(self.entries);
        out.number(self.branches);
        out.each(self.models.iter(), |out, model| out.text(model));
        let status = STATUSES.iter().position(|status| *status == self.status);
        out.number(status.unwrap_or_default() as u64);
        out.each(self.problems.iter(), problem);
    }

    fn decode(from: &mut Decoder<'_>) -> Option<Self> {
        Some(Self {
            id: from.text()?,
            cwd: from.text()?,
            name: from.maybe(Decoder::text)?,
            title: from.maybe(Decoder::text)?,
            parent: from.maybe(Decoder::text)?,
            agent_type: from.maybe(Decoder::text)?,
            first_message: from.maybe(Decoder::text)?,
            version: from.number()?.try_into().ok()?,
            created_ms: from.maybe(Decoder::signed)?,
            activity_ms: from.signed()?,
            messages: from.number()?,
            entries: from.number()?,
            branches: from.number()?,
            models: from.each(Decoder::text)?,
            status: *STATUSES.get(usize::try_from(from.number()?).ok()?)?,
            problems: from.each(problem_of)?,
        })
    }
}

fn problem(out: &mut Encoder, problem: &Problem) {
    out.text(problem.kind.as_str());
    out.maybe(problem.position, |out, position| {
        out.number(position.byte);
        out.number(position.line);
    });
    out.maybe(problem.entry.as_deref(), Encoder::text);
    out.maybe(problem.detail.as_deref(), Encoder::text);
}

fn problem_of(from: &mut Decoder<'_>) -> Option<Problem> {
    let word = from.bytes()?;
    let kind = ProblemKind::ALL.into_iter().find(|kind| kind.as_str().as_bytes() == word)?;
    let position =
        from.maybe(|from| Some(Position { byte: from.number()?, line: from.number()? }))?;
    Some(Problem {
        kind,
        position,
        entry: from.maybe(Decoder::text)?,
        detail: from.maybe(Decoder::text)?,
    })
}

/// Where reading of a file stopped: the summary of its whole lines, and the marks by which the file is known again.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// The line that comes next.
    pub(super) next: Position,
    pub(super) marks: Marks,
    /// What the lines so far said.
    pub(super) summary: Summary,
    /// Whether the facts are in it; without a line that has no end they are those of the row.
    pub(super) has_facts: bool,
}

/// Marks of the bytes that were read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Marks {
    /// How many bytes were read.
    pub(super) size: u64,
    /// A hash of the first and the last of them.
    pub(super) hash: [u8; 16],
}

impl Checkpoint {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        for number in [self.next.byte, self.next.line, self.marks.size] {
            out.number(number);
        }
        out.bytes(&self.marks.hash);
        let summary = &self.summary;
        out.number(summary.linear.into());
        out.bytes(&summary.last_model.0);
        out.bytes(&summary.last_model.1);
        out.bytes(summary.branches.last());
        out.each(summary.branches.ends(), |out, end| out.bytes(end));
        out.maybe(self.has_facts.then_some(&summary.facts), |out, facts| facts.encode(out));
        out.finish()
    }

    /// The checkpoint of a file whose row has these facts.
    pub(super) fn from_bytes(bytes: &[u8], row: Facts) -> Option<Self> {
        let mut from = Decoder::new(bytes);
        let next = Position { byte: from.number()?, line: from.number()? };
        let marks = Marks { size: from.number()?, hash: from.bytes()?.try_into().ok()? };
        let linear = from.flag()?;
        let last_model = (from.bytes()?.to_vec(), from.bytes()?.to_vec());
        let last = from.bytes()?.to_vec();
        let ends = from.each(|from| from.bytes().map(Box::from))?;
        let facts = from.maybe(Facts::decode)?;
        from.end()?;
        let summary = Summary {
            with_text: false,
            search: HeaderSearch::default(),
            has_header: true,
            linear,
            branches: BranchCount::resumed(last, ends),
            facts: facts.unwrap_or(row),
            text: String::new(),
            last_model,
        };
        Some(Self { next, marks, summary, has_facts: true })
    }
}
