//! Rows as comma-separated values (RFC 4180), for spreadsheets: numbers plain, text quoted where it has to be.

use logwood::json::js_number_text;
use logwood::statistics::{Label, Statistics, Table, Totals};

const FIGURES: [&str; 11] = [
    "assistantMessages",
    "input",
    "output",
    "cacheRead",
    "cacheWrite",
    "totalTokens",
    "cost",
    "messagesWithoutCost",
    "mainCost",
    "subagentCost",
    "abandonedCost",
];

/// The lines, the first one names the columns; without line ends.
pub(super) fn lines(table: &Table, statistics: &Statistics) -> Vec<String> {
    let words = table.dimensions.iter().map(|dimension| dimension.as_str().to_owned());
    let mut lines = vec![words.chain(FIGURES.map(str::to_owned)).collect::<Vec<_>>().join(",")];
    for row in &table.rows {
        let labels = row.labels.iter().map(|label| field(&text(label, statistics)));
        lines.push(labels.chain(figures(&row.totals)).collect::<Vec<_>>().join(","));
    }
    lines
}

fn text(label: &Label, statistics: &Statistics) -> String {
    match label {
        Label::None => String::new(),
        Label::Text(text) => text.clone(),
        Label::Session(at) => {
            statistics.owners().get(*at).map(|owner| owner.id.clone()).unwrap_or_default()
        }
    }
}

fn figures(totals: &Totals) -> [String; 11] {
    let tokens = totals.tokens;
    [
        totals.answers.to_string(),
        tokens.input.to_string(),
        tokens.output.to_string(),
        tokens.cache_read.to_string(),
        tokens.cache_write.to_string(),
        tokens.total().to_string(),
        js_number_text(totals.cost.dollars()),
        totals.without_cost.to_string(),
        js_number_text(totals.own().dollars()),
        js_number_text(totals.subagents.dollars()),
        js_number_text(totals.abandoned.dollars()),
    ]
}

/// A field; one that a spreadsheet would take for a formula begins with an apostrophe.
fn field(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = if formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) || text != text.trim() {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_where_it_has_to_be_and_never_a_formula() {
        for (text, written) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"", "\"say \"\"x\"\"\""),
            ("two\nlines", "\"two\nlines\""),
            (" space", "\" space\""),
            ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
            ("@a,b", "\"'@a,b\""),
        ] {
            assert_eq!(field(text), written);
        }
    }
}
