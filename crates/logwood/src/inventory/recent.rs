//! The most recent session of a project (spec 4.3): by file time, and only headers are read.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::entry::{HeaderFault, SessionHeader};
use crate::error::{Error, Result};
use crate::location::{Layout, same_cwd};
use crate::storage::{FileKind, Storage};

use super::Place;
use super::files::Candidates;
use super::header_line::HeaderLine;

/// The session of `cwd` in `dir` whose file changed last; none when there is none. Children of subagents are left out.
///
/// Every file is asked for its time and headers are read from the newest on, so in most folders one file is opened. Files that cannot
/// be read, or are no sessions, are passed over (F-14).
///
/// # Errors
/// When `dir` is there and cannot be read.
#[doc(alias = "findMostRecentSession")]
#[doc(alias = "continueRecent")]
pub fn most_recent(storage: &dyn Storage, dir: &Path, cwd: &str) -> Result<Option<PathBuf>> {
    most_recent_in(storage, &Place::new("", dir, Layout::Flat), cwd)
}

/// As [`most_recent`], in every folder of a nested place; there a session that names no directory belongs to none.
///
/// # Errors
/// When the root is there and cannot be read; a folder in it that cannot be read is passed over.
pub fn most_recent_in(storage: &dyn Storage, place: &Place, cwd: &str) -> Result<Option<PathBuf>> {
    let mut candidates = Candidates::default();
    candidates.add_place(storage, place);
    if let Some(problem) = candidates.problems.iter().find(|problem| problem.path == place.root) {
        let error = Error::new(problem.error, "cannot look for sessions in");
        return Err(error.with_path(&place.root).with_why(&problem.why));
    }
    let mut files: Vec<_> = candidates
        .files
        .into_iter()
        .filter_map(|file| Some((modified_ns(storage, &file.path)?, file)))
        .collect();
    files.sort_by(|(a, a_file), (b, b_file)| b.cmp(a).then_with(|| a_file.path.cmp(&b_file.path)));
    let wanted = |header: &SessionHeader, adopts: bool| {
        let own = match header.cwd() {
            Some(own) if !own.is_empty() => same_cwd(&own, cwd),
            _ => adopts,
        };
        own && header.agent_type().is_none()
    };
    let found = files.into_iter().find(|(_, file)| {
        let header = read_header(storage, &file.path);
        header.is_ok_and(|header| header.is_ok_and(|header| wanted(&header, file.adopts)))
    });
    Ok(found.map(|(_, file)| file.path))
}

/// The files below the places whose header has this id, each file once; no more than the headers is read. Files and folders that
/// cannot be read are passed over.
pub fn files_with_id(storage: &dyn Storage, places: &[Place], id: &str) -> Vec<PathBuf> {
    let mut candidates = Candidates::default();
    places.iter().for_each(|place| candidates.add_place(storage, place));
    let mut seen = HashSet::new();
    let mut is_new = |path: &PathBuf| match storage.metadata(path).map(|file| file.identity) {
        Ok(Some(identity)) => seen.insert(identity),
        _ => true,
    };
    let paths = candidates.files.into_iter().map(|file| file.path);
    paths
        .filter(|path| {
            let header = read_header(storage, path);
            header.is_ok_and(|header| header.is_ok_and(|header| header.id() == id))
        })
        .filter(|path| is_new(path))
        .collect()
}

fn modified_ns(storage: &dyn Storage, path: &Path) -> Option<i64> {
    let metadata = storage.metadata(path).ok()?;
    (metadata.kind == FileKind::File).then_some(metadata.modified_ns)
}

/// Reads a file up to its header.
///
/// # Errors
/// What the system says; inside, why the file is no session.
pub fn read_header(
    storage: &dyn Storage,
    path: &Path,
) -> io::Result<std::result::Result<SessionHeader, HeaderFault>> {
    let mut file = storage.open(path)?;
    Ok(HeaderLine::find(&mut *file)?.map(|found| found.header))
}
