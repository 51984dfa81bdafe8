//! The scanner of `json/` against serde_json, which has another author and another way of reading (doc/design/raw-lines.md).

use logwood::json::{JsonKind, Raw};
use logwood_testkit::generate::{bytes, json_text};
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Whether serde_json takes `text` for one JSON value. It passes over values as we do: without minding half surrogates, and
/// without minding bytes that are not UTF-8 inside strings.
fn accepts(text: &[u8]) -> bool {
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

fn agree(text: &[u8]) -> Result<(), TestCaseError> {
    let shown = String::from_utf8_lossy(text);
    prop_assert_eq!(Raw::parse(text).is_ok(), accepts(text), "{}", shown);
    let (Ok(raw), Ok(wanted)) = (Raw::parse(text), serde_json::from_slice::<Value>(text)) else {
        return Ok(());
    };
    prop_assert_eq!(value(raw), numbers_as_doubles(wanted), "{}", shown);
    Ok(())
}

/// What the views of `raw` say, put together; texts are small here, so it may recurse.
fn value(raw: Raw<'_>) -> Value {
    match raw.kind() {
        JsonKind::Null => Value::Null,
        JsonKind::Bool => raw.as_bool().into(),
        JsonKind::Number => raw.as_f64().into(),
        JsonKind::String => raw.as_str().into(),
        JsonKind::Array => raw.elements().map(value).collect(),
        JsonKind::Object => object(raw),
    }
}

/// Of a key that is there twice the last value counts.
fn object(raw: Raw<'_>) -> Value {
    let members: Map<String, Value> =
        raw.members().map(|(key, member)| (key.text().into_owned(), value(member))).collect();
    for (key, member) in &members {
        assert_eq!(raw.get(key).map(value).as_ref(), Some(member), "get and members agree");
    }
    Value::Object(members)
}

/// JavaScript has doubles only; serde_json keeps integers apart.
fn numbers_as_doubles(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(elements) => elements.into_iter().map(numbers_as_doubles).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, member)| (key, numbers_as_doubles(member))).collect()
        }
        other => other,
    }
}

/// Pieces of JSON in any order: nearly right texts, which random bytes never are.
fn nearly_json() -> impl Strategy<Value = String> {
    let pieces = [
        "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\"a\":", "\\", "\\u", "\\ud83d", "\\u00e",
        "0", "-", "1", ".", "e", "+", "01", "1.5e-3", "null", "nul", "true", "false", " ", "\t",
        "\r", "\n", "\u{1}", "\u{7f}", "é", "\u{feff}", "\u{a0}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..12)
        .prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn json_is_read_alike(text in json_text()) {
        prop_assert!(accepts(text.as_bytes()), "the generator makes JSON: {}", text);
        agree(text.as_bytes())?;
    }

    #[test]
    fn spoilt_json_is_refused_alike(text in json_text(), at in any::<prop::sample::Index>(), byte in any::<u8>(), how in 0..3) {
        let mut text = text.into_bytes();
        let at = at.index(text.len());
        match how {
            0 => text[at] = byte,
            1 => text.truncate(at),
            _ => text.insert(at, byte),
        }
        agree(&text)?;
    }

    #[test]
    fn nearly_json_is_judged_alike(text in nearly_json()) {
        agree(text.as_bytes())?;
        agree(format!("{{\"k\":[{text}]}}").as_bytes())?;
        agree(format!("\"{text}\"").as_bytes())?;
    }

    #[test]
    fn random_bytes_are_judged_alike(text in bytes(12)) {
        agree(&text)?;
    }
}
