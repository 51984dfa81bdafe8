//! Reads the usage of many session files, each once, with a bounded number of threads.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::entry::{HeaderFault, SessionHeader};
use crate::error::{Error, ErrorKind, Result};
use crate::inventory::{
    FileProblem, HeaderRow, Place, Progress, ProgressFn, SessionFile, session_files,
};
use crate::line::LineReader;
use crate::location::same_cwd;
use crate::problem::ProblemKind;
use crate::storage::{FileId, Sequential, Storage};

use super::children::{below, links, transcripts_below};
use super::file::{FileUsage, read_usage};
use super::{Period, Prepared, Statistics, UsageOwner};

/// Reads what sessions cost from their files. Reading only; nothing on disk changes.
///
/// Each thread holds one file open, one block and the longest line of it, and of its entries ids and parents.
#[derive(Debug, Clone)]
pub struct UsageScan {
    storage: Arc<dyn Storage>,
    threads: usize,
    period: Period,
    skips_untouched: bool,
    own_transcripts: bool,
}

/// What a scan found.
#[derive(Debug, Default)]
pub struct Scanned {
    /// The statistics.
    pub statistics: Statistics,
    /// Files and folders that could not be read, so that what they hold is missing.
    pub problems: Vec<FileProblem>,
    /// Whether the caller stopped it.
    pub cancelled: bool,
}

/// A file is that much older than its last message at most, in milliseconds: a day.
const CLOCKS_DIFFER: i64 = 24 * 60 * 60 * 1000;

impl UsageScan {
    /// On a storage, with one thread, of all times.
    pub fn new(storage: Arc<dyn Storage>) -> Self {
        Self {
            storage,
            threads: 1,
            period: Period::default(),
            skips_untouched: false,
            own_transcripts: false,
        }
    }

    /// How many threads read files. Default: 1, that of the caller.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Counts only what was in a period.
    #[must_use]
    pub fn period(mut self, period: Period) -> Self {
        self.period = period;
        self
    }

    /// Leaves files unread that were not changed since a day before the period began, since no message is younger than its file; a file
    /// whose time was set back by hand is missed. This is disabled by default.
    #[must_use]
    pub fn skip_untouched(mut self, yes: bool) -> Self {
        self.skips_untouched = yes;
        self
    }

    /// Counts only those transcripts of subagents that worked for one of the sessions of the places. This is disabled by default.
    #[must_use]
    pub fn own_transcripts(mut self, yes: bool) -> Self {
        self.own_transcripts = yes;
        self
    }

    /// The sessions of some places, of one project or of all, and the transcripts of subagents: those that worked for one of them or
    /// for another session of the project.
    ///
    /// Of `transcripts` the roots and the names of their stores count; files are found up to two folders below each (spec 6.10).
    pub fn places(
        &self,
        places: &[Place],
        transcripts: &[Place],
        cwd: Option<&str>,
        progress: ProgressFn<'_>,
    ) -> Scanned {
        let (files, problems) = session_files(&*self.storage, places);
        let mut found = Gathering { problems, ..Gathering::new(self) };
        found.read(&files, cwd, progress);
        let (children, rows, problems) = transcripts_below(&*self.storage, transcripts);
        found.problems.extend(problems);
        let wanted = match cwd {
            None if !self.own_transcripts => vec![true; rows.len()],
            _ => {
                let mut wanted = below(&*self.storage, &rows, &found.paths());
                if let Some(cwd) = cwd.filter(|_| !self.own_transcripts) {
                    let here =
                        |row: &HeaderRow| row.header.cwd().is_some_and(|own| same_cwd(&own, cwd));
                    wanted.iter_mut().zip(&rows).for_each(|(wanted, row)| *wanted |= here(row));
                }
                wanted
            }
        };
        let files = children.into_iter().zip(wanted).filter(|(_, wanted)| *wanted);
        let files: Vec<_> = files.map(|(file, _)| file).collect();
        found.read(&files, None, progress);
        found.finish()
    }

    /// Some sessions, and the transcripts below `transcripts` that worked for one of them.
    pub fn files(
        &self,
        files: &[SessionFile],
        transcripts: &[Place],
        progress: ProgressFn<'_>,
    ) -> Scanned {
        let mut found = Gathering::new(self);
        found.read(files, None, progress);
        let parents = found.paths();
        self.add_children(&mut found, transcripts, &parents, progress);
        found.finish()
    }

    /// One session and the transcripts of its subagents, of any depth, which are looked for below the places and among their sessions.
    ///
    /// # Errors
    /// When the session itself cannot be read.
    pub fn session(&self, session: &SessionFile, places: &[Place]) -> Result<Scanned> {
        let mut found = Gathering::new(self);
        found.read(std::slice::from_ref(session), None, &go_on);
        if found.rows.is_empty() {
            let (kind, why) = match found.problems.first() {
                Some(problem) => (problem.error, problem.why.as_str()),
                None => (ErrorKind::NotFound, "there is no such file"),
            };
            return Err(Error::new(kind, "cannot count session")
                .with_path(&session.path)
                .with_why(why));
        }
        self.add_children(&mut found, places, std::slice::from_ref(&session.path), &go_on);
        Ok(found.finish())
    }

    /// Reads the transcripts that worked for some sessions.
    fn add_children(
        &self,
        found: &mut Gathering<'_>,
        roots: &[Place],
        parents: &[PathBuf],
        progress: ProgressFn<'_>,
    ) {
        let (files, rows, problems) = transcripts_below(&*self.storage, roots);
        found.problems.extend(problems);
        let below = below(&*self.storage, &rows, parents);
        let files = files.into_iter().zip(below).filter(|(_, below)| *below);
        let files: Vec<_> = files.map(|(file, _)| file).collect();
        found.read(&files, None, progress);
    }
}

fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// What became of one file.
enum Outcome {
    Read(Box<Counted>),
    Problem(FileProblem),
    Nothing,
}

/// A session that was read.
struct Counted {
    row: HeaderRow,
    owner: UsageOwner,
    prepared: Prepared,
}

/// What was read so far.
struct Gathering<'a> {
    scan: &'a UsageScan,
    seen: HashSet<FileId>,
    statistics: Statistics,
    /// For each owner of the statistics its header.
    rows: Vec<HeaderRow>,
    problems: Vec<FileProblem>,
    cancelled: bool,
}

impl<'a> Gathering<'a> {
    fn new(scan: &'a UsageScan) -> Self {
        Self {
            scan,
            seen: HashSet::new(),
            statistics: Statistics::of(scan.period),
            rows: Vec::new(),
            problems: Vec::new(),
            cancelled: false,
        }
    }

    fn paths(&self) -> Vec<PathBuf> {
        self.rows.iter().map(|row| row.path.clone()).collect()
    }

    /// Reads files, those of a project only where one is wanted.
    fn read(&mut self, files: &[SessionFile], cwd: Option<&str>, progress: ProgressFn<'_>) {
        if self.cancelled {
            return;
        }
        let (outcomes, cancelled) = read_all(self.scan, files, cwd, progress);
        self.cancelled = cancelled;
        for outcome in outcomes {
            match outcome {
                Outcome::Read(counted) => self.take(*counted),
                Outcome::Problem(problem) => self.problems.push(problem),
                Outcome::Nothing => {}
            }
        }
    }

    /// A file that is reached by several paths counts once.
    fn take(&mut self, counted: Counted) {
        let Counted { row, owner, prepared } = counted;
        if row.metadata.identity.is_none_or(|identity| self.seen.insert(identity)) {
            self.statistics.add_prepared(owner, prepared);
            self.rows.push(row);
        }
    }

    fn finish(mut self) -> Scanned {
        for (child, parent) in links(&*self.scan.storage, &self.rows) {
            self.statistics.set_parent(child, parent);
        }
        self.problems.sort_by(|a, b| a.path.cmp(&b.path));
        let Self { statistics, problems, cancelled, .. } = self;
        Scanned { statistics, problems, cancelled }
    }
}

/// What the threads share.
struct Shared<'a> {
    scan: &'a UsageScan,
    files: &'a [SessionFile],
    cwd: Option<&'a str>,
    progress: ProgressFn<'a>,
    next: AtomicUsize,
    loaded: AtomicUsize,
    cancelled: AtomicBool,
    outcomes: Mutex<Vec<(usize, Outcome)>>,
}

/// Outcomes in the order of the files, whatever the number of threads; and whether the caller stopped it.
fn read_all(
    scan: &UsageScan,
    files: &[SessionFile],
    cwd: Option<&str>,
    progress: ProgressFn<'_>,
) -> (Vec<Outcome>, bool) {
    let shared = Shared {
        scan,
        files,
        cwd,
        progress,
        next: AtomicUsize::new(0),
        loaded: AtomicUsize::new(0),
        cancelled: AtomicBool::new(false),
        outcomes: Mutex::new(Vec::with_capacity(files.len())),
    };
    let others = scan.threads.min(files.len()).saturating_sub(1);
    std::thread::scope(|scope| {
        for _ in 0..others {
            scope.spawn(|| shared.work());
        }
        shared.work();
    });
    let mut outcomes = shared.outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    outcomes.sort_by_key(|(at, _)| *at);
    (outcomes.into_iter().map(|(_, outcome)| outcome).collect(), shared.cancelled.into_inner())
}

impl Shared<'_> {
    /// Takes files until there are none, or the caller has enough.
    fn work(&self) {
        let mut buffer = Vec::new();
        while !self.cancelled.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = self.files.get(at) else { break };
            let outcome = self.outcome(file, &mut buffer);
            let loaded = self.loaded.fetch_add(1, Ordering::Relaxed) + 1;
            let step = Progress { loaded, total: self.files.len(), session: None };
            if (self.progress)(step).is_break() {
                self.cancelled.store(true, Ordering::Relaxed);
            }
            self.outcomes.lock().unwrap_or_else(PoisonError::into_inner).push((at, outcome));
        }
    }

    fn outcome(&self, file: &SessionFile, buffer: &mut Vec<u8>) -> Outcome {
        match self.try_read(file, buffer) {
            Ok(outcome) => outcome,
            // It went between listing and reading (spec 14.26).
            Err(error) if error.kind() == io::ErrorKind::NotFound => Outcome::Nothing,
            Err(error) => Outcome::Problem(FileProblem::unreadable(&file.path, &error)),
        }
    }

    fn try_read(&self, file: &SessionFile, buffer: &mut Vec<u8>) -> io::Result<Outcome> {
        let mut open = self.scan.storage.open(&file.path)?;
        let metadata = open.metadata()?;
        if self.scan.is_untouched(metadata.modified_ms()) {
            return Ok(Outcome::Nothing);
        }
        let wanted = |header: &SessionHeader| is_of(header, file.adopts, self.cwd);
        let mut reader = LineReader::reusing(Sequential::new(&mut *open), std::mem::take(buffer));
        let usage = read_usage(&mut reader, file, metadata.modified_ms(), &wanted);
        *buffer = reader.into_buffer();
        Ok(match usage? {
            Ok(None) => Outcome::Nothing,
            Err(fault) => no_session(&file.path, fault),
            Ok(Some(FileUsage { header, owner, records })) => {
                let row = HeaderRow { path: file.path.clone(), header, metadata };
                let prepared = Prepared::of(&records, self.scan.period);
                Outcome::Read(Box::new(Counted { row, owner, prepared }))
            }
        })
    }
}

impl UsageScan {
    fn is_untouched(&self, modified_ms: i64) -> bool {
        let begun = self.period.from_ms.filter(|_| self.skips_untouched);
        begun.is_some_and(|from| modified_ms < from.saturating_sub(CLOCKS_DIFFER))
    }
}

/// Whether a session belongs to the project that is wanted, if not all are.
fn is_of(header: &SessionHeader, adopts: bool, cwd: Option<&str>) -> bool {
    cwd.is_none_or(|wanted| match header.cwd() {
        Some(cwd) if !cwd.is_empty() => same_cwd(&cwd, wanted),
        _ => adopts,
    })
}

/// A damaged header hides what was spent; an empty file and another program's log do not.
fn no_session(path: &Path, fault: HeaderFault) -> Outcome {
    let kind = match fault.kind {
        ErrorKind::HeaderCorrupt => ProblemKind::HeaderCorrupt,
        ErrorKind::EmptyFile => ProblemKind::EmptyFile,
        _ => ProblemKind::NotASession,
    };
    let why = kind.describe().to_owned();
    Outcome::Problem(FileProblem { path: path.to_path_buf(), kind, error: fault.kind, why })
}
