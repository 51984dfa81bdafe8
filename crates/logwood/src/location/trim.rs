//! White space as JavaScript's `trim` sees it (spec 0.3).

/// `text` without JavaScript white space at both ends.
pub(super) fn trim_js(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// Rust's white space, but U+FEFF counts and U+0085 does not.
fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}
