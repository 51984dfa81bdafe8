//! The files that git tracks or would track, and what a rule finds in them.

use std::fmt;
use std::path::Path;
use std::process::Command;

/// One file: its path from the root of the repository and its text (bytes that are not UTF-8 replaced).
pub(super) struct Source {
    pub(super) path: String,
    pub(super) text: String,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// Whether this is Rust code.
    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// The last part of the path.
    pub(super) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The lines with their numbers, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.split('\n'))
    }
}

/// Something a rule does not like.
pub(super) struct Finding {
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) what: String,
    pub(super) warning: bool,
}

impl Finding {
    pub(super) fn fault(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, what: what.into(), warning: false }
    }

    pub(super) fn warning(path: &str, line: usize, what: impl Into<String>) -> Self {
        Self { warning: true, ..Self::fault(path, line, what) }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.warning { "warning: " } else { "" };
        write!(f, "{}:{}: {word}{}", self.path, self.line, self.what)
    }
}

/// Every file under `root` that git tracks, and the new ones it does not ignore.
pub(super) fn tracked(root: &Path) -> Result<Vec<Source>, String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().map_err(|error| format!("git: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().to_owned());
    }
    let names = String::from_utf8_lossy(&output.stdout);
    Ok(names.split_terminator('\0').filter_map(|name| read(root, name)).collect())
}

/// The file, unless it is gone from the working tree or is no plain file (a link, a pipe).
fn read(root: &Path, name: &str) -> Option<Source> {
    let path = root.join(name);
    let plain = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
    let bytes = plain.then(|| std::fs::read(&path).ok()).flatten()?;
    Some(Source::new(name, &String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::root;

    #[test]
    fn lists_this_very_file() {
        let sources = tracked(&root()).unwrap();
        assert!(sources.iter().any(|source| source.path.ends_with("tidy/source.rs")));
    }

    #[test]
    fn says_why_when_there_is_no_repository() {
        assert!(!tracked(Path::new("/")).err().unwrap().is_empty());
    }

    #[test]
    fn numbers_lines_from_one() {
        let source = Source::new("a", "x\ny");
        assert_eq!(source.lines().collect::<Vec<_>>(), [(1, "x"), (2, "y")]);
    }
}
