//! Links between the documents of the repository lead somewhere.

use std::collections::BTreeSet;

use super::source::{Finding, Source};

/// Finds links of Markdown files to files or headings that are not there.
pub(super) fn lead_somewhere(sources: &[Source]) -> Vec<Finding> {
    let places = places(sources);
    let mut found = Vec::new();
    for source in sources.iter().filter(|source| source.path.ends_with(".md")) {
        for (line, text) in source.lines() {
            for link in links(text).filter(|link| !places.contains(&resolve(&source.path, link))) {
                found.push(Finding::fault(
                    &source.path,
                    line,
                    format!("the link `{link}` leads nowhere"),
                ));
            }
        }
    }
    found
}

/// Every file, every folder, and every heading of a document as `path#heading`.
fn places(sources: &[Source]) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for source in sources {
        places.extend(
            source
                .path
                .match_indices('/')
                .filter_map(|(at, _)| Some(source.path.get(..at)?.to_owned())),
        );
        places.insert(source.path.clone());
        if source.path.ends_with(".md") {
            let anchors = source.lines().filter_map(|(_, line)| anchor(line));
            places.extend(anchors.map(|anchor| format!("{}#{anchor}", source.path)));
        }
    }
    places
}

/// The anchor of a heading: lower case, spaces as dashes, punctuation dropped.
fn anchor(line: &str) -> Option<String> {
    let title = line.strip_prefix('#')?.trim_start_matches('#').strip_prefix(' ')?;
    let kept = title.chars().filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-' || *c == '_');
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}

/// The targets of the links of a line, those to other places of the web left out.
fn links(line: &str) -> impl Iterator<Item = &str> {
    line.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.contains("://"))
}

/// The place a link of the document `from` names, as a path from the root.
fn resolve(from: &str, link: &str) -> String {
    if link.starts_with('#') {
        return format!("{from}{link}");
    }
    let (path, heading) =
        link.split_once('#').map_or((link, ""), |(path, heading)| (path, heading));
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    let path = parts.join("/");
    if heading.is_empty() { path } else { format!("{path}#{heading}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        let there = Source::new("doc/format/there.md", "# A `b`, c\n");
        lead_somewhere(&[Source::new("doc/here.md", text), there, Source::new("LICENSE", "")]).len()
    }

    #[test]
    fn links_that_lead_somewhere() {
        assert_eq!(
            count("[a](format/there.md) [b](../LICENSE) [c](format) [d](https://example.org/x)"),
            0
        );
        assert_eq!(count("## My part\n[a](#my-part) [b](format/there.md#a-b-c)"), 0);
    }

    #[test]
    fn links_that_lead_nowhere() {
        assert_eq!(count("[a](gone.md) [b](LICENSE)"), 2);
        assert_eq!(count("[a](#gone) [b](format/there.md#gone)"), 2);
    }
}
