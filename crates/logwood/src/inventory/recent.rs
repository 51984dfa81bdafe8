//! The most recent session of a project (spec 4.3): by file time, and only headers are read.

use std::io;
use std::path::{Path, PathBuf};

use crate::entry::{HeaderFault, HeaderSearch, HeaderStep, SessionHeader, parse_line};
use crate::error::{Error, Result};
use crate::line::LineReader;
use crate::location::same_cwd;
use crate::storage::{FileKind, Sequential, Storage};

use super::files::is_session_name;

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
    let entries = match storage.list(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(|error| Error::io("cannot look for sessions in", dir, error))?,
    };
    let mut files: Vec<_> = entries
        .iter()
        .filter(|entry| is_session_name(&entry.name))
        .map(|entry| dir.join(&entry.name))
        .filter_map(|path| Some((modified_ns(storage, &path)?, path)))
        .collect();
    files.sort_by(|(a, a_path), (b, b_path)| b.cmp(a).then_with(|| a_path.cmp(b_path)));
    let wanted = |header: &SessionHeader| {
        let own = header.cwd().is_none_or(|own| own.is_empty() || same_cwd(&own, cwd));
        own && header.agent_type().is_none()
    };
    let found = files.into_iter().find(|(_, path)| {
        read_header(storage, path).is_ok_and(|header| header.is_ok_and(|header| wanted(&header)))
    });
    Ok(found.map(|(_, path)| path))
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
    let mut reader = LineReader::with_block(Sequential::new(&mut *file), HEADER_BLOCK);
    let mut search = HeaderSearch::default();
    while let Some(line) = reader.next_line()? {
        match parse_line(line.bytes) {
            None => {}
            Some(Err(_)) => search.bad_line(line),
            Some(Ok(parsed)) => match search.line(line, &parsed) {
                HeaderStep::NotYet => {}
                HeaderStep::Found { header, .. } => return Ok(Ok(header)),
                HeaderStep::Refused(fault) => return Ok(Err(fault)),
            },
        }
    }
    Ok(Err(search.at_end()))
}

/// A header is read in small blocks, since it is rarely long and the rest of the file is not wanted.
const HEADER_BLOCK: usize = 4096;
