//! Computes where sessions live: agent directory, roots, folder and file names; never looks at the disk.
//!
//! Everything here is a function of its arguments: paths, the home directory and the variables come in
//! as arguments, settings files come in as text. Whether a folder exists is for the front end to find out.
//! The rules are numbered L1, L2, … in `doc/format/locations.md`.
//!
//! | question | answer |
//! |---|---|
//! | which folder holds the sessions of a cwd? | [`encode_cwd`] |
//! | what is a session file called? | [`SessionFileName`] |
//! | are two working directories the same project? | [`CwdKey`], [`same_cwd`] |
//! | what does a configured path mean? | [`resolve_root`], [`PathStyle`] |

mod cwd;
mod encode;
mod file_name;
mod path_style;
mod root;
mod trim;

#[cfg(test)]
mod path_tests;

pub use cwd::{CwdKey, same_cwd};
pub use encode::encode_cwd;
pub use file_name::SessionFileName;
pub use path_style::PathStyle;
pub use root::resolve_root;
