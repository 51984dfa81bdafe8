//! One line of the log: what makes it a record, and what it says (spec 9.1, 9.4).

use std::borrow::Cow;

use crate::json::{Cursor, JsonKind, Raw, parse_iso_ms, plain_prefix, trim_js_bytes};

/// A line that is a record. Keys that are not known stay in its text.
///
/// ```
/// use logwood::performance::PerformanceRecord;
///
/// let line = br#"{"timestamp":"2025-06-01T10:00:00.000Z","provider":"p","modelId":"m","outputTokens":50,"durationMs":2000,"tps":25}"#;
/// let record = PerformanceRecord::parse(line)?.expect("the line is not blank");
/// assert_eq!((record.time_ms, &*record.model_id(), record.tps), (1_748_772_000_000, "m", 25.0));
/// # Ok::<(), logwood::performance::Unusable>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct PerformanceRecord<'a> {
    /// When the answer ended, in milliseconds since 1970-01-01T00:00:00Z.
    pub time_ms: i64,
    /// Tokens a second, as the writer put it down.
    pub tps: f64,
    session_id: Option<Raw<'a>>,
    provider: Raw<'a>,
    model_id: Raw<'a>,
    output_tokens: Raw<'a>,
    duration_ms: Raw<'a>,
}

/// Why a line is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// It is not JSON, such as a torn line.
    #[error("it is not JSON")]
    NotJson,
    /// It is JSON and no object.
    #[error("it is no object")]
    NotAnObject,
    /// A member is missing or not what it must be.
    #[error("`{0}` is missing or not what it must be")]
    Member(&'static str),
}

/// The members as they stand; the last of a name counts.
#[derive(Default)]
struct Found<'a> {
    timestamp: Option<Raw<'a>>,
    session_id: Option<Raw<'a>>,
    provider: Option<Raw<'a>>,
    model_id: Option<Raw<'a>>,
    output_tokens: Option<Raw<'a>>,
    duration_ms: Option<Raw<'a>>,
    tps: Option<Raw<'a>>,
}

impl<'a> PerformanceRecord<'a> {
    /// Reads a line; none where it is blank.
    ///
    /// # Errors
    /// Why it is no record: `timestamp` (a time), `provider` and `modelId` must be text, `outputTokens`, `durationMs` and `tps`
    /// finite numbers; `sessionId` may be missing (spec 9.4, case 68).
    pub fn parse(line: &'a [u8]) -> Result<Option<Self>, Unusable> {
        if let Some(record) = Self::as_written(line) {
            return Ok(Some(record));
        }
        let line = trim_js_bytes(line);
        if line.is_empty() {
            return Ok(None);
        }
        Self::of(&Found::scan(line)?).map(Some)
    }

    /// The record of a line as dreb and logwood write it, found at a third of the cost. None for every other line, record or not.
    fn as_written(line: &'a [u8]) -> Option<Self> {
        let (time, rest) = line.strip_prefix(b"{\"timestamp\":\"")?.split_first_chunk::<24>()?;
        let (session_id, rest) = plain_string(rest.strip_prefix(b"\",\"sessionId\":")?)?;
        let (provider, rest) = plain_string(rest.strip_prefix(b",\"provider\":")?)?;
        let (model_id, rest) = plain_string(rest.strip_prefix(b",\"modelId\":")?)?;
        let (output_tokens, rest) = plain_number(rest.strip_prefix(b",\"outputTokens\":")?)?;
        let (duration_ms, rest) = plain_number(rest.strip_prefix(b",\"durationMs\":")?)?;
        let (tps, rest) = plain_number(rest.strip_prefix(b",\"tps\":")?)?;
        if rest != b"}" {
            return None;
        }
        Some(Self {
            time_ms: parse_iso_ms(time)?,
            tps: tps.as_f64()?,
            session_id: Some(session_id),
            provider,
            model_id,
            output_tokens,
            duration_ms,
        })
    }

    fn of(found: &Found<'a>) -> Result<Self, Unusable> {
        Ok(Self {
            time_ms: time(found.timestamp).ok_or(Unusable::Member("timestamp"))?,
            provider: text(found.provider).ok_or(Unusable::Member("provider"))?,
            model_id: text(found.model_id).ok_or(Unusable::Member("modelId"))?,
            output_tokens: number(found.output_tokens).ok_or(Unusable::Member("outputTokens"))?,
            duration_ms: number(found.duration_ms).ok_or(Unusable::Member("durationMs"))?,
            tps: number(found.tps).and_then(Raw::as_f64).ok_or(Unusable::Member("tps"))?,
            session_id: text(found.session_id),
        })
    }

    /// The session of the answer, where the record says it.
    pub fn session_id(&self) -> Option<Cow<'a, str>> {
        self.session_id.and_then(Raw::as_str)
    }

    /// The provider.
    pub fn provider(&self) -> Cow<'a, str> {
        self.provider.as_str().unwrap_or_default()
    }

    /// The model.
    pub fn model_id(&self) -> Cow<'a, str> {
        self.model_id.as_str().unwrap_or_default()
    }

    /// Tokens of the answer.
    pub fn output_tokens(&self) -> f64 {
        self.output_tokens.as_f64().unwrap_or_default()
    }

    /// How long it took, in milliseconds.
    pub fn duration_ms(&self) -> f64 {
        self.duration_ms.as_f64().unwrap_or_default()
    }

    /// Provider and model as they are written, which is the same for the same names nearly always.
    pub(super) fn written_names(&self) -> (&'a [u8], &'a [u8]) {
        (self.provider.bytes(), self.model_id.bytes())
    }
}

impl<'a> Found<'a> {
    fn scan(line: &'a [u8]) -> Result<Self, Unusable> {
        let mut found = Self::default();
        let mut cursor = Cursor::new(line);
        if cursor.peek() != Some(b'{') {
            let kind = Raw::parse(line).map(|_| Unusable::NotAnObject);
            return Err(kind.unwrap_or(Unusable::NotJson));
        }
        let scanned = cursor.members(|key, cursor| {
            let value = cursor.value()?;
            if let Some(place) = found.place(&key.plain()) {
                *place = Some(value);
            }
            Ok(())
        });
        scanned.and_then(|()| cursor.end()).map_err(|_| Unusable::NotJson)?;
        Ok(found)
    }

    fn place(&mut self, key: &[u8]) -> Option<&mut Option<Raw<'a>>> {
        Some(match key {
            b"timestamp" => &mut self.timestamp,
            b"sessionId" => &mut self.session_id,
            b"provider" => &mut self.provider,
            b"modelId" => &mut self.model_id,
            b"outputTokens" => &mut self.output_tokens,
            b"durationMs" => &mut self.duration_ms,
            b"tps" => &mut self.tps,
            _ => return None,
        })
    }
}

/// A string without escapes, and what comes after it.
fn plain_string(text: &[u8]) -> Option<(Raw<'_>, &[u8])> {
    let inner = text.strip_prefix(b"\"")?;
    let (string, rest) = text.split_at_checked(plain_prefix(inner) + 2)?;
    string.ends_with(b"\"").then(|| (Raw::trusted(string), rest))
}

/// A number of digits with a point among them, and what comes after it.
fn plain_number(text: &[u8]) -> Option<(Raw<'_>, &[u8])> {
    let whole = digits(text);
    let part = text.get(whole..)?.strip_prefix(b".").map(digits);
    let is_whole = whole > 0 && (whole == 1 || !text.starts_with(b"0"));
    let (number, rest) = text.split_at_checked(whole + part.map_or(0, |part| part + 1))?;
    let fits = is_whole && part != Some(0) && number.len() < LONGEST;
    fits.then(|| (Raw::trusted(number), rest))
}

fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn text(value: Option<Raw<'_>>) -> Option<Raw<'_>> {
    value.filter(|value| value.kind() == JsonKind::String)
}

fn time(value: Option<Raw<'_>>) -> Option<i64> {
    let inner = value?.as_string_bytes()?;
    if inner.contains(&b'\\') {
        parse_iso_ms(value?.as_str()?.as_bytes())
    } else {
        parse_iso_ms(inner)
    }
}

/// Digits, so many or more of which may be more than an `f64` holds.
const LONGEST: usize = 300;

/// A number that JavaScript does not read as an infinity.
fn number(value: Option<Raw<'_>>) -> Option<Raw<'_>> {
    value.filter(|value| value.kind() == JsonKind::Number).filter(|value| {
        let text = value.bytes();
        let plain = text.len() < LONGEST && !text.iter().any(|byte| matches!(byte, b'e' | b'E'));
        plain || value.as_f64().is_some_and(f64::is_finite)
    })
}
