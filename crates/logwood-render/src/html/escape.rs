//! Text inside of markup.

use crate::plain::is_harmful;

/// Adds a text to a page: what would be markup is escaped, and a control character shows as its picture.
///
/// Good for text between tags and for values in double quotes. Line ends and tabs stay.
pub(super) fn push_text(page: &mut String, text: &str) {
    let mut from = 0;
    for (at, c) in text.char_indices() {
        let instead = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\n' | '\t' => continue,
            // A parser makes a line end of it that the text did not have, or none.
            '\r' => "",
            c if is_harmful(c) => {
                page.push_str(text.get(from..at).unwrap_or_default());
                push_picture(page, c);
                from = at + c.len_utf8();
                continue;
            }
            _ => continue,
        };
        page.push_str(text.get(from..at).unwrap_or_default());
        page.push_str(instead);
        from = at + c.len_utf8();
    }
    page.push_str(text.get(from..).unwrap_or_default());
}

/// The text, escaped.
pub(super) fn escaped(text: &str) -> String {
    let mut page = String::with_capacity(text.len() + 16);
    push_text(&mut page, text);
    page
}

fn push_picture(page: &mut String, c: char) {
    let mut buffer = [0; 4];
    let marked = crate::plain::clean(c.encode_utf8(&mut buffer)).into_owned();
    push_text(page, &marked);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_markup() {
        assert_eq!(
            escaped("<a href=\"x\" b='c'>&amp;"),
            "&lt;a href=&quot;x&quot; b=&#39;c&#39;&gt;&amp;amp;"
        );
        assert_eq!(escaped("a\r\n\tb"), "a\n\tb");
        assert_eq!(escaped("\x1b[1m\x07\u{1}\u{202e}"), "␛[1m␇␁&lt;U+202E&gt;");
        assert_eq!(escaped("plain ü 日本"), "plain ü 日本");
    }
}
