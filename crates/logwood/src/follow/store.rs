//! Every session below some roots, followed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::inventory::{FileProblem, Place, session_files};
use crate::storage::{FileKind, Metadata, Storage};

use super::cursor::{FollowCursor, SessionCursor};
use super::event::{Change, FollowEvent};
use super::find;
use super::mark::Start;
use super::session::{SessionFollower, Sink};

/// How many bytes of entries a poll gives at most, beside the last one.
const ROOM: usize = 4 * 1024 * 1024;

/// The files that may be sessions: the store of each, and what the storage says of it.
type Files = BTreeMap<PathBuf, (Arc<str>, io::Result<Metadata>)>;

/// Follows every session of one or several stores: those that are there, and those that come.
///
/// A poll lists the folders and asks each file for its size and time; only what changed is opened. An entry of a session that was moved
/// within the places, or deleted and brought back, is not told again.
///
/// ```
/// use logwood::follow::{Change, Start, StoreFollower};
/// use logwood::inventory::Place;
/// use logwood::location::Layout;
/// use logwood::storage::MemoryStorage;
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// let places = [Place::new("mine", "/sessions", Layout::Nested)];
/// let mut follower = StoreFollower::new(Arc::new(storage.clone()), &places, Start::Now);
/// let text = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n{\"type\":\"custom\",\"id\":\"a\"}\n";
/// storage.put("/sessions/--p--/s.jsonl", text)?;
/// let events = follower.poll();
/// assert!(matches!(events[0].change, Change::SessionAdded(_)));
/// assert!(matches!(events[1].change, Change::EntryAppended(_)));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct StoreFollower {
    storage: Arc<dyn Storage>,
    places: Vec<Place>,
    sessions: BTreeMap<PathBuf, SessionFollower>,
    /// Folders that were told to be unreadable.
    told: BTreeSet<PathBuf>,
    /// Where the next poll goes on, since the last one had enough.
    next: Option<PathBuf>,
}

impl StoreFollower {
    /// Follows the sessions below the places. With [`Start::Now`] both ends of each file are read now; with [`Start::Beginning`] the
    /// first polls tell all that is there.
    pub fn new(storage: Arc<dyn Storage>, places: &[Place], start: Start) -> Self {
        let mut follower = Self::empty(storage, places);
        if start == Start::Now {
            follower.skip();
        }
        follower
    }

    /// Goes on where a cursor says; what happened meanwhile is told by the first polls.
    pub fn resume(storage: Arc<dyn Storage>, places: &[Place], cursor: FollowCursor) -> Self {
        let mut follower = Self::empty(storage, places);
        let store_of = |path: &Path| {
            let place = places.iter().find(|place| path.starts_with(&place.root));
            place.map(|place| Arc::clone(&place.store))
        };
        for (path, cursor) in cursor.sessions {
            if let Some(store) = store_of(&path) {
                let session = SessionFollower::resume(Arc::clone(&follower.storage), cursor);
                follower.sessions.insert(path, session.in_store(store));
            }
        }
        follower
    }

    fn empty(storage: Arc<dyn Storage>, places: &[Place]) -> Self {
        Self {
            storage,
            places: places.to_vec(),
            sessions: BTreeMap::new(),
            told: BTreeSet::new(),
            next: None,
        }
    }

    /// The places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// Whether the last poll stopped early, so that another one gives more at once.
    pub fn is_behind(&self) -> bool {
        self.next.is_some()
    }

    /// Goes on behind everything that was told so far.
    pub fn cursor(&self) -> FollowCursor {
        let mut cursor = FollowCursor::default();
        let known = self.sessions.values().filter(|session| !session.is_waiting());
        known.for_each(|session| cursor.advance(session.cursor()));
        cursor
    }

    /// Looks at all of it and tells what happened since; about 4 MiB of entries at a time (see [`is_behind`](Self::is_behind)). Never
    /// waits, never fails: what cannot be read is told.
    pub fn poll(&mut self) -> Vec<FollowEvent> {
        let (mut events, mut room) = (Vec::new(), ROOM);
        let mut sink = Sink { events: &mut events, room: &mut room };
        let (files, problems) = self.files();
        self.tell_folders(problems, &mut sink);
        // First those that are gone: one of them may have another path now.
        let gone = |path: &&PathBuf| !files.contains_key(*path);
        let gone: Vec<_> = self.sessions.keys().filter(gone).cloned().collect();
        gone.iter().for_each(|path| self.look(path, &mut sink));
        let lost = self.lost();
        // Where the last poll had enough this one begins, so that a busy file keeps no other waiting.
        let mut first = files;
        let last = self.next.take().map(|next| first.split_off(&next));
        for (path, (store, found)) in last.into_iter().flatten().chain(first) {
            if *sink.room == 0 {
                self.next = Some(path);
                break;
            }
            self.look_at_file(&path, &store, found, &lost, &mut sink);
        }
        self.note_behind();
        events
    }

    /// As [`poll`](Self::poll), where only these paths are said to have changed. A path that is no session that is known, such as a
    /// folder or a new file, makes it look at all.
    pub fn poll_paths(&mut self, paths: &[PathBuf]) -> Vec<FollowEvent> {
        let known = |path: &PathBuf| self.sessions.contains_key(path);
        if self.is_behind() || !paths.iter().all(known) {
            return self.poll();
        }
        let (mut events, mut room) = (Vec::new(), ROOM);
        let mut sink = Sink { events: &mut events, room: &mut room };
        let paths: BTreeSet<_> = paths.iter().collect();
        paths.into_iter().for_each(|path| self.look(path, &mut sink));
        self.note_behind();
        events
    }

    fn note_behind(&mut self) {
        let behind = || self.sessions.iter().find(|(_, session)| session.is_behind());
        self.next = self.next.take().or_else(|| behind().map(|(path, _)| path.clone()));
    }

    /// The sessions that are gone, by their ids.
    fn lost(&self) -> HashMap<Arc<str>, PathBuf> {
        let lost = self.sessions.iter().filter_map(|(path, session)| {
            Some((Arc::clone(&session.lost()?.session_id), path.clone()))
        });
        lost.collect()
    }

    /// Every file that may be a session, each once, and what the storage says of it.
    fn files(&self) -> (Files, Vec<FileProblem>) {
        let (files, problems) = session_files(&*self.storage, &self.places);
        let mut seen = HashSet::new();
        let mut all = Files::new();
        for file in files {
            let found = self.storage.metadata(&file.path);
            let identity = found.as_ref().ok().and_then(|found| found.identity);
            if identity.is_none_or(|identity| seen.insert(identity)) {
                all.insert(file.path, (file.store, found));
            }
        }
        (all, problems)
    }

    fn skip(&mut self) {
        for (path, (store, found)) in self.files().0 {
            if found.is_ok_and(|found| found.kind == FileKind::File) {
                let storage = Arc::clone(&self.storage);
                let mut session = SessionFollower::waiting(storage, path.clone(), store);
                // What cannot be read now is told by the first poll.
                drop(session.skip());
                self.sessions.insert(path, session);
            }
        }
    }

    fn look(&mut self, path: &Path, sink: &mut Sink<'_>) {
        let found = self.storage.metadata(path);
        if let Some(session) = self.sessions.get_mut(path) {
            session.look(found, sink);
        }
    }

    fn look_at_file(
        &mut self,
        path: &Path,
        store: &Arc<str>,
        found: io::Result<Metadata>,
        lost: &HashMap<Arc<str>, PathBuf>,
        sink: &mut Sink<'_>,
    ) {
        if !self.sessions.contains_key(path) {
            let storage = Arc::clone(&self.storage);
            let mut new = SessionFollower::waiting(storage, path.to_path_buf(), Arc::clone(store));
            self.find_moved(path, lost, &mut new);
            self.sessions.insert(path.to_path_buf(), new);
        }
        if let Some(session) = self.sessions.get_mut(path) {
            session.look(found, sink);
        }
    }

    /// A new file may be a session that was followed under another path, which is gone.
    fn find_moved(
        &mut self,
        path: &Path,
        lost: &HashMap<Arc<str>, PathBuf>,
        new: &mut SessionFollower,
    ) {
        if lost.is_empty() {
            return;
        }
        let file = find::open(&*self.storage, path).ok();
        let head = file.and_then(|mut file| find::header(&mut *file).ok()).flatten();
        let old = head.and_then(|head| lost.get(&head.mark.session_id));
        // One that has been found under a third path is not gone any more.
        let old = old.and_then(|old| self.sessions.remove(old));
        if let Some(mark) = old.as_ref().and_then(SessionFollower::lost) {
            new.inherit(mark.clone());
        }
    }

    /// Tells folders that cannot be read, each once, until it can be read again.
    fn tell_folders(&mut self, problems: Vec<FileProblem>, sink: &mut Sink<'_>) {
        let now: BTreeSet<_> = problems.iter().map(|problem| problem.path.clone()).collect();
        for problem in problems {
            if self.told.contains(&problem.path) {
                continue;
            }
            let path = problem.path.clone();
            let cursor = SessionCursor { path: path.clone(), mark: None, gone: false, stamp: None };
            let store = self.places.iter().find(|place| path.starts_with(&place.root));
            sink.events.push(FollowEvent {
                store: store.map_or_else(|| "".into(), |place| Arc::clone(&place.store)),
                path,
                session_id: "".into(),
                change: Change::Unreadable(problem),
                cursor,
            });
        }
        self.told = now;
    }
}
