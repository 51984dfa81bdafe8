use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use crate::error::{Error, Result};
use crate::location::Layout;
use crate::storage::{LocalStorage, Storage};

use super::files::{Candidate, Candidates};
use super::listing::{Listing, Progress};
use super::scan::{Scan, scan_files};
use super::{KnownFiles, Place, SessionFile, remembered};

/// Lists sessions: of a folder, a project, or a whole store (spec 6.1 to 6.5). Reading only; nothing on disk changes.
///
/// ```no_run
/// use logwood::inventory::Inventory;
///
/// let listing = Inventory::new().threads(2).list_all("/home/ana/.dreb/agent/sessions".as_ref())?;
/// for session in &listing.sessions {
///     println!("{} {}", session.id, session.first_message_or_placeholder());
/// }
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Inventory {
    storage: Arc<dyn Storage>,
    threads: usize,
    with_text: bool,
    now_ms: Option<i64>,
}

impl Default for Inventory {
    fn default() -> Self {
        Self { storage: Arc::new(LocalStorage), threads: 1, with_text: false, now_ms: None }
    }
}

/// Called after each file, from the thread that read it, with its row; answers whether to go on.
pub type ProgressFn<'a> = &'a (dyn Fn(Progress<'_>) -> ControlFlow<()> + Sync);

impl Inventory {
    /// The local disk, one thread, no message text.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// How many threads read files; each holds one file open and one block of memory. Default: 1, that of the caller.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads.max(1);
        self
    }

    /// Keeps the text of all messages in each row. This is disabled by default.
    #[must_use]
    pub fn with_text(mut self, yes: bool) -> Self {
        self.with_text = yes;
        self
    }

    /// The time, by which sessions of the future are marked and put where their file's time belongs. Default: none are.
    #[must_use]
    pub fn now_ms(mut self, now_ms: i64) -> Self {
        self.now_ms = Some(now_ms);
        self
    }

    /// The sessions of a project: those in `dir` whose header names `cwd`, or names none (spec 6.2; F-16, F-18).
    ///
    /// A missing folder has no sessions. A folder that cannot be read is a problem of the listing, as in dreb no error.
    pub fn list(&self, cwd: &str, dir: &Path) -> Listing {
        self.list_with_progress(cwd, dir, &go_on)
    }

    /// As [`list`](Self::list), with a call after each file.
    pub fn list_with_progress(&self, cwd: &str, dir: &Path, progress: ProgressFn<'_>) -> Listing {
        self.list_places(&[Place::new("", dir, Layout::Flat)], Some(cwd), progress)
    }

    /// The sessions of a nested store: those in each folder below `root`, links followed, each file once (spec 6.3, case 56).
    ///
    /// # Errors
    /// When `root` is there and cannot be read; a folder below it that cannot be read is a problem of the listing.
    #[doc(alias = "listAll")]
    pub fn list_all(&self, root: &Path) -> Result<Listing> {
        self.list_all_with_progress(root, &go_on)
    }

    /// As [`list_all`](Self::list_all), with a call after each file.
    ///
    /// # Errors
    /// As there.
    pub fn list_all_with_progress(&self, root: &Path, progress: ProgressFn<'_>) -> Result<Listing> {
        self.list_root(Place::new("", root, Layout::Nested), progress)
    }

    /// The sessions of a flat folder (spec 6.4).
    ///
    /// # Errors
    /// When `dir` is there and cannot be read.
    #[doc(alias = "listAllFromDir")]
    pub fn list_all_from_dir(&self, dir: &Path) -> Result<Listing> {
        self.list_all_from_dir_with_progress(dir, &go_on)
    }

    /// As [`list_all_from_dir`](Self::list_all_from_dir), with a call after each file.
    ///
    /// # Errors
    /// As there.
    pub fn list_all_from_dir_with_progress(
        &self,
        dir: &Path,
        progress: ProgressFn<'_>,
    ) -> Result<Listing> {
        self.list_root(Place::new("", dir, Layout::Flat), progress)
    }

    /// One listing over the roots of several stores, each row with the name of its store; a file that is in two of them comes once,
    /// under the first. With `cwd`, only the sessions of that project: of the others no more than the header is read. A session
    /// that names no directory belongs to the project of a flat place, and to none in a nested one.
    ///
    /// A root that is not there has no sessions; one that cannot be read is a problem, and the others are listed. Files are counted
    /// before the first call of `progress`.
    pub fn list_places(
        &self,
        places: &[Place],
        cwd: Option<&str>,
        progress: ProgressFn<'_>,
    ) -> Listing {
        let mut candidates = Candidates::default();
        places.iter().for_each(|place| candidates.add_place(&*self.storage, place));
        self.scan(candidates, cwd, None, progress)
    }

    /// As [`list_places`](Self::list_places) with the help of a memory: of the files that it knows only the metadata is asked for, of
    /// those that grew only what is new is read, and what was read is given to it. The answer is the same.
    ///
    /// The text of messages is not remembered: with it, every file is read.
    pub fn list_known_places(
        &self,
        places: &[Place],
        cwd: Option<&str>,
        known: &dyn KnownFiles,
        progress: ProgressFn<'_>,
    ) -> Listing {
        if self.with_text {
            return self.list_places(places, cwd, progress);
        }
        let candidates = remembered::candidates(&*self.storage, places, known, self.threads);
        let listing = self.scan(candidates, cwd, Some(known), progress);
        if !listing.cancelled {
            known.complete(places);
        }
        listing
    }

    /// The rows of certain files, each file once; one that is not there gives none.
    pub fn list_files(
        &self,
        files: impl IntoIterator<Item = SessionFile>,
        progress: ProgressFn<'_>,
    ) -> Listing {
        let files = files.into_iter().map(|SessionFile { path, store, adopts }| Candidate {
            path,
            store,
            adopts,
            metadata: None,
            known: None,
        });
        let candidates = Candidates { files: files.collect(), ..Candidates::default() };
        self.scan(candidates, None, None, progress)
    }

    fn scan(
        &self,
        candidates: Candidates,
        cwd: Option<&str>,
        known: Option<&dyn KnownFiles>,
        progress: ProgressFn<'_>,
    ) -> Listing {
        let scan = Scan {
            storage: &*self.storage,
            threads: self.threads,
            with_text: self.with_text,
            now_ms: self.now_ms,
            cwd,
            progress,
            known,
        };
        scan_files(&scan, candidates)
    }

    /// One root, which must be readable if it is there.
    fn list_root(&self, place: Place, progress: ProgressFn<'_>) -> Result<Listing> {
        match self.storage.list(&place.root) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io("cannot list sessions in", &place.root, error))
            }
            _ => Ok(self.list_places(&[place], None, progress)),
        }
    }
}

fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}
