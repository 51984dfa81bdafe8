//! The time, by which sessions of the future are told.

use logwood::env::{Clock, SystemClock};
use logwood::json::parse_iso_ms;

/// A time in ISO form that stands for the clock, so that output can be compared.
const VARIABLE: &str = "LOGWOOD_NOW";

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    let fixed = std::env::var(VARIABLE).ok().and_then(|time| parse_iso_ms(time.as_bytes()));
    fixed.unwrap_or_else(|| SystemClock.now_ms())
}

/// The clock of the program, for what the library is asked to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Now;

impl Clock for Now {
    fn now_ms(&self) -> i64 {
        now_ms()
    }
}
