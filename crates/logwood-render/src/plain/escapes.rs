//! Takes whole escape sequences out of names and previews, where even their text would mislead (case 50).

use std::borrow::Cow;

/// The text on one line, without terminal escape sequences, white space runs as one space. What is left of control characters is
/// marked where the text is printed.
pub fn one_line(text: &str) -> String {
    let text = without_escapes(text);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text without CSI, OSC, DCS, SOS, PM and APC sequences and without two-character escapes. A string sequence that never ends
/// loses its introducer only.
pub fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains(['\x1b', '\u{90}', '\u{98}', '\u{9b}', '\u{9d}', '\u{9e}', '\u{9f}']) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '\x1b' => after_escape(after),
            '\u{9b}' => after_csi(after),
            '\u{90}' | '\u{98}' | '\u{9d}' | '\u{9e}' | '\u{9f}' => after_string(after),
            c => {
                out.push(c);
                after
            }
        };
    }
    Cow::Owned(out)
}

/// What follows an ESC and what it introduces.
fn after_escape(rest: &str) -> &str {
    let after = |c: char| rest.get(c.len_utf8()..).unwrap_or_default();
    match rest.chars().next() {
        Some(c @ '[') => after_csi(after(c)),
        Some(c @ (']' | 'P' | 'X' | '^' | '_')) => after_string(after(c)),
        Some(c @ ' '..='/') => {
            let end = after(c).trim_start_matches(|c| matches!(c, ' '..='/'));
            end.strip_prefix(|c: char| matches!(c, '0'..='~')).unwrap_or(end)
        }
        Some(c @ '0'..='~') => after(c),
        _ => rest,
    }
}

/// What follows the parameters and the last character of a control sequence.
fn after_csi(rest: &str) -> &str {
    let end = rest.trim_start_matches(|c| matches!(c, ' '..='?'));
    end.strip_prefix(|c: char| matches!(c, '@'..='~')).unwrap_or(end)
}

/// What follows the end of a string sequence: BEL or ST.
fn after_string(rest: &str) -> &str {
    let ends = ["\x07", "\x1b\\", "\u{9c}"];
    let found = ends.iter().filter_map(|end| Some((rest.find(end)?, end.len()))).min();
    found.and_then(|(at, length)| rest.get(at + length..)).unwrap_or(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_go_as_a_whole_and_text_stays() {
        let texts = [
            ("Red\x1b[31mRED\x1b[0m\x1b]0;pwned\x07 line1\nline2", "RedRED line1 line2"),
            ("\x1b[38;2;1;2;3mx\x1b[K\x1b[?25ly", "xy"),
            ("\u{9b}31mx\u{9d}0;t\u{9c}y", "xy"),
            ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "link"),
            ("a\x1b(Bb\x1bcc\x1b7d", "abcd"),
            ("never \x1b]0;ends", "never 0;ends"),
            ("\x1b", ""),
            ("\x1b[", ""),
            ("tab\tand  two", "tab and two"),
            ("plain ü 日本", "plain ü 日本"),
        ];
        for (text, want) in texts {
            assert_eq!(one_line(text), want, "{text:?}");
        }
    }
}
