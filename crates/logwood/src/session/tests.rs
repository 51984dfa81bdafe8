//! Loading, by rule.
