//! The plan of a repair together with the text it writes; pure.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::entry::RecordKind;
use crate::error::ErrorKind;
use crate::json::Raw;
use crate::line::Position;
use crate::location::SessionFileName;
use crate::problem::ProblemKind;

use super::build::{Builder, Session};
use super::grouping::Grouping;
use super::pieces::{Unit, What, units, whole_members};
use super::plan::{Fingerprint, RepairPlan, SplitSession};

/// What is known beside the bytes of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known<'k> {
    /// The name of the file, without its folder.
    pub(super) file_name: &'k str,
    /// The name of the folder it stands in.
    pub(super) folder: &'k str,
    /// The working directory, where the caller says one.
    pub(super) cwd: Option<&'k str>,
    /// Whether orphans are hung on the entry before them.
    pub(super) reattach: bool,
    /// SHA-256 of the bytes in hex digits.
    pub(super) sha256: &'k str,
}

/// The lines of a file, without their line ends.
pub(super) type Text<'a> = Vec<Cow<'a, [u8]>>;

/// A plan and everything it writes.
#[derive(Debug)]
pub(super) struct Draft<'a> {
    pub(super) plan: RepairPlan,
    pub(super) main: Text<'a>,
    /// The files of `plan.sessions`.
    pub(super) sessions: Vec<Text<'a>>,
    /// What goes to the side file.
    pub(super) taken: Vec<Taken<'a>>,
}

/// A piece of the old file that is not in the new one as it was.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) position: Position,
    pub(super) cause: ProblemKind,
    /// Whether the new file has a changed copy.
    pub(super) is_changed: bool,
}

/// Why there is nothing that could be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Hopeless {
    pub(super) kind: ErrorKind,
    pub(super) position: Option<Position>,
}

impl<'a> Draft<'a> {
    /// The repair of a file with these bytes.
    pub(super) fn of(
        bytes: &'a [u8],
        source: Fingerprint,
        known: &Known<'_>,
    ) -> Result<Self, Hopeless> {
        let units = units(bytes);
        let name = SessionFileName::parse(known.file_name);
        require_hope(&units, name.is_some())?;
        let grouping = Grouping::of(&units, name.as_ref().map(SessionFileName::id));
        let mut builder = Builder::new(*known);
        let mut sessions = grouping.groups.iter().map(|numbers| {
            let units: Vec<&Unit<'a>> = numbers.iter().filter_map(|at| units.get(*at)).collect();
            builder.session(&units)
        });
        let main = sessions.next().unwrap_or_default();
        let others: Vec<_> = sessions.collect();
        let split = others.iter().enumerate().map(|(at, other)| other.named(known.file_name, at));
        let split: Vec<SplitSession> = split.collect();
        builder.note_split(&others, &split);
        let mut steps = builder.steps;
        steps.sort_by_key(|step| step.position);
        Ok(Self {
            plan: RepairPlan {
                steps,
                recovered: builder.recovered,
                unrecoverable: unrecoverable(&units),
                entries: main.entries,
                session_id: main.id,
                sessions: split,
                source,
            },
            main: main.text,
            sessions: others.into_iter().map(|other: Session<'a>| other.text).collect(),
            taken: builder.taken,
        })
    }
}

/// A file is mended only when something says that it is a session: a header that can be read, an entry that nothing else writes, or
/// the remains of a header in a file with the name of a session (case 17).
fn require_hope(units: &[Unit<'_>], is_named: bool) -> Result<(), Hopeless> {
    let records = || units.iter().filter_map(Unit::record);
    let has_header = records().any(|record| record.header().is_some());
    let is_telling = records().any(|record| record.is_telling);
    let broken = units.iter().find(|unit| unit.is_broken_header());
    if has_header || is_telling || (broken.is_some() && is_named) {
        return Ok(());
    }
    let first = units.iter().find(|unit| !matches!(unit.what, What::Blank));
    let kind = match (first, broken) {
        (None, _) => ErrorKind::EmptyFile,
        (_, Some(_)) => ErrorKind::HeaderCorrupt,
        (_, None) => ErrorKind::NotASession,
    };
    Err(Hopeless { kind, position: broken.or(first).map(|unit| unit.position) })
}

/// The ids that stand only on records that are cut.
fn unrecoverable(units: &[Unit<'_>]) -> Vec<String> {
    let fragments = units.iter().filter(|unit| matches!(unit.what, What::Fragment(_)));
    let mut lost: Vec<_> = fragments.filter_map(|unit| id_of_fragment(unit.bytes)).collect();
    if lost.is_empty() {
        return lost;
    }
    let entries = units.iter().filter_map(Unit::record);
    let entries = entries.filter(|record| record.kind == RecordKind::Entry);
    let mut seen: HashSet<_> =
        entries.filter_map(|record| record.id.and_then(Raw::as_str)).map(Cow::into_owned).collect();
    lost.retain(|id| seen.insert(id.clone()));
    lost
}

/// The id of an entry whose start is there.
pub(super) fn id_of_fragment(bytes: &[u8]) -> Option<String> {
    let members = whole_members(bytes);
    let text = |key: &str| {
        let member = members.iter().find(|(name, _)| name == key)?;
        member.1.as_str().filter(|text| !text.is_empty())
    };
    let id = text("id")?.into_owned();
    (text("type")? != "session").then_some(id)
}
