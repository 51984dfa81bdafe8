//! Takes out of a short message what looks like a secret: by the marks of well-known keys, and by the word before it.
//!
//! This guards the messages that logwood writes of its own accord; exports have a redactor of their own.

use std::borrow::Cow;

/// What keys of well-known services start with.
const STARTS: [&str; 16] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "ghu_",
    "github_pat_",
    "glpat-",
    "xox",
    "AKIA",
    "ASIA",
    "AIza",
    "eyJ",
    "hf_",
];
/// Characters of the shortest key that is known by its start, and of one that is known by the word before it.
const SHORTEST_KEY: usize = 16;
const SHORTEST_VALUE: usize = 8;
/// What the name of a secret ends with, in lower case.
const NAMES: [&str; 9] =
    ["key", "token", "secret", "password", "passwd", "authorization", "bearer", "basic", "apikey"];

/// The message with `[redacted]` in place of what looks like a secret.
pub(super) fn without_secrets(message: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    let mut names_secret = false;
    for (start, piece) in pieces(message) {
        let is_secret = starts_as_key(piece) || (names_secret && may_be_value(piece));
        if is_secret {
            out.push_str(message.get(copied..start).unwrap_or_default());
            out.push_str("[redacted]");
            copied = start + piece.len();
        }
        let lower = piece.to_ascii_lowercase();
        names_secret = NAMES.iter().any(|name| lower.ends_with(name));
    }
    if copied == 0 && out.is_empty() {
        return Cow::Borrowed(message);
    }
    out.push_str(message.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The words of a message with their places: what stands between white space, quotes, brackets, `=`, `:`, `,` and `;`.
fn pieces(message: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = |c: char| c.is_whitespace() || "\"'`()[]{}<>=:,;&?".contains(c);
    let start = message.as_ptr().addr();
    let words = message.split(ends).filter(|piece| !piece.is_empty());
    words.map(move |piece| (piece.as_ptr().addr() - start, piece))
}

fn starts_as_key(piece: &str) -> bool {
    piece.len() >= SHORTEST_KEY && STARTS.iter().any(|start| piece.starts_with(start))
}

/// Whether a word after the name of a secret may be its value: long enough, and with a digit, as words of a sentence have none.
fn may_be_value(piece: &str) -> bool {
    piece.len() >= SHORTEST_VALUE && piece.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_named_values_go() {
        for (message, want) in [
            ("401 for sk-invented-0123456789", "401 for [redacted]"),
            ("Authorization: Bearer abcdef123456", "Authorization: Bearer [redacted]"),
            ("url?api_key=abcdef12&x=1", "url?api_key=[redacted]&x=1"),
            ("{\"x-api-key\":\"abcdef12\"} é", "{\"x-api-key\":\"[redacted]\"} é"),
            ("ghp_0123456789abcdef, AKIA0123456789ABCDEF", "[redacted], [redacted]"),
        ] {
            assert_eq!(without_secrets(message), want);
        }
    }

    #[test]
    fn plain_sentences_stay() {
        for message in [
            "",
            "no answer in time",
            "Unexpected token } in JSON at position 12",
            "the token limit of 200000 tokens is exceeded",
            "model sk-small is unknown",
            "key: ÄÖÜ",
        ] {
            assert!(matches!(without_secrets(message), Cow::Borrowed(_)), "{message}");
            assert_eq!(without_secrets(message), message);
        }
    }

    /// What was written is taken again.
    #[test]
    fn what_is_left_holds_no_secret() {
        let once =
            without_secrets("password=hunter2hunter2 token sk-0123456789abcdef").into_owned();
        assert_eq!(without_secrets(&once), once);
    }
}
