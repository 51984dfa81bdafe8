//! Leaf to root into the messages, model and thinking level that a model would get (spec 5, newer-dialects).
//!
//! [`plan`] decides what each entry of the path gives or why it gives nothing, [`SessionContext::build`] turns the plan into messages,
//! [`llm_message`] turns a message into what a provider is sent, [`explain`] says it all in words a person can follow.

mod build;
mod explain;
mod llm;
mod message;
mod pairs;
mod plan;
mod settings;
#[cfg(test)]
mod tests;
mod tokens;

pub use build::{ContextMessage, SessionContext};
pub use explain::{ExplainRow, Outcome, explain};
pub use llm::llm_message;
pub use pairs::{UnpairedTool, unpaired_tools, without_unpaired_tools};
pub use plan::{Plan, Step, plan};
pub use settings::{ModelRef, Settings, settings_at};
pub use tokens::estimate_tokens;

use std::borrow::Cow;

use crate::error::Result;
use crate::tree::{NodeId, SessionTree};

/// Where a context finds its entries; a session is one.
pub trait Entries {
    /// The tree of the session.
    fn tree(&self) -> &SessionTree;

    /// The JSON text of an entry, as version 3 has it.
    ///
    /// # Errors
    /// When the entry's body cannot be read any more.
    fn entry_text(&self, node: NodeId) -> Result<Cow<'_, [u8]>>;
}
