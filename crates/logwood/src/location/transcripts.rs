//! Where transcripts of subagents go and are looked for, and what their folders are called (rules L26 to L29).

use std::ffi::OsStr;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use super::environment::Environment;
use super::path_style::PathStyle;
use super::settings::Settings;
use super::store::Store;

/// Hex digits of a tag: 6 random bytes.
const TAG_DIGITS: usize = 12;

/// What decides where the transcripts of a store lie, as it was when a program started (rule L26; spec 6.10): later changes of the
/// settings move nothing. A relative directory starts at the working directory of each session, see [`at`](Self::at).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptSetting {
    environment: Environment,
    configured: Option<String>,
    default: PathBuf,
}

impl TranscriptSetting {
    /// That of a store. Only the global settings count: a project cannot send transcripts elsewhere.
    #[doc(alias = "subagentSessionDir")]
    pub fn new(environment: &Environment, store: &Store, settings: &Settings) -> Self {
        Self {
            environment: environment.clone(),
            configured: settings.subagent_session_dir().map(str::to_owned),
            default: store.dir.subagent_sessions(),
        }
    }

    /// The roots for the sessions of a working directory.
    pub fn at(&self, cwd: &Path) -> TranscriptRoots {
        let configured = self.configured.as_ref();
        let configured =
            configured.and_then(|dir| self.environment.resolve_root(dir.as_ref(), cwd));
        TranscriptRoots::new(configured, self.default.clone(), self.environment.style())
    }
}

/// The roots of transcripts: the configured one first, the default one second (rules L26 and L28; spec 6.10, 6.11).
///
/// ```
/// use std::path::Path;
/// use logwood::location::{
///     AgentDir, Environment, PathStyle, Settings, SettingsFile, SettingsScope, Store, StoreKind, StoreOrigin, TranscriptSetting,
/// };
///
/// let environment = Environment::new(Some("/home/ana".into()), []).with_style(PathStyle::Unix);
/// let store = Store::new(AgentDir::new("/home/ana/.dreb/agent", StoreKind::Dreb), StoreOrigin::Home);
/// let global = SettingsFile::parse(SettingsScope::Global, "/g", br#"{"subagentSessionDir":"agents"}"#);
/// let settings = Settings::new(global, SettingsFile::absent(SettingsScope::Project, ""));
///
/// let roots = TranscriptSetting::new(&environment, &store, &settings).at(Path::new("/proj"));
/// assert_eq!(roots.for_new(), Path::new("/proj/agents"));
/// let all: Vec<_> = roots.all().collect();
/// assert_eq!(all, [Path::new("/proj/agents"), Path::new("/home/ana/.dreb/agent/subagent-sessions")]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranscriptRoots {
    first: PathBuf,
    second: Option<PathBuf>,
}

impl TranscriptRoots {
    fn new(configured: Option<PathBuf>, default: PathBuf, style: PathStyle) -> Self {
        match configured {
            Some(first) if !same_path(&first, &default, style) => {
                Self { first, second: Some(default) }
            }
            Some(first) => Self { first, second: None },
            None => Self { first: default, second: None },
        }
    }

    /// Where new transcripts go.
    pub fn for_new(&self) -> &Path {
        &self.first
    }

    /// Where transcripts are looked for, in this order.
    pub fn all(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(self.first.as_path()).chain(self.second.as_deref())
    }
}

/// Whether two paths are one, lexically; on Windows case does not count.
fn same_path(a: &Path, b: &Path, style: PathStyle) -> bool {
    let key = |path: &Path| {
        let path = style.resolve(path.to_str()?, ".");
        Some(if style == PathStyle::Windows { path.to_lowercase() } else { path })
    };
    a == b || key(a).is_some_and(|a| Some(a) == key(b))
}

/// The random part of a transcript folder's name: 12 lower-case hex digits (rule L27; spec 6.10). It is not the id of an agent.
///
/// ```
/// use std::path::Path;
/// use logwood::location::{TranscriptTag, step_dir};
///
/// let tag = TranscriptTag::of_uuid("00000000-0000-4000-8000-00112233aabb").unwrap();
/// let chain = tag.chain_dir(Path::new("/agents"));
/// assert_eq!(tag.single_dir(Path::new("/agents")), Path::new("/agents/00112233aabb"));
/// assert_eq!(step_dir(&chain, 2.try_into()?), Path::new("/agents/chain-00112233aabb/step-2"));
/// # Ok::<(), std::num::TryFromIntError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TranscriptTag(String);

impl TranscriptTag {
    /// The last 12 digits of a random UUID; none where there are not so many.
    pub fn of_uuid(uuid: &str) -> Option<Self> {
        let digits = uuid.len().checked_sub(TAG_DIGITS).and_then(|at| uuid.get(at..))?;
        let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| Self(digits.to_ascii_lowercase()))
    }

    /// The folder of a single child, or of one of several that run at once.
    pub fn single_dir(&self, root: &Path) -> PathBuf {
        root.join(&self.0)
    }

    /// The folder of a chain, in which each step has a [`step_dir`].
    pub fn chain_dir(&self, root: &Path) -> PathBuf {
        root.join(format!("chain-{}", self.0))
    }
}

/// The folder of step `number`, counted from 1, in the folder of a chain (rule L27).
pub fn step_dir(chain: &Path, number: NonZeroU32) -> PathBuf {
    chain.join(format!("step-{number}"))
}

/// The number of a step by the name of its folder, `step-` and decimal digits; none for any other name (spec 6.11). A number that is
/// too large counts as the largest.
///
/// ```
/// use logwood::location::step_number;
///
/// assert_eq!(step_number("step-10".as_ref()), Some(10));
/// assert_eq!(step_number("step-1b".as_ref()), None);
/// ```
pub fn step_number(name: &OsStr) -> Option<u64> {
    let digits = name.to_str()?.strip_prefix("step-")?;
    let decimal = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    decimal.then(|| digits.parse().unwrap_or(u64::MAX))
}
