//! Searches sessions by reading their files: what a [`Filter`](crate::filter::Filter) asks, found entry by entry, ranked.
//!
//! [`Search`] is given the rows of a listing. Of each file it parses only the lines that may hold what is asked (`prefilter`),
//! decodes their texts ([`crate::text`]), compares them folded, and ranks what it finds (`rank`). Memory is one block and one line
//! for each thread, the tree of a session in which something was found, and the best hits.
//!
//! The rules of what matches and of the order of hits stand in doc/search.md.

mod branches;
mod hit;
mod judge;
mod needle;
mod prefilter;
mod rank;
mod run;
mod scan;
mod snippet;
#[cfg(test)]
mod tests;
mod top;

pub use hit::{Branch, Found, Hit};
pub use run::Search;
pub use snippet::Snippet;
