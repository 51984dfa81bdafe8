//! Rust text without its comments, and without what stands between quotes; line numbers stay.

/// `text` with every comment and every string and character literal blanked out.
pub(super) fn bare(text: &str) -> String {
    let mut rest = text;
    let mut out = String::with_capacity(text.len());
    while !rest.is_empty() {
        let (length, keep) = next(rest);
        let (piece, tail) = rest.split_at(length);
        if keep {
            out.push_str(piece);
        } else {
            out.push(' ');
            out.extend(piece.matches('\n'));
        }
        rest = tail;
    }
    out
}

/// The part of `text` before its unit tests, which stand last in a file.
pub(super) fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// Length of the piece at the start of `text`, and whether it is code.
fn next(text: &str) -> (usize, bool) {
    if text.starts_with("//") {
        (text.find('\n').unwrap_or(text.len()), false)
    } else if text.starts_with("/*") {
        (block_comment(text), false)
    } else if let Some(length) = raw_string(text) {
        (length, false)
    } else if text.starts_with('"') {
        (string(text), false)
    } else if let Some(length) = character(text) {
        (length, false)
    } else {
        (word(text), true)
    }
}

/// A whole word, so that the `r` of `for"` is not taken for a raw string; else one character.
fn word(text: &str) -> usize {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if end > 0 { end } else { text.chars().next().map_or(0, char::len_utf8) }
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(found) = text.get(at..).and_then(|rest| rest.find(['/', '*'])) {
        at += found;
        let pair = text.get(at..at + 2).unwrap_or_default();
        depth = match pair {
            "/*" => depth + 1,
            "*/" => depth - 1,
            _ => depth,
        };
        at += if matches!(pair, "/*" | "*/") { 2 } else { 1 };
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn raw_string(text: &str) -> Option<usize> {
    let start = text.strip_prefix("br").or_else(|| text.strip_prefix('r'))?;
    let inner = start.trim_start_matches('#');
    let hashes = start.len() - inner.len();
    let body = inner.strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let end = body.find(&close).map_or(body.len(), |found| found + close.len());
    Some(text.len() - body.len() + end)
}

fn string(text: &str) -> usize {
    let mut escaped = true; // the opening quote does not close
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A character literal; a lifetime (`'a` without a closing quote) is none.
fn character(text: &str) -> Option<usize> {
    let body = text.strip_prefix('\'')?;
    let mut chars = body.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        chars.next()?;
        return chars.find(|(_, c)| *c == '\'').map(|(at, _)| at + 2);
    }
    let (at, close) = chars.next()?;
    (close == '\'').then_some(at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squeezed(text: &str) -> String {
        bare(text).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_go_and_code_stays() {
        assert_eq!(squeezed("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(squeezed("/// see [`crate::storage`]\nfn f() {}"), "fn f() {}");
    }

    #[test]
    fn literals_go() {
        assert_eq!(squeezed(r#"f("a \" // b", 'x', '\'', '\u{7f}') + 1"#), "f( , , , ) + 1");
        assert_eq!(squeezed("g(r#\"a \" b\"#, br\"c\", b\"d\")"), "g( , , b )");
    }

    #[test]
    fn lifetimes_and_words_stay() {
        assert_eq!(squeezed("fn f<'a>(x: &'a str) -> &'a str"), "fn f<'a>(x: &'a str) -> &'a str");
        assert_eq!(squeezed("for\"x\""), "for");
    }

    #[test]
    fn line_numbers_stay() {
        assert_eq!(bare("a\n/* b\n\n*/c \"d\ne\" f").matches('\n').count(), 4);
    }

    #[test]
    fn an_open_end_is_no_panic() {
        for text in ["/* a", "\"a", "r#\"a", "'", "'\\", "\"\\", "/*/", "é'é'"] {
            bare(text);
        }
    }

    #[test]
    fn unit_tests_are_cut_off() {
        assert_eq!(without_tests("a\n#[cfg(test)]\nmod tests;"), "a\n");
    }
}
