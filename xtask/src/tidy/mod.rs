//! `cargo xtask tidy`: the rules of ARCHITECTURE.md and CONTRIBUTING.md that a program can hold.
//!
//! `source` reads the files git knows of; `code` takes comments and literals out of Rust text, `names` finds what a
//! file reaches for. Each rule is a function from sources to findings: `direction` (which room may use which),
//! `doors` (who touches files, starts processes), `layout` (where code may stand, how long a file may be), `text`
//! (what no file may hold), `suite` (no test is forgotten), `citation` and `sources` (rules and sections that are cited exist),
//! `packages` (arrows between crates), `links` (documents lead somewhere). `check` runs them.

mod check;
mod citation;
mod code;
mod direction;
mod doors;
mod layout;
mod links;
mod names;
mod packages;
mod source;
mod sources;
mod suite;
mod text;

pub(crate) use check::{run, step};
