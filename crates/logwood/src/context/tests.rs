//! Context vectors.
