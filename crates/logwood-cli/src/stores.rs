//! Where sessions are looked for, and what is there: the one place that lists sessions for the command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use logwood::inventory::{Inventory, Listing, SessionInfo, SessionKind};
use logwood::location::{Environment, Store};

use crate::args::Globals;
use crate::error::Result;
use crate::now::now_ms;

/// The stores that the options and the environment name.
pub(crate) struct Stores {
    environment: Environment,
    agent_dirs: Vec<OsString>,
    session_dir: Option<PathBuf>,
    base: PathBuf,
    cwd: PathBuf,
}

impl Stores {
    /// Reads options and environment; looks at no store yet.
    pub(crate) fn new(globals: &Globals) -> Self {
        let environment = Environment::new(std::env::home_dir(), std::env::vars_os());
        let base = std::env::current_dir().unwrap_or_default();
        let resolve = |dir: &OsString| environment.resolve_root(dir, &base);
        let session_dir = globals.session_dir.as_ref().and_then(resolve);
        let cwd = globals.cwd.as_ref().and_then(resolve).unwrap_or_else(|| base.clone());
        // Without a separator at its end, as the programs name their folders after it.
        let cwd = cwd.components().collect();
        Self { agent_dirs: globals.agent_dir.clone(), session_dir, base, cwd, environment }
    }

    /// A path as it is shown and opened: without the directory of the process where it lies below it.
    pub(crate) fn shorten(&self, path: &Path) -> PathBuf {
        path.strip_prefix(&self.base).unwrap_or(path).to_path_buf()
    }

    /// The project directory.
    pub(crate) fn cwd(&self) -> String {
        self.cwd.to_string_lossy().into_owned()
    }

    /// The directories that are looked at: those that exist, and those that were asked for.
    pub(crate) fn roots(&self) -> Vec<PathBuf> {
        match &self.session_dir {
            Some(dir) => vec![dir.clone()],
            None => self.stores().map(|store| store.dir.sessions()).collect(),
        }
    }

    /// Every session of every store, subagents' included, the last active first.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionInfo>> {
        let inventory = inventory();
        let list = |root: &PathBuf| match &self.session_dir {
            Some(_) => inventory.list_all_from_dir(root),
            None => inventory.list_all(root),
        };
        let listings = self.roots().iter().map(list).collect::<logwood::error::Result<Vec<_>>>()?;
        Ok(merged(listings))
    }

    /// The sessions of the project directory without subagents', the last active first.
    pub(crate) fn sessions_of_project(&self) -> Result<Vec<SessionInfo>> {
        let (inventory, cwd) = (inventory(), self.cwd());
        let dirs: Vec<_> = match &self.session_dir {
            Some(dir) => vec![dir.clone()],
            None => self.stores().map(|store| store.dir.session_dir(&cwd)).collect(),
        };
        let listings = dirs.iter().map(|dir| inventory.list(&cwd, dir)).collect();
        let mut sessions = merged(listings);
        sessions.retain(|session| session.kind != SessionKind::Subagent);
        Ok(sessions)
    }

    fn stores(&self) -> impl Iterator<Item = Store> {
        let stores = self.environment.stores(&self.agent_dirs, &self.base);
        stores.into_iter().filter(|store| store.origin.is_asked_for() || exists(store.dir.path()))
    }
}

fn exists(path: &Path) -> bool {
    path.is_dir()
}

fn inventory() -> Inventory {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Inventory::new().threads(threads).now_ms(now_ms())
}

/// One list of several, the last active first, ties by path.
fn merged(listings: Vec<Listing>) -> Vec<SessionInfo> {
    let now = now_ms();
    let mut sessions: Vec<_> = listings.into_iter().flat_map(|listing| listing.sessions).collect();
    sessions.sort_by(|a, b| {
        let by_time = b.sort_ms(Some(now)).cmp(&a.sort_ms(Some(now)));
        by_time.then_with(|| a.path.cmp(&b.path))
    });
    sessions
}
