//! The stores of a machine: which agent directories to look at, in which order, under which name.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::agent_dir::{AgentDir, StoreKind};
use super::environment::Environment;
use super::path_style::PathStyle;
use super::root::is_blank;
use crate::json::trim_js;

/// Folder names that say nothing about which store it is.
const COMMON_NAMES: [&str; 5] = ["agent", ".dreb", ".pi", ".omp", "sessions"];

/// Who named a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreOrigin {
    /// `--agent-dir`, or the caller.
    Option,
    /// The environment variable of this name.
    Variable(&'static str),
    /// Its place in the home directory.
    Home,
    /// Its place in the user's data directory (`XDG_DATA_HOME`).
    DataHome,
}

impl StoreOrigin {
    /// Whether the user asked for exactly this directory: where it is missing that is worth a message, while a store
    /// that was only looked for is left out.
    pub fn is_asked_for(self) -> bool {
        matches!(self, Self::Option | Self::Variable(Environment::LOGWOOD_AGENT_DIR))
    }
}

/// One store: an agent directory, its name in the store column, and who named it (rules L2 and L11 to L13).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// What the store column and `--store` call it; no two stores of a list share a name.
    pub name: String,
    /// Where it is and how it is laid out.
    pub dir: AgentDir,
    /// Who named it.
    pub origin: StoreOrigin,
    /// The flat session directory that its program's own variable names (pi's `PI_CODING_AGENT_SESSION_DIR`), as it
    /// stands there; it counts after `--session-dir` and before the settings.
    pub session_dir_variable: Option<OsString>,
}

impl Store {
    /// A store at `dir`, named after its program.
    pub fn new(dir: AgentDir, origin: StoreOrigin) -> Self {
        let name = dir.kind().as_str().to_owned();
        Self { name, dir, origin, session_dir_variable: None }
    }
}

impl Environment {
    /// The stores to look at, in order (rules L11 to L13; design section 4). The front end leaves out those that are
    /// not there.
    ///
    /// With `agent_dirs` (of `--agent-dir`, which may repeat) exactly those; else exactly those of
    /// `LOGWOOD_AGENT_DIR`; else dreb's, pi's and oh-my-pi's. The same directory is never listed twice. Relative ones
    /// are taken from `base`, the directory of the process.
    ///
    /// ```
    /// use logwood::location::{Environment, PathStyle};
    ///
    /// let environment = Environment::new(Some("/home/ana".into()), []).with_style(PathStyle::Unix);
    /// let names = |dirs: &[std::ffi::OsString]| -> Vec<_> {
    ///     environment.stores(dirs, "/proj".as_ref()).into_iter().map(|store| store.name).collect()
    /// };
    /// assert_eq!(names(&[]), ["dreb", "pi", "oh-my-pi"]);
    /// assert_eq!(names(&["/mnt/laptop/.dreb/agent".into(), "desk".into()]), ["laptop", "desk"]);
    /// ```
    pub fn stores(&self, agent_dirs: &[OsString], base: &Path) -> Vec<Store> {
        let mut stores = self.asked_for(agent_dirs, StoreOrigin::Option, base);
        if stores.is_empty() {
            let listed =
                self.variable(Self::LOGWOOD_AGENT_DIR).map(|list| split(self.style(), list));
            let origin = StoreOrigin::Variable(Self::LOGWOOD_AGENT_DIR);
            stores = self.asked_for(&listed.unwrap_or_default(), origin, base);
        }
        if stores.is_empty() {
            stores = self.found();
        }
        named_apart(without_repeats(stores))
    }

    /// The one store of a front end that takes exactly one, such as `rpc` (design section 4): the first one asked
    /// for, else dreb's. None where dreb's needs a home directory and there is none.
    pub fn one_store(&self, agent_dirs: &[OsString], base: &Path) -> Option<Store> {
        let first = self.stores(agent_dirs, base).into_iter().next();
        first.filter(|store| store.origin.is_asked_for()).or_else(|| self.dreb_store())
    }

    fn asked_for(&self, dirs: &[OsString], origin: StoreOrigin, base: &Path) -> Vec<Store> {
        dirs.iter()
            .filter(|dir| !is_blank(dir))
            // one below a home that is not known stays as it is: it will be missing, and be told by that name
            .map(|dir| self.resolve_root(dir, base).unwrap_or_else(|| PathBuf::from(dir)))
            .map(|path| {
                let dir = AgentDir::new(path.clone(), self.kind_of(&path));
                Store { name: name_of(&path), ..Store::new(dir, origin) }
            })
            .collect()
    }

    /// The kind of a directory that was asked for: that of the program whose own directory it is, else by the names in
    /// it, else dreb's.
    fn kind_of(&self, path: &Path) -> StoreKind {
        let own = self.found().into_iter().find(|store| store.dir.path() == path);
        own.map(|store| store.dir.kind())
            .or_else(|| StoreKind::of_path(path))
            .unwrap_or(StoreKind::Dreb)
    }

    /// The stores of the programs that are known, each where its program would look.
    fn found(&self) -> Vec<Store> {
        let stores = [self.dreb_store(), self.pi_store()].into_iter().flatten();
        stores.chain(self.omp_stores()).collect()
    }

    fn dreb_store(&self) -> Option<Store> {
        self.dreb_dir().map(|dir| Store::new(dir, self.origin(Self::DREB_AGENT_DIR)))
    }

    fn pi_store(&self) -> Option<Store> {
        let shared = self.shared_dir().filter(|(_, kind)| *kind == StoreKind::Pi);
        let (path, origin) = match shared {
            Some((path, _)) => (path, StoreOrigin::Variable(Self::PI_AGENT_DIR)),
            None => (self.default_dir(StoreKind::Pi.config_dir())?, StoreOrigin::Home),
        };
        let session_dir_variable = self.variable(Self::PI_SESSION_DIR).map(OsStr::to_os_string);
        let store = Store::new(AgentDir::new(path, StoreKind::Pi), origin);
        Some(Store { session_dir_variable, ..store })
    }

    /// oh-my-pi's directories in the order in which it would choose: its profile's, the one that the shared variable
    /// names, the one in the data directory, the one in the home directory.
    fn omp_stores(&self) -> Vec<Store> {
        let store = |path, origin| Store::new(AgentDir::new(path, StoreKind::OhMyPi), origin);
        let shared = self.shared_dir().filter(|(_, kind)| *kind == StoreKind::OhMyPi);
        let named = shared.map(|(path, _)| store(path, StoreOrigin::Variable(Self::PI_AGENT_DIR)));
        let profile = self.omp_profile().map(|profile| format!("/profiles/{profile}"));
        let profile = profile.unwrap_or_default();
        let data = self.variable(Self::DATA_HOME);
        let data = data.map(|data| Path::new(data).join(format!("omp{profile}")));
        let home = self.default_dir(&format!("{}{profile}", self.omp_config_dir()));
        let data = data.map(|path| store(path, StoreOrigin::DataHome));
        named
            .into_iter()
            .chain(data)
            .chain(home.map(|path| store(path, StoreOrigin::Home)))
            .collect()
    }

    fn omp_config_dir(&self) -> String {
        let named = self.variable(Self::OMP_CONFIG_DIR);
        named.unwrap_or(StoreKind::OhMyPi.config_dir().as_ref()).to_string_lossy().into_owned()
    }

    /// The profile that oh-my-pi would use; the default one and names it refuses count as none.
    fn omp_profile(&self) -> Option<&str> {
        let newer = self.has_variable(Self::OMP_PROFILE);
        let name = self.variable(if newer { Self::OMP_PROFILE } else { Self::OMP_OLD_PROFILE });
        let name = trim_js(name?.to_str()?);
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
        let fits = name.starts_with(plain)
            && name.chars().all(|c| plain(c) || matches!(c, '.' | '_' | '-'))
            && !name.ends_with('.')
            && name.len() <= 64;
        (fits && name != "default").then_some(name)
    }

    /// The directory that `PI_CODING_AGENT_DIR` names, and the program it is taken to mean: both pi and oh-my-pi read
    /// the variable, so it is oh-my-pi's where the path is or looks like one of oh-my-pi's, else pi's.
    fn shared_dir(&self) -> Option<(PathBuf, StoreKind)> {
        let path = self.expand(self.variable(Self::PI_AGENT_DIR)?)?;
        let own = self.default_dir(&self.omp_config_dir()).is_some_and(|own| own == path);
        let omp = own || StoreKind::of_path(&path) == Some(StoreKind::OhMyPi);
        Some((path, if omp { StoreKind::OhMyPi } else { StoreKind::Pi }))
    }

    fn origin(&self, variable: &'static str) -> StoreOrigin {
        match self.variable(variable) {
            Some(_) => StoreOrigin::Variable(variable),
            None => StoreOrigin::Home,
        }
    }
}

/// The parts of a path list.
fn split(style: PathStyle, list: &OsStr) -> Vec<OsString> {
    match list.to_str() {
        Some(text) => text.split(style.list_separator()).map(OsString::from).collect(),
        None => split_bytes(list),
    }
}

#[cfg(unix)]
fn split_bytes(list: &OsStr) -> Vec<OsString> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    list.as_bytes()
        .split(|byte| *byte == b':')
        .map(|part| OsString::from_vec(part.to_vec()))
        .collect()
}

/// Text that is not Unicode cannot be cut safely here: it is one path.
#[cfg(not(unix))]
fn split_bytes(list: &OsStr) -> Vec<OsString> {
    vec![list.to_os_string()]
}

fn without_repeats(stores: Vec<Store>) -> Vec<Store> {
    let mut seen = HashSet::new();
    stores.into_iter().filter(|store| seen.insert(store.dir.path().to_path_buf())).collect()
}

/// The last folder in `path` that says which store it is, else its kind's name.
fn name_of(path: &Path) -> String {
    let telling = path.iter().rev().map(OsStr::to_string_lossy).find(|name| {
        !COMMON_NAMES.contains(&name.as_ref()) && !matches!(name.as_ref(), "/" | "\\" | "." | "..")
    });
    telling.map_or_else(
        || StoreKind::of_path(path).unwrap_or(StoreKind::Dreb).to_string(),
        String::from,
    )
}

/// Gives the second store of a name `#2`, and so on.
fn named_apart(mut stores: Vec<Store>) -> Vec<Store> {
    let mut taken = HashSet::new();
    for store in &mut stores {
        let name = store.name.clone();
        let mut number = 1;
        while !taken.insert(store.name.clone()) {
            number += 1;
            store.name = format!("{name}#{number}");
        }
    }
    stores
}
