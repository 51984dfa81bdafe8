//! The inside of JSON strings: escapes decoded and written as JavaScript does, lone surrogates included (spec 0.4).
//!
//! JavaScript text may hold half of a surrogate pair; a cut through an emoji writes one as `\ud83d`. Rust's `str` cannot
//! hold it, so there are two ways out of a raw string: [`unescape`] for display, where each lone half is one U+FFFD, and
//! [`unescape_wtf8`] for writing the same text again, where it stays as three bytes of WTF-8 (ED A0..BF 80..BF).
//! Bytes that are not UTF-8 become U+FFFD in both, one for each maximal part of a character, as Node's decoder does before it parses.

use std::borrow::Cow;

const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();

/// The text of a JSON string, given what stands between its quotes.
///
/// Borrows when there is nothing to decode. A malformed escape, which a validated string does not have, stays as it is.
///
/// ```
/// assert_eq!(logwood::json::unescape(br"a\n\ud83d\ude00 \ud83d"), "a\n😀 \u{fffd}");
/// ```
#[must_use]
pub fn unescape(raw_inner: &[u8]) -> Cow<'_, str> {
    // The check alone is several times as fast as the lossy decoder, and almost always enough.
    let plain = memchr::memchr(b'\\', raw_inner).is_none();
    if let Ok(text) = std::str::from_utf8(raw_inner)
        && plain
    {
        return Cow::Borrowed(text);
    }
    match unescape_with(raw_inner, |out, _| out.extend_from_slice(REPLACEMENT)) {
        Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
        Cow::Owned(bytes) => Cow::Owned(lossy(bytes)),
    }
}

/// [`unescape`], but lone surrogates are kept as WTF-8, so that [`escape_wtf8_into`] writes them again.
#[must_use]
pub fn unescape_wtf8(raw_inner: &[u8]) -> Cow<'_, [u8]> {
    unescape_with(raw_inner, push_surrogate)
}

/// Whether the inside of a JSON string has an escaped surrogate without its other half (problem `lone_surrogate`).
#[must_use]
pub fn has_lone_surrogate(raw_inner: &[u8]) -> bool {
    let mut rest = raw_inner;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (piece, after) = read_escape(rest.get(at..).unwrap_or_default());
        if matches!(piece, Piece::Surrogate(_)) {
            return true;
        }
        rest = after;
    }
    false
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned())
}

fn unescape_with(raw_inner: &[u8], lone: impl Fn(&mut Vec<u8>, u16)) -> Cow<'_, [u8]> {
    let Some(first) = memchr::memchr(b'\\', raw_inner) else {
        return to_utf8(raw_inner);
    };
    let mut out = Vec::with_capacity(raw_inner.len());
    let (mut plain, mut rest) = raw_inner.split_at(first);
    loop {
        out.extend_from_slice(&to_utf8(plain));
        if rest.is_empty() {
            return Cow::Owned(out);
        }
        let (piece, after) = read_escape(rest);
        match piece {
            Piece::Char(c) => push_char(&mut out, c),
            Piece::Surrogate(unit) => lone(&mut out, unit),
        }
        let next = memchr::memchr(b'\\', after).unwrap_or(after.len());
        (plain, rest) = after.split_at(next);
    }
}

/// `bytes` as UTF-8, U+FFFD for what is not.
fn to_utf8(bytes: &[u8]) -> Cow<'_, [u8]> {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn push_surrogate(out: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    out.extend_from_slice(&[0xed, 0x80 | (high & 0x0f) << 2 | low >> 6, 0x80 | low & 0x3f]);
}

enum Piece {
    Char(char),
    Surrogate(u16),
}

/// Reads the escape that `text` starts with (a surrogate pair is one), and gives what follows.
fn read_escape(text: &[u8]) -> (Piece, &[u8]) {
    let simple = |c| (Piece::Char(c), text.get(2..).unwrap_or_default());
    match text.get(1) {
        Some(b'n') => simple('\n'),
        Some(b'"') => simple('"'),
        Some(b'\\') => simple('\\'),
        Some(b'/') => simple('/'),
        Some(b't') => simple('\t'),
        Some(b'r') => simple('\r'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        _ => read_unit(text).map_or_else(
            || (Piece::Char('\\'), text.get(1..).unwrap_or_default()),
            |(unit, rest)| join_pair(unit, rest),
        ),
    }
}

fn join_pair(unit: u16, rest: &[u8]) -> (Piece, &[u8]) {
    if let Some(c) = char::from_u32(u32::from(unit)) {
        return (Piece::Char(c), rest);
    }
    if let Some((low, after)) = read_unit(rest)
        && let Some(Ok(c)) = char::decode_utf16([unit, low]).next()
    {
        return (Piece::Char(c), after);
    }
    (Piece::Surrogate(unit), rest)
}

/// Reads `\uXXXX`.
fn read_unit(text: &[u8]) -> Option<(u16, &[u8])> {
    let (digits, rest) = text.strip_prefix(b"\\u")?.split_first_chunk::<4>()?;
    let mut unit = 0;
    for digit in digits {
        unit = unit << 4 | char::from(*digit).to_digit(16)?;
    }
    Some((u16::try_from(unit).ok()?, rest))
}

/// Writes `text` as the inside of a JSON string, escaped as `JSON.stringify` escapes it.
///
/// `/`, DEL, U+2028 and U+2029 are written as they are.
///
/// ```
/// let mut out = Vec::new();
/// logwood::json::escape_into(&mut out, "a\"\u{1}/");
/// assert_eq!(out, br#"a\"\u0001/"#);
/// ```
pub fn escape_into(out: &mut Vec<u8>, text: &str) {
    escape_ascii_into(out, text.as_bytes());
}

/// [`escape_into`] for WTF-8: a lone surrogate is written as `\udxxx`, two halves side by side as their character,
/// and bytes that are neither as U+FFFD.
pub fn escape_wtf8_into(out: &mut Vec<u8>, text: &[u8]) {
    if let Ok(text) = std::str::from_utf8(text) {
        return escape_into(out, text);
    }
    let mut rest = text;
    while !rest.is_empty() {
        let at = memchr::memchr_iter(0xed, rest)
            .find(|&at| surrogate_at(rest, at).is_some())
            .unwrap_or(rest.len());
        let (plain, from) = rest.split_at(at);
        escape_ascii_into(out, &to_utf8(plain));
        rest = escape_surrogates(out, from);
    }
}

/// Writes the one surrogate, or the two that make a character, at the start of `text`.
fn escape_surrogates<'a>(out: &mut Vec<u8>, text: &'a [u8]) -> &'a [u8] {
    let Some(unit) = surrogate_at(text, 0) else {
        return text;
    };
    if let Some(low) = surrogate_at(text, 3)
        && let Some(Ok(c)) = char::decode_utf16([unit, low]).next()
    {
        push_char(out, c);
        return text.get(6..).unwrap_or_default();
    }
    out.extend_from_slice(b"\\u");
    out.extend(unit.to_be_bytes().into_iter().flat_map(hex));
    text.get(3..).unwrap_or_default()
}

fn surrogate_at(text: &[u8], at: usize) -> Option<u16> {
    match text.get(at..)? {
        [0xed, second @ 0xa0..=0xbf, third @ 0x80..=0xbf, ..] => {
            Some(0xd000 | u16::from(second & 0x3f) << 6 | u16::from(third & 0x3f))
        }
        _ => None,
    }
}

fn escape_ascii_into(out: &mut Vec<u8>, text: &[u8]) {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|&b| b < b' ' || b == b'"' || b == b'\\') {
        let (plain, from) = rest.split_at(at);
        out.extend_from_slice(plain);
        let Some((&byte, after)) = from.split_first() else {
            return;
        };
        escape_byte(out, byte);
        rest = after;
    }
    out.extend_from_slice(rest);
}

fn escape_byte(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\t' => b't',
        b'\r' => b'r',
        0x08 => b'b',
        0x0c => b'f',
        _ => {
            out.extend_from_slice(b"\\u00");
            return out.extend(hex(byte));
        }
    };
    out.extend_from_slice(&[b'\\', letter]);
}

/// Two lower-case hexadecimal digits.
fn hex(byte: u8) -> [u8; 2] {
    let digit = |n: u8| if n < 10 { b'0' + n } else { b'a' + n - 10 };
    [digit(byte >> 4), digit(byte & 0x0f)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::vectors::vectors;

    #[test]
    fn strings_decode_and_encode_as_in_node() {
        for string in &vectors().strings {
            let raw = string.raw();
            let shown = String::from_utf16_lossy(&string.units);
            assert_eq!(unescape(&raw), shown, "{string:?}");
            assert_eq!(
                has_lone_surrogate(&raw),
                String::from_utf16(&string.units).is_err(),
                "{string:?}"
            );
            let kept = unescape_wtf8(&raw);
            assert_eq!(units_of(&kept), string.units, "{string:?}");
            let mut out = Vec::new();
            escape_wtf8_into(&mut out, &kept);
            assert_eq!(std::str::from_utf8(&out).unwrap(), string.stringified, "{string:?}");
        }
    }

    /// WTF-8 to UTF-16, from the definition: every character or surrogate by its lead byte.
    fn units_of(wtf8: &[u8]) -> Vec<u16> {
        let mut units = Vec::new();
        let mut rest = wtf8;
        while let Some(&lead) = rest.first() {
            let (length, bits) = match lead {
                0..=0x7f => (1, lead & 0x7f),
                0xc0..=0xdf => (2, lead & 0x1f),
                0xe0..=0xef => (3, lead & 0x0f),
                _ => (4, lead & 0x07),
            };
            let code = rest[1..length]
                .iter()
                .fold(u32::from(bits), |code, b| code << 6 | u32::from(b & 0x3f));
            match char::from_u32(code) {
                Some(c) => units.extend_from_slice(c.encode_utf16(&mut [0; 2])),
                None => units.push(u16::try_from(code).unwrap()),
            }
            rest = &rest[length..];
        }
        units
    }

    #[test]
    fn nothing_to_do_borrows() {
        assert!(matches!(unescape("grün 😀".as_bytes()), Cow::Borrowed("grün 😀")));
        assert!(matches!(unescape_wtf8(b"a/b"), Cow::Borrowed(b"a/b")));
    }

    #[test]
    fn halves_put_side_by_side_are_one_character() {
        let mut joined = unescape_wtf8(br"\ud83d").into_owned();
        joined.extend_from_slice(&unescape_wtf8(br"\ude00\ude00"));
        let mut out = Vec::new();
        escape_wtf8_into(&mut out, &joined);
        assert_eq!(std::str::from_utf8(&out).unwrap(), "😀\\ude00");
    }

    #[test]
    fn malformed_escapes_stay() {
        for raw in ["\\", "a\\", "\\x", "\\u12", "\\u12g4", "\\u+123", "\\ud83d\\u"] {
            assert_eq!(unescape(raw.as_bytes()), raw.replace("\\ud83d", "\u{fffd}"));
        }
    }

    proptest! {
        #[test]
        fn escaping_then_unescaping_gives_the_text(text in prop_oneof![any::<String>(), "[\x00-\x1f\"\\\\/\x7f\u{2028}é😀a]{0,12}"]) {
            let mut out = Vec::new();
            escape_into(&mut out, &text);
            prop_assert_eq!(&*unescape(&out), &text);
            prop_assert_eq!(&*unescape_wtf8(&out), text.as_bytes());
            let whole = serde_json::to_vec(&text).unwrap();
            prop_assert_eq!(&whole[1..whole.len() - 1], &out[..]);
        }

        #[test]
        fn any_utf16_survives(units in proptest::collection::vec(prop_oneof![any::<u16>(), 0xd7fe..0xe002u16], 0..12)) {
            let raw: String = units.iter().map(|unit| format!("\\u{unit:04X}")).collect();
            let kept = unescape_wtf8(raw.as_bytes()).into_owned();
            prop_assert_eq!(units_of(&kept), units.clone());
            prop_assert_eq!(&*unescape(raw.as_bytes()), String::from_utf16_lossy(&units));
            let mut out = Vec::new();
            escape_wtf8_into(&mut out, &kept);
            prop_assert_eq!(&*unescape_wtf8(&out), &kept[..]);
        }

        #[test]
        fn any_bytes_do(raw in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\\'), Just(b'u'), Just(0xed), Just(0xa0), Just(b'd')], 0..16)) {
            let _ = has_lone_surrogate(&raw);
            let mut out = Vec::new();
            escape_wtf8_into(&mut out, &raw);
            prop_assert!(String::from_utf8(out).is_ok());
            prop_assert_eq!(units_of(&unescape_wtf8(&raw)).len(), unescape(&raw).encode_utf16().count());
        }
    }
}
