//! Takes session files from elsewhere into a store: looks first, copies byte for byte, never overwrites.

mod copy;
#[cfg(test)]
mod tests;

pub use copy::{Import, Imported, Outcome};
