//! The crate from the outside: exports of the example sessions, reviewed as a whole.
#![expect(clippy::unwrap_used, reason = "a helper that fails, fails its test")]

mod markdown;
