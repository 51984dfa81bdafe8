//! Code in pieces by what they are: keyword, string, comment. Terminals and pages give them colours.
//!
//! The grammars are those of Sublime Text as `bat` ships them, read by syntect.

mod grammar;
mod token;

pub use grammar::{Highlighter, Piece};
pub use token::Token;
