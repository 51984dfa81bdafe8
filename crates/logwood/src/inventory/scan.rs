//! Reads many files with a bounded number of threads, each with one open file and one block of memory.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::entry::HeaderFault;
use crate::error::ErrorKind;
use crate::line::LineReader;
use crate::problem::ProblemKind;
use crate::storage::{FileId, Sequential, Storage};

use super::SessionInfo;
use super::files::{Candidate, Candidates};
use super::lister::ProgressFn;
use super::listing::{FileProblem, Listing, Progress};
use super::summary::{FileFacts, summarise};

/// How to read.
pub(super) struct Scan<'a> {
    pub(super) storage: &'a dyn Storage,
    pub(super) threads: usize,
    pub(super) with_text: bool,
    pub(super) now_ms: Option<i64>,
    /// The project that is wanted, if not all.
    pub(super) cwd: Option<&'a str>,
    pub(super) progress: ProgressFn<'a>,
}

/// What became of one file.
enum Outcome {
    Row(Box<SessionInfo>, Option<FileId>),
    Problem(FileProblem),
    /// A session of another project; or a file that vanished between listing and reading, which is no problem (spec 14.26).
    Nothing,
}

/// What the threads share.
struct Shared<'a> {
    files: &'a [Candidate],
    next: AtomicUsize,
    loaded: AtomicUsize,
    cancelled: AtomicBool,
    outcomes: Mutex<Vec<(usize, Outcome)>>,
}

/// Reads every candidate; rows come in the order of the candidates, whatever the number of threads.
pub(super) fn scan_files(scan: &Scan<'_>, candidates: Candidates) -> Listing {
    let shared = Shared {
        files: &candidates.files,
        next: AtomicUsize::new(0),
        loaded: AtomicUsize::new(0),
        cancelled: AtomicBool::new(false),
        outcomes: Mutex::new(Vec::with_capacity(candidates.files.len())),
    };
    let others = scan.threads.min(candidates.files.len()).saturating_sub(1);
    std::thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| work(scan, &shared));
        }
        work(scan, &shared);
    });
    let cancelled = shared.cancelled.into_inner();
    let outcomes = shared.outcomes.into_inner().unwrap_or_else(|poison| poison.into_inner());
    collect(outcomes, candidates.problems, cancelled)
}

/// Takes files until there are none, or the caller has enough.
fn work(scan: &Scan<'_>, shared: &Shared<'_>) {
    let mut buffer = Vec::new();
    let mut done = Vec::new();
    while !shared.cancelled.load(Ordering::Relaxed) {
        let at = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(candidate) = shared.files.get(at) else { break };
        let outcome = read_file(scan, candidate, &mut buffer);
        let session = match &outcome {
            Outcome::Row(row, _) => Some(&**row),
            Outcome::Problem(_) | Outcome::Nothing => None,
        };
        let loaded = shared.loaded.fetch_add(1, Ordering::Relaxed) + 1;
        if (scan.progress)(Progress { loaded, total: shared.files.len(), session }).is_break() {
            shared.cancelled.store(true, Ordering::Relaxed);
        }
        done.push((at, outcome));
    }
    let mut outcomes = shared.outcomes.lock().unwrap_or_else(|poison| poison.into_inner());
    outcomes.extend(done);
}

fn read_file(scan: &Scan<'_>, candidate: &Candidate, buffer: &mut Vec<u8>) -> Outcome {
    let path = &candidate.path;
    match try_read(scan, candidate, buffer) {
        Ok(outcome) => outcome,
        Err(error) if error.kind() == io::ErrorKind::NotFound => missing(scan, path, &error),
        Err(error) => Outcome::Problem(FileProblem::unreadable(path, &error)),
    }
}

/// A file that is not there any more is no problem; a link that leads nowhere is.
fn missing(scan: &Scan<'_>, path: &Path, error: &io::Error) -> Outcome {
    match scan.storage.link_metadata(path) {
        Ok(_) => Outcome::Problem(FileProblem::unreadable(path, error)),
        Err(_) => Outcome::Nothing,
    }
}

fn try_read(scan: &Scan<'_>, candidate: &Candidate, buffer: &mut Vec<u8>) -> io::Result<Outcome> {
    let mut file = scan.storage.open(&candidate.path)?;
    let metadata = file.metadata()?;
    let facts = FileFacts {
        candidate,
        cwd: scan.cwd,
        size: metadata.len,
        modified_ms: metadata.modified_ms(),
        now_ms: scan.now_ms,
        with_text: scan.with_text,
    };
    let mut reader = LineReader::reusing(Sequential::new(&mut *file), std::mem::take(buffer));
    let row = summarise(&mut reader, facts);
    *buffer = reader.into_buffer();
    Ok(match row? {
        Ok(Some(row)) => Outcome::Row(Box::new(row), metadata.identity),
        Ok(None) => Outcome::Nothing,
        Err(fault) => Outcome::Problem(no_session(&candidate.path, fault)),
    })
}

fn no_session(path: &Path, fault: HeaderFault) -> FileProblem {
    let kind = match fault.kind {
        ErrorKind::HeaderCorrupt => ProblemKind::HeaderCorrupt,
        ErrorKind::EmptyFile => ProblemKind::EmptyFile,
        _ => ProblemKind::NotASession,
    };
    let why = kind.describe().to_owned();
    FileProblem { path: path.to_path_buf(), kind, error: fault.kind, why }
}

/// Puts outcomes in the order of the files; a file that is reached by several paths gives the row of the first.
fn collect(
    mut outcomes: Vec<(usize, Outcome)>,
    problems: Vec<FileProblem>,
    cancelled: bool,
) -> Listing {
    outcomes.sort_by_key(|(at, _)| *at);
    let mut listing = Listing { sessions: Vec::new(), problems, cancelled };
    let mut seen = HashSet::new();
    for (_, outcome) in outcomes {
        match outcome {
            Outcome::Row(row, identity) => {
                if identity.is_none_or(|identity| seen.insert(identity)) {
                    listing.sessions.push(*row);
                }
            }
            Outcome::Problem(problem) => listing.problems.push(problem),
            Outcome::Nothing => {}
        }
    }
    listing
}
