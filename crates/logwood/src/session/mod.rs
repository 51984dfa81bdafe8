//! One open session: reads a file once into a tree of envelopes and fetches bodies when they are asked for.

mod bodies;
mod load;
mod load_entry;
mod loaded;
mod manager;
mod options;
mod read;
mod record;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use manager::{EntryLine, SessionManager};
pub use options::SessionOptions;
