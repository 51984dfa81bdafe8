//! The one filter language: what `search`, `list`, `stats`, `export` and `delete` understand (doc/search.md).
//!
//! [`Filter::parse`] reads a query, or says what is wrong, where, and what to do; printing a filter gives a query that means the same.
//! Nothing here reads a file: clock, time zone and home directory come in as [`Surroundings`].
//!
//! A filter is a list of [`Term`]s that must all hold. Some ask about a session ([`Filter::matches_session`]), others about one
//! entry; which is which depends on what is looked for, see [`Grain`].

mod date;
mod error;
mod lex;
mod parse;
mod print;
mod session;
mod state;
mod term;
#[cfg(test)]
mod tests;

pub use error::FilterError;
pub use parse::{Filter, Surroundings};
pub use session::{Grain, SessionFacts};
pub use term::{Ask, Comparison, Pattern, Speaker, State, Term, Value};
