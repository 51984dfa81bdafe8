//! One session or all, for a front end that does not mind which.

use std::path::PathBuf;

use super::{FollowCursor, FollowEvent, SessionFollower, StoreFollower};

/// A follower of one session, or of a store.
#[derive(Debug)]
pub enum Follower {
    /// Of one session.
    Session(Box<SessionFollower>),
    /// Of all sessions of some places.
    Store(Box<StoreFollower>),
}

/// A path that a front end may watch, so that it polls when something happens there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Followed {
    /// A folder.
    pub path: PathBuf,
    /// Whether the folders in it count too.
    pub nested: bool,
}

/// Where something may have happened since the last poll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hints<'a> {
    /// Anywhere.
    All,
    /// At these paths.
    Paths(&'a [PathBuf]),
}

impl Follower {
    /// Looks and tells what happened since.
    pub fn poll(&mut self, hints: Hints<'_>) -> Vec<FollowEvent> {
        match (self, hints) {
            (Self::Session(session), _) => session.poll(),
            (Self::Store(store), Hints::All) => store.poll(),
            (Self::Store(store), Hints::Paths(paths)) => store.poll_paths(paths),
        }
    }

    /// Whether another poll gives more at once.
    pub fn is_behind(&self) -> bool {
        match self {
            Self::Session(session) => session.is_behind(),
            Self::Store(store) => store.is_behind(),
        }
    }

    /// Goes on behind everything that was told so far.
    pub fn cursor(&self) -> FollowCursor {
        match self {
            Self::Session(session) => {
                let mut cursor = FollowCursor::default();
                cursor.advance(session.cursor());
                cursor
            }
            Self::Store(store) => store.cursor(),
        }
    }

    /// What a front end may watch; it polls now and then anyway, since no system tells everything.
    pub fn followed(&self) -> Vec<Followed> {
        match self {
            // The folder, since a file that is replaced takes its watch along.
            Self::Session(session) => {
                let folder = session.path().parent().map(PathBuf::from);
                folder.into_iter().map(|path| Followed { path, nested: false }).collect()
            }
            Self::Store(store) => {
                let places = store.places().iter();
                places.map(|place| Followed { path: place.root.clone(), nested: true }).collect()
            }
        }
    }
}
