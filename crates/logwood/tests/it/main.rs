//! What the library promises its users, seen from outside.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test fails by a panic, and looks at files by itself to see what the library did to them"
)]

mod append_to;
mod arbitration;
mod big;
mod cases;
mod cost;
mod crash;
mod deletion;
mod examples;
mod flaws;
mod follow;
mod import;
mod json;
mod listing;
mod model;
mod peers;
mod performance;
mod processes;
mod properties;
mod real;
mod relocation;
mod repair;
mod scanner;
mod shapes;
mod statistics;
mod storage;
mod tail;
mod transcript;
mod write_costs;
