//! No test is forgotten: files of a test binary are named in its `main.rs`, and an ignored test is a deep one.

use super::code::bare;
use super::source::{Finding, Source};

/// Finds files under `tests/` that no test binary compiles: everything stands in `tests/it/` and is named in its `main.rs`.
pub(super) fn forgotten_files(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| source.is_rust())
        .filter_map(|source| forgotten(source, sources))
        .collect()
}

fn forgotten(source: &Source, sources: &[Source]) -> Option<Finding> {
    let (package, inner) =
        source.path.split_once("/tests/").filter(|(package, _)| !package.contains("/src"))?;
    let Some(inner) = inner.strip_prefix("it/") else {
        let what = "a test binary of its own: put it into tests/it/, one binary links once";
        return Some(Finding::fault(&source.path, 1, what));
    };
    let module = inner.split(['/', '.']).next().unwrap_or_default();
    let main = sources.iter().find(|other| other.path == format!("{package}/tests/it/main.rs"));
    let named = main.is_some_and(|main| names_module(&main.text, module));
    if module == "main" || named {
        return None;
    }
    let what = format!("not named in {package}/tests/it/main.rs (`mod {module};`): it never runs");
    Some(Finding::fault(&source.path, 1, what))
}

fn names_module(main: &str, module: &str) -> bool {
    let wanted = format!("mod {module};");
    bare(main).lines().any(|line| line.trim_start_matches("pub ").trim() == wanted)
}

/// Finds ignored tests that `cargo xtask deep` would not run either.
pub(super) fn ignored_tests(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| source.is_rust()).flat_map(ignored).collect()
}

fn ignored(source: &Source) -> Vec<Finding> {
    let code = bare(&source.text);
    let mut waiting = None;
    let mut found = Vec::new();
    for (line, text) in (1..).zip(code.lines()) {
        let text = text.trim_start();
        if text.starts_with("#[ignore") {
            waiting = Some(line);
        } else if let Some(name) = function_name(text)
            && let Some(line) = waiting.take()
            && !name.starts_with("deep_")
        {
            let what = format!("`{name}` is ignored and not named deep_…: nothing runs it");
            found.push(Finding::fault(&source.path, line, what));
        }
    }
    found
}

fn function_name(text: &str) -> Option<&str> {
    let text = text.strip_prefix("pub ").unwrap_or(text);
    text.strip_prefix("fn ")?.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forgotten_with(main: &str) -> usize {
        let sources = [
            Source::new("crates/a/tests/it/main.rs", main),
            Source::new("crates/a/tests/it/damage.rs", ""),
            Source::new("crates/a/tests/it/support/mod.rs", ""),
        ];
        forgotten_files(&sources).len()
    }

    #[test]
    fn files_of_the_binary_are_named() {
        assert_eq!(forgotten_with("mod damage;\nmod support;\n"), 0);
        assert_eq!(forgotten_with("mod damage;\n"), 1);
        assert_eq!(forgotten_with("// mod damage;\n// mod support;\n"), 2);
    }

    #[test]
    fn other_binaries_are_found() {
        assert_eq!(forgotten_files(&[Source::new("crates/a/tests/more.rs", "")]).len(), 1);
        assert_eq!(forgotten_files(&[Source::new("crates/a/src/tests/more.rs", "")]).len(), 0);
    }

    #[test]
    fn ignored_tests_are_deep() {
        let count = |text: &str| ignored_tests(&[Source::new("a.rs", text)]).len();
        assert_eq!(count("#[test]\n#[ignore = \"1 GiB\"]\nfn deep_file() {}\n"), 0);
        assert_eq!(count("#[test]\n#[ignore]\nfn slow() {}\n"), 1);
        assert_eq!(count("#[test]\nfn slow() {}\n"), 0);
    }
}
