use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::entry::Role;
use crate::env::{Clock, IdSource};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::{Courtesy, Durability, Storage};

use super::bodies::Bodies;
use super::create::NewSession;
use super::disk::{Disk, Stored};
use super::loaded::Loaded;
use super::manager::{Place, SessionManager};
use super::presence::Announcing;
use super::read::{Opened, read_session};
use super::world::World;

/// When the file of a new session appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FirstWrite {
    /// With the first assistant message, so that a session without an answer leaves no file. As dreb.
    #[default]
    Assistant,
    /// With the first user message already. As pi 1.x.
    Message,
}

impl FirstWrite {
    /// Whether a message of this role brings a session to the disk.
    pub(super) fn begins_with(self, role: Role) -> bool {
        role == Role::Assistant || self == Self::Message && role == Role::User
    }
}

/// How sessions are opened and made: the storage, the clock and the source of ids, which a test or a server chooses.
///
/// ```no_run
/// use logwood::session::SessionOptions;
///
/// let session = SessionOptions::new().read_only(true).open("session.jsonl")?;
/// println!("{} entries", session.tree().len());
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SessionOptions {
    pub(super) world: World,
    pub(super) session_dir: Option<PathBuf>,
    fallback_cwd: String,
    pub(super) inventory_root: Option<PathBuf>,
    pub(super) read_only: bool,
}

impl SessionOptions {
    /// The local disk, the system's clock, random ids.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.world.storage = storage;
        self
    }

    /// Uses another clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.world.clock = clock;
        self
    }

    /// Uses another source of ids.
    #[must_use]
    pub fn ids(mut self, ids: Arc<dyn IdSource>) -> Self {
        self.world.ids = ids;
        self
    }

    /// The storage in use; listings beside a session read through the same one.
    pub fn shared_storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.world.storage)
    }

    /// The clock in use.
    pub fn shared_clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.world.clock)
    }

    /// The time of the clock in use, in milliseconds since 1970.
    pub fn now_ms(&self) -> i64 {
        self.world.clock.now_ms()
    }

    /// What an append survives. Default: [`Durability::Buffered`].
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Self {
        self.world.durability = durability;
        self
    }

    /// Lets a thread of its own write the file of a fork or a branch over 8 MiB while its source is read; it has ended when the call
    /// returns. This is disabled by default.
    #[must_use]
    pub fn background_writes(mut self, yes: bool) -> Self {
        self.world.background_writes = yes;
        self
    }

    /// When the file of a new session appears. Default: [`FirstWrite::Assistant`].
    #[must_use]
    pub fn first_write(mut self, rule: FirstWrite) -> Self {
        self.world.first_write = rule;
        self
    }

    /// The folder for new sessions of this manager; it becomes the inventory root too (spec 4.2). Default: the folder of the file.
    #[must_use]
    pub fn session_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        let dir = dir.into();
        self.inventory_root = Some(dir.clone());
        self.session_dir = Some(dir);
        self
    }

    /// The flat inventory root that a session in memory carries (spec 4.2).
    #[must_use]
    pub fn custom_session_inventory_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.inventory_root = Some(root.into());
        self
    }

    /// The working directory for files whose header names none. Default: empty.
    #[must_use]
    pub fn fallback_cwd(mut self, cwd: impl Into<String>) -> Self {
        self.fallback_cwd = cwd.into();
        self
    }

    /// Opens only to read. This is disabled by default.
    #[must_use]
    pub fn read_only(mut self, yes: bool) -> Self {
        self.read_only = yes;
        self
    }

    /// Announces in this runtime directory which sessions are open for writing, and under which program name; a session that another
    /// process has open gets the problem `open_elsewhere`. The directory is the user's, such as `$XDG_RUNTIME_DIR/logwood`, never one
    /// of sessions. Without it nothing is announced.
    #[must_use]
    pub fn presence(mut self, dir: impl Into<PathBuf>, program: impl Into<String>) -> Self {
        self.world.presence = Some(Announcing { dir: dir.into(), program: program.into() });
        self
    }

    /// Refuses a session that another process has open, with `locked`; only with [`presence`](Self::presence). Default: no.
    #[must_use]
    pub fn exclusive(mut self, yes: bool) -> Self {
        self.world.exclusive = yes;
        self
    }

    /// Opens a session file and reads it; nothing on disk changes.
    ///
    /// A file of size 0 becomes a new session when it is opened for writing; its header goes out with the first append.
    ///
    /// # Errors
    /// `not_found`, `not_a_session`, `header_corrupt`, `empty_file`, `not_a_file`, `permission`, `io`; `locked` where it
    /// should be [`exclusive`](Self::exclusive); the file stays as it is.
    #[doc(alias = "setSessionFile")]
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SessionManager> {
        let path = path.as_ref();
        match read_session(&*self.world.storage, path)? {
            Opened::Session(loaded, bodies, identity) => {
                let cwd = loaded.header.cwd().map(|cwd| cwd.into_owned());
                let place = self.place(path, cwd.unwrap_or_else(|| self.fallback_cwd.clone()));
                let disk = Disk::Stored(Stored::of(identity));
                let world = self.world.clone();
                let (presence, courtesy) = (None, Courtesy::default());
                let loaded = *loaded;
                let mut session =
                    SessionManager { loaded, bodies, place, disk, world, presence, courtesy };
                session.announce()?;
                Ok(session)
            }
            Opened::Nothing if self.read_only => Err(empty(path)),
            Opened::Nothing => {
                let place = self.place(path, self.fallback_cwd.clone());
                let header = NewSession { cwd: Some(place.cwd.clone()), ..NewSession::default() };
                let mut session =
                    SessionManager::fresh(self.world.clone(), place, Disk::Empty, &header);
                session.announce()?;
                Ok(session)
            }
        }
    }

    /// A session that is never written to disk.
    #[doc(alias = "inMemory")]
    pub fn in_memory(&self, cwd: impl Into<String>) -> SessionManager {
        let inventory_root = self.inventory_root.clone();
        let place = Place { cwd: cwd.into(), inventory_root, ..Place::default() };
        let header = NewSession { cwd: Some(place.cwd.clone()), ..NewSession::default() };
        SessionManager::fresh(self.world.clone(), place, Disk::None, &header)
    }

    /// A session of which only a part was read, to be looked at.
    pub(super) fn partial(&self, path: &Path, loaded: Loaded, bodies: Bodies) -> SessionManager {
        let cwd = loaded.header.cwd().map(|cwd| cwd.into_owned());
        let place = self.place(path, cwd.unwrap_or_else(|| self.fallback_cwd.clone()));
        let (disk, world, presence) = (Disk::None, self.world.clone(), None);
        let courtesy = Courtesy::default();
        SessionManager { loaded, bodies, place, disk, world, presence, courtesy }
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.read_only
    }

    fn place(&self, path: &Path, cwd: String) -> Place {
        let parent = || path.parent().map(Path::to_path_buf).unwrap_or_default();
        Place {
            file: Some(path.to_path_buf()),
            session_dir: self.session_dir.clone().unwrap_or_else(parent),
            cwd,
            inventory_root: self.inventory_root.clone(),
            read_only: self.read_only,
        }
    }
}

fn empty(path: &Path) -> Error {
    Error::new(ErrorKind::EmptyFile, "cannot open session")
        .with_path(path)
        .with_why("the file is empty")
}
