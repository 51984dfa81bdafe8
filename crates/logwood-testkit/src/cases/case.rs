//! One case: its text, and a copy of its folder that a test may change.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::setup::{self, Ready};
use super::snapshot::Snapshot;
use crate::json;

/// A loaded case. Its folder is a temporary copy with the setup done; it is removed when this is dropped.
pub struct Case {
    name: String,
    body: Value,
    dir: tempfile::TempDir,
}

impl Case {
    /// Copies and sets up the case whose folder starts with `number`, such as `02`.
    ///
    /// # Errors
    ///
    /// There is no such case, its setup fails, or it needs Python 3 where there is none (see [`Case::generated`]).
    pub fn load(number: &str) -> Result<Self, String> {
        Self::generated(number)?.ok_or_else(|| format!("case {number} needs python3"))
    }

    /// As [`Case::load`], for cases that write their input with Python 3: none, and a line on standard error that says
    /// so, where Python is missing. A test then returns early.
    ///
    /// # Errors
    ///
    /// There is no such case, or its setup fails.
    pub fn generated(number: &str) -> Result<Option<Self>, String> {
        let name = names()?
            .into_iter()
            .find(|name| name.split('-').next() == Some(number))
            .ok_or_else(|| format!("there is no case {number}"))?;
        let body = std::fs::read_to_string(folder().join(&name).join("case.json"));
        let body = body.map_err(|error| format!("{name}/case.json: {error}"))?;
        let body = json::decode(&body).map_err(|error| format!("{name}/case.json: {error}"))?;
        let dir = tempfile::tempdir().map_err(|error| error.to_string())?;
        let case = Self { name, body, dir };
        Ok(match setup::prepare(&folder().join(&case.name), &case)? {
            Ready::Yes => Some(case),
            Ready::NoPython => {
                skipped(&case.name);
                None
            }
        })
    }

    /// The name of its folder.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The copy of its folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// Input `at`, from 0, in the copy; for generated inputs the file that the first step names.
    ///
    /// A path that does not exist where the case has no such input.
    #[must_use]
    pub fn input(&self, at: usize) -> PathBuf {
        let stored = self.body.pointer(&format!("/inputs/{at}/path"));
        let path = stored.or_else(|| self.body.pointer(&format!("/steps/{at}/path")));
        self.path(path.and_then(Value::as_str).unwrap_or("no such input"))
    }

    /// A path of the case in the copy.
    #[must_use]
    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The whole of `case.json`.
    #[must_use]
    pub fn body(&self) -> &Value {
        &self.body
    }

    /// A fact by JSON pointer (`/load/entry_count`), null where the case does not state it.
    #[must_use]
    pub fn fact(&self, pointer: &str) -> &Value {
        self.facts().pointer(pointer).unwrap_or(&Value::Null)
    }

    /// All facts.
    #[must_use]
    pub fn facts(&self) -> &Value {
        self.body.pointer("/expect/facts").unwrap_or(&Value::Null)
    }

    /// Every file of the copy as it is now: bytes, times and permissions.
    ///
    /// # Errors
    ///
    /// A file cannot be read.
    pub fn snapshot(&self) -> Result<Snapshot, String> {
        Snapshot::of(self.folder())
    }

    pub(super) fn setup(&self) -> &[Value] {
        self.body.get("setup").and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }
}

#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
fn skipped(name: &str) {
    eprintln!("skipped: case {name} writes its input with python3, which is not here");
}

/// The folder `cases/` of this repository.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

/// The names of all case folders, in order.
///
/// # Errors
///
/// The folder cannot be read.
pub fn names() -> Result<Vec<String>, String> {
    let entries = std::fs::read_dir(folder()).map_err(|error| format!("cases: {error}"))?;
    let mut names = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| format!("cases: {error}"))?.path();
        if path.is_dir() {
            names.push(path.file_name().unwrap_or_default().to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}
