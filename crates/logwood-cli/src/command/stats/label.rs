//! The values of dimensions in words.

use logwood::statistics::{Dimension, Label, Statistics, UsageOwner};

use crate::output::{one_line, plain_line};
use crate::words::with_tilde;

/// Characters of an id that are shown.
const ID: usize = 8;

/// A label as a person reads it.
pub(super) fn shown(
    label: &Label,
    dimension: Dimension,
    statistics: &Statistics,
    home: Option<&str>,
) -> String {
    let text = match label {
        Label::None => return none(dimension).to_owned(),
        Label::Text(text) if dimension == Dimension::Project => with_tilde(text, home),
        Label::Text(text) => text.clone(),
        Label::Session(at) => statistics.owners().get(*at).map(session).unwrap_or_default(),
    };
    plain_line(&one_line(&text))
}

/// What a row is about that has no value.
fn none(dimension: Dimension) -> &'static str {
    match dimension {
        Dimension::Day | Dimension::Week | Dimension::Month => "(no time)",
        Dimension::Model | Dimension::Provider => "(summaries, tools)",
        Dimension::Project => "(no directory)",
        Dimension::Store => "(no store)",
        Dimension::AgentType => "(no agent)",
        Dimension::Session | Dimension::Source => "-",
    }
}

fn session(owner: &UsageOwner) -> String {
    let id: String = owner.id.chars().take(ID).collect();
    format!("{id} {}", owner.heading)
}

/// The head of a column.
pub(super) fn head(dimension: Dimension) -> String {
    dimension.as_str().to_uppercase()
}
