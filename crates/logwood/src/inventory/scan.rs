//! Reads many files with a bounded number of threads, each with one open file and one block of memory.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::error::ErrorKind;
use crate::line::LineReader;
use crate::problem::ProblemKind;
use crate::storage::{FileId, Sequential, Storage, StoredFile};

use super::checkpoint::Checkpoint;
use super::files::{Candidate, Candidates};
use super::lister::ProgressFn;
use super::listing::{FileProblem, Listing, Progress};
use super::reading::{self, Reading};
use super::summary::{FileFacts, summarise};
use super::{Facts, FileKey, KnownFile, KnownFiles, News, SessionInfo};

/// How to read.
pub(super) struct Scan<'a> {
    pub(super) storage: &'a dyn Storage,
    pub(super) threads: usize,
    pub(super) with_text: bool,
    pub(super) now_ms: Option<i64>,
    /// The project that is wanted, if not all.
    pub(super) cwd: Option<&'a str>,
    pub(super) progress: ProgressFn<'a>,
    /// What need not be read again.
    pub(super) known: Option<&'a dyn KnownFiles>,
}

/// What became of one file.
enum Outcome {
    Row(Box<SessionInfo>, Option<FileId>),
    Problem(FileProblem),
    /// A session of another project; or a file that vanished between listing and reading, which is no problem (spec 14.26).
    Nothing,
}

impl Outcome {
    fn session(&self) -> Option<&SessionInfo> {
        match self {
            Self::Row(row, _) => Some(row),
            Self::Problem(_) | Self::Nothing => None,
        }
    }
}

/// What the threads share.
struct Shared<'a> {
    files: &'a [Candidate],
    /// The places of those that are to be read.
    unread: &'a [usize],
    next: AtomicUsize,
    loaded: AtomicUsize,
    cancelled: AtomicBool,
    outcomes: Mutex<Vec<(usize, Outcome)>>,
}

/// Reads every candidate. The last active session comes first, ties by path, whatever the number of threads.
pub(super) fn scan_files(scan: &Scan<'_>, mut candidates: Candidates) -> Listing {
    let Recalled { outcomes, unread, cancelled } = recall(scan, &mut candidates.files);
    let shared = Shared {
        files: &candidates.files,
        unread: &unread,
        next: AtomicUsize::new(0),
        loaded: AtomicUsize::new(outcomes.len()),
        cancelled: AtomicBool::new(cancelled),
        outcomes: Mutex::new(outcomes),
    };
    let others = scan.threads.min(unread.len()).saturating_sub(1);
    std::thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| work(scan, &shared));
        }
        work(scan, &shared);
    });
    let cancelled = shared.cancelled.into_inner();
    let outcomes = shared.outcomes.into_inner().unwrap_or_else(|poison| poison.into_inner());
    collect(scan, outcomes, candidates.problems, cancelled)
}

/// What is known before any file is opened.
#[derive(Default)]
struct Recalled {
    outcomes: Vec<(usize, Outcome)>,
    /// The places of the files that are to be read.
    unread: Vec<usize>,
    cancelled: bool,
}

/// The outcomes of the files that are known.
fn recall(scan: &Scan<'_>, files: &mut [Candidate]) -> Recalled {
    let total = files.len();
    let mut recalled = Recalled::default();
    for (at, candidate) in files.iter_mut().enumerate() {
        let Some(known) = candidate.take_valid() else {
            recalled.unread.push(at);
            continue;
        };
        let identity = candidate.metadata.as_ref().and_then(|metadata| metadata.identity);
        let outcome = match known.verdict {
            Ok(facts) if candidate.is_wanted(facts.cwd(), scan.cwd) => {
                let path = std::mem::take(&mut candidate.path);
                row(scan, path, &candidate.store, *facts, &known.key, identity)
            }
            Ok(_) => Outcome::Nothing,
            Err(kind) => Outcome::Problem(no_session(&candidate.path, kind)),
        };
        let loaded = recalled.outcomes.len() + 1;
        let progress = Progress { loaded, total, session: outcome.session() };
        recalled.cancelled |= (scan.progress)(progress).is_break();
        recalled.outcomes.push((at, outcome));
        if recalled.cancelled {
            break;
        }
    }
    recalled
}

fn row(
    scan: &Scan<'_>,
    path: PathBuf,
    store: &Arc<str>,
    facts: Facts,
    key: &FileKey,
    identity: Option<FileId>,
) -> Outcome {
    Outcome::Row(Box::new(facts.into_row(path, Arc::clone(store), key, scan.now_ms)), identity)
}

/// Takes files until there are none, or the caller has enough.
fn work(scan: &Scan<'_>, shared: &Shared<'_>) {
    let mut buffer = Vec::new();
    let mut done = Vec::new();
    while !shared.cancelled.load(Ordering::Relaxed) {
        let next = shared.next.fetch_add(1, Ordering::Relaxed);
        let Some(at) = shared.unread.get(next).copied() else { break };
        let Some(candidate) = shared.files.get(at) else { break };
        let outcome = read_file(scan, candidate, &mut buffer);
        let loaded = shared.loaded.fetch_add(1, Ordering::Relaxed) + 1;
        let total = shared.files.len();
        if (scan.progress)(Progress { loaded, total, session: outcome.session() }).is_break() {
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
    let known_at = scan.known.map(|known| (known, known.now_ms()));
    let mut file = scan.storage.open(&candidate.path)?;
    let metadata = file.metadata()?;
    if let Some((known, now_ms)) = known_at {
        return read_and_keep(scan, candidate, (known, now_ms), &mut *file, buffer);
    }
    let facts = FileFacts {
        candidate,
        cwd: scan.cwd,
        key: FileKey::of(&metadata),
        now_ms: scan.now_ms,
        with_text: scan.with_text,
    };
    let mut reader = LineReader::reusing(Sequential::new(&mut *file), std::mem::take(buffer));
    let row = summarise(&mut reader, facts);
    *buffer = reader.into_buffer();
    Ok(match row? {
        Ok(Some(row)) => Outcome::Row(Box::new(row), metadata.identity),
        Ok(None) => Outcome::Nothing,
        Err(fault) => Outcome::Problem(no_session(&candidate.path, fault.kind)),
    })
}

/// Reads what is new of a file, and gives it to the memory; `now_ms` is from before the file was looked at.
fn read_and_keep(
    scan: &Scan<'_>,
    candidate: &Candidate,
    (known, now_ms): (&dyn KnownFiles, i64),
    file: &mut dyn StoredFile,
    buffer: &mut Vec<u8>,
) -> io::Result<Outcome> {
    let metadata = file.metadata()?;
    let (path, key) = (&candidate.path, FileKey::of(&metadata));
    let earlier = candidate.earlier_facts(&key);
    let from = earlier.and_then(|facts| Checkpoint::from_bytes(&known.checkpoint(path)?, facts));
    let Reading { verdict, checkpoint, grown, whole } =
        reading::read(file, key.size, from, buffer)?;
    let verdict = verdict.map(Box::new).map_err(|fault| fault.kind);
    if whole {
        let file = KnownFile { key, settled: key.is_settled(now_ms), verdict: verdict.clone() };
        known.keep(path, News { file, checkpoint, grown });
    }
    Ok(match verdict {
        Ok(facts) if candidate.is_wanted(facts.cwd(), scan.cwd) => {
            row(scan, path.clone(), &candidate.store, *facts, &key, metadata.identity)
        }
        Ok(_) => Outcome::Nothing,
        Err(kind) => Outcome::Problem(no_session(path, kind)),
    })
}

fn no_session(path: &Path, error: ErrorKind) -> FileProblem {
    let kind = match error {
        ErrorKind::HeaderCorrupt => ProblemKind::HeaderCorrupt,
        ErrorKind::EmptyFile => ProblemKind::EmptyFile,
        _ => ProblemKind::NotASession,
    };
    let why = kind.describe().to_owned();
    FileProblem { path: path.to_path_buf(), kind, error, why }
}

/// Brings outcomes together: of a file that is reached by several paths the row of the first counts; rows and problems in their order.
fn collect(
    scan: &Scan<'_>,
    mut outcomes: Vec<(usize, Outcome)>,
    problems: Vec<FileProblem>,
    cancelled: bool,
) -> Listing {
    outcomes.sort_unstable_by_key(|(at, _)| *at);
    let mut listing = Listing { sessions: Vec::new(), problems, cancelled };
    let mut seen = HashSet::with_capacity(outcomes.len());
    let mut rows = Vec::with_capacity(outcomes.len());
    for (_, outcome) in outcomes {
        match outcome {
            Outcome::Row(row, identity) => {
                if identity.is_none_or(|identity| seen.insert(identity)) {
                    rows.push((row.sort_ms(scan.now_ms), row));
                }
            }
            Outcome::Problem(problem) => listing.problems.push(problem),
            Outcome::Nothing => {}
        }
    }
    // A stable order: the same path can come twice where two places overlap on a system that gives files no numbers.
    rows.sort_by(|(a, a_row), (b, b_row)| b.cmp(a).then_with(|| a_row.path.cmp(&b_row.path)));
    listing.sessions = rows.into_iter().map(|(_, row)| *row).collect();
    listing.problems.sort_by(|a, b| a.path.cmp(&b.path));
    listing
}
