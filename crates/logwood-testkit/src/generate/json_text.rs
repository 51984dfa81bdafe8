//! Random bytes and random JSON texts, as strange as JSON allows.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Bytes that mean something to a reader of lines of JSON, and any others.
pub fn bytes(len: usize) -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"\n",
        b"\r\n",
        b"\0",
        b"\xEF\xBB\xBF",
        b"\xFF",
        b"\xC3",
        b"\xE2\x80\xA8",
        b"\"",
        b"\\",
        b"\\u",
        b"\\ud83d",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b",",
        b"null",
        b"-0",
        b"1e400",
        b" ",
        b"\"type\":\"session\"",
        b"\"id\":\"a\"",
        b"{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n",
        b"\"parentId\":",
        b"\"message\":{\"role\":\"user\"}",
    ];
    let piece = prop_oneof![
        3 => select(pieces).prop_map(<[u8]>::to_vec),
        1 => vec(any::<u8>(), 0..6),
    ];
    vec(piece, 0..len).prop_map(|pieces| pieces.concat())
}

/// One valid JSON text: any value, keys that repeat, odd numbers, every escape, lone surrogates, white space between tokens.
pub fn json_text() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        3 => string_text(),
        2 => number_text(),
        1 => select(vec!["null", "true", "false", "[]", "{}", "[ ]", "{\t}"]).prop_map(str::to_owned),
    ];
    scalar.prop_recursive(5, 40, 5, |inner| {
        let member = (key(), space(), space(), inner.clone());
        let member = member.prop_map(|(key, a, b, value)| format!("{key}{a}:{b}{value}"));
        prop_oneof![
            list(inner).prop_map(|items| format!("[{items}]")),
            list(member).prop_map(|members| format!("{{{members}}}")),
        ]
    })
}

fn list(item: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let spaced = (space(), item, space()).prop_map(|(a, item, b)| format!("{a}{item}{b}"));
    vec(spaced, 1..5).prop_map(|items| items.join(","))
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 1 => select(vec![" ", "\t", "\r", "  "])]
}

/// Few keys, so that they repeat; some are escaped, look like numbers, or mean something to JavaScript.
fn key() -> impl Strategy<Value = String> {
    let keys = vec![
        "\"a\"",
        "\"b\"",
        "\"\\u0061\"",
        "\"\"",
        "\"10\"",
        "\"2\"",
        "\"type\"",
        "\"id\"",
        "\"__proto__\"",
        "\"\\ud83d\"",
        "\"é\"",
        "\"constructor\"",
        "\"parent\\u0049d\"",
    ];
    prop_oneof![4 => select(keys).prop_map(str::to_owned), 1 => string_text()]
}

/// One JSON string with its quotes.
pub fn string_text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "\\\"",
        "\\\\",
        "\\/",
        "\\b",
        "\\f",
        "\\n",
        "\\r",
        "\\t",
        "\\u0000",
        "\\u001F",
        "\\u00e9",
        "\\ud83d",
        "\\ude00",
        "\\uD83D\\uDE00",
        "\\ud83d\\ud83d",
        "\u{7f}",
        "\u{2028}",
        "\u{feff}",
        "é",
        "😀",
        "字",
        "\\\\u0041",
        " ",
        "e\u{301}",
    ];
    let plain = vec(any::<char>().prop_filter("needs an escape", plain), 0..4);
    let piece = prop_oneof![
        2 => select(pieces).prop_map(str::to_owned),
        1 => plain.prop_map(String::from_iter),
    ];
    vec(piece, 0..6).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// Characters that stand for themselves, those left out that [`crate::json`] uses for lone surrogates.
fn plain(c: &char) -> bool {
    *c >= ' ' && *c != '"' && *c != '\\' && !('\u{f0000}'..='\u{f07ff}').contains(c)
}

fn number_text() -> impl Strategy<Value = String> {
    let odd = vec![
        "0",
        "-0",
        "1.0",
        "1.50",
        "1e3",
        "1E+03",
        "1e-7",
        "0.000001",
        "12345678901234567890",
        "9007199254740993",
        "1e21",
        "1e400",
        "-1e-400",
        "5e-324",
        "1.7976931348623157e308",
        "0.1e1",
        "3.14159265358979323846264338327950288",
    ];
    prop_oneof![
        2 => select(odd).prop_map(str::to_owned),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => any::<f64>().prop_filter("not JSON", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
    ]
}
