//! White space, length and cuts as JavaScript counts them (spec 0.3).
//!
//! JavaScript's white space is neither Rust's nor JSON's, and its lengths are UTF-16 code units. Everything that trims,
//! cuts or collapses text the way the reference does goes through here.

/// Whether JavaScript's `trim` and `\s` take `c` for white space (spec 0.3).
///
/// The table is explicit because [`char::is_whitespace`] differs in both directions: it has U+0085 and lacks U+FEFF.
#[must_use]
pub fn is_js_space(c: char) -> bool {
    matches!(
        c,
        '\t' | '\n' | '\u{b}' | '\u{c}' | '\r' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200a}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{202f}'
                | '\u{205f}'
                | '\u{3000}'
                | '\u{feff}'
    )
}

/// `text` without JavaScript white space at both ends, as `String.prototype.trim`.
///
/// ```
/// assert_eq!(logwood::json::trim_js("\u{feff} a b\u{a0}\n"), "a b");
/// ```
#[must_use]
pub fn trim_js(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// [`trim_js`] over bytes that should be UTF-8; bytes that are not UTF-8 are never white space.
#[must_use]
pub fn trim_js_bytes(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some(shorter) = strip_space_before(rest) {
        rest = shorter;
    }
    while let Some(shorter) = strip_space_after(rest) {
        rest = shorter;
    }
    rest
}

fn strip_space_before(bytes: &[u8]) -> Option<&[u8]> {
    let first = *bytes.first()?;
    let length = match first {
        b'\t'..=b'\r' | b' ' => return bytes.get(1..),
        0xc2 => 2,
        0xe1..=0xef => 3,
        _ => return None,
    };
    let (head, rest) = bytes.split_at_checked(length)?;
    is_one_space(head).then_some(rest)
}

/// A lead byte always starts a new character, so the last two or three bytes can be judged without what is before them.
fn strip_space_after(bytes: &[u8]) -> Option<&[u8]> {
    let (last, rest) = bytes.split_last()?;
    match last {
        b'\t'..=b'\r' | b' ' => return Some(rest),
        0x80..=0xbf => {}
        _ => return None,
    }
    [2, 3].into_iter().find_map(|length| {
        let (rest, tail) = bytes.split_at_checked(bytes.len().checked_sub(length)?)?;
        is_one_space(tail).then_some(rest)
    })
}

fn is_one_space(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut chars = text.chars();
    chars.next().is_some_and(is_js_space) && chars.next().is_none()
}

/// The `length` of `text` in JavaScript: UTF-16 code units.
///
/// ```
/// assert_eq!(logwood::json::utf16_len("aé😀"), 4);
/// ```
#[must_use]
pub fn utf16_len(text: &str) -> usize {
    let units = |b: &u8| usize::from(!(0x80..0xc0).contains(b)) + usize::from(*b >= 0xf0);
    text.as_bytes().iter().map(units).sum()
}

/// The longest start of `text` of at most `max_units` UTF-16 code units that cuts no character in half.
///
/// Where `slice(0, max)` would leave half of a surrogate pair, the whole character is dropped (spec F-36).
///
/// ```
/// assert_eq!(logwood::json::truncate_utf16("ab😀", 3), "ab");
/// ```
#[must_use]
pub fn truncate_utf16(text: &str, max_units: usize) -> &str {
    // A character never has more units than bytes, so a short text needs no counting.
    if text.len() <= max_units {
        return text;
    }
    let mut units = 0;
    for (at, c) in text.char_indices() {
        units += c.len_utf16();
        if units > max_units {
            return text.get(..at).unwrap_or(text);
        }
    }
    text
}

/// `text` trimmed, each run of JavaScript white space as one space: `replace(/\s+/g, " ").trim()`.
///
/// ```
/// assert_eq!(logwood::json::collapse_js_space(" a\n\n\tb "), "a b");
/// ```
#[must_use]
pub fn collapse_js_space(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_js_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json::vectors::vectors;

    #[test]
    fn the_table_is_nodes_for_every_character() {
        let ours: Vec<u32> =
            (0..=0x10_ffff).filter(|&n| char::from_u32(n).is_some_and(is_js_space)).collect();
        assert_eq!(ours, vectors().spaces);
    }

    #[test]
    fn every_space_is_trimmed_from_bytes_at_both_ends() {
        for &space in &vectors().spaces {
            let space = char::from_u32(space).unwrap();
            let text = format!("{space}{space}a{space}é{space}");
            let want = format!("a{space}é");
            assert_eq!(trim_js(&text), want);
            assert_eq!(trim_js_bytes(text.as_bytes()), want.as_bytes());
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_stay() {
        for bytes in [
            &b"\xff a \xff"[..],
            b"\xa0a",
            b"\xe2\x80",
            b"a\xe2\x80",
            b"\xc2",
            b"a\x80\xa0",
            "\u{85}a\u{85}".as_bytes(),
        ] {
            assert_eq!(trim_js_bytes(bytes), bytes);
        }
        assert_eq!(trim_js_bytes(b"\xf0\xc2\xa0"), b"\xf0");
        assert_eq!(trim_js_bytes(b" \n"), b"");
    }

    #[test]
    fn cuts_count_units_and_spare_pairs() {
        for cut in &vectors().cuts {
            assert_eq!(truncate_utf16(&cut.text, cut.max), cut.out, "{cut:?}");
            assert_eq!(utf16_len(&cut.text), cut.length, "{cut:?}");
        }
    }

    #[test]
    fn runs_collapse_as_in_node() {
        for (text, want) in &vectors().collapse {
            assert_eq!(&collapse_js_space(text), want, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn a_cut_is_the_longest_start_that_fits(text in "[a-c é\u{3000}😀𝄞]{0,12}", max in 0usize..30) {
            let cut = truncate_utf16(&text, max);
            prop_assert!(text.starts_with(cut));
            prop_assert!(cut.encode_utf16().count() <= max);
            if let Some(next) = text[cut.len()..].chars().next() {
                prop_assert!(cut.encode_utf16().count() + next.len_utf16() > max);
            }
        }

        #[test]
        fn trimming_bytes_is_trimming_text(text in "[ \t\u{85}\u{a0}\u{2003}\u{feff}é😀a]{0,8}") {
            prop_assert_eq!(trim_js_bytes(text.as_bytes()), trim_js(&text).as_bytes());
        }
    }
}
