//! Two lines for each hit: where it is, and what it says with what was found in it marked.

use anstyle::Style;
use logwood_catalog::search::{Branch, Hit};
use logwood_catalog::text::Field;

use crate::output::{Line, age, one_line, style, without_escapes};
use crate::words::with_tilde;

/// How far the text is indented.
const INDENT: &str = "    ";

/// What the lines go by.
pub(super) struct Look {
    pub(super) now_ms: i64,
    /// Whether the hits may be of several projects, and of several stores.
    pub(super) projects: bool,
    pub(super) stores: bool,
    pub(super) home: Option<String>,
    pub(super) columns: usize,
    pub(super) id_columns: usize,
}

/// The lines of the hits.
pub(super) fn lines(hits: &[Hit], look: &Look) -> Vec<Line> {
    hits.iter().flat_map(|hit| [place(hit, look), text(hit, look)]).collect()
}

/// Session, entry, age, who says it, whether it still counts, and the session's name.
fn place(hit: &Hit, look: &Look) -> Line {
    let short = |id: &str| one_line(&id.chars().take(look.id_columns).collect::<String>());
    let mut line = Line::new().add(style::STRONG, short(&hit.session_id));
    if let Some(id) = &hit.entry_id {
        line = line.plain("  ").add(style::ID, short(id));
    }
    if let Some(time) = hit.time_ms {
        line = line.plain("  ").plain(age(look.now_ms, time));
    }
    line = line.plain("  ").add(style_of(hit.field), hit.field.as_str());
    match hit.branch {
        Some(branch @ (Branch::Abandoned | Branch::Compacted)) => {
            line = line.add(style::WARNING, format!("  [{}]", branch.as_str()));
        }
        Some(Branch::Current) | None => {}
    }
    if look.stores {
        line = line.plain("  ").plain(one_line(&hit.store));
    }
    if look.projects {
        line = line.plain("  ").plain(one_line(&with_tilde(&hit.cwd, look.home.as_deref())));
    }
    if let Some(name) = &hit.session_name {
        line = line.add(style::DIM, format!("  {}", one_line(name)));
    }
    line.fit(look.columns)
}

fn text(hit: &Hit, look: &Look) -> Line {
    let text = hit.snippet.text.as_str();
    let part = |from: usize, to: usize| without_escapes(text.get(from..to).unwrap_or_default());
    let mut line = Line::new().plain(INDENT);
    let mut at = 0;
    for mark in &hit.snippet.marks {
        line.push(style::PLAIN, &part(at, mark.start));
        line.push(style::MATCH, &part(mark.start, mark.end));
        at = mark.end;
    }
    line.push(style::PLAIN, &part(at, text.len()));
    line.fit(look.columns)
}

fn style_of(field: Field) -> Style {
    match field {
        Field::User | Field::Bash => style::USER,
        Field::Assistant => style::ASSISTANT,
        Field::Thinking => style::THOUGHT,
        Field::Error => style::ERROR,
        Field::Label | Field::Name => style::LABEL,
        Field::Tool | Field::ToolCall | Field::ToolResult | Field::BashOutput | Field::File => {
            style::TOOL
        }
        _ => style::DIM,
    }
}
