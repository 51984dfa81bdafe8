//! JSON texts as [`serde_json::Value`], lone surrogates and any depth included.
//!
//! JavaScript writes half characters as escapes (`"\ud83d"`); `serde_json` refuses them, since a Rust string cannot
//! hold one. [`decode`] puts a private-use character (U+F0000 to U+F07FF) in place of each lone surrogate escape and
//! [`encode`] writes the escape again, so nothing is lost on the way. A text that already holds one of these
//! characters is refused rather than confused. Numbers of more than 64 bits become `f64`.

use serde::Deserialize as _;
use serde_json::Value;

const SHIELD: u32 = 0xF_0000;
const STACK: usize = 512 << 20;

/// Runs `work` on a thread whose stack is large enough for values nested some hundred thousand levels deep
/// (`serde_json` builds, compares and drops them by recursion). A panic of `work` goes on in the caller.
///
/// # Errors
///
/// The thread cannot be started.
pub fn on_big_stack<T: Send>(work: impl FnOnce() -> T + Send) -> std::io::Result<T> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work)?;
        Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Reads one JSON text.
///
/// # Errors
///
/// The text is not JSON, or holds a character that stands for a lone surrogate here.
///
/// ```
/// use logwood_testkit::json::{decode, encode};
///
/// let text = r#"{"cut":"emoji \ud83d"}"#;
/// assert_eq!(encode(&decode(text)?), text);
/// # Ok::<(), String>(())
/// ```
pub fn decode(text: &str) -> Result<Value, String> {
    let shielded = shield(text)?;
    let mut reader = serde_json::Deserializer::from_str(&shielded);
    reader.disable_recursion_limit();
    let value = Value::deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(value)
}

/// Writes a value as one line, the way [`decode`] reads it.
#[must_use]
pub fn encode(value: &Value) -> String {
    let mut text = String::new();
    for c in value.to_string().chars() {
        match surrogate_of(c) {
            Some(code) => text.push_str(&format!("\\u{code:04x}")),
            None => text.push(c),
        }
    }
    text
}

/// The bytes of a decoded string in a file: UTF-8, and three bytes for a lone surrogate (WTF-8).
#[must_use]
pub fn to_bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match surrogate_of(c) {
            Some(code) => {
                bytes.extend([0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8])
            }
            None => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

fn surrogate_of(c: char) -> Option<u32> {
    u32::from(c).checked_sub(SHIELD).filter(|at| *at < 0x800).map(|at| 0xD800 + at)
}

/// Puts a private-use character in place of every escape of a lone surrogate.
fn shield(text: &str) -> Result<String, String> {
    if text.chars().any(|c| surrogate_of(c).is_some()) {
        return Err(taken());
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.push_str(plain);
        rest = push_escape(&mut out, escape)?;
    }
    out.push_str(rest);
    Ok(out)
}

/// Copies the escape at the start of `text` and returns what comes after it.
fn push_escape<'t>(out: &mut String, text: &'t str) -> Result<&'t str, String> {
    let Some(first) = unit(text) else {
        let end = text.char_indices().nth(2).map_or(text.len(), |(at, _)| at);
        return Ok(copy(out, text, end));
    };
    let second = text.get(6..).and_then(unit).filter(|code| (0xDC00..0xE000).contains(code));
    match (first, second) {
        (0xD800..0xDC00, Some(low)) => {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (low - 0xDC00);
            if char::from_u32(code).and_then(surrogate_of).is_some() {
                return Err(taken());
            }
            Ok(copy(out, text, 12))
        }
        (0xD800..0xE000, _) => {
            out.extend(char::from_u32(SHIELD + first - 0xD800));
            Ok(text.get(6..).unwrap_or_default())
        }
        _ => Ok(copy(out, text, 6)),
    }
}

/// The code unit of a `\uXXXX` at the start of `text`.
fn unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let plain = digits.bytes().all(|b| b.is_ascii_hexdigit());
    plain.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

fn copy<'t>(out: &mut String, text: &'t str, end: usize) -> &'t str {
    let (head, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    out.push_str(head);
    rest
}

fn taken() -> String {
    "the text holds a character of U+F0000 to U+F07FF, which stands for a lone surrogate here"
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lone_surrogates_come_back_as_they_were() {
        for text in [
            r#""\ud83d""#,
            r#""a\ude00b""#,
            r#""\ud83d\ud83d""#,
            r#"{"\udfff":["\ud800\n"]}"#,
            r#""\ud83dx\\ude00""#,
        ] {
            assert_eq!(encode(&decode(text).unwrap()), text);
        }
    }

    #[test]
    fn pairs_and_escaped_backslashes_are_no_lone_surrogates() {
        assert_eq!(decode(r#""\ud83d\ude00""#).unwrap(), json!("😀"));
        assert_eq!(decode(r#""\\ud83d""#).unwrap(), json!("\\ud83d"));
        assert_eq!(decode(r#""\u00e9\uD83D""#).unwrap(), json!("é\u{f003d}"));
    }

    #[test]
    fn what_would_be_confused_is_refused() {
        assert!(decode("\"\u{f0000}\"").is_err());
        assert!(decode(r#""\udb80\udc00""#).is_err());
        assert!(decode(r#""\ud8""#).is_err());
        assert!(decode("\"\\").is_err());
        assert!(decode("{} {}").is_err());
    }

    #[test]
    fn bytes_of_a_lone_surrogate_are_those_of_wtf_8() {
        assert_eq!(to_bytes("a\u{f003d}😀"), b"a\xED\xA0\xBD\xF0\x9F\x98\x80");
        assert_eq!(to_bytes("\u{f07ff}"), b"\xED\xBF\xBF");
    }

    #[test]
    fn depth_has_no_limit() {
        let text = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        let back = on_big_stack(|| encode(&decode(&text).unwrap())).unwrap();
        assert_eq!(back, text);
    }
}
