use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::env::{Clock, IdSource, RandomIds, SystemClock};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{escape_into, iso_from_ms};
use crate::storage::{LocalStorage, Storage};

use super::bodies::Bodies;
use super::manager::{Place, SessionManager};
use super::read::{Opened, load_bytes, read_session};

/// How sessions are opened and made: the storage, the clock and the source of ids, which a test or a server chooses.
///
/// ```no_run
/// use logwood::session::SessionOptions;
///
/// let session = SessionOptions::new().read_only(true).open("session.jsonl")?;
/// println!("{} entries", session.tree().len());
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SessionOptions {
    storage: Arc<dyn Storage>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    session_dir: Option<PathBuf>,
    fallback_cwd: String,
    inventory_root: Option<PathBuf>,
    read_only: bool,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            storage: Arc::new(LocalStorage),
            clock: Arc::new(SystemClock),
            ids: Arc::new(RandomIds),
            session_dir: None,
            fallback_cwd: String::new(),
            inventory_root: None,
            read_only: false,
        }
    }
}

impl SessionOptions {
    /// The local disk, the system's clock, random ids.
    pub fn new() -> Self {
        Self::default()
    }

    /// Uses another storage.
    #[must_use]
    pub fn storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// Uses another clock.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Uses another source of ids.
    #[must_use]
    pub fn ids(mut self, ids: Arc<dyn IdSource>) -> Self {
        self.ids = ids;
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

    /// Opens a session file and reads it; nothing on disk changes.
    ///
    /// A file of size 0 becomes a new session when it is opened for writing; its header goes out with the first append.
    ///
    /// # Errors
    /// `not_found`, `not_a_session`, `header_corrupt`, `empty_file`, `not_a_file`, `permission`, `io`; the file stays as it is.
    #[doc(alias = "setSessionFile")]
    pub fn open(&self, path: impl AsRef<Path>) -> Result<SessionManager> {
        let path = path.as_ref();
        match read_session(&*self.storage, path)? {
            Opened::Session(loaded, bodies) => {
                let cwd = loaded.header.cwd().map(|cwd| cwd.into_owned());
                let place = self.place(path, cwd.unwrap_or_else(|| self.fallback_cwd.clone()));
                Ok(SessionManager { loaded: *loaded, bodies, place })
            }
            Opened::Nothing if self.read_only => {
                Err(Error::new(ErrorKind::EmptyFile, "cannot open session")
                    .with_path(path)
                    .with_why("the file is empty"))
            }
            Opened::Nothing => {
                let place = self.place(path, self.fallback_cwd.clone());
                Ok(self.fresh(place))
            }
        }
    }

    /// A session that is never written to disk.
    #[doc(alias = "inMemory")]
    pub fn in_memory(&self, cwd: impl Into<String>) -> SessionManager {
        let inventory_root = self.inventory_root.clone();
        self.fresh(Place { cwd: cwd.into(), inventory_root, ..Place::default() })
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

    /// A session with a header and nothing else, in memory.
    fn fresh(&self, place: Place) -> SessionManager {
        let bytes = new_header(&self.ids.new_uuid(), self.clock.now_ms(), &place.cwd);
        let loaded = load_bytes(&bytes, false).expect("a header that was just written can be read");
        SessionManager { loaded, bodies: Bodies::Kept(bytes), place }
    }
}

/// A header line in the order dreb writes it (spec 1.2), with its LF.
fn new_header(id: &str, now_ms: i64, cwd: &str) -> Vec<u8> {
    let timestamp = iso_from_ms(now_ms).unwrap_or_default();
    let mut line = br#"{"type":"session","version":3,"id":""#.to_vec();
    escape_into(&mut line, id);
    line.extend_from_slice(format!(r#"","timestamp":"{timestamp}","cwd":""#).as_bytes());
    escape_into(&mut line, cwd);
    line.extend_from_slice(b"\"}\n");
    line
}
