//! One settings file: strict JSON, read and never written.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

/// Whose settings a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SettingsScope {
    /// The agent directory's: for all projects.
    Global,
    /// The project's: it goes before the global one.
    Project,
}

impl std::fmt::Display for SettingsScope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Global => "global",
            Self::Project => "project",
        })
    }
}

/// A place in a settings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SettingsPlace {
    /// Line number, counted from 1.
    pub line: usize,
    /// Byte in the line, counted from 1; 0 is the end of the line before.
    pub column: usize,
}

/// What is wrong with a settings file (rule L16): the file, or the one key, counts as unset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsProblem {
    /// The file.
    pub file: PathBuf,
    /// Whose settings it holds.
    pub scope: SettingsScope,
    /// Where in the file, for a file that is not JSON.
    pub place: Option<SettingsPlace>,
    /// The key (`compaction.enabled`), for a value of the wrong type.
    pub key: Option<String>,
    /// What is wrong, without the file's name.
    pub what: String,
}

impl std::fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} settings `{}`", self.scope, self.file.display())?;
        if let Some(place) = self.place {
            write!(f, " at line {}, column {}", place.line, place.column)?;
        }
        if let Some(key) = &self.key {
            write!(f, ", `{key}`")?;
        }
        let unset = if self.key.is_some() { "the setting" } else { "the whole file" };
        write!(f, ": {}; {unset} counts as unset, correct it in the file", self.what)
    }
}

/// One settings file as read (rules L15 and L16; spec 8.16).
///
/// ```
/// use logwood::location::{SettingsFile, SettingsScope};
///
/// let file = SettingsFile::parse(SettingsScope::Global, "/a/settings.json", b"{\"sessionDir\": }");
/// let place = file.problem().unwrap().place.unwrap();
/// assert_eq!((place.line, place.column), (1, 16));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SettingsFile {
    scope: SettingsScope,
    path: PathBuf,
    values: Map<String, Value>,
    problem: Option<SettingsProblem>,
}

impl SettingsFile {
    /// A file that is not there: nothing is set, and nothing is wrong.
    pub fn absent(scope: SettingsScope, path: impl Into<PathBuf>) -> Self {
        Self { scope, path: path.into(), values: Map::new(), problem: None }
    }

    /// A file with these bytes. Bytes that are not UTF-8 count as U+FFFD, as Node reads them; a byte order mark is an
    /// error, as it is to `JSON.parse`.
    pub fn parse(scope: SettingsScope, path: impl Into<PathBuf>, bytes: &[u8]) -> Self {
        let file = Self::absent(scope, path);
        match serde_json::from_str(&String::from_utf8_lossy(bytes)) {
            Ok(Value::Object(values)) => Self { values, ..file },
            Ok(other) => file.refused(None, format!("expected an object, found {}", kind(&other))),
            Err(error) => {
                let place = SettingsPlace { line: error.line(), column: error.column() };
                file.refused(Some(place), format!("not JSON: {}", without_place(&error)))
            }
        }
    }

    /// A file that is there but could not be read, for the reason `why`.
    pub fn unreadable(
        scope: SettingsScope,
        path: impl Into<PathBuf>,
        why: impl std::fmt::Display,
    ) -> Self {
        Self::absent(scope, path).refused(None, format!("cannot be read: {why}"))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whose settings it holds.
    pub fn scope(&self) -> SettingsScope {
        self.scope
    }

    /// What is wrong with the file as a whole.
    pub fn problem(&self) -> Option<&SettingsProblem> {
        self.problem.as_ref()
    }

    pub(super) fn values(&self) -> &Map<String, Value> {
        &self.values
    }

    /// A finding about this file.
    pub(super) fn finding(&self, key: &str, what: String) -> SettingsProblem {
        let file = self.path.clone();
        SettingsProblem { file, scope: self.scope, place: None, key: Some(key.to_owned()), what }
    }

    fn refused(mut self, place: Option<SettingsPlace>, what: String) -> Self {
        let file = self.path.clone();
        self.problem = Some(SettingsProblem { file, scope: self.scope, place, key: None, what });
        self
    }
}

/// What a value is, for a message.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// serde_json's sentence without the place that it ends in, which is shown before it.
fn without_place(error: &serde_json::Error) -> String {
    let place = format!(" at line {} column {}", error.line(), error.column());
    let sentence = error.to_string();
    sentence.strip_suffix(&place).map(str::to_owned).unwrap_or(sentence)
}
