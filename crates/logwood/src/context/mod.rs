//! Leaf to root into the messages, model and thinking level that a model would get (spec 5, newer-dialects).
//!
//! [`plan()`] decides what each entry of the path gives or why it gives nothing, [`SessionContext::build`] turns the plan into messages,
//! [`llm_message`] turns a message into what a provider is sent, [`explain()`] says it all in words a person can follow.

mod build;
mod entries;
mod explain;
mod llm;
mod message;
mod pairs;
mod plan;
mod settings;
#[cfg(test)]
mod tests;
mod tokens;

pub(crate) use build::read_message;
pub use build::{ContextMessage, SessionContext};
pub use entries::Entries;
pub use explain::{ExplainRow, Outcome, explain};
pub use llm::llm_message;
pub use pairs::{UnpairedTool, unpaired_tools, without_unpaired_tools};
pub use plan::{Plan, Step, plan};
pub use settings::{ModelRef, Settings, settings_at};
pub use tokens::estimate_tokens;
