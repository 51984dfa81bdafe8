//! Tree laws.
