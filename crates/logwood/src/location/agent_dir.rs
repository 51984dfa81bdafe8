//! The agent directory of one program, and the standard files below it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::encode::encode_cwd;
use super::environment::Environment;
use super::root::join;

/// The program whose store it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum StoreKind {
    /// dreb.
    Dreb,
    /// pi, from which dreb forked.
    Pi,
    /// oh-my-pi, another fork of pi.
    OhMyPi,
}

impl StoreKind {
    /// Every kind, in the order in which stores are looked for.
    pub const ALL: [Self; 3] = [Self::Dreb, Self::Pi, Self::OhMyPi];

    /// The program's name, as the store column shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dreb => "dreb",
            Self::Pi => "pi",
            Self::OhMyPi => "oh-my-pi",
        }
    }

    /// The folder of its settings in the home directory and in a project.
    pub fn config_dir(self) -> &'static str {
        match self {
            Self::Dreb => ".dreb",
            Self::Pi => ".pi",
            Self::OhMyPi => ".omp",
        }
    }

    /// The kind whose folder (`.dreb`, `.pi`, `.omp`) is the last one named in `path`; none where there is none.
    pub fn of_path(path: &Path) -> Option<Self> {
        let kind_of = |name: &OsStr| Self::ALL.into_iter().find(|kind| name == kind.config_dir());
        path.iter().rev().find_map(kind_of)
    }
}

impl std::fmt::Display for StoreKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An agent directory: what a program keeps of its sessions, and its global settings (rules L1, L3, L4; spec 3.1).
///
/// ```
/// use logwood::location::{AgentDir, StoreKind};
///
/// let dir = AgentDir::new("/home/ana/.dreb/agent", StoreKind::Dreb);
/// assert_eq!(dir.session_dir("/proj/app"), std::path::Path::new("/home/ana/.dreb/agent/sessions/--proj-app--"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentDir {
    path: PathBuf,
    kind: StoreKind,
}

impl AgentDir {
    /// The agent directory at `path`, laid out as `kind` does.
    pub fn new(path: impl Into<PathBuf>, kind: StoreKind) -> Self {
        Self { path: path.into(), kind }
    }

    /// The directory itself; a relative one is relative to the directory of the process.
    #[doc(alias = "getAgentDir")]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The program that lays it out.
    pub fn kind(&self) -> StoreKind {
        self.kind
    }

    /// The default store of main sessions: one folder for each working directory.
    #[doc(alias = "getSessionsDir")]
    pub fn sessions(&self) -> PathBuf {
        self.path.join("sessions")
    }

    /// The folder in the default store for the sessions of `cwd`, see [`encode_cwd`].
    #[doc(alias = "getDefaultSessionDir")]
    pub fn session_dir(&self, cwd: &str) -> PathBuf {
        self.sessions().join(encode_cwd(cwd))
    }

    /// The default root of subagent transcripts.
    #[doc(alias = "getSubagentSessionsDir")]
    pub fn subagent_sessions(&self) -> PathBuf {
        self.path.join("subagent-sessions")
    }

    /// The performance log.
    #[doc(alias = "getPerformanceLogPath")]
    pub fn performance_log(&self) -> PathBuf {
        self.path.join("performance.jsonl")
    }

    /// The global settings; none for oh-my-pi, whose settings are YAML and say nothing about session roots.
    #[doc(alias = "getSettingsPath")]
    pub fn settings(&self) -> Option<PathBuf> {
        (self.kind != StoreKind::OhMyPi).then(|| self.path.join("settings.json"))
    }

    /// The settings of the project at `cwd`; none for oh-my-pi.
    pub fn project_settings(&self, cwd: &Path) -> Option<PathBuf> {
        let dir = cwd.join(self.kind.config_dir());
        (self.kind != StoreKind::OhMyPi).then(|| dir.join("settings.json"))
    }
}

impl Environment {
    /// The agent directory of dreb (rule L1): by `DREB_CODING_AGENT_DIR`, else `~/.dreb/agent`; none where that needs
    /// a home directory and there is none.
    pub fn dreb_dir(&self) -> Option<AgentDir> {
        let named = self.variable(Self::DREB_AGENT_DIR);
        let path = match named {
            Some(value) => self.expand(value)?,
            None => self.default_dir(StoreKind::Dreb.config_dir())?,
        };
        Some(AgentDir::new(path, StoreKind::Dreb))
    }

    /// The agent directory that a variable names (spec 3.1): `~` and `~/…` start at home, all else stays as it is.
    pub(super) fn expand(&self, value: &OsStr) -> Option<PathBuf> {
        let path = Path::new(value);
        match value.to_str() {
            Some("~") => self.home().map(Path::to_path_buf),
            Some(text) => match text.strip_prefix("~/") {
                Some(rest) => Some(self.home()?.join(rest.trim_start_matches('/'))),
                None => Some(path.to_path_buf()),
            },
            None => match path.strip_prefix("~") {
                Ok(rest) => Some(self.home()?.join(rest)),
                Err(_) => Some(path.to_path_buf()),
            },
        }
    }

    /// `~/<config dir>/agent`.
    pub(super) fn default_dir(&self, config_dir: &str) -> Option<PathBuf> {
        self.home().map(|home| join(self.style(), home, &format!("{config_dir}/agent")))
    }
}
