//! Hints of the system that something changed; what and whether is found out by looking.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use logwood::follow::Followed;
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::pace::{Pace, Urge};

/// Paths that the system is asked to tell of.
pub(crate) struct Wakes {
    watcher: Option<RecommendedWatcher>,
    /// What was wanted last, and whether all of it is watched.
    wanted: Vec<Followed>,
    complete: bool,
    hints: Arc<Mutex<Hints>>,
}

/// What the system told since it was asked last.
#[derive(Debug, Default)]
struct Hints {
    paths: BTreeSet<PathBuf>,
    /// It lost count.
    all: bool,
}

impl Wakes {
    /// Calls `wake`, from a thread of the system's, after each hint.
    pub(crate) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let hints = Arc::<Mutex<Hints>>::default();
        let told = Arc::clone(&hints);
        let tell = move |event: notify::Result<Event>| {
            if note(&mut lock(&told), event) {
                wake();
            }
        };
        // Where the system has no watches left, looks come by the clock.
        let watcher = notify::recommended_watcher(tell).ok();
        Self { watcher, wanted: Vec::new(), complete: true, hints }
    }

    /// Watches these paths and no others.
    pub(crate) fn watch(&mut self, wanted: Vec<Followed>) {
        if wanted == self.wanted && self.complete {
            return;
        }
        self.complete = true;
        let Some(watcher) = &mut self.watcher else {
            self.complete = false;
            return;
        };
        for old in self.wanted.drain(..).filter(|old| !wanted.contains(old)) {
            // One that went is watched no more in any case.
            let _ = watcher.unwatch(&old.path);
        }
        for Followed { path, nested } in &wanted {
            let mode = if *nested { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
            let path = if path.as_os_str().is_empty() { ".".as_ref() } else { path.as_path() };
            // A folder that is not there yet is tried again with the next look.
            self.complete &= watcher.watch(path, mode).is_ok();
        }
        self.wanted = wanted;
    }

    /// Why to look next.
    pub(crate) fn urge(&self, behind: bool) -> Urge {
        let hints = lock(&self.hints);
        match () {
            () if behind => Urge::Behind,
            () if hints.all || !hints.paths.is_empty() => Urge::Hint,
            () if self.complete => Urge::Watched,
            () => Urge::Unwatched,
        }
    }

    /// The paths that something was told of; none where it may be any, or it is time to look at all.
    pub(crate) fn take(&self, pace: &Pace) -> Option<Vec<PathBuf>> {
        let Hints { paths, all } = std::mem::take(&mut *lock(&self.hints));
        let some = !all && !paths.is_empty() && !pace.is_whole_due();
        some.then(|| paths.into_iter().collect())
    }
}

fn lock(hints: &Mutex<Hints>) -> MutexGuard<'_, Hints> {
    hints.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes an event; says whether it is worth a look. That somebody reads is not, or each look would ask for the next.
fn note(hints: &mut Hints, event: notify::Result<Event>) -> bool {
    match event {
        Ok(event) if is_reading(event.kind) => return false,
        Ok(event) if !event.need_rescan() && !event.paths.is_empty() => {
            hints.paths.extend(event.paths);
        }
        Ok(_) | Err(_) => hints.all = true,
    }
    true
}

fn is_reading(kind: EventKind) -> bool {
    matches!(kind, EventKind::Access(access) if access != AccessKind::Close(AccessMode::Write))
}
