//! Many sessions: one row for each file of a directory or a store, and the most recent of a project.
//!
//! A listing opens each file once, reads each byte once, holds one block and the longest line for each thread, and never looks at a
//! session's working directory. What cannot be read is in [`Listing::problems`].

mod branches;
mod files;
mod info;
mod lister;
mod listing;
mod recent;
mod scan;
mod summary;
#[cfg(test)]
mod tests;

pub use info::{SessionInfo, SessionKind, SessionStatus};
pub use lister::{Inventory, ProgressFn};
pub use listing::{FileProblem, Listing, Progress};
pub use recent::{most_recent, read_header};
