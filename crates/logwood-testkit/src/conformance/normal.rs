//! Values that differ from run to run (ids, session ids, new files, times) as words: `@id1`, `@uuid1`, `@file1`, `@time`, `@ms`.

use std::collections::HashMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Number, Value};

use crate::json;

/// Milliseconds around now in which a number counts as a time of this run.
const NEAR: f64 = 600_000.0;

/// The words given so far in one case.
pub(super) struct Words {
    known: Vec<(String, String)>,
    at: HashMap<String, usize>,
    counts: [u32; 3],
    root: String,
    given: String,
}

impl Words {
    /// `root` is the temporary folder of the case, `given` all text of the case itself: what stands there is no
    /// generated value.
    pub(super) fn new(root: &Path, given: String) -> Self {
        let root = root.to_string_lossy().into_owned();
        Self { known: Vec::new(), at: HashMap::new(), counts: [0; 3], root, given }
    }

    /// Says what a value is called.
    pub(super) fn learn(&mut self, value: impl Into<String>, word: impl Into<String>) {
        let value = value.into();
        self.at.insert(value.clone(), self.known.len());
        self.known.push((value, word.into()));
    }

    /// The value with words for what was generated.
    pub(super) fn normal(&mut self, value: &Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.word(text)),
            Value::Number(number) if self.is_now(number) => "@ms".into(),
            Value::Array(items) => items.iter().map(|item| self.normal(item)).collect(),
            Value::Object(map) => {
                Value::Object(map.iter().map(|(k, v)| (k.clone(), self.normal(v))).collect())
            }
            other => other.clone(),
        }
    }

    fn word(&mut self, text: &str) -> String {
        if let Some((_, word)) = self.at.get(text).and_then(|at| self.known.get(*at)) {
            return word.clone();
        }
        if text.starts_with(&self.root) {
            return self.token(2, "file", text);
        }
        let new = !self.given.contains(text);
        match text {
            _ if new && is_uuid(text) => self.token(1, "uuid", text),
            _ if new && text.len() == 8 && is_hex(text) => self.token(0, "id", text),
            _ if new && is_time(text) => "@time".into(),
            _ => text.to_owned(),
        }
    }

    fn token(&mut self, kind: usize, name: &str, text: &str) -> String {
        let count = self.counts.get_mut(kind).map_or(0, |count| {
            *count += 1;
            *count
        });
        let word = format!("@{name}{count}");
        self.learn(text, word.clone());
        word
    }

    fn is_now(&self, number: &Number) -> bool {
        let Some(ms) = number.as_f64().filter(|ms| *ms > 1.7e12) else { return false };
        !self.given.contains(&number.to_string()) && (ms - now()).abs() < NEAR
    }

    /// A line of a file with words for what was generated; a line that is no JSON stays as it is.
    pub(super) fn normal_line(&mut self, line: &str) -> String {
        let Ok(value) = json::decode(line) else { return line.to_owned() };
        self.normal(&value);
        let mut line = line.to_owned();
        for (value, word) in &self.known {
            line = line.replace(&quoted(value), &quoted(word));
        }
        self.times_out(&line)
    }

    /// Puts `"@time"` in place of the times that the case does not have.
    fn times_out(&self, line: &str) -> String {
        let mut out = String::new();
        let mut rest = line;
        while let Some((head, tail)) = rest.split_once('"') {
            out.push_str(head);
            out.push('"');
            rest = tail;
            let end = tail.find('"').unwrap_or(tail.len());
            let (text, after) = tail.split_at(end);
            if is_time(text) && after.starts_with('"') {
                out.push_str(if self.given.contains(text) { text } else { "@time" });
                rest = after;
            }
        }
        out + rest
    }
}

fn quoted(text: &str) -> String {
    json::encode(&text.into())
}

fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_secs_f64() * 1000.0
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// A UUID of version 4 or 7 in lower case.
fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| is_hex(part))
        && parts.get(2).is_some_and(|part| part.starts_with(['4', '7']))
}

/// `20yy-mm-ddT…Z`, with digits, colons and points between.
fn is_time(text: &str) -> bool {
    let shape = b"20dd-dd-ddT";
    let fits = |(byte, want): (u8, &u8)| {
        if *want == b'd' { byte.is_ascii_digit() } else { byte == *want }
    };
    let tail = text.get(shape.len()..).and_then(|tail| tail.strip_suffix('Z'));
    text.bytes().zip(shape).all(fits)
        && tail.is_some_and(|tail| {
            !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_digit() || b == b':' || b == b'.')
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const UUID: &str = "0a1b2c3d-0000-4000-8000-00000000000a";

    fn words() -> Words {
        let given = r#"{"id":"aaaa0001","at":"2025-01-01T00:00:00.000Z","n":1741064770001}"#;
        let mut words = Words::new(Path::new("/tmp/case"), given.into());
        words.learn("/tmp/case/input.jsonl", "@input");
        words
    }

    #[test]
    fn generated_values_get_words_in_order_of_appearance() {
        let mut words = words();
        let value = json!([
            "bbbb0001",
            UUID,
            "bbbb0002",
            "bbbb0001",
            "/tmp/case/x",
            "2026-01-01T00:00:00.000Z"
        ]);
        let want = json!(["@id1", "@uuid1", "@id2", "@id1", "@file1", "@time"]);
        assert_eq!(words.normal(&value), want);
    }

    #[test]
    fn values_of_the_case_stay() {
        let value = json!([
            "aaaa0001",
            "2025-01-01T00:00:00.000Z",
            1_741_064_770_001_u64,
            5,
            true,
            null,
            "BBBB0001"
        ]);
        assert_eq!(words().normal(&value), value);
        assert_eq!(words().normal(&json!("/tmp/case/input.jsonl")), json!("@input"));
    }

    #[test]
    fn a_number_near_now_is_a_time() {
        assert_eq!(words().normal(&json!(now() as u64)), json!("@ms"));
        assert!(words().normal(&json!(now() as u64 + 700_000)).is_number());
    }

    #[test]
    fn lines_keep_their_text_around_the_words() {
        let mut words = words();
        let line = r#"{"id":"bbbb0001","n":1.0,  "p":"aaaa0001","t":"2026-01-01T00:00:00.000Z","s":"2025-01-01T00:00:00.000Z"}"#;
        let want =
            r#"{"id":"@id1","n":1.0,  "p":"aaaa0001","t":"@time","s":"2025-01-01T00:00:00.000Z"}"#;
        assert_eq!(words.normal_line(line), want);
        assert_eq!(words.normal_line(r#"{"id":"bbbb0001""#), r#"{"id":"bbbb0001""#);
        assert_eq!(words.normal_line(""), "");
    }
}
