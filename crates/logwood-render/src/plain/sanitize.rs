//! No control character of a log reaches a terminal: it would move the cursor, change colours, or turn text around.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with a visible mark for every control character (C0, DEL, C1) and every character that overrides the
/// direction of text (U+202A to U+202E, U+2066 to U+2069). Line ends and tabs count too: a line has none.
///
/// C0 and DEL show as their pictures (`␛`, `␀`, `␡`), the others as `<U+009B>`.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('?')),
            '\x7f' => out.push('\u{2421}'),
            c if is_harmful(c) => drop(write!(out, "<U+{:04X}>", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// As [`clean`], for text of several lines: line feeds and tabs stay, and carriage returns at line ends go.
pub fn clean_lines(text: &str) -> String {
    let line = |line: &str| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\t').map(|part| clean(part).into_owned()).collect::<Vec<_>>().join("\t")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// A JSON text that says the same and has no such character in it: they can stand in strings only, and are escaped there.
pub fn clean_json(text: &str) -> Cow<'_, str> {
    if !text.contains(is_harmful) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            c if is_json_space(c) => out.push(' '),
            c if is_harmful(c) => drop(write!(out, "\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// White space between the tokens of a JSON text; inside of strings these characters are escaped already.
fn is_json_space(c: char) -> bool {
    matches!(c, '\t' | '\r' | '\n')
}

/// Whether a character must not reach a terminal or a page: it controls, or turns text around.
pub fn is_harmful(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_character_becomes_a_mark() {
        for code in
            (0..0x20).chain([0x7f]).chain(0x80..0xa0).chain(0x202a..0x202f).chain(0x2066..0x206a)
        {
            let text = format!("a{}b", char::from_u32(code).unwrap());
            let cleaned = clean(&text);
            assert!(cleaned.starts_with('a') && cleaned.ends_with('b') && cleaned.len() > 2);
            assert!(!cleaned.contains(is_harmful), "U+{code:04X}");
        }
        assert_eq!(clean("\x1b]0;x\x07\u{9b}31m\u{202e}\x7f"), "␛]0;x␇<U+009B>31m<U+202E>␡");
    }

    #[test]
    fn other_text_is_left_alone() {
        let text = "äöü 日本 👩‍👩‍👧 \u{200f}שלום\u{200e} \u{2028}";
        assert!(matches!(clean(text), Cow::Borrowed(same) if same == text));
        assert!(matches!(clean_json(text), Cow::Borrowed(same) if same == text));
    }

    #[test]
    fn json_says_the_same_without_them() {
        let text = "{\"a\":\"x\u{7f}\u{9b}\u{202e}y\",\n\t\"b\":1}";
        let cleaned = clean_json(text);
        assert_eq!(cleaned, "{\"a\":\"x\\u007f\\u009b\\u202ey\",  \"b\":1}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&cleaned), value(text));
    }
}
