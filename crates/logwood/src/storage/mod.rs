//! The only room that touches files: read, append, replace atomically, lock, list, remove.
mod stub;
pub use stub::*;
