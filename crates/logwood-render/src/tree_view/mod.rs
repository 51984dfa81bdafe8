//! The tree of a session as rows of text, by the rules of spec 7.7; pure, so that the command, the browser and the exported page share it.
//!
//! [`Outline`] reads what each entry says and whether a [`Filter`] shows it, [`Layout`] puts the entries that are shown into
//! rows with their indents, and a [`Row`] knows what stands before its text. Nothing here recurses, and work is linear in the
//! number of entries.

mod filter;
mod layout;
mod outline;
mod row;
#[cfg(test)]
mod tests;
mod text;
mod tool_call;

pub use filter::Filter;
pub use layout::Layout;
pub use outline::Outline;
pub use row::{Fold, Row};
pub use tool_call::format_call;
