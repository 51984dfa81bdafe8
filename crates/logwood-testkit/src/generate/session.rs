//! Random sessions of version 3 with what a plain list says of them.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::entry::{Body, Named, Pick, body};
use crate::json::encode;

/// One entry line of a generated session.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// Its id; another line may have the same.
    pub id: String,
    /// The parent as it is written: an entry before or after, itself, none of the file, or null.
    pub parent: Option<String>,
    /// Its type.
    pub kind: &'static str,
    /// The whole entry.
    pub value: Value,
}

/// A generated session: every line of it is whole and of version 3, but parents may loop or be missing and ids may repeat.
#[derive(Clone)]
pub struct Session {
    /// The bytes of the file.
    pub text: Vec<u8>,
    /// Its entry lines in file order.
    pub entries: Vec<Plain>,
}

impl Session {
    /// The records of the file as values, the header first.
    #[must_use]
    pub fn records(&self) -> Vec<Value> {
        std::iter::once(header())
            .chain(self.entries.iter().map(|entry| entry.value.clone()))
            .collect()
    }
}

impl fmt::Debug for Session {
    /// The file as text: what a failed property shows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", String::from_utf8_lossy(&self.text))
    }
}

/// Where an entry hangs.
#[derive(Clone, Copy, Debug)]
enum Parent {
    Previous,
    Earlier(Pick),
    Later(Pick),
    Itself,
    Missing,
    Null,
    Nothing,
}

#[derive(Clone, Debug)]
struct Step {
    body: Body,
    parent: Parent,
    repeats: Option<Pick>,
    time: Option<i16>,
    number: bool,
}

/// Sessions of up to `entries` entries.
pub fn session(entries: usize) -> impl Strategy<Value = Session> {
    vec(step(), 0..=entries).prop_map(|steps| assemble(&steps))
}

fn step() -> impl Strategy<Value = Step> {
    let parent = prop_oneof![
        24 => Just(Parent::Previous),
        6 => any::<Pick>().prop_map(Parent::Earlier),
        1 => any::<Pick>().prop_map(Parent::Later),
        1 => Just(Parent::Itself),
        1 => Just(Parent::Missing),
        1 => Just(Parent::Null),
        1 => Just(Parent::Nothing),
    ];
    let repeats = prop_oneof![20 => Just(None), 1 => any::<Pick>().prop_map(Some)];
    let time = prop_oneof![9 => (-40..40_i16).prop_map(Some), 1 => Just(None)];
    (body(), parent, repeats, time, any::<bool>()).prop_map(
        |(body, parent, repeats, time, number)| Step { body, parent, repeats, time, number },
    )
}

fn assemble(steps: &[Step]) -> Session {
    let mut ids: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let again = step.repeats.and_then(|pick| picked(&ids, pick));
        ids.push(again.unwrap_or_else(|| format!("{:08x}", 0xE000_0000_u32 + at as u32)));
    }
    let mut text = (encode(&header()) + "\n").into_bytes();
    let mut entries = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let entry = entry(step, at, &ids);
        text.extend_from_slice(line(&entry.value, step.number).as_bytes());
        text.push(b'\n');
        entries.push(entry);
    }
    Session { text, entries }
}

fn header() -> Value {
    json!({"type": "session", "version": 3, "id": "11111111-2222-4333-8444-555555555555", "timestamp": "2026-02-03T04:05:06.007Z", "cwd": "/home/mira/x"})
}

fn entry(step: &Step, at: usize, ids: &[String]) -> Plain {
    let (before, rest) = ids.split_at_checked(at).unwrap_or((ids, &[]));
    let id = rest.first().cloned().unwrap_or_default();
    let parent = match step.parent {
        Parent::Previous => before.last().cloned(),
        Parent::Earlier(pick) => picked(before, pick),
        Parent::Later(pick) => picked(rest, pick),
        Parent::Itself => Some(id.clone()),
        Parent::Missing => Some("no-such-entry".into()),
        Parent::Null | Parent::Nothing => None,
    };
    let mut map = Map::new();
    map.insert("type".into(), step.body.kind.into());
    map.insert("id".into(), id.clone().into());
    if !matches!(step.parent, Parent::Nothing) {
        map.insert("parentId".into(), parent.clone().into());
    }
    map.insert("timestamp".into(), time(step, at).into());
    for (key, value) in step.body.fields.as_object().into_iter().flatten() {
        map.insert(key.clone(), value.clone());
    }
    if let Some((key, named)) = step.body.names {
        let name = match named {
            Named::Earlier(pick) => picked(before, pick),
            Named::Recent(back) => before.iter().rev().nth(usize::from(back)).cloned(),
            Named::Itself => Some(id.clone()),
            Named::Missing => None,
        };
        map.insert(key.into(), name.unwrap_or_else(|| "deadbeef".into()).into());
    }
    Plain { id, parent, kind: step.body.kind, value: Value::Object(map) }
}

fn picked(ids: &[String], pick: Pick) -> Option<String> {
    ids.get(usize::from(pick) % ids.len().max(1)).cloned()
}

/// A time around the place in the file, so that siblings stand out of order and together; or one that is none.
fn time(step: &Step, at: usize) -> String {
    let Some(jitter) = step.time else { return "the other day".into() };
    let seconds = 1_770_000_000 + 10 * at as i64 + i64::from(jitter);
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    format!("{time:.3}")
}

/// The line, with a number spelled as no serialiser would spell it.
fn line(value: &Value, number: bool) -> String {
    let text = encode(value);
    match text.strip_suffix('}') {
        Some(head) if number => format!("{head},\"odd\":1.50e0}}"),
        _ => text,
    }
}
