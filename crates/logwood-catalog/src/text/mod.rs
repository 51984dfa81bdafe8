//! What of a session can be searched: one entry into pieces of text, each with the part of the entry it stands in.
//!
//! [`pieces`] takes an entry, [`header_pieces`] a header. Both hand out borrowed text where nothing is escaped, and keep nothing.
//! The scanning search and the catalog's table of texts read the same pieces, so that both give the same answer.
//!
//! | is searched | is not |
//! |---|---|
//! | names, labels, summaries, text of users and models, thinking, errors | redacted thinking, signatures |
//! | messages of extensions | the state of extensions (`custom`), `details` |
//! | commands that people ran and what they printed | prompts and tool definitions (role `system`) |
//! | tool names, the text and numbers of tool arguments, tool results | keys of tool arguments |
//! | files named in tool arguments and summaries, working directories, parent sessions, ids | images, and base64 anywhere |
//!
//! Of long output (tool arguments, tool results, what commands printed) [`Extent::Ends`] reads [`HEAD`] and [`TAIL`], and says
//! whether there is more; [`Extent::Whole`] reads it all.

mod arguments;
mod base64;
mod ends;
mod entry;
mod field;
mod fold;
#[cfg(test)]
mod tests;

pub use ends::{HEAD, TAIL};
pub use entry::{header_pieces, pieces};
pub use field::{Extent, Field, Piece};
pub use fold::{fold, fold_into, unfold_range};
