//! Many sessions, with several threads.

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use logwood::error::ErrorKind;
use logwood::inventory::{FileProblem, Progress, ProgressFn, SessionInfo};
use logwood::problem::ProblemKind;
use logwood::session::{Holder, SessionOptions};
use logwood::statistics::usage_of;
use logwood::storage::{LocalStorage, Storage};

use super::Found;
use super::judge::Judge;
use super::prefilter::Prefilter;
use super::scan::{Scan, Tally};
use super::top::Top;
use crate::filter::{Filter, Grain, SessionFacts};
use crate::text::Extent;

/// Searches sessions by reading their files; nothing on disk changes.
///
/// ```no_run
/// use logwood::inventory::Inventory;
/// use logwood_catalog::filter::{Filter, Surroundings};
/// use logwood_catalog::search::Search;
///
/// let listing = Inventory::new().list_all("/home/ana/.dreb/agent/sessions".as_ref())?;
/// let filter = Filter::parse("\"connection reset\" tool:bash", &Surroundings::default())?;
/// for hit in Search::new(&filter).limit(10).entries(&listing.sessions, &|_| std::ops::ControlFlow::Continue(())).hits {
///     println!("{} {:?} {}", hit.session_id, hit.entry_id, hit.snippet.text);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Search<'f> {
    filter: &'f Filter,
    storage: Arc<dyn Storage>,
    threads: usize,
    limit: usize,
    extent: Extent,
    /// Files that a process has open, links followed.
    live: HashSet<PathBuf>,
}

/// Looks at one session, by its number, with a buffer and what the thread gathers.
type Look<'l, 'r, T> =
    &'l (dyn Fn(usize, &'r SessionInfo, &mut Vec<u8>, &mut T) -> io::Result<()> + Sync);

/// What the threads share.
struct Shared<'r> {
    rows: &'r [SessionInfo],
    next: AtomicUsize,
    done: AtomicUsize,
    cancelled: AtomicBool,
    problems: Mutex<Vec<FileProblem>>,
}

impl<'f> Search<'f> {
    /// The local disk, one thread, 20 hits, the ends of long output.
    pub fn new(filter: &'f Filter) -> Self {
        Self {
            filter,
            storage: Arc::new(LocalStorage),
            threads: 1,
            limit: 20,
            extent: Extent::Ends,
            live: HashSet::new(),
        }
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// How many threads read files; each holds one file open, one block of memory and the tree of one session.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// How many hits are kept; all are counted.
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// How much of long output is read.
    #[must_use]
    pub fn extent(mut self, extent: Extent) -> Self {
        self.extent = extent;
        self
    }

    /// Who has sessions open for writing (`is:live`).
    #[must_use]
    pub fn holders(mut self, holders: &[Holder]) -> Self {
        self.live = holders.iter().map(|holder| holder.session.clone()).collect();
        self
    }

    /// The entries that have all that the filter asks, best first. Where it asks about sessions only, each session that is meant is
    /// one hit.
    ///
    /// `progress` is called after each file, from the thread that read it.
    pub fn entries(&self, rows: &[SessionInfo], progress: ProgressFn<'_>) -> Found {
        let judge = Judge::new(self.filter, Grain::Entry, self.extent);
        let wanted = Prefilter::of(judge.wanted());
        let scan = Scan { storage: &self.storage, judge: &judge, wanted: &wanted, unwanted: &[] };
        let new = || Tally { top: Top::new(self.limit), total: 0, sessions: 0, cut: 0 };
        let headers_only = judge.asked().is_empty();
        let look = |_: usize, row: &SessionInfo, buffer: &mut Vec<u8>, tally: &mut Tally| {
            if !self.is_meant(row, Grain::Entry)? {
                return Ok(());
            }
            if headers_only {
                scan.header(row, buffer, tally)
            } else {
                scan.entries(row, buffer, tally)
            }
        };
        let (tallies, shared) = self.each(rows, progress, &new, &look);
        let mut found = Found { cancelled: shared.cancelled.into_inner(), ..Found::default() };
        let mut top = Top::new(self.limit);
        for tally in tallies {
            found.total += tally.total;
            found.sessions += tally.sessions;
            found.cut += tally.cut;
            top.merge(tally.top);
        }
        found.hits = top.into_sorted();
        found.problems = sorted(shared.problems);
        found
    }

    /// Which of the sessions are meant: all that is asked about the session holds of it, one of its entries has all that is asked
    /// of entries, and no entry has what a minus excludes. With files that could not be read; their sessions are not meant.
    pub fn sessions(
        &self,
        rows: &[SessionInfo],
        progress: ProgressFn<'_>,
    ) -> (Vec<bool>, Vec<FileProblem>) {
        let judge = Judge::new(self.filter, Grain::Session, self.extent);
        let wanted = Prefilter::of(judge.wanted());
        let negated = judge.asked().iter().filter(|asked| asked.term.negated);
        let unwanted: Vec<_> = negated.map(|asked| Prefilter::of(asked.needle.iter())).collect();
        let scan =
            Scan { storage: &self.storage, judge: &judge, wanted: &wanted, unwanted: &unwanted };
        let rows_only = judge.asked().is_empty();
        let look = |at: usize, row: &SessionInfo, buffer: &mut Vec<u8>, meant: &mut Vec<usize>| {
            let is_meant =
                self.is_meant(row, Grain::Session)? && (rows_only || scan.session(row, buffer)?);
            if is_meant {
                meant.push(at);
            }
            Ok(())
        };
        let (meant, shared) = self.each(rows, progress, &Vec::new, &look);
        let meant: HashSet<_> = meant.into_iter().flatten().collect();
        ((0..rows.len()).map(|at| meant.contains(&at)).collect(), sorted(shared.problems))
    }

    /// Whether all that is asked about the session holds of it.
    fn is_meant(&self, row: &SessionInfo, grain: Grain) -> io::Result<bool> {
        let cost = if self.filter.asks_about_cost() { self.cost(row)? } else { 0.0 };
        let facts = SessionFacts { row, live: self.is_live(row), cost };
        Ok(self.filter.matches_session(&facts, grain))
    }

    /// Whether a process has it open; only where somebody asks and any is, links are followed.
    fn is_live(&self, row: &SessionInfo) -> bool {
        if self.live.is_empty() || !self.filter.asks_who_is_live() {
            return false;
        }
        let real = self.storage.canonicalize(&row.path);
        self.live.contains(real.as_deref().unwrap_or(&row.path))
    }

    /// What a session cost, each answer counted once.
    fn cost(&self, row: &SessionInfo) -> io::Result<f64> {
        let options = SessionOptions::new().storage(Arc::clone(&self.storage)).read_only(true);
        let session = options.open(&row.path).map_err(io::Error::other)?;
        let records = usage_of(&session).map_err(io::Error::other)?;
        Ok(records.iter().filter_map(|record| record.cost).map(|cost| cost.dollars()).sum())
    }

    /// Runs `look` over every row with the threads there are.
    fn each<'r, T: Send>(
        &self,
        rows: &'r [SessionInfo],
        progress: ProgressFn<'_>,
        new: &(dyn Fn() -> T + Sync),
        look: Look<'_, 'r, T>,
    ) -> (Vec<T>, Shared<'r>) {
        let shared = Shared {
            rows,
            next: AtomicUsize::new(0),
            done: AtomicUsize::new(0),
            cancelled: AtomicBool::new(false),
            problems: Mutex::new(Vec::new()),
        };
        let work = || {
            let (mut state, mut buffer) = (new(), Vec::new());
            shared.work(progress, &mut |at, row| look(at, row, &mut buffer, &mut state));
            state
        };
        let others = self.threads.min(rows.len()).saturating_sub(1);
        let states = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..others).map(|_| scope.spawn(work)).collect();
            let own = work();
            let join = |worker: std::thread::ScopedJoinHandle<'_, T>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().map(join).chain([own]).collect()
        });
        (states, shared)
    }
}

impl<'r> Shared<'r> {
    /// Takes rows until there are none, or the caller has enough.
    fn work(
        &self,
        progress: ProgressFn<'_>,
        look: &mut dyn FnMut(usize, &'r SessionInfo) -> io::Result<()>,
    ) {
        while !self.cancelled.load(Ordering::Relaxed) {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = self.rows.get(at) else { break };
            match look(at, row) {
                // A file that went meanwhile has no hits.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => self.problem(row, &error),
                Ok(()) => {}
            }
            let loaded = self.done.fetch_add(1, Ordering::Relaxed) + 1;
            let step = Progress { loaded, total: self.rows.len(), session: None };
            if progress(step) == ControlFlow::Break(()) {
                self.cancelled.store(true, Ordering::Relaxed);
            }
        }
    }

    fn problem(&self, row: &SessionInfo, error: &io::Error) {
        let problem = FileProblem {
            path: row.path.clone(),
            kind: ProblemKind::UnreadableFile,
            error: ErrorKind::of_io(error),
            why: error.to_string(),
        };
        self.problems.lock().unwrap_or_else(|poison| poison.into_inner()).push(problem);
    }
}

fn sorted(problems: Mutex<Vec<FileProblem>>) -> Vec<FileProblem> {
    let mut problems = problems.into_inner().unwrap_or_else(|poison| poison.into_inner());
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    problems
}
