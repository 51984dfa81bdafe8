//! The doors to the outside world: which file of the library may open which (ARCHITECTURE.md, invariants 1 and 2).
//!
//! clippy's `disallowed-methods` holds the same line by resolved names; this rule also sees imports and other crates.

use super::code::{bare, without_tests};
use super::names::under;
use super::source::{Finding, Source};

const LIBRARY: &str = "crates/logwood/src/";

/// A module of `std`, the start of the paths that may name it, and what the others do instead.
const OF_STD: [(&str, &[&str], &str); 5] = [
    ("fs", &["storage/"], "only storage/ touches files"),
    ("process", &["deletion/trash.rs"], "only deletion/trash.rs starts a process"),
    ("env", &[], "the library reads no environment: take the value as an argument"),
    ("net", &[], "the library knows no network"),
    ("os", &["storage/", "location/"], "only storage/ touches the system"),
];

/// What these modules have that opens no door: it computes, or names this process.
const PURE: [&str; 3] = ["std::env::split_paths", "std::env::join_paths", "std::process::id"];

/// Other crates that touch files.
const CRATES: [&str; 2] = ["rustix", "tempfile"];

/// Finds code that opens a door which is not its own.
pub(super) fn closed(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| in_force(source)).flat_map(check).collect()
}

fn in_force(source: &Source) -> bool {
    source.is_rust() && source.name() != "tests.rs" && source.path.starts_with(LIBRARY)
}

fn check(source: &Source) -> Vec<Finding> {
    let inner = source.path.strip_prefix(LIBRARY).unwrap_or_default();
    let code = bare(without_tests(&source.text));
    let code = PURE.iter().fold(code, |code, name| code.replace(name, ""));
    let mut found = Vec::new();
    for (line, name) in under(&code, "std") {
        let door = OF_STD.iter().find(|(door, _, _)| *door == name);
        if let Some((door, keepers, instead)) = door
            && !keepers.iter().any(|keeper| inner.starts_with(keeper))
        {
            found.push(Finding::fault(&source.path, line, format!("`std::{door}`: {instead}")));
        }
    }
    if !inner.starts_with("storage/") {
        for name in CRATES {
            let lines = under(&code, name).into_iter().map(|(line, _)| line);
            let what = format!("`{name}`: only storage/ touches files");
            found.extend(lines.map(|line| Finding::fault(&source.path, line, what.as_str())));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(path: &str, text: &str) -> usize {
        closed(&[Source::new(&format!("{LIBRARY}{path}"), text)]).len()
    }

    #[test]
    fn files_belong_to_storage() {
        assert_eq!(count("storage/local.rs", "use std::fs::File; use rustix::fs;"), 0);
        assert_eq!(count("session/open.rs", "use std::fs::File;"), 1);
        assert_eq!(count("session/open.rs", "use std::{io, fs};"), 1);
        assert_eq!(count("session/open.rs", "use rustix::fs::flock;"), 1);
        assert_eq!(count("session/open.rs", "let t = tempfile::tempdir();"), 1);
    }

    #[test]
    fn processes_belong_to_the_trash() {
        assert_eq!(count("deletion/trash.rs", "use std::process::Command;"), 0);
        assert_eq!(count("deletion/plan.rs", "use std::process::Command;"), 1);
        assert_eq!(count("storage/x.rs", "std::process::exit(1)"), 1);
        assert_eq!(count("session/presence.rs", "std::process::id()"), 0);
    }

    #[test]
    fn the_environment_belongs_to_front_ends() {
        assert_eq!(count("location/agent.rs", "std::env::var(\"HOME\")"), 1);
        assert_eq!(count("location/agent.rs", "std::env::split_paths(list)"), 0);
        assert_eq!(count("env.rs", "crate::env::Clock; my::env::x"), 0);
        assert_eq!(
            closed(&[Source::new("crates/logwood-cli/src/a.rs", "std::env::args()")]).len(),
            0
        );
    }
}
