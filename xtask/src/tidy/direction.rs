//! Arrows go with the data: which room of the library may use which others (ARCHITECTURE.md, invariant 3).

use super::code::{bare, without_tests};
use super::names::{above, under};
use super::source::{Finding, Source};

const LIBRARY: &str = "crates/logwood/src/";

/// A room and the rooms it may use, in the order the data flows. `problem` and `error` are open to every room
/// after `line`; they themselves know only positions.
const ROOMS: [(&str, &[&str]); 22] = [
    ("line", &[]),
    ("json", &["line"]),
    ("entry", &["line", "json"]),
    ("migration", &["line", "json", "entry"]),
    ("tree", &["line", "json", "entry", "migration"]),
    ("context", &["line", "json", "entry", "migration", "tree"]),
    ("compaction", &["line", "json", "entry", "migration", "tree", "context"]),
    ("location", &["line", "json"]),
    ("storage", &["env"]),
    (
        "session",
        &["line", "json", "entry", "migration", "tree", "context", "location", "storage", "env"],
    ),
    ("inventory", &["line", "json", "entry", "migration", "tree", "location", "storage", "env"]),
    // A transcript is a session file: its header, and who names whom as parent, are read by the inventory.
    ("transcript", &["line", "json", "entry", "location", "storage", "inventory", "env"]),
    ("repair", &["line", "json", "entry", "migration", "location", "storage", "env"]),
    (
        "deletion",
        &[
            "line",
            "json",
            "entry",
            "location",
            "storage",
            "inventory",
            "transcript",
            "session",
            "env",
        ],
    ),
    ("import", &["line", "json", "entry", "location", "storage", "inventory", "env"]),
    (
        "relocation",
        &["line", "json", "entry", "location", "storage", "session", "inventory", "env"],
    ),
    ("performance", &["line", "json", "location", "storage", "env"]),
    (
        "statistics",
        &[
            "line",
            "json",
            "entry",
            "migration",
            "tree",
            "context",
            "location",
            "storage",
            // An open session is counted as it is, with what is not on disk yet.
            "session",
            "inventory",
            "transcript",
            "env",
        ],
    ),
    // The session room is for files of versions 1 and 2, so that their entries have the ids they have everywhere.
    ("follow", &["line", "json", "entry", "location", "storage", "inventory", "session", "env"]),
    ("error", &["line"]),
    ("problem", &["line"]),
    ("env", &[]),
];

/// Finds a room that uses one it must not know.
pub(super) fn rooms(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| in_force(source)).flat_map(check).collect()
}

/// The code of the library, its tests left out: they may build their inputs with any room.
fn in_force(source: &Source) -> bool {
    source.is_rust() && source.name() != "tests.rs" && source.path.starts_with(LIBRARY)
}

fn check(source: &Source) -> Vec<Finding> {
    let inner = source.path.strip_prefix(LIBRARY).unwrap_or_default();
    let room = inner.split(['/', '.']).next().unwrap_or_default();
    if room == "lib" {
        return Vec::new();
    }
    let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
        let what = format!(
            "room `{room}` is not in the table of directions (xtask/src/tidy/direction.rs)"
        );
        return vec![Finding::fault(&source.path, 1, what)];
    };
    let code = bare(without_tests(&source.text));
    uses(&code, depth(inner))
        .into_iter()
        .filter_map(|(line, name)| {
            verdict(room, allowed, name).map(|what| Finding::fault(&source.path, line, what))
        })
        .collect()
}

/// How many `super::` lead from this file to the root of the crate.
fn depth(inner: &str) -> usize {
    inner.split('/').filter(|part| *part != "mod.rs").count()
}

fn uses(code: &str, depth: usize) -> Vec<(usize, &str)> {
    let mut found = under(code, "crate");
    found.extend(
        above(code)
            .into_iter()
            .filter(|(_, count, _)| *count >= depth)
            .map(|(line, _, name)| (line, name)),
    );
    found
}

/// What is wrong with `room` using `name`, if anything.
fn verdict(room: &str, allowed: &[&str], name: &str) -> Option<String> {
    let common = matches!(name, "problem" | "error") && room != "line";
    if name == room || common || allowed.contains(&name) {
        None
    } else if ROOMS.iter().any(|(other, _)| *other == name) {
        Some(format!("room `{room}` must not know room `{name}`"))
    } else {
        Some(format!("room `{room}` uses `crate::{name}`: name the room it comes from"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(&format!("{LIBRARY}{path}"), text);
        rooms(&[source]).into_iter().map(|finding| finding.what).collect()
    }

    #[test]
    fn arrows_that_go_with_the_data_pass() {
        assert!(
            findings(
                "tree/index.rs",
                "use crate::entry::Entry;\nuse crate::{error, problem::Problem};"
            )
            .is_empty()
        );
        assert!(
            findings("session/open.rs", "use crate::storage::Storage; use super::tree;").is_empty()
        );
        assert!(findings("lib.rs", "pub use crate::storage::Storage;").is_empty());
    }

    #[test]
    fn arrows_against_the_data_are_found() {
        let against = ["room `entry` must not know room `tree`"];
        assert_eq!(findings("entry/header.rs", "use crate::tree::Tree;"), against);
        assert_eq!(findings("entry/header.rs", "fn f() { crate::{json::x, tree::y} }"), against);
        assert_eq!(findings("entry/header.rs", "use super::super::tree::Tree;"), against);
        assert_eq!(findings("entry/mod.rs", "use super::tree;"), against);
        assert_eq!(
            findings("problem.rs", "use crate::json;"),
            ["room `problem` must not know room `json`"]
        );
    }

    #[test]
    fn pure_rooms_never_know_storage_session_or_inventory() {
        for room in
            ["line", "json", "entry", "migration", "tree", "context", "compaction", "location"]
        {
            for other in ["storage", "session", "inventory"] {
                assert_eq!(
                    findings(&format!("{room}/x.rs"), &format!("use crate::{other}::X;")).len(),
                    1
                );
            }
        }
    }

    #[test]
    fn shortcuts_past_the_rooms_are_found() {
        assert_eq!(findings("tree/x.rs", "use crate::Session;").len(), 1);
        assert_eq!(findings("tree/x.rs", "use crate::*;").len(), 1);
        assert_eq!(findings("attic/x.rs", "").len(), 1);
    }

    #[test]
    fn comments_and_tests_are_free() {
        assert!(
            findings(
                "line/x.rs",
                "// crate::storage\n#[cfg(test)]\nmod tests { use crate::json; }"
            )
            .is_empty()
        );
        assert!(findings("line/tests.rs", "use crate::json;").is_empty());
    }
}
