//! Where code may stand: `mod.rs` holds docs and re-exports, every file says what it is for, no file is long.

use super::code::bare;
use super::source::{Finding, Source};

/// A file with more lines than this is a fault; with more than `LONG` a warning.
const TOO_LONG: usize = 800;
const LONG: usize = 500;

/// Finds a `mod.rs` that holds more than docs, modules and re-exports.
pub(super) fn mod_files(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| source.name() == "mod.rs" && source.path.contains("/src/"))
        .flat_map(strange_items)
        .collect()
}

fn strange_items(source: &Source) -> Vec<Finding> {
    let code = bare(&source.text);
    let mut line = 1;
    let mut found = Vec::new();
    for item in code.split_inclusive(';') {
        let start = line + leading_lines(item);
        line += item.matches('\n').count();
        if !may_stand(item) {
            let what =
                "mod.rs holds docs, modules and re-exports only: move this to a file of its own";
            found.push(Finding::fault(&source.path, start, what));
            break;
        }
    }
    found
}

fn leading_lines(item: &str) -> usize {
    let blank = item.len() - item.trim_start().len();
    item.get(..blank).unwrap_or_default().matches('\n').count()
}

fn may_stand(item: &str) -> bool {
    let item = without_attributes(item.trim());
    let item = item.strip_prefix("pub").map_or(item, after_visibility);
    item.is_empty() || item.ends_with(';') && (item.starts_with("mod ") || item.starts_with("use "))
}

fn without_attributes(mut item: &str) -> &str {
    while item.starts_with("#[") || item.starts_with("#![") {
        item = item.split_once(']').map_or("", |(_, rest)| rest.trim_start());
    }
    item
}

fn after_visibility(item: &str) -> &str {
    let item = item.trim_start();
    if item.starts_with('(') {
        item.split_once(')').map_or("", |(_, rest)| rest.trim_start())
    } else {
        item
    }
}

/// Finds Rust files that do not say what they are for, be it of the file (`//!`) or of its first item (`///`);
/// `tests.rs` belongs to the file beside it.
pub(super) fn module_docs(sources: &[Source]) -> Vec<Finding> {
    sources
        .iter()
        .filter(|source| source.is_rust() && source.name() != "tests.rs")
        .filter(|source| !says_what_for(&source.text))
        .map(|source| {
            Finding::fault(&source.path, 1, "the file does not say what it is for (`//! …`)")
        })
        .collect()
}

fn says_what_for(text: &str) -> bool {
    text.starts_with("//! ") || first_item(text).is_some_and(|line| line.starts_with("/// "))
}

/// The first line that belongs to an item; imports, modules and what stands inside of braces are passed over.
fn first_item(text: &str) -> Option<&str> {
    let import = ["use ", "pub use ", "mod ", "pub mod ", " ", "}", "//", "#[cfg(test)]"];
    text.lines().find(|line| {
        line.starts_with("///")
            || !line.is_empty() && !import.iter().any(|start| line.starts_with(start))
    })
}

/// Finds Rust files that are long.
pub(super) fn sizes(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| source.is_rust()).filter_map(size).collect()
}

fn size(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    if lines > TOO_LONG {
        Some(Finding::fault(
            &source.path,
            lines,
            format!("{lines} lines: split it, {TOO_LONG} is the limit"),
        ))
    } else if lines > LONG {
        Some(Finding::warning(&source.path, lines, format!("{lines} lines: think of splitting it")))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strange(text: &str) -> Option<usize> {
        mod_files(&[Source::new("crates/a/src/b/mod.rs", text)]).first().map(|finding| finding.line)
    }

    #[test]
    fn docs_modules_and_re_exports_may_stand_in_mod_files() {
        let good = "//! Doc.\n//!\n//! ```\n//! fn f() {}\n//! ```\n\nmod a;\npub mod b;\n#[cfg(test)]\nmod tests;\n\npub use a::{A, B};\npub(crate) use b::c;\n";
        assert_eq!(strange(good), None);
    }

    #[test]
    fn anything_else_may_not() {
        assert_eq!(strange("//! Doc.\n\nmod a;\n\npub fn f() {}\n"), Some(5));
        assert_eq!(strange("//! Doc.\nmod a { fn f() { g(); } }\n"), Some(2));
        assert_eq!(strange("//! Doc.\npub type R = u8;\n"), Some(2));
        assert_eq!(strange("const X: u8 = 1;"), Some(1));
    }

    #[test]
    fn every_file_says_what_it_is_for() {
        let docs = |path: &str, text: &str| module_docs(&[Source::new(path, text)]).len();
        assert_eq!(docs("a.rs", "//! Cuts lines.\n"), 0);
        assert_eq!(docs("a.rs", "fn f() {}\n"), 1);
        assert_eq!(docs("a.rs", "\n//! Late.\n"), 1);
        assert_eq!(
            docs("a.rs", "use a::{\n    b,\n};\nmod c;\n\n/// A thing.\npub struct T;\n"),
            0
        );
        assert_eq!(
            docs("a.rs", "use a::b;\n\npub struct T {\n    /// A field.\n    f: u8,\n}\n"),
            1
        );
        assert_eq!(docs("a/tests.rs", "use super::*;\n"), 0);
        assert_eq!(docs("a.md", "text\n"), 0);
    }

    #[test]
    fn long_files_are_found() {
        let finding = |lines: usize| sizes(&[Source::new("a.rs", &"\n".repeat(lines))]).pop();
        assert!(finding(500).is_none());
        assert!(finding(501).unwrap().warning);
        assert!(finding(800).unwrap().warning);
        assert!(!finding(801).unwrap().warning);
    }
}
