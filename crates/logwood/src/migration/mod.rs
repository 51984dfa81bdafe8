//! Brings version 1 and 2 entries to version 3, as pure functions over entries.
