//! The cases as they lie in `conformance/`.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::json;

/// Commands that change no file: `--reading` of `check.py` takes the cases that have no other.
const READING: [&str; 25] = [
    "open",
    "get_leaf_id",
    "get_leaf_entry",
    "get_entry",
    "get_children",
    "get_label",
    "get_branch",
    "get_tree_ids",
    "get_entries",
    "get_header",
    "get_session_name",
    "get_cwd",
    "get_session_id",
    "get_session_file",
    "get_session_dir",
    "is_persisted",
    "build_session_context",
    "get_llm_messages",
    "read_file",
    "branch",
    "reset_leaf",
    "list_sessions",
    "list_all_sessions",
    "list_all_from_dir",
    "continue_recent",
];

/// What a case starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One session file.
    Session,
    /// An agent directory.
    Store,
}

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Store => "store",
        }
    }
}

/// One case: an input, and steps with the answers they must give.
#[derive(Clone, Debug)]
pub struct Case {
    /// Whether the input is a session file or an agent directory.
    pub kind: Kind,
    /// The folder and the name of its file, such as `session/001-load-linear.json`.
    pub name: String,
    pub(super) body: Value,
}

impl Case {
    /// What the case shows, in words.
    #[must_use]
    pub fn about(&self) -> &str {
        self.body.get("about").and_then(Value::as_str).unwrap_or_default()
    }

    /// Whether no step changes a file (`--reading` of `check.py`).
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.steps().iter().all(|step| READING.contains(&text(step, "type")))
    }

    /// The commands of the protocol that the case asks; what the runner does by itself is left out.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let names = self.steps().iter().map(|step| text(step, "type"));
        names
            .filter(|name| *name != "read_file" && *name != "file_exists")
            .map(|name| if name == "get_tree_ids" { "get_tree" } else { name })
    }

    /// The steps: commands with what they must give.
    #[must_use]
    pub fn steps(&self) -> &[Value] {
        self.body.get("steps").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    /// The session file of the case; empty where it has none.
    #[must_use]
    pub fn input(&self) -> &str {
        text(&self.body, "input")
    }

    fn read(path: &Path, kind: Kind) -> Result<Self, String> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let name = format!("{}/{file}", kind.folder());
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let body = json::decode(&text).map_err(|error| format!("{name}: {error}"))?;
        Ok(Self { kind, name, body })
    }
}

/// The text of a key, empty when there is none.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The folder `conformance/` of this repository.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

/// Every case of `session/` and `store/`, in the order of their names.
///
/// # Errors
///
/// A folder or a case cannot be read; the text names it.
pub fn all() -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    for kind in [Kind::Session, Kind::Store] {
        for path in files(&folder().join(kind.folder()))? {
            cases.push(Case::read(&path, kind)?);
        }
    }
    Ok(cases)
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry.map_err(|error| format!("{}: {error}", folder.display()))?.path());
    }
    files.sort();
    Ok(files)
}
