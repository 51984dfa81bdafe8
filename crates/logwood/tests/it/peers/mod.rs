//! Beside the real programs: the pi that dreb forked from, and the newest pi, run from npm by `peers/driver.mjs`. What logwood writes
//! they open to the same session and the other way round; they share a file; and the same operations make the same bytes.
//!
//! `cargo xtask test` installs them when npm is there and says where in `LOGWOOD_PEERS`; without it these tests say that they skip.
//! Differences that are meant, or pi's own, are in `doc/compatibility.md`; the tests name each.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    reason = "members of JSON values are looked up by name; helpers of a test are not seen as test code; what is skipped is said"
)]

mod apply;
mod driver;
mod files;
mod lockstep;
mod operations;
mod random;
mod sharing;
mod view;
