//! The session header: the first record of type `session`.

use std::borrow::Cow;

use crate::json::Raw;

/// The header of a session (spec 1.2), as it stands in the file; a field of a wrong type counts as missing (case 21).
///
/// ```
/// use logwood::entry::SessionHeader;
///
/// let header = SessionHeader::parse(br#"{"type":"session","version":3,"id":"s1","cwd":"/p","extra":1}"#).unwrap();
/// assert_eq!((header.id(), header.version(), header.cwd().as_deref()), ("s1", 3, Some("/p")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionHeader {
    line: Vec<u8>,
    id: String,
}

impl SessionHeader {
    /// Reads a header line; none when it is no JSON object of type `session` with a string id.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let raw = Raw::parse(line).ok()?;
        let named = raw.get("type")?.is_str("session");
        let id = raw.get_str("id").filter(|_| named)?.into_owned();
        Some(Self { line: raw.bytes().to_vec(), id })
    }

    /// The header as one JSON object.
    pub fn raw(&self) -> Raw<'_> {
        Raw::parse(&self.line).unwrap_or_else(|_| Raw::null())
    }

    /// The session id.
    #[doc(alias = "getSessionId")]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The format version; 1 where the header names none, 0 where it names no number (spec 2.4).
    pub fn version(&self) -> u32 {
        let number = self.version_number();
        if number.is_nan() { 0 } else { number.floor() as u32 }
    }

    /// Whether the header names a version at all.
    pub fn has_version(&self) -> bool {
        self.raw().get("version").is_some_and(|version| !version.is_null())
    }

    /// The version as JavaScript compares it: missing or null is 1, text counts as its number, else not a number.
    pub(crate) fn version_number(&self) -> f64 {
        let Some(version) = self.raw().get("version").filter(|version| !version.is_null()) else {
            return 1.0;
        };
        let text = version.as_str();
        let text = text.as_deref().and_then(|text| text.trim().parse().ok());
        version.as_f64().or(text).unwrap_or(f64::NAN)
    }

    /// When the session was made, as it is written.
    pub fn timestamp(&self) -> Option<Cow<'_, str>> {
        self.raw().get_str("timestamp")
    }

    /// The working directory it was made in.
    pub fn cwd(&self) -> Option<Cow<'_, str>> {
        self.raw().get_str("cwd")
    }

    /// The session this one came from: `parentSession`, or `branchedFrom` of very old files.
    pub fn parent_session(&self) -> Option<Cow<'_, str>> {
        let raw = self.raw();
        let named = raw.get_str("parentSession").or_else(|| raw.get_str("branchedFrom"));
        named.filter(|path| !path.is_empty())
    }

    /// The agent that a subagent's session belongs to; a session with one is a child session.
    pub fn agent_type(&self) -> Option<Cow<'_, str>> {
        self.raw().get_str("agentType").filter(|agent| !agent.is_empty())
    }
}
