//! What an export is called that nobody named.

use std::path::{Path, PathBuf};

/// The name of the session with the ending of the format.
pub(crate) fn default_name(session: &Path, extension: &str) -> PathBuf {
    let stem = session.file_stem().unwrap_or(session.as_os_str());
    let mut name = stem.to_owned();
    name.push(if extension == "jsonl" { ".export." } else { "." });
    name.push(extension);
    PathBuf::from(name)
}
