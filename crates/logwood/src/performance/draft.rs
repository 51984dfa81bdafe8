//! An answer that may be worth a record (spec 9.2).

use crate::error::{Error, ErrorKind, Result};
use crate::json::{Raw, parse_iso_ms, write_object};

/// Answers that took less say nothing about speed, in milliseconds.
const SHORTEST_MS: f64 = 10.0;

/// An answer of a model that has just ended.
///
/// ```
/// use logwood::performance::{PerformanceDraft, Unrecorded};
///
/// let answer = PerformanceDraft {
///     provider: "anthropic".into(),
///     model_id: "claude-sonnet-4".into(),
///     output_tokens: 120.0,
///     duration_ms: 2400.0,
///     stop_reason: Some("stop".into()),
///     ..PerformanceDraft::default()
/// };
/// assert_eq!(answer.unrecorded(), None);
/// let aborted = PerformanceDraft { stop_reason: Some("aborted".into()), ..answer };
/// assert_eq!(aborted.unrecorded(), Some(Unrecorded::Stopped));
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PerformanceDraft {
    /// When it ended, as ISO text; now where it is not given.
    pub timestamp: Option<String>,
    /// The session.
    pub session_id: String,
    /// The provider.
    pub provider: String,
    /// The model.
    pub model_id: String,
    /// Tokens of the answer: `usage.output` of its message.
    pub output_tokens: f64,
    /// How long it took, in milliseconds; 0 where nobody knows.
    pub duration_ms: f64,
    /// Why it ended, in the words of messages (`stop`, `length`, `toolUse`, `error`, `aborted`); unknown counts as ended well.
    pub stop_reason: Option<String>,
    /// Tokens a second; computed where it is not given.
    pub tps: Option<f64>,
}

/// Why an answer was not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unrecorded {
    /// It ended in an error or was aborted.
    Stopped,
    /// It has no tokens.
    NoOutput,
    /// It took less than 10 ms.
    TooShort,
    /// Another process held the lock for a second.
    Locked,
}

impl Unrecorded {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::NoOutput => "no_output",
            Self::TooShort => "too_short",
            Self::Locked => "locked",
        }
    }
}

impl PerformanceDraft {
    /// The answer in an assistant message that has just ended, as dreb records it; none for another message.
    pub fn of_message(session_id: &str, message: Raw<'_>) -> Option<Self> {
        let word = |key| message.get_str(key).map(std::borrow::Cow::into_owned);
        let is_answer = message.get("role").is_some_and(|role| role.is_str("assistant"));
        is_answer.then(|| Self {
            session_id: session_id.to_owned(),
            provider: word("provider").unwrap_or_default(),
            model_id: word("model").unwrap_or_default(),
            output_tokens: message
                .get("usage")
                .and_then(|usage| usage.get_f64("output"))
                .unwrap_or_default(),
            duration_ms: message.get_f64("durationMs").unwrap_or_default(),
            stop_reason: word("stopReason"),
            ..Self::default()
        })
    }

    /// Why it is not worth a record; none where it is (spec 9.2).
    pub fn unrecorded(&self) -> Option<Unrecorded> {
        let stopped = matches!(self.stop_reason.as_deref(), Some("error" | "aborted"));
        match () {
            () if stopped => Some(Unrecorded::Stopped),
            () if self.output_tokens <= 0.0 => Some(Unrecorded::NoOutput),
            () if self.duration_ms < SHORTEST_MS => Some(Unrecorded::TooShort),
            () => None,
        }
    }

    /// The line, keys in dreb's order (spec 9.1), with its line end.
    ///
    /// # Errors
    /// `invalid_argument` where it could not be read again: a time that is none, a number that is not finite.
    pub(super) fn line(&self, now: &str) -> Result<Vec<u8>> {
        let timestamp = self.timestamp.as_deref().unwrap_or(now);
        if parse_iso_ms(timestamp).is_none() {
            return Err(invalid(&format!("`{timestamp}` is no time")));
        }
        let tps = self.tps.unwrap_or(self.output_tokens * 1000.0 / self.duration_ms);
        if ![self.output_tokens, self.duration_ms, tps].iter().all(|number| number.is_finite()) {
            return Err(invalid("tokens, duration and tokens a second must be finite numbers"));
        }
        let mut line = write_object(|record| {
            record
                .field_str("timestamp", timestamp)
                .field_str("sessionId", &self.session_id)
                .field_str("provider", &self.provider)
                .field_str("modelId", &self.model_id)
                .field_f64("outputTokens", self.output_tokens)
                .field_f64("durationMs", self.duration_ms)
                .field_f64("tps", tps);
        });
        line.push(b'\n');
        Ok(line)
    }
}

fn invalid(why: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, super::log::RECORD).with_why(why)
}
