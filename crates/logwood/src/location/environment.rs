//! What the front end knows of its process: the home directory and the variables that name stores.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::path_style::PathStyle;
use super::root::{is_blank, resolve_root};

/// The variables that say where sessions live; no other variable is kept.
const VARIABLES: [&str; 8] = [
    Environment::LOGWOOD_AGENT_DIR,
    Environment::DREB_AGENT_DIR,
    Environment::PI_AGENT_DIR,
    Environment::PI_SESSION_DIR,
    Environment::OMP_CONFIG_DIR,
    Environment::OMP_PROFILE,
    Environment::OMP_OLD_PROFILE,
    Environment::DATA_HOME,
];

/// The home directory, the variables that name stores, and the path rules of the platform: handed in by the front
/// end, since the library reads no environment.
///
/// ```
/// use logwood::location::{Environment, PathStyle};
///
/// let variables = [("DREB_CODING_AGENT_DIR".into(), "~/agents/dreb".into())];
/// let environment = Environment::new(Some("/home/ana".into()), variables).with_style(PathStyle::Unix);
/// assert_eq!(environment.dreb_dir().unwrap().path(), "/home/ana/agents/dreb");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    home: Option<PathBuf>,
    variables: BTreeMap<&'static str, OsString>,
    style: PathStyle,
}

impl Environment {
    /// Agent directories for logwood itself, as a list.
    pub const LOGWOOD_AGENT_DIR: &'static str = "LOGWOOD_AGENT_DIR";
    /// The agent directory of dreb.
    pub const DREB_AGENT_DIR: &'static str = "DREB_CODING_AGENT_DIR";
    /// The agent directory of pi, which oh-my-pi reads too.
    pub const PI_AGENT_DIR: &'static str = "PI_CODING_AGENT_DIR";
    /// The flat session directory of pi.
    pub const PI_SESSION_DIR: &'static str = "PI_CODING_AGENT_SESSION_DIR";
    /// The name of oh-my-pi's folder in the home directory, in place of `.omp`.
    pub const OMP_CONFIG_DIR: &'static str = "PI_CONFIG_DIR";
    /// The profile of oh-my-pi.
    pub const OMP_PROFILE: &'static str = "OMP_PROFILE";
    /// The profile of oh-my-pi where [`OMP_PROFILE`](Self::OMP_PROFILE) is not set.
    pub const OMP_OLD_PROFILE: &'static str = "PI_PROFILE";
    /// Where oh-my-pi keeps its sessions once its data has been moved there.
    pub const DATA_HOME: &'static str = "XDG_DATA_HOME";

    /// An environment with this home directory (none where it is not known), out of all variables of the process.
    ///
    /// Only the variables of this room are kept, so that no secret of the environment can show up in a message.
    pub fn new(
        home: Option<PathBuf>,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let known = |(name, value): (OsString, OsString)| {
            VARIABLES.into_iter().find(|known| name == *known).map(|known| (known, value))
        };
        let variables = variables.into_iter().filter_map(known).collect();
        Self { home, variables, style: PathStyle::HOST }
    }

    /// Reads paths by the rules of `style` instead of the platform's own.
    #[must_use]
    pub fn with_style(mut self, style: PathStyle) -> Self {
        self.style = style;
        self
    }

    /// The home directory, where it is known.
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The rules by which paths are read.
    pub fn style(&self) -> PathStyle {
        self.style
    }

    /// The value of a variable; a blank one (empty, or white space only) counts as not set (rule L1).
    pub fn variable(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(name).map(OsString::as_os_str).filter(|value| !is_blank(value))
    }

    /// The directory that a configured root names (rule L8), see [`resolve_root`].
    pub fn resolve_root(&self, input: &OsStr, base: &Path) -> Option<PathBuf> {
        resolve_root(input, base, self.home(), self.style)
    }

    /// Whether the variable is there at all, be it empty.
    pub(super) fn has_variable(&self, name: &str) -> bool {
        self.variables.contains_key(name)
    }
}
