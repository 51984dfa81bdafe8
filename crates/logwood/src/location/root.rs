//! What a configured path means.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::path_style::PathStyle;
use crate::json::trim_js;

/// The directory that a configured root names (rule L8; spec 6.8), or none where it is unset.
///
/// `input` is trimmed; what is empty then is unset. An absolute path is kept as it is. `~`, `~/x` and `~\x` start at
/// `home` (none where the home directory is not known). Everything else is taken from `base`, lexically: which `base`
/// is the caller's rule (the cwd of the command, of the dashboard at its start, or of the session).
///
/// Input that is not Unicode follows the same rules by the host's own path type, untrimmed.
///
/// ```
/// use std::path::{Path, PathBuf};
/// use logwood::location::{PathStyle, resolve_root};
///
/// let (base, home) = (Path::new("/proj/app"), Some(Path::new("/home/ana")));
/// let root = |input: &str| resolve_root(input.as_ref(), base, home, PathStyle::Unix);
///
/// assert_eq!(root("~/sessions"), Some(PathBuf::from("/home/ana/sessions")));
/// assert_eq!(root("../common"), Some(PathBuf::from("/proj/common")));
/// assert_eq!(root("  "), None);
/// ```
#[doc(alias = "resolveConfiguredDirectory")]
pub fn resolve_root(
    input: &OsStr,
    base: &Path,
    home: Option<&Path>,
    style: PathStyle,
) -> Option<PathBuf> {
    match input.to_str() {
        Some(text) => resolve_text(trim_js(text), base, home, style),
        None => resolve_other(Path::new(input), base, home),
    }
}

fn resolve_text(text: &str, base: &Path, home: Option<&Path>, style: PathStyle) -> Option<PathBuf> {
    if text.is_empty() {
        return None;
    }
    if style.is_absolute(text) {
        return Some(PathBuf::from(text));
    }
    match below_home(text) {
        Some("") => home.map(Path::to_path_buf),
        Some(rest) => home.map(|home| join(style, home, rest)),
        None => Some(resolve(style, base, text)),
    }
}

/// What follows the home directory in `~`, `~/x`, `~\x` and `~//x`; `~user` is no such path.
fn below_home(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('~')?;
    let is_separator = ['/', '\\'];
    (rest.is_empty() || rest.starts_with(is_separator))
        .then(|| rest.trim_start_matches(is_separator))
}

/// Whether it counts as unset: empty, or white space only.
pub(super) fn is_blank(input: &OsStr) -> bool {
    input.to_str().is_some_and(|text| trim_js(text).is_empty())
}

/// `rest` below `dir`, by the rules of `style` where `dir` is Unicode.
pub(super) fn join(style: PathStyle, dir: &Path, rest: &str) -> PathBuf {
    dir.to_str().map_or_else(|| normal(&dir.join(rest)), |dir| style.join(dir, rest).into())
}

fn resolve(style: PathStyle, base: &Path, text: &str) -> PathBuf {
    base.to_str().map_or_else(|| normal(&base.join(text)), |base| style.resolve(base, text).into())
}

fn resolve_other(input: &Path, base: &Path, home: Option<&Path>) -> Option<PathBuf> {
    if input.is_absolute() {
        return Some(input.to_path_buf());
    }
    match input.strip_prefix("~") {
        Ok(rest) => home.map(|home| normal(&home.join(rest))),
        Err(_) => Some(normal(&base.join(input))),
    }
}

/// `path` without `.` and `..`, by the host's rules and without a look at the disk.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if out.parent().is_some() => drop(out.pop()),
            Component::ParentDir => {}
            other => out.push(other),
        }
    }
    out
}
