//! One session file, followed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, ErrorKind, Result};
use crate::inventory::{FileProblem, read_header};
use crate::problem::ProblemKind;
use crate::storage::{FileKind, Metadata, Storage, StoredFile};

use super::cursor::SessionCursor;
use super::event::{Change, FollowEvent, Rewrite};
use super::find::{self, Head};
use super::mark::{Mark, Stamp, Start};
use super::{lines, older};

/// How many bytes of entries a poll gives at most; one that is longer is given whole.
const ROOM: usize = 1024 * 1024;

pub(super) const WHAT: &str = "cannot follow session";

/// Follows one session file.
///
/// ```
/// use logwood::follow::{Change, SessionFollower, Start};
/// use logwood::storage::{Create, MemoryStorage, Storage};
/// use std::sync::Arc;
///
/// let storage = MemoryStorage::new();
/// storage.put("/s.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n")?;
/// let mut follower = SessionFollower::new(Arc::new(storage.clone()), "/s.jsonl", Start::Now)?;
/// assert!(follower.poll().is_empty());
///
/// let mut file = storage.open_append("/s.jsonl".as_ref(), Create::Never)?;
/// file.append(b"{\"type\":\"custom\",\"id\":\"a\",\"parentId\":nul")?;
/// assert!(follower.poll().is_empty());
/// file.append(b"l}\n")?;
/// let events = follower.poll();
/// assert!(matches!(&events[0].change, Change::EntryAppended(entry) if entry.text.ends_with(b"null}")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SessionFollower {
    storage: Arc<dyn Storage>,
    path: PathBuf,
    store: Arc<str>,
    state: State,
    /// What the file looked like when it was read last.
    looked: Option<Stamp>,
    /// Whether it looked damaged then, as it does while a program rewrites it.
    in_doubt: bool,
    /// Whether it was not read to its end.
    behind: bool,
    /// What was told of it that kept it from being read.
    told: Option<ErrorKind>,
}

/// What is known of the file.
#[derive(Debug)]
enum State {
    /// It holds no session yet.
    Waiting,
    /// It was followed up to here.
    Following(Mark),
    /// It was, and then it was gone.
    Gone(Mark),
}

/// Where events go: a list, and what is left of a poll's room.
pub(super) struct Sink<'a> {
    pub(super) events: &'a mut Vec<FollowEvent>,
    pub(super) room: &'a mut usize,
}

impl SessionFollower {
    /// Follows the session file at `path`. With [`Start::Now`] only its header and its end are read.
    ///
    /// # Errors
    /// When the file cannot be read or is no session, as opening it says.
    pub fn new(storage: Arc<dyn Storage>, path: impl Into<PathBuf>, start: Start) -> Result<Self> {
        let path = path.into();
        let header = read_header(&*storage, &path).map_err(|e| Error::io(WHAT, &path, e))?;
        header.map_err(|fault| {
            let error = Error::new(fault.kind, WHAT).with_path(&path);
            match fault.position {
                Some(position) => error.with_position(position),
                None => error,
            }
        })?;
        let mut follower = Self::waiting(storage, path, "".into());
        if start == Start::Now {
            follower.skip()?;
        }
        Ok(follower)
    }

    /// Goes on where a cursor says. Looks at nothing yet: what happened meanwhile is told by the first poll.
    pub fn resume(storage: Arc<dyn Storage>, cursor: SessionCursor) -> Self {
        let SessionCursor { path, mark, gone, stamp } = cursor;
        let state = match mark {
            None => State::Waiting,
            Some(mark) if gone => State::Gone(mark),
            Some(mark) => State::Following(mark),
        };
        Self { state, looked: stamp, ..Self::waiting(storage, path, "".into()) }
    }

    /// A file of which nothing is known; when it holds a session, all of it is told.
    pub(super) fn waiting(storage: Arc<dyn Storage>, path: PathBuf, store: Arc<str>) -> Self {
        Self {
            storage,
            path,
            store,
            state: State::Waiting,
            looked: None,
            in_doubt: false,
            behind: false,
            told: None,
        }
    }

    pub(super) fn in_store(mut self, store: Arc<str>) -> Self {
        self.store = store;
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the last poll stopped before the end of the file, so that another one gives more at once.
    pub fn is_behind(&self) -> bool {
        self.behind
    }

    /// Goes on behind everything that was told so far.
    pub fn cursor(&self) -> SessionCursor {
        let (mark, gone) = match &self.state {
            State::Waiting => (None, false),
            State::Following(mark) => (Some(mark.clone()), false),
            State::Gone(mark) => (Some(mark.clone()), true),
        };
        let stamp = self.looked.filter(|_| !self.behind && !self.in_doubt);
        SessionCursor { path: self.path.clone(), mark, gone, stamp }
    }

    /// Looks at the file and tells what happened since; about 1 MiB of entries at a time (see [`is_behind`](Self::is_behind)). Never
    /// waits, never fails: what cannot be read is told.
    pub fn poll(&mut self) -> Vec<FollowEvent> {
        let (mut events, mut room) = (Vec::new(), ROOM);
        let found = self.storage.metadata(&self.path);
        self.look(found, &mut Sink { events: &mut events, room: &mut room });
        events
    }

    /// Passes over everything that is there.
    pub(super) fn skip(&mut self) -> Result<()> {
        let mut file = find::open(&*self.storage, &self.path)?;
        let io = |error| Error::io(WHAT, &self.path, error);
        let stamp = Stamp::of(&file.metadata().map_err(io)?);
        let Some(Head { mark, .. }) = find::header(&mut *file).map_err(io)? else { return Ok(()) };
        let mark = match mark.older {
            true => older::last(&older::open(&self.storage, &self.path)?, &mark),
            false => find::last(&mut *file, mark).map_err(io)?,
        };
        self.state = State::Following(mark);
        self.looked = Some(stamp);
        Ok(())
    }

    /// Whether nothing is known of the file.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    /// The mark of a session that is gone.
    pub(super) fn lost(&self) -> Option<&Mark> {
        match &self.state {
            State::Gone(mark) => Some(mark),
            _ => None,
        }
    }

    /// Takes the place of a session that was followed at another path.
    pub(super) fn inherit(&mut self, mark: Mark) {
        self.state = State::Gone(mark);
    }

    /// As [`poll`](Self::poll), with what the storage said of the path.
    pub(super) fn look(&mut self, found: std::io::Result<Metadata>, sink: &mut Sink<'_>) {
        let looked = match found {
            Ok(found) if found.kind == FileKind::File => {
                let stamp = Stamp::of(&found);
                if self.looked == Some(stamp) && !self.in_doubt && !self.behind {
                    return;
                }
                self.read(stamp, sink)
            }
            Ok(_) => Err(Error::new(ErrorKind::NotFound, WHAT)),
            Err(error) => Err(Error::io(WHAT, &self.path, error)),
        };
        match looked {
            Ok(()) => self.told = None,
            Err(error) if error.kind() == ErrorKind::NotFound => self.vanish(sink),
            Err(error) => self.tell_unreadable(&error, sink),
        }
    }

    fn vanish(&mut self, sink: &mut Sink<'_>) {
        self.looked = None;
        self.in_doubt = false;
        self.behind = false;
        if let State::Following(mark) = &self.state {
            let mark = mark.clone();
            self.tell(Change::SessionRemoved, &mark, true, None, sink);
            self.state = State::Gone(mark);
        }
    }

    fn tell_unreadable(&mut self, error: &Error, sink: &mut Sink<'_>) {
        // What it looked like may be what it looks like when it can be read again.
        self.looked = None;
        if self.told.replace(error.kind()) == Some(error.kind()) {
            return;
        }
        let problem = FileProblem {
            path: self.path.clone(),
            kind: ProblemKind::UnreadableFile,
            error: error.kind(),
            why: error.io_error().map_or_else(|| error.summary(), ToString::to_string),
        };
        let cursor = self.cursor();
        let session_id =
            cursor.mark.as_ref().map_or_else(|| "".into(), |mark| Arc::clone(&mark.session_id));
        sink.events.push(FollowEvent {
            path: self.path.clone(),
            store: Arc::clone(&self.store),
            session_id,
            change: Change::Unreadable(problem),
            cursor,
        });
    }

    /// Reads what is new; `stamp` is what the file looked like a moment ago.
    fn read(&mut self, stamp: Stamp, sink: &mut Sink<'_>) -> Result<()> {
        // It must look the same twice before what looks damaged counts.
        let settled = self.in_doubt && self.looked == Some(stamp);
        let mut file = find::open(&*self.storage, &self.path)?;
        let now = Stamp::of(&file.metadata().map_err(|e| Error::io(WHAT, &self.path, e))?);
        let (known, gone) = match &self.state {
            State::Waiting => (None, false),
            State::Following(mark) => (Some(mark.clone()), false),
            State::Gone(mark) => (Some(mark.clone()), true),
        };
        let mut look = Look { file: &mut *file, now, settled, gone };
        let before = self.looked;
        self.in_doubt = false;
        self.behind = false;
        match known {
            None => self.begin(&mut look, sink)?,
            Some(mark) => self.go_on(mark, before, &mut look, sink)?,
        }
        self.looked = Some(now);
        Ok(())
    }

    /// The file holds a session now, or not yet.
    fn begin(&mut self, look: &mut Look<'_>, sink: &mut Sink<'_>) -> Result<()> {
        match self.header(look)? {
            Some(head) => self.add(head, look, sink),
            None => Ok(()),
        }
    }

    fn add(&mut self, head: Head, look: &mut Look<'_>, sink: &mut Sink<'_>) -> Result<()> {
        self.tell(Change::SessionAdded(head.header), &head.mark, false, None, sink);
        self.take(head.mark, look, sink)
    }

    fn go_on(
        &mut self,
        mut mark: Mark,
        before: Option<Stamp>,
        look: &mut Look<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let same_file = before.is_none_or(|before| before.identity == look.now.identity);
        let io = |error| Error::io(WHAT, &self.path, error);
        let continues = !mark.older
            && !look.gone
            && look.now.len >= mark.offset
            && mark.end.stands(look.file, mark.offset).map_err(io)?
            && (same_file || self.is_of(&mark.session_id, look)?);
        if continues {
            if !same_file {
                let change = Change::SessionRewritten { how: Rewrite::Replaced, resumed: true };
                self.tell(change, &mark, false, None, sink);
            }
            return self.take(mark, look, sink);
        }
        let how = match () {
            () if !same_file => Rewrite::Replaced,
            () if look.now.len < mark.offset => Rewrite::Shrunk,
            () => Rewrite::Rewritten,
        };
        self.find_again(&mark, how, look, sink)
    }

    fn find_again(
        &mut self,
        mark: &Mark,
        how: Rewrite,
        look: &mut Look<'_>,
        sink: &mut Sink<'_>,
    ) -> Result<()> {
        let Some(head) = self.header(look)? else {
            self.doubt(mark, look, sink);
            return Ok(());
        };
        if head.mark.session_id != mark.session_id {
            if !look.gone {
                self.state = State::Gone(mark.clone());
                self.tell(Change::SessionRemoved, mark, true, None, sink);
            }
            return self.add(head, look, sink);
        }
        let found = self.again(&head.mark, mark, look)?;
        if found.is_none() && !look.settled {
            self.in_doubt = true;
            return Ok(());
        }
        let resumed = found.is_some();
        let place = found.unwrap_or_else(|| head.mark.clone());
        let still_older = mark.older && head.mark.older;
        if look.gone {
            self.tell(Change::SessionAdded(head.header), &place, false, None, sink);
        }
        let how = if mark.older && !head.mark.older { Rewrite::Migrated } else { how };
        // A file of an older version has no place that could be checked: it is simply read again.
        if !resumed || !(look.gone || still_older) {
            self.tell(Change::SessionRewritten { how, resumed }, &place, false, None, sink);
        }
        self.take(place, look, sink)
    }

    /// The file holds no session at this moment.
    fn doubt(&mut self, mark: &Mark, look: &Look<'_>, sink: &mut Sink<'_>) {
        if look.gone {
            return;
        }
        self.in_doubt = !look.settled;
        if look.settled {
            self.state = State::Gone(mark.clone());
            self.tell(Change::SessionRemoved, mark, true, None, sink);
        }
    }

    fn is_of(&self, session_id: &str, look: &mut Look<'_>) -> Result<bool> {
        Ok(self.header(look)?.is_some_and(|head| head.header.id() == session_id))
    }

    fn header(&self, look: &mut Look<'_>) -> Result<Option<Head>> {
        find::header(look.file).map_err(|error| Error::io(WHAT, &self.path, error))
    }

    /// None, too, for a file of an older version that cannot be read at this moment.
    fn again(&self, head: &Mark, wanted: &Mark, look: &mut Look<'_>) -> Result<Option<Mark>> {
        if head.older {
            let session = older::open(&self.storage, &self.path);
            return Ok(session.ok().and_then(|session| older::again(&session, head, wanted)));
        }
        let found = find::again(look.file, head, wanted);
        found.map_err(|error| Error::io(WHAT, &self.path, error))
    }

    /// Takes what stands behind the mark, and follows on from there.
    fn take(&mut self, mark: Mark, look: &mut Look<'_>, sink: &mut Sink<'_>) -> Result<()> {
        let mut changes = Vec::new();
        let mut tell = |change: Change, mark: &Mark| changes.push((change, mark.clone()));
        let io = |error| Error::io(WHAT, &self.path, error);
        let mut place = mark.clone();
        let taken = if mark.older {
            let session = older::open(&self.storage, &self.path)?;
            older::take(&session, &mut place, &mut tell).map(|()| true)
        } else {
            let mut room = *sink.room;
            let taken = lines::take(look.file, &mut place, &mut room, &mut tell).map_err(io);
            // What another program rewrote in place while it was read must not count.
            if !mark.end.clone().stands(look.file, mark.offset).map_err(io)? {
                self.state = State::Following(mark);
                self.behind = true;
                return Ok(());
            }
            *sink.room = room;
            taken
        };
        for (change, mark) in changes {
            self.tell(change, &mark, false, Some(look.now), sink);
        }
        // What was told is told, even where reading went no further.
        self.state = State::Following(place);
        self.behind = !taken?;
        Ok(())
    }

    fn tell(
        &self,
        change: Change,
        mark: &Mark,
        gone: bool,
        now: Option<Stamp>,
        sink: &mut Sink<'_>,
    ) {
        let stamp = now.filter(|now| now.len == mark.offset);
        let cursor =
            SessionCursor { path: self.path.clone(), mark: Some(mark.clone()), gone, stamp };
        sink.events.push(FollowEvent {
            path: self.path.clone(),
            store: Arc::clone(&self.store),
            session_id: Arc::clone(&mark.session_id),
            change,
            cursor,
        });
    }
}

/// One look at a file.
struct Look<'a> {
    file: &'a mut dyn StoredFile,
    /// What it looks like.
    now: Stamp,
    /// Whether it looked the same, and damaged, before.
    settled: bool,
    /// Whether it was gone before.
    gone: bool,
}
