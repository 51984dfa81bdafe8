//! Makes text of a log harmless before it reaches a terminal or a page (invariant 11 of ARCHITECTURE.md).

mod escapes;
mod sanitize;
mod words;

pub use escapes::{one_line, without_escapes};
pub use sanitize::{clean, clean_json, clean_lines, is_harmful};
pub use words::{size, tokens};
