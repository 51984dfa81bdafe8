//! Builds `subagent_arbitration` records (spec 10.1).

use std::num::NonZeroU32;

use crate::json::truncate_utf16;

use super::arbitration::{ARBITRATION, PARTS};
use super::arbitration_check::{ArbitrationFault, LONGEST_MESSAGE};
use super::secrets::without_secrets;
use super::{EntryDraft, JsonText};

/// A decision to be recorded, successful or not; there is no place in it for a prompt or an answer.
///
/// ```
/// use logwood::entry::{ArbitrationDraft, ArbitrationOutcome, RouteDraft};
///
/// let route = |model: &str| RouteDraft { agent: "Explore".into(), model: model.into(), thinking: "low".into() };
/// let draft = ArbitrationDraft {
///     agent_id: "a1b2c3d4e5f6".into(),
///     step: None,
///     proposed: route("p/large"),
///     outcome: ArbitrationOutcome::Success(route("p/small")),
/// };
/// let line = draft.entry()?.line("x", None, "2025-01-01T00:00:00.000Z");
/// assert!(String::from_utf8_lossy(&line).contains(r#""changed":["model"]"#));
/// # Ok::<(), logwood::entry::ArbitrationFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArbitrationDraft {
    /// The subagent: 12 hex digits.
    pub agent_id: String,
    /// The step of a chain.
    pub step: Option<NonZeroU32>,
    /// The route that was proposed.
    pub proposed: RouteDraft,
    /// What came of it.
    pub outcome: ArbitrationOutcome,
}

/// A route.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteDraft {
    /// The agent.
    pub agent: String,
    /// `provider/id`; empty where nothing was resolved.
    pub model: String,
    /// The thinking level.
    pub thinking: String,
}

/// What came of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArbitrationOutcome {
    /// The route that was decided on; what it changed is computed.
    Success(RouteDraft),
    /// There is none.
    Failure {
        /// Why, in a word.
        code: ArbitrationError,
        /// Why; secrets are taken out and what is longer than 500 characters is cut.
        message: String,
    },
}

/// Why an arbitration failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the words of dreb, see `as_str`")]
pub enum ArbitrationError {
    InvalidConfig,
    MissingScope,
    InvalidGuide,
    ArbiterModel,
    ArbiterThinking,
    ContextTooLarge,
    InferenceFailed,
    Timeout,
    Aborted,
    MalformedOutput,
    UnknownAgent,
    OutOfScopeModel,
    UnsupportedThinking,
    InternalError,
    ObservabilityFailed,
}

impl ArbitrationError {
    /// The word in the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidConfig => "invalid_config",
            Self::MissingScope => "missing_scope",
            Self::InvalidGuide => "invalid_guide",
            Self::ArbiterModel => "arbiter_model",
            Self::ArbiterThinking => "arbiter_thinking",
            Self::ContextTooLarge => "context_too_large",
            Self::InferenceFailed => "inference_failed",
            Self::Timeout => "timeout",
            Self::Aborted => "aborted",
            Self::MalformedOutput => "malformed_output",
            Self::UnknownAgent => "unknown_agent",
            Self::OutOfScopeModel => "out_of_scope_model",
            Self::UnsupportedThinking => "unsupported_thinking",
            Self::InternalError => "internal_error",
            Self::ObservabilityFailed => "observability_failed",
        }
    }
}

impl ArbitrationDraft {
    /// The entry, to be appended.
    ///
    /// # Errors
    /// What must not be written: an agent id that is no word, a part of a route that is empty, too long or of several lines.
    pub fn entry(&self) -> Result<EntryDraft, ArbitrationFault> {
        let custom_type = ARBITRATION.to_owned();
        let draft = EntryDraft::Custom { custom_type, data: Some(self.data()) };
        match draft.arbitration_fault() {
            Some(fault) => Err(fault),
            None => Ok(draft),
        }
    }

    fn data(&self) -> JsonText {
        let text = |text: &str| Some(JsonText::string(text));
        let (status, decided, changed, code, message) = match &self.outcome {
            ArbitrationOutcome::Success(route) => {
                ("success", route.json(), self.proposed.changed(route), None, None)
            }
            ArbitrationOutcome::Failure { code, message } => {
                let message = without_secrets(message);
                let message = text(truncate_utf16(&message, LONGEST_MESSAGE));
                ("failure", JsonText::null(), Vec::new(), text(code.as_str()), message)
            }
        };
        JsonText::object(&[
            ("type", text(ARBITRATION)),
            ("agentId", text(&self.agent_id)),
            ("status", text(status)),
            ("proposed", Some(self.proposed.json())),
            ("final", Some(decided)),
            ("changed", Some(JsonText::array(&changed))),
            ("step", self.step.map(|step| JsonText::number(step.get().into()))),
            ("errorCode", code),
            ("errorMessage", message),
        ])
    }
}

impl RouteDraft {
    fn parts(&self) -> [&str; 3] {
        [&self.agent, &self.model, &self.thinking]
    }

    fn json(&self) -> JsonText {
        let parts = PARTS.iter().zip(self.parts());
        let members: Vec<_> =
            parts.map(|(name, value)| (*name, Some(JsonText::string(value)))).collect();
        JsonText::object(&members)
    }

    /// The names of the parts in which another route differs.
    fn changed(&self, other: &Self) -> Vec<JsonText> {
        let pairs = self.parts().into_iter().zip(other.parts());
        let named = PARTS.iter().zip(pairs).filter(|(_, (old, new))| old != new);
        named.map(|(name, _)| JsonText::string(name)).collect()
    }
}
