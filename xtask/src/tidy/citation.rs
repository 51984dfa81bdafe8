//! Rules of the format that code and tests cite (`rule F12`) exist in `doc/format/session.md`, each once.

use std::collections::BTreeSet;

use super::source::{Finding, Source};

const FORMAT: &str = "doc/format/session.md";

/// Finds citations of rules that are not there, and rules that are there twice.
pub(super) fn rules(sources: &[Source]) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for source in sources.iter().filter(|source| source.path == FORMAT) {
        for (line, number) in source.lines().filter_map(|(line, text)| Some((line, defined(text)?)))
        {
            if !known.insert(number) {
                found.push(Finding::fault(
                    FORMAT,
                    line,
                    format!("rule F{number} stands here twice"),
                ));
            }
        }
    }
    for source in
        sources.iter().filter(|source| source.is_rust() && source.path.starts_with("crates/"))
    {
        found.extend(unknown(source, &known));
    }
    found
}

/// The number of the rule that a line of the format document states: `- **F12** …`.
fn defined(line: &str) -> Option<u32> {
    line.strip_prefix("- **F")?.split("**").next()?.parse().ok()
}

fn unknown(source: &Source, known: &BTreeSet<u32>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (line, text) in source.lines() {
        for number in cited(text).filter(|number| !known.contains(number)) {
            let what = format!("cites rule F{number}, which {FORMAT} does not have");
            found.push(Finding::fault(&source.path, line, what));
        }
    }
    found
}

fn cited(text: &str) -> impl Iterator<Item = u32> {
    text.split("rule F").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(format: &str, code: &str) -> usize {
        rules(&[Source::new(FORMAT, format), Source::new("crates/a.rs", code)]).len()
    }

    #[test]
    fn cited_rules_exist() {
        assert_eq!(count("- **F1** One.\n- **F2** Two.\n", "// rule F1, rule F2\n"), 0);
        assert_eq!(count("- **F1** One.\n", "// rule F1, rule F2\n"), 1);
    }

    #[test]
    fn numbers_are_given_once() {
        assert_eq!(count("- **F1** One.\n- **F1** Two.\n", ""), 1);
    }
}
