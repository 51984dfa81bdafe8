//! One open session: reads a file once into a tree of envelopes and fetches bodies when they are asked for.

mod append_to;
mod bodies;
mod copy;
mod create;
mod disk;
mod fork;
mod head;
mod last;
mod load;
mod load_entry;
mod loaded;
mod manager;
mod navigate;
#[cfg(test)]
mod navigate_tests;
mod new_file;
mod options;
mod presence;
mod read;
mod record;
mod rewrite;
mod tail;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod world;
mod write;
#[cfg(test)]
mod write_tests;

pub use crate::storage::Durability;
pub use append_to::Appended;
pub use create::NewSession;
pub use head::EntryHead;
pub use last::{Before, SessionTail};
pub use manager::{EntryLine, SessionManager};
pub use navigate::{Forkable, Navigated, Navigation, POSITION};
pub use options::{FirstWrite, SessionOptions};
pub use presence::{Elsewhere, Holder, live_sessions};
