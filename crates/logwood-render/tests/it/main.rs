//! The crate from the outside: exports of the example sessions, reviewed as a whole.

mod markdown;
