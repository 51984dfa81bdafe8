//! What a file reaches for: the first names after a root such as `crate` or `std`, groups included.

/// Line number and first name of every path that starts at `root`: `std::{fs, io::Read}` gives `fs` and `io`.
///
/// `code` is text without comments and literals (`code::bare`).
pub(super) fn under<'a>(code: &'a str, root: &str) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    for start in after_root(code, root) {
        let line = 1 + code.get(..start).unwrap_or_default().matches('\n').count();
        let rest = code.get(start..).unwrap_or_default();
        found.extend(heads(rest).into_iter().map(|name| (line, name)));
    }
    found
}

/// Line number, count and next name of every chain of `super::`.
pub(super) fn above(code: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.split('\n')) {
        let mut rest = text;
        while let Some(at) = rest.find("super::") {
            let tail = rest.get(at..).unwrap_or_default();
            let end = tail.trim_start_matches("super::");
            let count = (tail.len() - end.len()) / "super::".len();
            found.extend(heads(end).into_iter().map(|name| (line, count, name)));
            rest = end;
        }
    }
    found
}

/// Where the text after `root::` starts, for every `root` that is a whole word and no part of a longer path.
fn after_root<'a>(code: &'a str, root: &'a str) -> impl Iterator<Item = usize> + 'a {
    code.match_indices(root).filter_map(move |(at, _)| {
        let before = code.get(..at)?.trim_end_matches("::").chars().next_back();
        let whole = before.is_none_or(|c| !c.is_alphanumeric() && c != '_');
        let rest = code.get(at + root.len()..)?.strip_prefix("::")?;
        whole.then_some(code.len() - rest.len())
    })
}

/// The first name of a path, or of each path of a group.
fn heads(path: &str) -> Vec<&str> {
    match path.strip_prefix('{') {
        Some(group) => {
            members(group).into_iter().map(head).filter(|name| !name.is_empty()).collect()
        }
        None => vec![head(path)],
    }
}

fn head(path: &str) -> &str {
    let path = path.trim_start();
    if path.starts_with('*') {
        return "*";
    }
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

/// The parts of a group up to its closing brace, split at commas that stand in no inner group.
fn members(group: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.extend(group.get(start..at));
                return parts;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.extend(group.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names<'a>(code: &'a str, root: &str) -> Vec<&'a str> {
        under(code, root).into_iter().map(|(_, name)| name).collect()
    }

    #[test]
    fn single_paths_and_groups() {
        assert_eq!(names("use crate::line::Position;", "crate"), ["line"]);
        assert_eq!(
            names("use std::{fs, io::{self, Read}, path::Path};", "std"),
            ["fs", "io", "path"]
        );
        assert_eq!(
            names("use crate::{\n    entry::Entry,\n    tree,\n};", "crate"),
            ["entry", "tree"]
        );
        assert_eq!(names("use crate::*;", "crate"), ["*"]);
    }

    #[test]
    fn paths_inside_expressions() {
        assert_eq!(names("let x = ::std::fs::read(p); my_std::fs::f()", "std"), ["fs"]);
    }

    #[test]
    fn lines_are_counted() {
        assert_eq!(under("a\nb\ncrate::x", "crate"), [(3, "x")]);
    }

    #[test]
    fn chains_of_super() {
        assert_eq!(
            above("use super::a;\nuse super::super::storage::B;"),
            [(1, 1, "a"), (2, 2, "storage")]
        );
    }
}
