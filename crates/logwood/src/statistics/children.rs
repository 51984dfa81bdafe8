//! Which transcripts of subagents belong to which sessions.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::inventory::{FileProblem, HeaderRow, Place, SessionFile, read_headers};
use crate::storage::Storage;
use crate::transcript::Kinship;

/// For each row whether it is a transcript of one of these sessions, or of one of theirs.
pub(super) fn below(storage: &dyn Storage, rows: &[HeaderRow], sessions: &[PathBuf]) -> Vec<bool> {
    let kinship = Kinship::of(storage, rows);
    let found: HashSet<_> =
        sessions.iter().flat_map(|session| kinship.transcripts(session)).collect();
    (0..rows.len()).map(|at| found.contains(&at)).collect()
}

/// Pairs of a transcript and the session that it worked for, by their places in the rows.
pub(super) fn links(storage: &dyn Storage, rows: &[HeaderRow]) -> Vec<(usize, usize)> {
    let mut transcripts = rows.iter().enumerate().filter(|(_, row)| is_transcript(row)).peekable();
    if transcripts.peek().is_none() {
        return Vec::new();
    }
    let kinship = Kinship::of(storage, rows);
    transcripts.filter_map(|(at, _)| Some((at, kinship.parent(at)?))).collect()
}

fn is_transcript(row: &HeaderRow) -> bool {
    row.header.agent_type().is_some()
}

/// The transcripts below some roots with their headers, each file once, and what could not be read.
pub(super) fn transcripts_below(
    storage: &dyn Storage,
    roots: &[Place],
) -> (Vec<SessionFile>, Vec<HeaderRow>, Vec<FileProblem>) {
    let (mut files, mut rows, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for root in roots {
        let found = read_headers(storage, std::slice::from_ref(&root.root));
        problems.extend(found.problems);
        for row in found.rows {
            let is_new = row.metadata.identity.is_none_or(|identity| seen.insert(identity));
            if is_new && is_transcript(&row) {
                let store = root.store.clone();
                files.push(SessionFile { path: row.path.clone(), store, adopts: false });
                rows.push(row);
            }
        }
    }
    (files, rows, problems)
}
