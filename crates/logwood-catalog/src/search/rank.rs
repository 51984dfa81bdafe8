//! How good a hit is (doc/search.md has the rule for people).

use super::Branch;
use super::needle::{Haystack, IdPart, Needle, Place, ends_word, starts_word};
use crate::text::Field;

/// Points for a needle in a text, more where it is a whole word or the start of one, and where case and accents are as written.
pub(super) fn points(needle: &Needle, field: Field, haystack: &Haystack<'_>, place: &Place) -> i64 {
    let word = match place {
        Place::Folded(range) => {
            let start = starts_word(haystack.folded, range.start);
            match (start, ends_word(haystack.folded, range.end)) {
                (true, true) => 8,
                (true, false) => 4,
                _ => 0,
            }
        }
        Place::Text(_) => 0,
    };
    let exact =
        needle.written.as_ref().is_some_and(|written| haystack.text.contains(written.as_str()));
    weight(field) + word + if exact { 2 } else { 0 }
}

/// Points for an id.
pub(super) fn id_points(part: IdPart) -> i64 {
    match part {
        IdPart::Whole => 100,
        IdPart::Start => 80,
        IdPart::Inside => 10,
    }
}

/// What is taken off where the hit is not what the session says now.
pub(super) fn branch_points(branch: Option<Branch>) -> i64 {
    match branch {
        Some(Branch::Abandoned) => -10,
        Some(Branch::Compacted) => -5,
        Some(Branch::Current) | None => 0,
    }
}

/// What is added where one text holds all that is asked.
pub(super) const ALL_IN_ONE: i64 = 5;

/// What people wrote and chose counts most, what machines printed least.
pub(super) fn weight(field: Field) -> i64 {
    match field {
        Field::Name => 70,
        Field::Label => 60,
        Field::User => 55,
        Field::Summary => 45,
        Field::Assistant | Field::Custom | Field::Bash | Field::Error => 40,
        Field::File => 35,
        Field::ToolCall | Field::Cwd => 30,
        Field::Tool | Field::Thinking => 25,
        Field::BashOutput | Field::ToolResult | Field::Other => 20,
        Field::Parent | Field::Id => 10,
    }
}
