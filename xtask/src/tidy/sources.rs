//! Sections that comments cite (`spec 5.1`, `F-07`) stand in the table of `doc/format/sources.md`.

use std::collections::BTreeSet;

use super::source::{Finding, Source};

const TABLE: &str = "doc/format/sources.md";

/// Finds citations that no reader of this repository could look up.
pub(super) fn sections(sources: &[Source]) -> Vec<Finding> {
    let table = sources.iter().filter(|source| source.path == TABLE);
    let known: BTreeSet<&str> = table.flat_map(rows).collect();
    let code =
        sources.iter().filter(|source| source.is_rust() && source.path.starts_with("crates/"));
    code.flat_map(|source| unknown(source, &known)).collect()
}

/// The first cell of each row.
fn rows(table: &Source) -> impl Iterator<Item = &str> {
    table.lines().filter_map(|(_, line)| line.strip_prefix("| ")?.split(' ').next())
}

fn unknown(source: &Source, known: &BTreeSet<&str>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, text) in source.lines() {
        for section in sections_of(text).chain(faults_of(text)).filter(|name| !known.contains(name))
        {
            let what = format!("cites section {section}, which {TABLE} does not have");
            found.push(Finding::fault(&source.path, line, what));
        }
    }
    found
}

/// `5.1` of `spec 5.1`; further sections of a list are not looked at.
fn sections_of(text: &str) -> impl Iterator<Item = &str> {
    let tails = text.match_indices("spec ").filter_map(|(at, word)| text.get(at + word.len()..));
    tails.map(number).filter(|section| !section.is_empty())
}

/// `F-07`, where no letter or digit stands before it (`UTF-8` is none).
fn faults_of(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices("F-").filter_map(|(at, _)| {
        let before = text.get(..at)?.chars().next_back();
        let digits = number(text.get(at + 2..)?).len();
        let alone = before.is_none_or(|c| !c.is_alphanumeric());
        text.get(at..at + 2 + digits).filter(|_| alone && digits == 2)
    })
}

fn number(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    text.get(..end).unwrap_or_default().trim_end_matches('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(code: &str) -> usize {
        let table =
            Source::new(TABLE, "| section | about |\n|---|---|\n| 5.1 | a |\n| F-07 | b |\n");
        sections(&[table, Source::new("crates/a.rs", code)]).len()
    }

    #[test]
    fn sections_that_can_be_looked_up() {
        assert_eq!(count("// (spec 5.1). F-07, UTF-16, the spec itself, WTF-8"), 0);
    }

    #[test]
    fn sections_that_cannot() {
        assert_eq!(count("// spec 5.2; spec 5"), 2);
        assert_eq!(count("// F-08"), 1);
    }
}
