//! Many sessions: one row for each file of a directory or a store.
