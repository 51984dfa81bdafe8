//! Head and tail of a long text, cut without decoding it.

use memchr::{memchr, memrchr};

/// How much of the head of a long output is searched, in bytes of its JSON text.
pub const HEAD: usize = 8 * 1024;

/// How much of its tail.
pub const TAIL: usize = 4 * 1024;

/// How far from the limit a space is looked for, so that words stay whole.
const NEAR: usize = 512;

/// Head and tail of the inside of a JSON string that is longer than both; none for a shorter one. Neither cuts an escape or a
/// character.
pub(super) fn head_and_tail(inner: &[u8]) -> Option<(&[u8], &[u8])> {
    let from = inner.len().checked_sub(TAIL).filter(|from| *from > HEAD)?;
    let (head, _) = inner.split_at(head_end(inner));
    let (_, tail) = inner.split_at(tail_start(inner, from));
    Some((head, tail))
}

/// A space is no part of an escape or of another character, so a cut beside one is safe.
fn head_end(inner: &[u8]) -> usize {
    let near = inner.get(HEAD - NEAR..HEAD).unwrap_or_default();
    memrchr(b' ', near).map_or_else(|| whole_before(inner, HEAD), |at| HEAD - NEAR + at)
}

fn tail_start(inner: &[u8], from: usize) -> usize {
    let near = inner.get(from..from + NEAR).unwrap_or_default();
    memchr(b' ', near).map_or_else(|| whole_before(inner, from), |at| from + at)
}

/// The last place at or before `limit` that is inside of no escape, no surrogate pair and no UTF-8 character.
fn whole_before(inner: &[u8], limit: usize) -> usize {
    let mut at = 0;
    while let Some(found) = inner.get(at..limit).and_then(|rest| memchr(b'\\', rest)) {
        let start = at + found;
        at = start + escape_len(inner.get(start..).unwrap_or_default());
        if at > limit {
            return start;
        }
    }
    let is_inside = |at: &usize| inner.get(*at).is_some_and(|byte| byte & 0xc0 == 0x80);
    (at..=limit).rev().find(|at| !is_inside(at)).unwrap_or(at)
}

/// How long the escape at the start of `text` is, a surrogate pair as one.
fn escape_len(text: &[u8]) -> usize {
    match text {
        [b'\\', b'u', unit @ ..] if is_surrogate(unit, b"89abAB") => match unit.get(4..) {
            Some([b'\\', b'u', low @ ..]) if is_surrogate(low, b"cdefCDEF") => 12,
            _ => 6,
        },
        [b'\\', b'u', ..] => 6,
        _ => 2,
    }
}

/// Whether these digits are of a surrogate whose second digit is one of `second`.
fn is_surrogate(digits: &[u8], second: &[u8]) -> bool {
    matches!(digits, [b'd' | b'D', digit, ..] if second.contains(digit))
}

#[cfg(test)]
mod tests {
    use logwood::json::unescape;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_texts_are_whole() {
        assert_eq!(head_and_tail(&[b'a'; HEAD + TAIL]), None);
        assert!(head_and_tail(&[b'a'; HEAD + TAIL + 1]).is_some());
    }

    #[test]
    fn words_stay_whole() {
        let text = "abcdefghi ".repeat(2000);
        let (head, tail) = head_and_tail(text.as_bytes()).unwrap();
        assert!(head.ends_with(b"abcdefghi") && head.len() > HEAD - 11);
        assert!(tail.starts_with(b" abcdefghi") && tail.len() > TAIL - 11);
    }

    proptest! {
        /// Cut at any place, both parts decode to the parts of the whole.
        #[test]
        fn no_escape_and_no_character_is_cut(
            parts in prop::collection::vec(prop::sample::select(vec!["a", "é", "灯", "😀", r"\n", r"\\", r"\u00e9", r"\ud83d\ude00", r"\ud83d"]), 0..40),
            limit in 0usize..80,
        ) {
            let text = parts.concat();
            let limit = limit.min(text.len());
            let at = whole_before(text.as_bytes(), limit);
            let (head, tail) = text.as_bytes().split_at(at);
            prop_assert!(limit - at < 12);
            prop_assert_eq!(format!("{}{}", unescape(head), unescape(tail)), unescape(text.as_bytes()));
        }
    }
}
