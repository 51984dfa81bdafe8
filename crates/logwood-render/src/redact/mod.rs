//! Finds secrets in texts and takes them out: keys, tokens, passwords, private keys, credentials in URLs, e-mail addresses, home
//! directories, and what a person adds.
//!
//! [`Redactor`] knows the patterns and works on one text. [`redact_line`] takes a line of a session and gives one back that is as
//! good a line; [`Redacted`] is a session whose entries come out that way, so that every export can be made of it. [`Guard`]
//! looks at what an export writes, a second time. What is found is listed in `doc/redaction.md`.

mod guard;
mod json_line;
mod kinds;
mod own;
mod redacted;
mod redactor;
#[cfg(test)]
mod tests;
mod value;

pub use guard::Guard;
pub use json_line::{LineFinding, find_in_line, redact_line};
pub use own::OwnPatternError;
pub use redacted::Redacted;
pub use redactor::{Finding, Redactor, Report, mask};
