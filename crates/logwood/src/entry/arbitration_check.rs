//! What a `subagent_arbitration` record may hold (spec 10.1): bounded words of the host, and never a prompt or an answer.

use crate::json::{Raw, utf16_len};

use super::arbitration::{ARBITRATION, PARTS};
use super::secrets::without_secrets;
use super::{EntryDraft, RawEntry};

/// UTF-16 units of an error message at most.
pub(super) const LONGEST_MESSAGE: usize = 500;
/// Of a part of a route.
const LONGEST_PART: usize = 200;
/// Of an agent id and of an error code.
const LONGEST_WORD: usize = 64;

const MEMBERS: [&str; 9] = [
    "type",
    "agentId",
    "status",
    "proposed",
    "final",
    "changed",
    "step",
    "errorCode",
    "errorMessage",
];
/// What an entry has around the data.
const AROUND: [&str; 6] = ["type", "customType", "data", "id", "parentId", "timestamp"];

/// Why a record is not written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArbitrationFault(String);

impl std::fmt::Display for ArbitrationFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ArbitrationFault {}

type Checked = Result<(), ArbitrationFault>;

impl EntryDraft {
    /// What is wrong with it, if it is a `subagent_arbitration` record that must not be written: one with a member that is not known, such
    /// as a prompt, with text that is too long, or with a secret.
    pub fn arbitration_fault(&self) -> Option<ArbitrationFault> {
        match self {
            Self::Custom { custom_type, data } if custom_type == ARBITRATION => match data {
                Some(data) => check(data.raw()).err(),
                None => fault("it has no data").err(),
            },
            Self::Raw(raw) => check_raw(raw).err(),
            _ => None,
        }
    }
}

fn check_raw(entry: &RawEntry) -> Checked {
    let raw = entry.raw();
    let is_record = raw.get_str("type").as_deref() == Some("custom")
        && raw.get_str("customType").as_deref() == Some(ARBITRATION);
    if !is_record {
        return Ok(());
    }
    only(raw, &AROUND, "the entry")?;
    match raw.get("data") {
        Some(data) => check(data),
        None => fault("it has no data"),
    }
}

/// Checks the data of a record.
pub(super) fn check(data: Raw<'_>) -> Checked {
    if !data.is_object() {
        return fault("its data is no object");
    }
    only(data, &MEMBERS, "it")?;
    if data.get_str("type").as_deref() != Some(ARBITRATION) {
        return fault("its `type` is not `subagent_arbitration`");
    }
    word(data, "agentId")?;
    step(data)?;
    route(data, "proposed")?;
    match data.get_str("status").as_deref() {
        Some("success") => success(data),
        Some("failure") => failure(data),
        _ => fault("its `status` is neither `success` nor `failure`"),
    }
}

fn success(data: Raw<'_>) -> Checked {
    route(data, "final")?;
    for key in ["errorCode", "errorMessage"] {
        if data.get(key).is_some() {
            return fault(format!("it is a success with `{key}`"));
        }
    }
    let changed: Vec<_> = list(data)?.map(|part| part.as_str().unwrap_or_default()).collect();
    let mut known = PARTS.iter();
    // A word that is not found uses up all that are left, so that order and repetition count too.
    match changed.iter().find(|word| !known.any(|part| part == *word)) {
        None => Ok(()),
        Some(_) => {
            fault("`changed` is not `agent`, `model` and `thinking` in this order, or some of them")
        }
    }
}

fn failure(data: Raw<'_>) -> Checked {
    if !data.get("final").is_some_and(Raw::is_null) {
        return fault("it is a failure and its `final` is not null");
    }
    if list(data)?.next().is_some() {
        return fault("it is a failure that changed something");
    }
    word(data, "errorCode")?;
    let Some(message) = data.get("errorMessage") else { return Ok(()) };
    let Some(message) = message.as_str() else { return fault("`errorMessage` is no text") };
    if utf16_len(&message) > LONGEST_MESSAGE {
        return fault(format!("`errorMessage` is longer than {LONGEST_MESSAGE} characters"));
    }
    match without_secrets(&message) {
        same if same == *message => Ok(()),
        _ => fault("`errorMessage` holds what looks like a secret"),
    }
}

fn list(data: Raw<'_>) -> Result<impl Iterator<Item = Raw<'_>>, ArbitrationFault> {
    let changed = data.get("changed").filter(|list| list.kind() == crate::json::JsonKind::Array);
    changed.map(Raw::elements).ok_or_else(|| ArbitrationFault("`changed` is no list".to_owned()))
}

/// A route has texts of one line and no other member; its agent is always named.
fn route(data: Raw<'_>, key: &str) -> Checked {
    let Some(route) = data.get(key).filter(|route| route.is_object()) else {
        return fault(format!("`{key}` is no route"));
    };
    only(route, &PARTS, &format!("`{key}`"))?;
    for part in PARTS {
        let Some(value) = route.get(part) else { continue };
        let Some(text) = value.as_str() else {
            return fault(format!("`{part}` of `{key}` is no text"));
        };
        if utf16_len(&text) > LONGEST_PART || text.contains(char::is_control) {
            return fault(format!(
                "`{part}` of `{key}` is not one line of {LONGEST_PART} characters at most"
            ));
        }
    }
    match route.get_str("agent") {
        Some(agent) if !agent.is_empty() => Ok(()),
        _ => fault(format!("`{key}` names no agent")),
    }
}

fn word(data: Raw<'_>, key: &str) -> Checked {
    let word = data.get_str(key).unwrap_or_default();
    let plain = word.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if plain && (1..=LONGEST_WORD).contains(&word.len()) {
        return Ok(());
    }
    fault(format!("`{key}` is not a word of {LONGEST_WORD} letters, digits, `-` and `_` at most"))
}

fn step(data: Raw<'_>) -> Checked {
    let Some(step) = data.get("step") else { return Ok(()) };
    match step.as_f64() {
        Some(step) if step >= 1.0 && step.fract() == 0.0 => Ok(()),
        _ => fault("`step` is no whole number from 1"),
    }
}

/// Each member is known and there once: text under another key, or under a repeated one, is what must not be stored.
fn only(object: Raw<'_>, known: &[&str], what: &str) -> Checked {
    let mut seen = Vec::new();
    for (key, _) in object.members() {
        let key = key.text();
        if !known.contains(&&*key) {
            return fault(format!("{what} has a member that such a record has not"));
        }
        if seen.contains(&key) {
            return fault(format!("{what} has `{key}` twice"));
        }
        seen.push(key);
    }
    Ok(())
}

fn fault(why: impl Into<String>) -> Checked {
    Err(ArbitrationFault(why.into()))
}
