//! The form in which texts are compared: without case, without accents, one form for each character, white space as one space.

use std::iter::once;
use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Adds the folded form of `text` to `out`, as UTF-8.
///
/// Characters are decomposed, diacritical marks after letters dropped (`é` is `e`, however it is written), letters lower-cased through
/// their upper case (so that `ß` is `ss` and `ς` is `σ`), what is left composed again (NFC), and each run of white space is one space.
/// Vowel signs and other marks that make a word another word (Devanagari, Hebrew, Arabic, voiced kana) stay.
///
/// ```
/// let mut out = Vec::new();
/// logwood_catalog::text::fold_into("Fac\u{327}ade\n\n STRASSE Straße", &mut out);
/// assert_eq!(out, b"facade strasse strasse");
/// ```
pub fn fold_into(text: &str, out: &mut Vec<u8>) {
    walk(text, out, |_, _| {});
}

/// [`fold_into`] as text.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    fold_into(text, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

/// Where a part of the folded form stands in the text: from the first character that gave some of it to the last.
#[must_use]
pub fn unfold_range(text: &str, folded: Range<usize>) -> Range<usize> {
    let (mut start, mut end, mut before) = (None, None, 0);
    walk(text, &mut Vec::new(), |read, written| {
        if start.is_none() && written > folded.start {
            start = Some(before);
        }
        if end.is_none() && written >= folded.end {
            end = Some(read);
        }
        before = read;
    });
    let end = end.unwrap_or(text.len());
    start.unwrap_or(end).min(end)..end
}

/// Folds, and tells after each step how much was read of the text and how much there is of its folded form.
fn walk(text: &str, out: &mut Vec<u8>, mut step: impl FnMut(usize, usize)) {
    let base = out.len();
    out.reserve(text.len());
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let plain = plain_ascii(rest);
        for byte in rest.bytes().take(plain) {
            if byte.is_ascii_whitespace() || byte == b'\x0b' {
                push_space(out, base);
            } else {
                out.push(byte.to_ascii_lowercase());
            }
            at += 1;
            step(at, out.len() - base);
        }
        let cluster = rest.get(plain..).map_or("", first_cluster);
        fold_cluster(cluster, out, base);
        at += cluster.len();
        step(at, out.len() - base);
    }
}

/// How many ASCII characters stand at the start that nothing joins.
fn plain_ascii(text: &str) -> usize {
    let Some(ascii) = text.bytes().position(|byte| !byte.is_ascii()) else { return text.len() };
    let joined = text.get(ascii..).and_then(|rest| rest.chars().next()).is_some_and(joins);
    let plain = text.get(..ascii).unwrap_or_default();
    if joined && !plain.ends_with(char::is_whitespace) { ascii.saturating_sub(1) } else { ascii }
}

/// A character and those that join it, so that no other changes how they fold. White space is joined by nothing.
fn first_cluster(text: &str) -> &str {
    if let Some(space) = text.chars().next().filter(|c| c.is_whitespace()) {
        return text.get(..space.len_utf8()).unwrap_or(text);
    }
    let mut chars = text.char_indices().skip(1);
    let end = chars.find(|(_, c)| !joins(*c)).map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

/// Whether a character may change the one before it.
fn joins(c: char) -> bool {
    match c {
        '\0'..'\u{300}'
        | '\u{2100}'..'\u{2c00}'
        | '\u{2e80}'..'\u{302a}'
        | '\u{4e00}'..'\u{a000}'
        | '\u{1f000}'..'\u{1fb00}' => false,
        _ => canonical_combining_class(c) != 0 || is_nfc_quick(once(c)) == IsNormalized::Maybe,
    }
}

fn fold_cluster(cluster: &str, out: &mut Vec<u8>, base: usize) {
    let mut chars = cluster.chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) if c.is_whitespace() => push_space(out, base),
        (Some(c), None) if is_its_own_form(c) => out.extend_from_slice(cluster.as_bytes()),
        _ => out.extend_from_slice(fold_slowly(cluster).as_bytes()),
    }
}

fn fold_slowly(cluster: &str) -> String {
    let mut letter = false;
    let without_marks = cluster.nfd().filter(|c| {
        let drop = letter && is_diacritical(*c);
        letter = drop || c.is_alphabetic();
        !drop
    });
    without_marks.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}

/// Characters that are frequent in sessions and fold to themselves: punctuation, arrows, boxes, ideographs, syllables, emoji.
fn is_its_own_form(c: char) -> bool {
    matches!(c,
        '\u{2010}'..='\u{20cf}' | '\u{2190}'..='\u{2328}' | '\u{232b}'..='\u{24b5}' | '\u{2500}'..='\u{2adb}'
        | '\u{3001}'..='\u{3029}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f000}'..='\u{1faff}')
}

/// The blocks of combining diacritical marks.
fn is_diacritical(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

fn push_space(out: &mut Vec<u8>, base: usize) {
    if out.len() == base || out.last() != Some(&b' ') {
        out.push(b' ');
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What Unicode's tables say of these, and case 63.
    #[test]
    fn one_form_for_all_ways_to_write() {
        for (a, b) in [
            ("FAÇADE", "fac\u{327}ade"),
            ("Straße", "STRASSE"),
            ("ΣΊΣΥΦΟΣ", "σισυφος"),
            ("K\u{212a}\u{17f}", "kks"),
            ("ﬁle", "FILE"),
            ("İstanbul ı", "istanbul I"),
            ("a\u{a0}\u{2003}\n b", "A B"),
            ("\u{1112}\u{1161}\u{11ab}", "한"),
            ("か\u{3099}", "が"),
            ("=\u{338}", "≠"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
    }

    #[test]
    fn what_is_another_word_stays_another() {
        for (a, b) in [("が", "か"), ("한", "하"), ("हिन्दी", "हन्द"), ("≠", "="), ("灯台", "灯")]
        {
            assert_ne!(fold(a), fold(b), "{a} {b}");
        }
    }

    #[test]
    fn frequent_characters_are_folded_as_all_others() {
        for c in ('\0'..=char::MAX).filter(|c| is_its_own_form(*c) && !c.is_whitespace()) {
            assert_eq!(fold_slowly(&c.to_string()), c.to_string(), "{:x}", c as u32);
        }
        for c in ('\0'..=char::MAX).filter(|c| !joins(*c)) {
            let joins =
                canonical_combining_class(c) != 0 || is_nfc_quick(once(c)) == IsNormalized::Maybe;
            assert!(!joins, "{:x}", c as u32);
        }
    }

    #[test]
    fn a_part_is_found_again_in_the_text() {
        let text = "x Fac\u{327}ade  \n Straße, 灯台 ﬁle";
        let folded = fold(text);
        for (part, wanted) in [
            ("facade", "Fac\u{327}ade"),
            ("ca", "c\u{327}a"),
            ("e s", "e  \n S"),
            ("strasse", "Straße"),
            ("灯台", "灯台"),
            ("file", "ﬁle"),
            ("ile", "ﬁle"),
        ] {
            let at = folded.find(part).unwrap();
            assert_eq!(&text[unfold_range(text, at..at + part.len())], wanted, "{part}");
        }
    }

    fn texts() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[ -~]{0,4}",
            "\\PC{0,3}",
            prop::sample::select(vec![
                "\u{301}", "e\u{301}", "ß", "\u{1161}", "\u{1112}", "が", "\n ", "\u{fe0f}", "≠",
                "\u{338}"
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn folding_again_changes_nothing(text in texts()) {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }

        #[test]
        fn equivalent_texts_fold_the_same(text in texts()) {
            prop_assert_eq!(fold(&text.nfd().collect::<String>()), fold(&text));
            prop_assert_eq!(fold(&text.nfc().collect::<String>()), fold(&text));
        }

        #[test]
        fn any_range_is_a_range_of_the_text(text in texts(), a in 0usize..60, b in 0usize..60) {
            let range = unfold_range(&text, a.min(b)..a.max(b));
            prop_assert!(text.get(range).is_some());
        }
    }
}
