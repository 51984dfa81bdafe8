//! What an agent needs to compact a session and to summarise a branch with a model of its own: dreb's behaviour as pure functions (spec 5.5
//! to 5.9).
//!
//! [`context_tokens`] says how full the context is and [`is_due`] whether that is too much. [`CompactionPlan`] finds what stays and what
//! is to be summarised, asks for the summary in [`prompts`](CompactionPlan::history_prompt) or leaves that to its caller, and puts the
//! entry together; [`BranchSummaryPlan`] does the same for a branch that is left. [`FileLists`] are the files that were read and changed,
//! [`serialise`] is a conversation as text.
//!
//! ```
//! use logwood::compaction::{CompactionOptions, CompactionPlan, Instructions, Preparation, context_tokens, is_due};
//! use logwood::entry::{BlockDraft, user_message};
//! use logwood::session::SessionOptions;
//!
//! # fn ask_the_model(_prompt: &str) -> String { "## Goal\nA checkout page.".to_owned() }
//! let mut session = SessionOptions::new().in_memory("/home/ana/shop");
//! for text in ["plan the checkout page", "now the first step", "and the second"] {
//!     session.append_message(user_message(&[BlockDraft::Text(text.into())], 1))?;
//! }
//! let options = CompactionOptions { keep_recent_tokens: 4, ..CompactionOptions::default() };
//! let window = 16_390;
//! if is_due(context_tokens(session.context()?.messages()), window, &options) {
//!     let leaf = session.tree().leaf();
//!     if let Preparation::Ready(plan) = CompactionPlan::prepare(&session, leaf, &options)? {
//!         let history = plan.history_prompt(Instructions::Default).map(|prompt| ask_the_model(&prompt));
//!         let turn = plan.turn_prompt().map(|prompt| ask_the_model(&prompt));
//!         session.append_compaction(plan.finish(history.as_deref(), turn.as_deref()))?;
//!     }
//! }
//! let roles: Vec<_> = session.context()?.messages().map(|message| message.role.as_str()).collect();
//! assert_eq!(roles, ["compactionSummary", "user"]);
//! # Ok::<(), logwood::error::Error>(())
//! ```

mod branch;
mod cut;
mod files;
mod plan;
mod serialise;
#[cfg(test)]
mod tests;
mod tokens;
mod words;

pub use branch::{BranchSummary, BranchSummaryOptions, BranchSummaryPlan};
pub use files::FileLists;
pub use plan::{CompactionOptions, CompactionPlan, Nothing, Preparation, Scope};
pub use serialise::serialise;
pub use tokens::{context_tokens, is_due};
pub use words::{BRANCH_HEADINGS, Instructions, SUMMARY_HEADINGS, TURN_HEADINGS};
