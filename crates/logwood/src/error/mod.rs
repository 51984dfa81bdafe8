//! The one public error type and its kinds.
