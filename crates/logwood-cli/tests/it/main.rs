//! The program from the outside: one binary, a module for each subject.
#![expect(clippy::unwrap_used, reason = "a helper that fails, fails its test")]

mod conformance;
mod rpc;
mod skeleton;
