//! One entry into a usage record, if it has any.

use std::sync::Arc;

use crate::entry::{EntryKind, Envelope, ParsedLine, Role, Usage};
use crate::json::{MAX_DATE_MS, Raw, parse_iso_ms};

use super::{ModelName, Money, Tokens, UsageRecord, UsageSource};

/// The largest count that JavaScript can tell from the next.
const MAX_COUNT: f64 = 9_007_199_254_740_991.0;

/// Where a usage stands and whose it is, as raw JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Found<'a> {
    usage: Option<Raw<'a>>,
    provider: Option<Raw<'a>>,
    model: Option<Raw<'a>>,
    answered: Option<Raw<'a>>,
}

/// Reads entries; keeps the last model, so that the same again costs nothing.
#[derive(Debug, Default)]
pub(super) struct UsageReader {
    last: Option<([Vec<u8>; 3], Arc<ModelName>)>,
    nobody: Arc<ModelName>,
}

impl UsageReader {
    /// The record of an entry, without its place in the tree; none where it cost nothing by its kind.
    pub(super) fn record(&mut self, parsed: &ParsedLine<'_>) -> Option<UsageRecord> {
        let envelope = &parsed.envelope;
        let (source, found) = find(parsed)?;
        let usage = found.usage.filter(|usage| usage.is_object()).map(Usage::of);
        Some(UsageRecord {
            entry_id: envelope.usable_id().and_then(Raw::as_str).map(Into::into),
            entry_ms: envelope.timestamp.and_then(Raw::as_string_bytes).and_then(parse_iso_ms),
            message_ms: date_ms(envelope.head.timestamp),
            source,
            model: self.model(found),
            tokens: usage.map(tokens).unwrap_or_default(),
            cost: usage.and_then(cost),
            current_branch: false,
        })
    }

    fn model(&mut self, found: Found<'_>) -> Arc<ModelName> {
        let parts = [found.provider, found.model, found.answered];
        let raw = parts.map(|part| part.map_or(&[][..], Raw::bytes));
        if raw.iter().all(|part| part.is_empty()) {
            return Arc::clone(&self.nobody);
        }
        match &self.last {
            Some((last, name)) if last.iter().map(Vec::as_slice).eq(raw) => Arc::clone(name),
            _ => {
                let [provider, requested, answered] = parts.map(text);
                let name = Arc::new(ModelName { provider, requested, answered });
                self.last = Some((raw.map(<[u8]>::to_vec), Arc::clone(&name)));
                name
            }
        }
    }
}

/// The record of an assistant message that stands in no entry, such as one of a context; on the current branch.
pub(super) fn usage_of_message(reader: &mut UsageReader, message: Raw<'_>) -> UsageRecord {
    let usage = message.get("usage").filter(|usage| usage.is_object()).map(Usage::of);
    let found = Found {
        usage: None,
        provider: message.get("provider"),
        model: message.get("model"),
        answered: message.get("responseModel"),
    };
    UsageRecord {
        entry_id: None,
        entry_ms: None,
        message_ms: date_ms(message.get("timestamp")),
        source: UsageSource::Answer,
        model: reader.model(found),
        tokens: usage.map(tokens).unwrap_or_default(),
        cost: usage.and_then(cost),
        current_branch: true,
    }
}

/// Which usage an entry has. An assistant message and a usage entry have one even where it is missing: it is unknown.
fn find<'a>(parsed: &ParsedLine<'a>) -> Option<(UsageSource, Found<'a>)> {
    let envelope = &parsed.envelope;
    match envelope.entry_kind() {
        EntryKind::Message => message(envelope),
        EntryKind::Compaction => Some((UsageSource::Summary, summary(parsed)?)),
        EntryKind::BranchSummary => Some((UsageSource::BranchSummary, summary(parsed)?)),
        EntryKind::Usage => {
            let raw = Raw::parse(parsed.text).ok()?;
            let found = Found {
                usage: raw.get("usage"),
                provider: raw.get("provider"),
                model: raw.get("model"),
                answered: None,
            };
            Some((UsageSource::UsageEntry, found))
        }
        _ => None,
    }
}

fn message<'a>(envelope: &Envelope<'a>) -> Option<(UsageSource, Found<'a>)> {
    let head = envelope.head;
    match envelope.role() {
        Role::Assistant => {
            let found = Found {
                usage: head.usage,
                provider: head.provider,
                model: head.model,
                answered: head.response_model,
            };
            Some((UsageSource::Answer, found))
        }
        Role::ToolResult if head.usage.is_some_and(Raw::is_object) => {
            Some((UsageSource::Tool, Found { usage: head.usage, ..Found::default() }))
        }
        _ => None,
    }
}

/// The usage of a summary, where it has one; dreb's have none.
fn summary<'a>(parsed: &ParsedLine<'a>) -> Option<Found<'a>> {
    let usage = Raw::parse(parsed.text).ok()?.get("usage").filter(|usage| usage.is_object())?;
    Some(Found { usage: Some(usage), ..Found::default() })
}

fn text(value: Option<Raw<'_>>) -> Option<String> {
    let text = value?.as_str()?;
    (!text.is_empty()).then(|| text.into_owned())
}

/// A message's own time, a number within the range of dates (spec 6.1).
fn date_ms(timestamp: Option<Raw<'_>>) -> Option<i64> {
    let time = timestamp.and_then(Raw::as_f64)?;
    (time.abs() <= MAX_DATE_MS as f64).then_some(time as i64)
}

fn tokens(usage: Usage<'_>) -> Tokens {
    Tokens {
        input: count(usage.input()),
        output: count(usage.output()),
        cache_read: count(usage.cache_read()),
        cache_write: count(usage.cache_write()),
    }
}

fn count(number: Option<f64>) -> u64 {
    number.filter(|count| (0.0..=MAX_COUNT).contains(count)).map_or(0, |count| count as u64)
}

fn cost(usage: Usage<'_>) -> Option<Money> {
    Money::from_dollars(usage.cost()?.total()?)
}
