//! Cuts and wraps text by the columns it takes in a terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use logwood_render::plain::clean;

/// Columns of a tab.
const TAB: &str = "    ";

/// A text as lines of at most `columns` columns: line ends stay, longer lines break at spaces, longer words anywhere.
/// Control characters are marked already.
pub(crate) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        wrap_line(&plain_line(line), columns.max(8), &mut lines);
    }
    lines
}

/// One line of text without its CR and with its tabs as spaces.
pub(crate) fn plain_line(line: &str) -> String {
    let line = line.strip_suffix('\r').unwrap_or(line);
    clean(&line.replace('\t', TAB)).into_owned()
}

/// The text in at most `columns` columns; what is left out shows as `…`. Control characters are marked first, since their
/// marks take more room than they.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    let text = plain_line(text);
    if text.width() <= columns {
        return text;
    }
    let Some(room) = columns.checked_sub(1) else { return String::new() };
    let mut out = head(&text, room).to_owned();
    out.push('…');
    out
}

/// As much of the start of a text as fits.
fn head(text: &str, columns: usize) -> &str {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(0);
        if used > columns {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

/// Breaks one line; the indent of the line is kept for what follows, unless there would be no room.
fn wrap_line(line: &str, columns: usize, out: &mut Vec<String>) {
    let indent: String = line.chars().take_while(|c| *c == ' ').collect();
    let indent = if indent.len() * 2 > columns { String::new() } else { indent };
    let mut current = String::new();
    let mut used = 0;
    for word in line.split_inclusive(' ') {
        let width = word.trim_end_matches(' ').width();
        if used + width > columns && used > indent.len() {
            out.push(std::mem::replace(&mut current, indent.clone()));
            used = indent.len();
        }
        let mut rest = word;
        while used + rest.trim_end_matches(' ').width() > columns {
            let part = head(rest, columns - used);
            let part = if part.is_empty() { first_char(rest) } else { part };
            current.push_str(part);
            out.push(std::mem::replace(&mut current, indent.clone()));
            used = indent.len();
            rest = rest.get(part.len()..).unwrap_or_default();
        }
        current.push_str(rest);
        used += rest.width();
    }
    out.push(current);
}

fn first_char(text: &str) -> &str {
    let end = text.chars().next().map_or(0, char::len_utf8);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(text: &str, columns: usize) -> Vec<String> {
        wrap(text, columns).iter().map(|line| line.trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_break_at_spaces_and_keep_their_indent() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("  one two three", 9), ["  one two", "  three"]);
        assert_eq!(wrapped("a\n\nb\r\n", 9), ["a", "", "b", ""]);
        assert_eq!(wrapped("\tx", 9), ["    x"]);
        assert_eq!(wrapped("", 9), [""]);
    }

    #[test]
    fn no_line_is_wider_than_the_columns() {
        let texts = [
            "日本語の長い文章はどこででも折り返せる",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            "x aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa y",
            "                              deep indent",
            "a\u{1b}[31m\u{1b}[31m\u{1b}[31m\u{1b}[31m",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
        ];
        for text in texts {
            for columns in 8..30 {
                let lines = wrap(text, columns);
                assert!(lines.iter().all(|line| line.trim_end().width() <= columns), "{lines:?}");
                let squeeze = |text: &str| text.replace(' ', "");
                assert_eq!(squeeze(&lines.concat()), squeeze(&plain_line(text)), "{columns}");
            }
        }
    }

    #[test]
    fn a_cut_shows() {
        assert_eq!(cut("abcdef", 6), "abcdef");
        assert_eq!(cut("abcdef", 5), "abcd…");
        assert_eq!(cut("日本語", 5), "日本…");
        assert_eq!(cut("日本語", 4), "日…");
        assert_eq!(cut("abc", 0), "");
        assert_eq!(cut("\u{202e}a\tb", 20), "<U+202E>a    b");
        assert_eq!(cut("\u{202e}ab", 9), "<U+202E>…");
    }
}
