//! Which package may depend on which (ARCHITECTURE.md, "Crates"): no crate on a front end, no library on a terminal.

use super::source::{Finding, Source};

/// A package and those of ours it may be built from. Whatever is not here (bench, xtask) ships nothing and is free.
const OURS: [(&str, &[&str]); 5] = [
    ("logwood", &[]),
    ("logwood-catalog", &["logwood"]),
    ("logwood-render", &["logwood"]),
    ("logwood-rpc", &["logwood", "logwood-catalog", "logwood-render"]),
    ("logwood-cli", &["logwood", "logwood-catalog", "logwood-render", "logwood-rpc"]),
];

/// What only front ends may depend on.
const OF_FRONT_ENDS: [&str; 9] = [
    "anstream",
    "anstyle",
    "async-std",
    "clap",
    "crossterm",
    "indicatif",
    "ratatui",
    "smol",
    "tokio",
];

/// Finds dependencies that go against the arrows.
pub(super) fn dependencies(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in sources {
        if let Some((package, allowed)) =
            OURS.iter().find(|(name, _)| source.path == manifest(name))
        {
            found.extend(check(source, package, allowed));
        }
    }
    found
}

fn manifest(package: &str) -> String {
    format!("crates/{package}/Cargo.toml")
}

fn check(source: &Source, package: &str, allowed: &[&str]) -> Vec<Finding> {
    let mut section = "";
    let mut found = Vec::new();
    for (line, text) in source.lines() {
        let text = text.trim();
        if text.starts_with('[') {
            section = text;
        } else if is_shipped(section) {
            let name = text.split(['.', ' ', '=']).next().unwrap_or_default();
            let ours = name.starts_with("logwood") && !allowed.contains(&name);
            let front = OF_FRONT_ENDS.contains(&name) && package != "logwood-cli";
            if ours || front {
                found.push(Finding::fault(
                    &source.path,
                    line,
                    format!("`{package}` must not depend on `{name}`"),
                ));
            }
        }
    }
    found
}

fn is_shipped(section: &str) -> bool {
    section.ends_with("dependencies]") && !section.ends_with("dev-dependencies]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(package: &str, text: &str) -> usize {
        dependencies(&[Source::new(&manifest(package), text)]).len()
    }

    #[test]
    fn arrows_between_packages() {
        assert_eq!(count("logwood-rpc", "[dependencies]\nlogwood.workspace = true\n"), 0);
        assert_eq!(count("logwood", "[dependencies]\nlogwood-rpc.workspace = true\n"), 1);
        assert_eq!(
            count("logwood-cli", "[dependencies]\nlogwood-testkit = { path = \"..\" }\n"),
            1
        );
        assert_eq!(count("logwood", "[dev-dependencies]\nlogwood-testkit.workspace = true\n"), 0);
    }

    #[test]
    fn libraries_know_no_terminal_and_no_runtime() {
        assert_eq!(count("logwood", "[dependencies]\nclap = \"4\"\n"), 1);
        assert_eq!(count("logwood-rpc", "[target.'cfg(unix)'.dependencies]\ntokio = \"1\"\n"), 1);
        assert_eq!(count("logwood-cli", "[dependencies]\nclap.workspace = true\n"), 0);
    }
}
