//! JSON text cut into tokens, for texts that are known to be valid.

/// A piece of the text, by byte position.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Span {
    pub(super) fn of(self, text: &[u8]) -> &[u8] {
        text.get(self.start..self.end).unwrap_or_default()
    }
}

/// What stands at a place of the text.
pub(super) enum Token {
    /// One of `{}[]:,`.
    Mark(u8),
    /// A string with its quotes.
    Text(Span),
    /// A number or a word.
    Atom(Span),
}

/// Cuts valid JSON into tokens; of anything else it makes some tokens and comes to the end too.
pub(super) struct Tokens<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u8], span: Span) -> Self {
        Self { text, at: span.start, end: span.end }
    }

    fn rest(&self) -> &'a [u8] {
        Span { start: self.at, end: self.end }.of(self.text)
    }

    fn skip_space(&mut self) {
        let space = self.rest().iter().take_while(|b| is_json_space(**b)).count();
        self.at += space;
    }

    fn string(&mut self) -> Token {
        let start = self.at;
        let mut at = 1;
        let rest = self.rest();
        let length = loop {
            match rest.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
                None => break rest.len(),
                Some(found) if rest.get(at + found) == Some(&b'"') => break at + found + 1,
                Some(found) => at += found + 2,
            }
        };
        self.at += length;
        Token::Text(Span { start, end: self.at })
    }

    fn atom(&mut self) -> Token {
        let start = self.at;
        self.at += self.rest().iter().take_while(|b| !ends_atom(**b)).count();
        Token::Atom(Span { start, end: self.at })
    }
}

impl Iterator for Tokens<'_> {
    /// Where the token starts, and the token.
    type Item = (usize, Token);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip_space();
        let start = self.at;
        let token = match *self.rest().first()? {
            b'"' => self.string(),
            mark @ (b'{' | b'}' | b'[' | b']' | b':' | b',') => {
                self.at += 1;
                Token::Mark(mark)
            }
            _ => self.atom(),
        };
        Some((start, token))
    }
}

fn is_json_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

fn ends_atom(byte: u8) -> bool {
    is_json_space(byte) || matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b':' | b',')
}

/// What stands between the quotes of a string token.
pub(super) fn inner(string: &[u8]) -> &[u8] {
    let open = string.strip_prefix(b"\"").unwrap_or(string);
    open.strip_suffix(b"\"").unwrap_or(open)
}
