//! What counts as all sessions.

use std::path::{Path, PathBuf};

use super::choice::{Considered, Offer, RootSource, decide};
use super::environment::Environment;
use super::settings::Settings;
use super::store::Store;

/// How sessions lie below a root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layout {
    /// A folder for each working directory: the default store.
    Nested,
    /// All files of all projects directly in the root: a configured root.
    Flat,
}

impl Layout {
    /// The word in `where --json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nested => "nested",
            Self::Flat => "flat",
        }
    }
}

/// A root whose sessions are all sessions (rule L24; spec 6.9): `list_all_sessions` reads a flat one as
/// `listAllFromDir`, a nested one as `listAll`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Inventory {
    /// The root.
    pub root: PathBuf,
    /// How sessions lie below it.
    pub layout: Layout,
}

/// The inventory root that a manager carries (rule L23; spec 4.2, 6.9): the session directory that was passed to it,
/// unless the caller says that it is no custom one (`customSessionInventory: false`). Nothing is compared: a default
/// directory that is passed counts as custom too.
///
/// ```
/// use std::path::Path;
/// use logwood::location::inventory_root;
///
/// let given = Some(Path::new("/proj/sessions"));
/// assert_eq!(inventory_root(given, true), given);
/// assert_eq!(inventory_root(given, false), None);
/// assert_eq!(inventory_root(None, true), None);
/// ```
#[doc(alias = "getCustomSessionInventoryRoot")]
#[doc(alias = "customSessionInventory")]
pub fn inventory_root(session_dir: Option<&Path>, custom_session_inventory: bool) -> Option<&Path> {
    session_dir.filter(|_| custom_session_inventory)
}

/// The host-wide inventory of the dashboard (rule L25; spec 6.9): the global `sessionDir` only, taken from the
/// directory in which the process started, else the default store. Fixed when it is made; later changes of the
/// settings or of the directory do not move it.
///
/// ```
/// use std::path::Path;
/// use logwood::location::{AgentDir, Environment, HostInventory, Layout, PathStyle, Settings, Store, StoreKind, StoreOrigin};
///
/// let environment = Environment::new(Some("/home/ana".into()), []).with_style(PathStyle::Unix);
/// let store = Store::new(AgentDir::new("/home/ana/.dreb/agent", StoreKind::Dreb), StoreOrigin::Home);
/// let host = HostInventory::new(&environment, &store, &Settings::none(), Path::new("/srv"));
/// assert_eq!(host.inventory().layout, Layout::Nested);
/// assert_eq!(host.inventory().root, Path::new("/home/ana/.dreb/agent/sessions"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostInventory {
    inventory: Inventory,
    source: RootSource,
    considered: Vec<Considered>,
}

impl HostInventory {
    /// The inventory of `store` by its global settings, for a process that started in `startup_cwd`.
    pub fn new(
        environment: &Environment,
        store: &Store,
        settings: &Settings,
        startup_cwd: &Path,
    ) -> Self {
        let mut offers = Offer::of_variable(store);
        offers.push(Offer::of_global(settings));
        let (found, considered) = decide(offers, environment, startup_cwd);
        let (root, source, layout) = match found {
            Some((root, source)) => (root, source, Layout::Flat),
            None => (store.dir.sessions(), RootSource::Default, Layout::Nested),
        };
        Self { inventory: Inventory { root, layout }, source, considered }
    }

    /// The root, and how it is read.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// Who named the root.
    pub fn source(&self) -> RootSource {
        self.source
    }

    /// Every source that could have named it, in order.
    pub fn considered(&self) -> &[Considered] {
        &self.considered
    }
}
