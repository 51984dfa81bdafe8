//! Which directory main sessions go to, and who decided.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::environment::Environment;
use super::inventory::{Inventory, Layout, inventory_root};
use super::root::is_blank;
use super::settings::Settings;
use super::settings_file::SettingsFile;
use super::store::Store;

/// The key of the settings.
const SESSION_DIR: &str = "sessionDir";

/// Who can name the directory of main sessions, the first one first (rule L18; spec 6.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RootSource {
    /// `--session-dir`, or the caller.
    Option,
    /// The program's own variable (pi's `PI_CODING_AGENT_SESSION_DIR`); dreb has none.
    Variable,
    /// `sessionDir` in the settings of the project.
    ProjectSettings,
    /// `sessionDir` in the global settings.
    GlobalSettings,
    /// The hook.
    Hook,
    /// Nobody: the default store.
    Default,
}

impl RootSource {
    /// The word in `where --json`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Option => "option",
            Self::Variable => "variable",
            Self::ProjectSettings => "project_settings",
            Self::GlobalSettings => "global_settings",
            Self::Hook => "hook",
            Self::Default => "default",
        }
    }
}

/// What became of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It decided.
    Chosen,
    /// It names a directory, but a source before it decided; or the project's settings hide it.
    Outranked,
    /// It says nothing.
    NotSet,
    /// What it says is empty or white space, which counts as unset.
    Blank,
    /// It names a directory below home, and the home directory is not known; counts as unset.
    NoHome,
    /// Its value is of the wrong type (the settings report it); counts as unset.
    WrongType,
    /// It was not asked, since a source before it decided.
    NotAsked,
}

/// One source that was looked at, for `logwood where`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    /// The source.
    pub source: RootSource,
    /// What it says, as it says it.
    pub given: Option<OsString>,
    /// The directory that this names.
    pub path: Option<PathBuf>,
    /// What became of it.
    pub verdict: Verdict,
}

/// What the choice goes by.
#[derive(Debug, Clone, Copy)]
pub struct RootRequest<'a> {
    /// The home directory and the path rules.
    pub environment: &'a Environment,
    /// The store whose default directory it is where nobody names another.
    pub store: &'a Store,
    /// The settings of that store and of the project.
    pub settings: &'a Settings,
    /// The working directory of the command: relative directories of every source are taken from it.
    pub base: &'a Path,
    /// The working directory whose sessions are wanted; the folder in the default store is named after it.
    pub cwd: &'a str,
    /// `--session-dir`.
    pub session_dir: Option<&'a OsStr>,
}

/// The directory for the main sessions of a working directory, and who decided (rules L18 to L22; spec 6.7).
///
/// `--session-dir` goes before the merged settings, these before the hook, and what is left is the default store.
/// Whoever names a directory names a flat one.
///
/// ```
/// use logwood::location::{
///     AgentDir, Environment, Layout, PathStyle, RootChoice, RootRequest, RootSource, Settings, Store, StoreKind, StoreOrigin,
/// };
///
/// let environment = Environment::new(Some("/home/ana".into()), []).with_style(PathStyle::Unix);
/// let store = Store::new(AgentDir::new("/home/ana/.dreb/agent", StoreKind::Dreb), StoreOrigin::Home);
/// let settings = Settings::none();
/// let request = RootRequest {
///     environment: &environment,
///     store: &store,
///     settings: &settings,
///     base: "/proj/app".as_ref(),
///     cwd: "/proj/app",
///     session_dir: None,
/// };
///
/// let choice = RootChoice::new(&request, |_| None);
/// assert_eq!(choice.dir(), "/home/ana/.dreb/agent/sessions/--proj-app--");
/// assert_eq!((choice.layout(), choice.source()), (Layout::Nested, RootSource::Default));
///
/// let choice = RootChoice::new(&request, |_| Some("logs".into()));
/// assert_eq!(choice.dir(), "/proj/app/logs");
/// assert_eq!((choice.layout(), choice.source()), (Layout::Flat, RootSource::Hook));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RootChoice {
    dir: PathBuf,
    inventory: Inventory,
    source: RootSource,
    considered: Vec<Considered>,
}

impl RootChoice {
    /// Chooses. `hook` is asked for the session directory of the cwd it is given, and only where no source before it
    /// names one; its failure is for the caller to report, and counts as none.
    pub fn new(request: &RootRequest<'_>, hook: impl FnOnce(&str) -> Option<OsString>) -> Self {
        let (environment, base) = (request.environment, request.base);
        let (found, mut considered) = decide(offers(request), environment, base);
        let (found, asked) = match found {
            Some(found) => (Some(found), Considered::unasked(RootSource::Hook)),
            None => Offer::new(RootSource::Hook, hook(request.cwd)).settle(environment, base),
        };
        considered.push(asked);
        let (dir, inventory, source) = match found {
            Some((root, source)) => {
                (root.clone(), Inventory { root, layout: Layout::Flat }, source)
            }
            None => default_root(request),
        };
        considered.push(Considered::of_default(request, source));
        Self { dir, inventory, source, considered }
    }

    /// The directory in which the session files of the cwd lie.
    #[doc(alias = "getSessionDir")]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The root of all sessions: the directory itself where it is flat, else the default store around it.
    pub fn inventory(&self) -> &Inventory {
        &self.inventory
    }

    /// How sessions lie below the root.
    pub fn layout(&self) -> Layout {
        self.inventory.layout
    }

    /// Who decided.
    pub fn source(&self) -> RootSource {
        self.source
    }

    /// Every source in order, and what became of it.
    pub fn considered(&self) -> &[Considered] {
        &self.considered
    }

    /// The session directory to hand to `create`, `open` and the like: none for the default store.
    pub fn session_dir(&self) -> Option<&Path> {
        (self.layout() == Layout::Flat).then_some(self.dir.as_path())
    }

    /// The inventory root that a manager made by this choice carries, see [`inventory_root`].
    #[doc(alias = "getCustomSessionInventoryRoot")]
    pub fn inventory_root(&self, custom_session_inventory: bool) -> Option<&Path> {
        inventory_root(self.session_dir(), custom_session_inventory)
    }
}

impl Considered {
    fn unasked(source: RootSource) -> Self {
        Self { source, given: None, path: None, verdict: Verdict::NotAsked }
    }

    fn of_default(request: &RootRequest<'_>, decided: RootSource) -> Self {
        let path = Some(request.store.dir.session_dir(request.cwd));
        let chosen = decided == RootSource::Default;
        let verdict = if chosen { Verdict::Chosen } else { Verdict::Outranked };
        Self { source: RootSource::Default, given: None, path, verdict }
    }
}

fn default_root(request: &RootRequest<'_>) -> (PathBuf, Inventory, RootSource) {
    let dir = &request.store.dir;
    let inventory = Inventory { root: dir.sessions(), layout: Layout::Nested };
    (dir.session_dir(request.cwd), inventory, RootSource::Default)
}

fn offers(request: &RootRequest<'_>) -> Vec<Offer> {
    let option = request.session_dir.map(OsStr::to_os_string);
    let mut offers = vec![Offer::new(RootSource::Option, option)];
    offers.extend(Offer::of_variable(request.store));
    offers.extend(Offer::of_settings(request.settings));
    offers
}

/// What a source says, before it is judged.
pub(super) struct Offer {
    source: RootSource,
    given: Option<OsString>,
    /// A verdict that stands, whatever it says.
    fixed: Option<Verdict>,
}

impl Offer {
    pub(super) fn new(source: RootSource, given: Option<OsString>) -> Self {
        Self { source, given, fixed: None }
    }

    /// The program's own variable, where it has one.
    pub(super) fn of_variable(store: &Store) -> Vec<Self> {
        let given = store.session_dir_variable.clone();
        given.map(|given| Self::new(RootSource::Variable, Some(given))).into_iter().collect()
    }

    /// The two settings files. The merged view holds one value of the two: the project's hides the global one, even
    /// where it is null, blank or of the wrong type.
    fn of_settings(settings: &Settings) -> [Self; 2] {
        let hidden = settings.project().values().contains_key(SESSION_DIR);
        let global = Self::of_global(settings);
        let fixed = global
            .fixed
            .or_else(|| (hidden && global.given.is_some()).then_some(Verdict::Outranked));
        [Self::of_file(RootSource::ProjectSettings, settings.project()), Self { fixed, ..global }]
    }

    /// The global settings file alone.
    pub(super) fn of_global(settings: &Settings) -> Self {
        Self::of_file(RootSource::GlobalSettings, settings.global())
    }

    fn of_file(source: RootSource, file: &SettingsFile) -> Self {
        let (given, fixed) = match file.values().get(SESSION_DIR) {
            None | Some(Value::Null) => (None, None),
            Some(Value::String(text)) => (Some(text.into()), None),
            Some(_) => (None, Some(Verdict::WrongType)),
        };
        Self { source, given, fixed }
    }

    /// The directory it names, if it may decide, and the row that tells.
    fn settle(
        self,
        environment: &Environment,
        base: &Path,
    ) -> (Option<(PathBuf, RootSource)>, Considered) {
        let path = self.given.as_deref().and_then(|given| environment.resolve_root(given, base));
        let verdict = self.fixed.unwrap_or_else(|| verdict(self.given.as_deref(), path.is_some()));
        let decided = path.clone().filter(|_| verdict == Verdict::Chosen);
        let row = Considered { source: self.source, given: self.given, path, verdict };
        (decided.map(|path| (path, self.source)), row)
    }
}

fn verdict(given: Option<&OsStr>, resolved: bool) -> Verdict {
    match given {
        None => Verdict::NotSet,
        Some(_) if resolved => Verdict::Chosen,
        Some(given) if is_blank(given) => Verdict::Blank,
        Some(_) => Verdict::NoHome,
    }
}

/// The first offer that names a directory, and a row for every offer.
pub(super) fn decide(
    offers: Vec<Offer>,
    environment: &Environment,
    base: &Path,
) -> (Option<(PathBuf, RootSource)>, Vec<Considered>) {
    let mut decided = None;
    let mut rows = Vec::with_capacity(offers.len());
    for offer in offers {
        let (found, mut row) = offer.settle(environment, base);
        if decided.is_some() && row.verdict == Verdict::Chosen {
            row.verdict = Verdict::Outranked;
        }
        decided = decided.or(found);
        rows.push(row);
    }
    (decided, rows)
}
