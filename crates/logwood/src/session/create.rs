//! New sessions: a header, a file name, and nothing on the disk until there is something to keep.

use std::path::{Path, PathBuf};

use crate::entry::JsonText;
use crate::error::{Error, ErrorKind, Result};
use crate::location::SessionFileName;
use crate::storage::Courtesy;

use super::bodies::Bodies;
use super::disk::Disk;
use super::manager::{Place, SessionManager};
use super::options::SessionOptions;
use super::read::load_bytes;
use super::world::World;

/// What the header of a new session says beyond its time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewSession {
    /// The session id; a new UUID by default.
    pub id: Option<String>,
    /// The working directory; that of the session before by default.
    pub cwd: Option<String>,
    /// The session this one comes from.
    pub parent_session: Option<String>,
    /// The agent, for a subagent's session.
    pub agent_type: Option<String>,
}

impl SessionOptions {
    /// A new session of a working directory, in the folder `dir`; nothing is written before its first assistant message
    /// (or as [`first_write`](Self::first_write) says), not even the folder.
    ///
    /// The caller names the folder: [`RootChoice`](crate::location::RootChoice) computes it. It is the session's inventory root only
    /// where [`session_dir`](Self::session_dir) says so (spec 4.2).
    ///
    /// # Errors
    /// `invalid_argument` when a given id cannot be part of a file name.
    pub fn create(&self, dir: impl Into<PathBuf>, new: NewSession) -> Result<SessionManager> {
        let place = Place {
            session_dir: dir.into(),
            cwd: new.cwd.clone().unwrap_or_default(),
            inventory_root: self.inventory_root.clone(),
            read_only: self.read_only,
            ..Place::default()
        };
        let mut session = SessionManager::fresh(self.world.clone(), place, Disk::Deferred, &new);
        session.name_file()?;
        session.announce()?;
        Ok(session)
    }

    /// A new session that will be written to this very file, which must not be there.
    ///
    /// # Errors
    /// `changed_on_disk` when there is something at the path.
    pub fn create_at(&self, path: impl AsRef<Path>, new: NewSession) -> Result<SessionManager> {
        let path = path.as_ref();
        if self.world.storage.link_metadata(path).is_ok() {
            return Err(Error::new(ErrorKind::ChangedOnDisk, "cannot create session")
                .with_path(path)
                .with_why("there is a file of this name already")
                .with_hint("open it, or choose another name"));
        }
        let parent = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let place = Place {
            file: Some(path.to_path_buf()),
            session_dir: self.session_dir.clone().unwrap_or(parent),
            cwd: new.cwd.clone().unwrap_or_default(),
            inventory_root: self.inventory_root.clone(),
            read_only: self.read_only,
        };
        let mut session = SessionManager::fresh(self.world.clone(), place, Disk::Deferred, &new);
        session.announce()?;
        Ok(session)
    }
}

impl SessionManager {
    /// A session with a header and nothing else, in memory.
    pub(super) fn fresh(world: World, place: Place, disk: Disk, new: &NewSession) -> Self {
        let mut bytes = header_line(&world, &place.cwd, new).into_bytes();
        bytes.push(b'\n');
        let loaded = load_bytes(&bytes, false).expect("a header that was just written can be read");
        Self {
            loaded,
            bodies: Bodies::Kept(bytes),
            place,
            disk,
            world,
            presence: None,
            courtesy: Courtesy::default(),
        }
    }

    /// Starts another session in the same folder; the one before stays as it is on disk. Returns the new file, none in memory.
    ///
    /// # Errors
    /// `read_only`; `invalid_argument` when a given id cannot be part of a file name.
    #[doc(alias = "newSession")]
    pub fn new_session(&mut self, new: NewSession) -> Result<Option<&Path>> {
        self.require_writable()?;
        let mut place = self.place.clone();
        place.cwd = new.cwd.clone().unwrap_or(place.cwd);
        let disk = if self.is_persisted() { Disk::Deferred } else { Disk::None };
        let mut session = Self::fresh(self.world.clone(), place, disk, &new);
        if session.is_persisted() {
            session.name_file()?;
        }
        *self = session;
        // Nobody else can have a session that was not there before.
        let _ = self.announce();
        Ok(self.session_file())
    }

    /// Names the file after the header's time and id (spec 3.4).
    pub(super) fn name_file(&mut self) -> Result<()> {
        let header = &self.loaded.header;
        let timestamp = header.timestamp().unwrap_or_default();
        let name = SessionFileName::new(&timestamp, header.id())?;
        self.place.file = Some(self.place.session_dir.join(name.to_string()));
        Ok(())
    }
}

/// A header in the order dreb writes it (spec 1.2), without LF.
pub(super) fn header_line(world: &World, cwd: &str, new: &NewSession) -> String {
    let id = new.id.clone().unwrap_or_else(|| world.ids.new_uuid());
    let timestamp = crate::json::iso_from_ms(world.clock.now_ms()).unwrap_or_default();
    let text = |text: &str| Some(JsonText::string(text));
    let header = JsonText::object(&[
        ("type", text("session")),
        ("version", Some(JsonText::number(3.0))),
        ("id", text(&id)),
        ("timestamp", text(&timestamp)),
        ("cwd", text(cwd)),
        ("parentSession", new.parent_session.as_deref().and_then(text)),
        ("agentType", new.agent_type.as_deref().and_then(text)),
    ]);
    header.as_str().to_owned()
}
