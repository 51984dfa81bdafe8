//! Rules that code and tests cite (`rule F12`, `rules L5 to L7`) exist in the documents of the formats, each once.

use std::collections::BTreeSet;

use super::source::{Finding, Source};

/// The letter of the rules of a document, and the document.
const DOCUMENTS: [(char, &str); 3] = [
    ('F', "doc/format/session.md"),
    ('L', "doc/format/locations.md"),
    ('P', "doc/format/performance.md"),
];

/// Finds citations of rules that are not there, and rules that are there twice.
pub(super) fn rules(sources: &[Source]) -> Vec<Finding> {
    DOCUMENTS
        .iter()
        .flat_map(|(letter, document)| of_document(sources, *letter, document))
        .collect()
}

fn of_document(sources: &[Source], letter: char, document: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for source in sources.iter().filter(|source| source.path == document) {
        for (line, text) in source.lines() {
            if let Some(number) = defined(text, letter).filter(|number| !known.insert(*number)) {
                let what = format!("rule {letter}{number} stands here twice");
                found.push(Finding::fault(document, line, what));
            }
        }
    }
    for source in sources.iter().filter(|source| source.is_rust()) {
        for (line, number) in cited(source, letter).filter(|(_, number)| !known.contains(number)) {
            let what = format!("cites rule {letter}{number}, which {document} does not have");
            found.push(Finding::fault(&source.path, line, what));
        }
    }
    found
}

/// The number of the rule that a line of a document states: `- **F12** …`.
fn defined(line: &str, letter: char) -> Option<u32> {
    line.strip_prefix("- **")?.strip_prefix(letter)?.split("**").next()?.parse().ok()
}

/// Line and number of each citation in the crates: the number behind `rule ` or `rules ` and the letter.
fn cited(source: &Source, letter: char) -> impl Iterator<Item = (usize, u32)> {
    let words = [format!("rule {letter}"), format!("rules {letter}")];
    let lines = source.lines().filter(|_| source.path.starts_with("crates/"));
    lines.flat_map(move |(line, text)| {
        let tails = words.iter().flat_map(|word| text.split(word.as_str()).skip(1));
        tails.filter_map(number).map(|number| (line, number)).collect::<Vec<_>>()
    })
}

fn number(text: &str) -> Option<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: &str, code: &str) -> usize {
        rules(&[Source::new(DOCUMENTS[0].1, format), Source::new("crates/a.rs", code)]).len()
    }

    #[test]
    fn cited_rules_exist() {
        assert_eq!(count("- **F1** One.\n- **F2** Two.\n", "// rule F1, rules F2 and more\n"), 0);
        assert_eq!(count("- **F1** One.\n", "// rule F1, rule F2\n"), 1);
        assert_eq!(count("- **F1** One.\n", "// rules F2 to F9, rule L1\n"), 2);
    }

    #[test]
    fn numbers_are_given_once() {
        assert_eq!(count("- **F1** One.\n- **F1** Two.\n", ""), 1);
    }
}
