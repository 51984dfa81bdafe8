//! The settings that touch sessions: project over global, typed.

use serde_json::{Map, Value};

use super::settings_file::{SettingsFile, SettingsProblem, SettingsScope, kind};

/// Which entries the tree view shows at first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TreeFilterMode {
    /// All but bookkeeping entries.
    #[default]
    Default,
    /// As default, without tool results.
    NoTools,
    /// Messages of the user.
    UserOnly,
    /// Entries with a label.
    LabeledOnly,
    /// Every entry.
    All,
}

impl TreeFilterMode {
    /// Every mode, in the order in which the tree view steps through them (spec 7.7).
    pub const ALL: [Self; 5] =
        [Self::Default, Self::NoTools, Self::UserOnly, Self::LabeledOnly, Self::All];

    /// The word in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::NoTools => "no-tools",
            Self::UserOnly => "user-only",
            Self::LabeledOnly => "labeled-only",
            Self::All => "all",
        }
    }
}

/// `branchSummary.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchSummarySettings {
    /// Tokens kept free for the answer.
    pub reserve_tokens: u64,
    /// Whether navigating does not ask for a summary.
    pub skip_prompt: bool,
}

impl Default for BranchSummarySettings {
    fn default() -> Self {
        Self { reserve_tokens: 16_384, skip_prompt: false }
    }
}

/// `compaction.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CompactionSettings {
    /// Whether a full context is compacted.
    pub enabled: bool,
    /// Tokens kept free for the answer.
    pub reserve_tokens: u64,
    /// Tokens of recent messages that are not summarised.
    pub keep_recent_tokens: u64,
}

impl Default for CompactionSettings {
    fn default() -> Self {
        Self { enabled: true, reserve_tokens: 16_384, keep_recent_tokens: 20_000 }
    }
}

/// The settings that touch sessions, as the merged view of both files (rules L14 to L17; spec 8.16).
///
/// Project goes over global: a top-level key of the project replaces the global one; where both are plain objects they
/// are merged one level deep. `null` is unset. A value of the wrong type is unset too, and reported.
///
/// ```
/// use logwood::location::{Settings, SettingsFile, SettingsScope};
///
/// let global = br#"{"sessionDir": "~/all", "compaction": {"enabled": false, "reserveTokens": 100}}"#;
/// let project = br#"{"compaction": {"reserveTokens": "many"}}"#;
/// let settings = Settings::new(
///     SettingsFile::parse(SettingsScope::Global, "/home/ana/.dreb/agent/settings.json", global),
///     SettingsFile::parse(SettingsScope::Project, "/proj/app/.dreb/settings.json", project),
/// );
/// assert_eq!(settings.session_dir(), Some("~/all"));
/// assert!(!settings.compaction().enabled);
/// assert_eq!(settings.compaction().reserve_tokens, 16_384);
/// assert_eq!(settings.problems().len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    global: SettingsFile,
    project: SettingsFile,
    session_dir: Option<String>,
    global_session_dir: Option<String>,
    subagent_session_dir: Option<String>,
    tree_filter_mode: TreeFilterMode,
    branch_summary: BranchSummarySettings,
    compaction: CompactionSettings,
    block_images: bool,
    problems: Vec<SettingsProblem>,
}

impl Settings {
    /// The merged view of these files.
    pub fn new(global: SettingsFile, project: SettingsFile) -> Self {
        let merged = merge(global.values(), project.values());
        let both = [&project, &global];
        let mut problems: Vec<_> = both.iter().filter_map(|file| file.problem().cloned()).collect();
        let mut view = View { values: &merged, files: &both, problems: &mut problems };
        let session_dir = view.text("sessionDir");
        let tree_filter_mode = view.tree_filter_mode();
        let branch_summary = view.branch_summary();
        let compaction = view.compaction();
        let block_images = view.flag("images", "blockImages", false);

        let own = [&global];
        let mut view = View { values: global.values(), files: &own, problems: &mut problems };
        let global_session_dir = view.text("sessionDir");
        let subagent_session_dir = view.text("subagentSessionDir");
        Self {
            session_dir,
            global_session_dir,
            subagent_session_dir,
            tree_filter_mode,
            branch_summary,
            compaction,
            block_images,
            problems,
            global,
            project,
        }
    }

    /// No settings at all.
    pub fn none() -> Self {
        let absent = |scope| SettingsFile::absent(scope, "");
        Self::new(absent(SettingsScope::Global), absent(SettingsScope::Project))
    }

    /// The global file.
    pub fn global(&self) -> &SettingsFile {
        &self.global
    }

    /// The project's file.
    pub fn project(&self) -> &SettingsFile {
        &self.project
    }

    /// What is wrong in either file, each finding once.
    pub fn problems(&self) -> &[SettingsProblem] {
        &self.problems
    }

    /// `sessionDir` of the merged view, as it stands in the file (it may be blank).
    pub fn session_dir(&self) -> Option<&str> {
        self.session_dir.as_deref()
    }

    /// `sessionDir` of the global file alone, which the host-wide inventory goes by (spec 6.9).
    pub fn global_session_dir(&self) -> Option<&str> {
        self.global_session_dir.as_deref()
    }

    /// `subagentSessionDir`, which only the global file can set (spec 6.10).
    pub fn subagent_session_dir(&self) -> Option<&str> {
        self.subagent_session_dir.as_deref()
    }

    /// `treeFilterMode`.
    pub fn tree_filter_mode(&self) -> TreeFilterMode {
        self.tree_filter_mode
    }

    /// `branchSummary.*`.
    pub fn branch_summary(&self) -> BranchSummarySettings {
        self.branch_summary
    }

    /// `compaction.*`.
    pub fn compaction(&self) -> CompactionSettings {
        self.compaction
    }

    /// `images.blockImages`: whether images stay out of what the model gets.
    pub fn block_images(&self) -> bool {
        self.block_images
    }
}

/// `project` over `global`: top-level keys replaced, plain objects merged one level deep.
fn merge(global: &Map<String, Value>, project: &Map<String, Value>) -> Map<String, Value> {
    let mut merged = global.clone();
    for (key, own) in project {
        match (merged.get_mut(key), own) {
            (Some(Value::Object(below)), Value::Object(above)) => below.extend(above.clone()),
            _ => drop(merged.insert(key.clone(), own.clone())),
        }
    }
    merged
}

/// Values being read, with the files they came from (the one that goes first, first).
struct View<'a> {
    values: &'a Map<String, Value>,
    files: &'a [&'a SettingsFile],
    problems: &'a mut Vec<SettingsProblem>,
}

impl<'a> View<'a> {
    fn text(&mut self, key: &str) -> Option<String> {
        let value = set(self.values.get(key))?;
        let text = value.as_str().map(str::to_owned);
        text.or_else(|| self.report(key, "", wrong("a string", value)))
    }

    fn tree_filter_mode(&mut self) -> TreeFilterMode {
        let key = "treeFilterMode";
        let Some(word) = self.text(key) else { return TreeFilterMode::default() };
        let mode = TreeFilterMode::ALL.into_iter().find(|mode| mode.as_str() == word);
        let words = TreeFilterMode::ALL.map(TreeFilterMode::as_str).join(", ");
        mode.or_else(|| self.report(key, "", format!("`{word}` is none of {words}")))
            .unwrap_or_default()
    }

    fn branch_summary(&mut self) -> BranchSummarySettings {
        let (section, default) = ("branchSummary", BranchSummarySettings::default());
        BranchSummarySettings {
            reserve_tokens: self.tokens(section, "reserveTokens", default.reserve_tokens),
            skip_prompt: self.flag(section, "skipPrompt", default.skip_prompt),
        }
    }

    fn compaction(&mut self) -> CompactionSettings {
        let (section, default) = ("compaction", CompactionSettings::default());
        CompactionSettings {
            enabled: self.flag(section, "enabled", default.enabled),
            reserve_tokens: self.tokens(section, "reserveTokens", default.reserve_tokens),
            keep_recent_tokens: self.tokens(
                section,
                "keepRecentTokens",
                default.keep_recent_tokens,
            ),
        }
    }

    fn flag(&mut self, section: &str, key: &str, default: bool) -> bool {
        let Some(value) = self.member(section, key) else { return default };
        let flag = value.as_bool();
        flag.or_else(|| self.report(section, key, wrong("true or false", value))).unwrap_or(default)
    }

    fn tokens(&mut self, section: &str, key: &str, default: u64) -> u64 {
        let Some(value) = self.member(section, key) else { return default };
        let count = whole_number(value);
        count
            .or_else(|| self.report(section, key, wrong("a whole number of tokens", value)))
            .unwrap_or(default)
    }

    fn member(&mut self, section: &str, key: &str) -> Option<&'a Value> {
        match set(self.values.get(section))? {
            Value::Object(members) => set(members.get(key)),
            other => self.report(section, "", wrong("an object", other)),
        }
    }

    /// Notes what is wrong with `section` or its member `key`, once, and answers none.
    fn report<T>(&mut self, section: &str, key: &str, what: String) -> Option<T> {
        let name = if key.is_empty() { section.to_owned() } else { format!("{section}.{key}") };
        let problem = self.owner(section, key)?.finding(&name, what);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
        None
    }

    /// The file whose value was read.
    fn owner(&self, section: &str, key: &str) -> Option<&'a SettingsFile> {
        let holds = |file: &&&SettingsFile| match file.values().get(section) {
            Some(Value::Object(members)) if !key.is_empty() => members.contains_key(key),
            other => other.is_some(),
        };
        self.files.iter().find(holds).copied()
    }
}

/// `null` counts as not set.
fn set(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

fn wrong(expected: &str, found: &Value) -> String {
    match found {
        Value::Number(number) => format!("expected {expected}, found {number}"),
        other => format!("expected {expected}, found {}", kind(other)),
    }
}

/// A number that counts something: JavaScript has one kind of number, so `1e4` and `10000.0` will do.
fn whole_number(value: &Value) -> Option<u64> {
    const LARGEST: f64 = 9_007_199_254_740_991.0;
    let number = value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=LARGEST).contains(n))?;
    value.as_u64().or(Some(number as u64))
}
