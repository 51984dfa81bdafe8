//! What no tracked file may hold: paths of one machine, other registries, spaces at the end of a line.

use super::source::{Finding, Source};

/// Folders of the machine this was written on, put together so that this file does not hold them.
const MACHINE: [&str; 5] = [
    concat!("/ro", "ot/"),
    concat!("/wo", "rk/h/"),
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/shared"),
    concat!("/wo", "rk/.library"),
];

/// Where the packages of the lock file may come from.
const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Settings that send a package manager elsewhere, put together for the same reason.
const ELSEWHERE: [&str; 5] = [
    concat!("sparse", "+http"),
    concat!("replace", "-with"),
    concat!("index", "-url"),
    concat!("registry", "=http"),
    concat!("GO", "PROXY="),
];

/// Finds paths that exist on one machine only. The invented sessions of `cases/` have projects in a folder of that name.
pub(super) fn machine_paths(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| !source.path.starts_with("cases/")) {
        for (line, text) in source.lines() {
            for path in MACHINE.iter().filter(|path| holds_path(text, path)) {
                found.push(Finding::fault(
                    &source.path,
                    line,
                    format!("`{path}` is a folder of one machine"),
                ));
            }
        }
    }
    found
}

/// Whether a path that starts with `folder` stands in `text`, and not just one that has it in the middle.
fn holds_path(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        before.is_none_or(|c| !c.is_alphanumeric() && !"._-~@}>*".contains(c))
    })
}

/// Finds names of registries other than the public one.
pub(super) fn registries(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in sources {
        for (line, text) in source.lines() {
            let foreign = text.contains("registry+")
                && source.name() == "Cargo.lock"
                && !text.contains(REGISTRY);
            if foreign || ELSEWHERE.iter().any(|word| text.contains(word)) {
                found.push(Finding::fault(&source.path, line, "names a registry of its own"));
            }
        }
    }
    found
}

/// Finds lines of text files that end in a space or a tab; data (fixtures, sessions) is left as it is.
pub(super) fn trailing_space(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| is_text(source)) {
        for (line, text) in source.lines() {
            if text.ends_with([' ', '\t', '\r']) {
                found.push(Finding::fault(&source.path, line, "space at the end of the line"));
            }
        }
    }
    found
}

fn is_text(source: &Source) -> bool {
    let name = source.name();
    let kinds = [".rs", ".md", ".toml", ".yml", ".yaml", ".sh", ".py", ".js", ".mjs"];
    kinds.iter().any(|kind| name.ends_with(kind)) || source.path == ".ci/run"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(path: &str, text: &str) -> [Source; 1] {
        [Source::new(path, text)]
    }

    #[test]
    fn folders_of_one_machine_are_found() {
        for folder in MACHINE {
            assert_eq!(machine_paths(&one("a.md", &format!("see {folder}x"))).len(), 1);
            assert_eq!(machine_paths(&one("a.json", &format!("\"{folder}x\""))).len(), 1);
            assert_eq!(machine_paths(&one("a.json", &format!("file://{folder}x"))).len(), 1);
            assert_eq!(machine_paths(&one("a.json", &format!("/home/ana{folder}x"))).len(), 0);
        }
    }

    #[test]
    fn registries_are_found() {
        let lock = |url: &str| registries(&one("Cargo.lock", &format!("source = \"{url}\""))).len();
        assert_eq!(lock(REGISTRY), 0);
        assert_eq!(lock("registry+https://mirror.example/index"), 1);
        for word in ELSEWHERE {
            assert_eq!(registries(&one(".cargo/config.toml", word)).len(), 1);
        }
    }

    #[test]
    fn trailing_space_is_found_in_text_only() {
        assert_eq!(trailing_space(&one("a.rs", "a \nb\t\nc\n")).len(), 2);
        assert_eq!(trailing_space(&one("a.md", "a\r\n")).len(), 1);
        assert_eq!(trailing_space(&one("a.jsonl", "a \n")).len(), 0);
    }
}
