//! The way back: what was deleted together comes back together, never over a file that is there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::inventory::read_header;
use crate::json::parse_iso_ms;
use crate::storage::Storage;

use super::apply::Failed;
use super::check::place;
use super::freedesktop::HomeTrash;
use super::sides::is_side_of;
use super::trash_info::TrashInfo;

/// How far apart the dates of files may lie that another program put into the trash one by one, in milliseconds.
const TOGETHER: i64 = 60_000;
const WHAT: &str = "cannot restore session";

/// A session file, or a file that belongs to one, in the trash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrashedFile {
    /// Where it was.
    pub original: PathBuf,
    /// When it was deleted, in local time, `YYYY-MM-DDThh:mm:ss`; empty where that is not known.
    pub deleted: String,
    /// Where it is now.
    pub path: PathBuf,
    name: OsString,
    group: Option<String>,
}

/// What would come back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestorePlan {
    /// The session.
    pub session: TrashedFile,
    /// What was deleted with it: copies, side files, transcripts.
    pub others: Vec<TrashedFile>,
}

/// What came of it.
#[derive(Debug, Default)]
#[must_use]
pub struct RestoreReport {
    /// The files that are back, by the paths that they have again.
    pub restored: Vec<PathBuf>,
    /// The files that are still in the trash, by the paths that they had.
    pub failed: Vec<Failed>,
}

impl HomeTrash {
    /// The session files in the trash, the last deleted first.
    ///
    /// # Errors
    /// When the trash is there and cannot be read.
    pub fn sessions(&self, storage: &dyn Storage) -> Result<Vec<TrashedFile>> {
        let mut found = self.trashed(storage)?;
        found.retain(|file| is_session(&file.original));
        Ok(found)
    }

    /// What would come back with the session that was at `original`; of several the one that was deleted last.
    ///
    /// # Errors
    /// `not_found` when the trash has no such session; when the trash cannot be read.
    pub fn plan(&self, storage: &dyn Storage, original: &Path) -> Result<RestorePlan> {
        let all = self.trashed(storage)?;
        let place = place(storage, original).ok();
        let is_wanted = |file: &&TrashedFile| {
            file.original == original || place.as_ref().is_some_and(|place| *place == file.original)
        };
        let Some(session) = all.iter().find(is_wanted).cloned() else {
            return Err(Error::new(ErrorKind::NotFound, WHAT)
                .with_path(original)
                .with_why(format!("the trash in `{}` has no such file", self.dir().display()))
                .with_hint("`logwood restore` without a session shows what is there"));
        };
        let others = all
            .into_iter()
            .filter(|other| other.name != session.name && belongs(storage, &session, other));
        Ok(RestorePlan { others: others.collect(), session })
    }

    /// Moves everything back, on past single failures; nothing when the place of the session is taken.
    ///
    /// The session comes last: as long as it is in the trash, what belongs to it is found by it, should this be interrupted.
    pub fn restore(&self, storage: &dyn Storage, plan: &RestorePlan) -> RestoreReport {
        let mut report = RestoreReport::default();
        let place = &plan.session.original;
        if storage.link_metadata(place).is_ok() {
            let error = failure(place, std::io::ErrorKind::AlreadyExists.into());
            report.failed.push(Failed { path: place.clone(), error });
            return report;
        }
        plan.others.iter().for_each(|other| self.put_back(storage, other, &mut report));
        self.put_back(storage, &plan.session, &mut report);
        report
    }

    fn put_back(&self, storage: &dyn Storage, file: &TrashedFile, report: &mut RestoreReport) {
        let path = file.original.clone();
        match self.take(storage, &file.name, &path) {
            Ok(()) => report.restored.push(path),
            Err(error) => report.failed.push(Failed { error: failure(&path, error), path }),
        }
    }

    /// Every file of the trash that may have to do with sessions, the last deleted first.
    fn trashed(&self, storage: &dyn Storage) -> Result<Vec<TrashedFile>> {
        let entries = self.entries(storage);
        let entries = entries.map_err(|e| Error::io("cannot read the trash", self.dir(), e))?;
        let mut found: Vec<_> = entries
            .into_iter()
            .filter(|(_, info)| {
                info.file_name().is_some_and(|n| n.to_string_lossy().contains(".jsonl"))
            })
            .map(|(name, info)| self.trashed_file(name, info))
            .collect();
        found.sort_by(|a, b| b.deleted.cmp(&a.deleted).then_with(|| a.original.cmp(&b.original)));
        Ok(found)
    }

    fn trashed_file(&self, name: OsString, info: TrashInfo) -> TrashedFile {
        let TrashInfo { original, deleted, group } = info;
        TrashedFile { original, deleted, group, path: self.file(&name), name }
    }
}

fn is_session(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().ends_with(b".jsonl"))
}

/// Whether a file was deleted with the session: by one run of logwood, or by another program at about the same time, and then
/// only a file that stood beside it or a transcript that names it.
fn belongs(storage: &dyn Storage, session: &TrashedFile, other: &TrashedFile) -> bool {
    if session.group.is_some() || other.group.is_some() {
        return session.group == other.group;
    }
    let date = |file: &TrashedFile| parse_iso_ms(format!("{}.000Z", file.deleted).as_bytes());
    let (Some(a), Some(b)) = (date(session), date(other)) else { return false };
    if a.abs_diff(b) > TOGETHER.unsigned_abs() {
        return false;
    }
    is_beside(&session.original, &other.original) || is_transcript(storage, session, other)
}

fn is_beside(session: &Path, other: &Path) -> bool {
    let names = session.file_name().zip(other.file_name());
    session.parent() == other.parent() && names.is_some_and(|(name, other)| is_side_of(name, other))
}

fn is_transcript(storage: &dyn Storage, session: &TrashedFile, other: &TrashedFile) -> bool {
    let Ok(Ok(header)) = read_header(storage, &other.path) else { return false };
    let names_it = header.parent_session().is_some_and(|p| Path::new(&*p) == session.original);
    names_it && header.agent_type().is_some()
}

fn failure(path: &Path, error: std::io::Error) -> Error {
    match error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::new(ErrorKind::ChangedOnDisk, WHAT)
            .with_path(path)
            .with_why("there is a file of this name already")
            .with_hint("it is still in the trash; move the other file away, then try again"),
        _ => Error::io(WHAT, path, error),
    }
}
