//! The conformance runner: the cases of `conformance/` asked of anything that answers the line protocol.
//!
//! A port of `conformance/check.py`, rule for rule; where the two disagree that script is right. [`all`] loads the
//! cases, [`run`] asks one of them of a [`Transport`]: a child process ([`Process`]), or a closure around a dispatcher.
//! Values are [`serde_json::Value`]s as [`crate::json`] reads them (lone surrogates as private-use characters).
//!
//! ```
//! use logwood_testkit::conformance::{Launch, all, run};
//! use serde_json::{Value, json};
//!
//! let case = all().unwrap().into_iter().next().unwrap();
//! let mute = |_: &Launch| Ok(|_: Value| json!({"success": false, "error": "not built yet"}));
//! assert!(!run(&case, mute).is_empty());
//! ```

mod case;
mod compare;
mod normal;
mod session;
mod step;
mod store;
#[cfg(test)]
mod tests;
mod transport;

pub use case::{Case, Kind, all, folder};
pub use step::{Difference, run};
pub use transport::{Launch, Process, Transport};
