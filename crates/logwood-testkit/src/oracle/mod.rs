//! A plain model of a session: slow, short, and right at a glance, to compare the library with.
//!
//! Written from the rules alone (spec 2.3, 4.8, 4.9, 5.1, newer-dialects, and the design's rules for ids that repeat and
//! for cycles): it looks everything up by walking the whole list of records, again and again. Records are the JSON values
//! of the lines that are JSON, in file order; what is no entry is passed over.
//!
//! ```
//! use logwood_testkit::oracle::Oracle;
//! use serde_json::json;
//!
//! let records = [
//!     json!({"type": "session", "id": "s"}),
//!     json!({"type": "message", "id": "a", "parentId": null, "message": {"role": "user", "content": "hi"}}),
//!     json!({"type": "label", "id": "b", "parentId": "a", "targetId": "a", "label": "start"}),
//! ];
//! let oracle = Oracle::new(&records);
//! assert_eq!(oracle.leaf(), Some("b"));
//! assert_eq!(oracle.branch("b"), ["a", "b"]);
//! assert_eq!(oracle.label("a"), Some("start"));
//! assert_eq!(oracle.context(Some("b")).messages[0].message["content"], "hi");
//! ```

mod context;
#[cfg(test)]
mod tests;
mod tree;

pub use context::{Context, Sourced};
pub use tree::Oracle;
