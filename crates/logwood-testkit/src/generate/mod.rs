//! Generators: random bytes, JSON texts, sessions and damaged sessions for property tests, and big inputs of one shape.
//!
//! Random ones are `proptest` strategies and shrink. [`big`] is deterministic: chains, wide trees, deep values.

pub mod big;
mod damage;
mod entry;
mod json_text;
mod session;
#[cfg(test)]
mod tests;

pub use damage::{Mutation, damaged_session, mutation};
pub use json_text::{bytes, json_text, string_text};
pub use session::{Plain, Session, session};
