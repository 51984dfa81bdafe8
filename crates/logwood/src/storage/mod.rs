//! The only room that touches files: read, append, replace atomically, lock, list, remove.
