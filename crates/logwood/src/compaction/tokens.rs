//! How full a context is (spec 5.5, 5.6).

use crate::context::{ContextMessage, estimate_tokens};
use crate::entry::{Role, Usage};
use crate::json::Raw;

use super::plan::CompactionOptions;

/// How many tokens a list of messages takes: what the provider counted for the last answer that ended well, and an estimate of what came
/// after it; an estimate of everything without such an answer (spec 5.5).
#[doc(alias = "estimateContextTokens")]
pub fn context_tokens<'a>(messages: impl DoubleEndedIterator<Item = ContextMessage<'a>>) -> u64 {
    let mut counter = Counter::default();
    // Those before a counted answer are in its count.
    let _ = messages.rev().find(|message| counter.count(message.role, message.raw));
    counter.tokens
}

/// Whether so many tokens leave less than the reserve free in a window of this size (spec 5.6).
#[doc(alias = "shouldCompact")]
pub fn is_due(tokens: u64, context_window: u64, options: &CompactionOptions) -> bool {
    tokens > context_window.saturating_sub(options.reserve_tokens)
}

/// Counts messages from the last one on.
#[derive(Debug, Default)]
pub(super) struct Counter {
    pub(super) tokens: u64,
}

impl Counter {
    /// Adds a message; true when those before it are counted with it.
    pub(super) fn count(&mut self, role: Role, message: Raw<'_>) -> bool {
        let used = used(role, message);
        self.tokens += used.unwrap_or_else(|| estimate_tokens(role, message));
        used.is_some()
    }
}

/// What the provider counted up to the end of this answer.
fn used(role: Role, message: Raw<'_>) -> Option<u64> {
    let ended = |reason: Raw<'_>| !reason.is_str("aborted") && !reason.is_str("error");
    let counts = role == Role::Assistant && message.get("stopReason").is_none_or(ended);
    let usage = message.get("usage").filter(|usage| counts && usage.is_object()).map(Usage::of)?;
    let total = usage.total_tokens().filter(|total| *total != 0.0);
    let parts = [usage.input(), usage.output(), usage.cache_read(), usage.cache_write()];
    Some(total.unwrap_or_else(|| parts.into_iter().flatten().sum()).max(0.0) as u64)
}
