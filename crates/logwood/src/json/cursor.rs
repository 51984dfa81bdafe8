//! A strict, iterative scanner over one JSON text.
//!
//! It validates as it goes, keeps nothing, and hands out slices of the text: one pass both checks a line and picks its fields
//! (doc/design/raw-lines.md). Bytes above 0x7f inside strings are let through, as Node's lossy decoder would.

use super::raw::{Raw, RawKey};

/// Where and how a text stops being JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{} at byte {at}", if *.truncated { "the text ends early" } else { "this is not JSON" })]
pub struct SyntaxError {
    /// Bytes from the start of the text.
    pub at: usize,
    /// Whether the text ended before its value did.
    pub truncated: bool,
}

type Scan<T> = Result<T, SyntaxError>;

/// A position in a JSON text; each method moves over one value and validates it.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
    lone_surrogate: bool,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `text`.
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, lone_surrogate: false }
    }

    /// Whether a string scanned so far holds half of a surrogate pair as an escape (spec 0.4).
    pub fn saw_lone_surrogate(&self) -> bool {
        self.lone_surrogate
    }

    /// The first byte of the next value, white space skipped; none at the end.
    pub fn peek(&mut self) -> Option<u8> {
        self.skip_space();
        self.text.get(self.at).copied()
    }

    /// Moves over one value of any depth and returns its text.
    ///
    /// # Errors
    /// The place where the text stops being JSON.
    pub fn value(&mut self) -> Scan<Raw<'a>> {
        self.spanned(Self::skip_value)
    }

    /// Moves over one object and calls `visit` for each member in order; `visit` moves over exactly the member's value.
    ///
    /// # Errors
    /// The place where the text stops being an object.
    pub fn members(
        &mut self,
        mut visit: impl FnMut(RawKey<'a>, &mut Self) -> Scan<()>,
    ) -> Scan<()> {
        self.skip_space();
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let key = self.key()?;
            visit(key, self)?;
            self.skip_space();
            match self.next()? {
                b',' => {}
                b'}' => return Ok(()),
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// Runs `walk` over one value and returns the text it moved over.
    ///
    /// # Errors
    /// Those of `walk`.
    pub fn spanned(&mut self, walk: impl FnOnce(&mut Self) -> Scan<()>) -> Scan<Raw<'a>> {
        self.skip_space();
        let start = self.at;
        walk(self)?;
        Ok(Raw::trusted(self.slice(start, self.at)))
    }

    /// Ends a walk early: always an error, at the current place.
    ///
    /// # Errors
    /// Always.
    pub(crate) fn stop(&self) -> Scan<()> {
        Err(SyntaxError { at: self.at, truncated: true })
    }

    /// Checks that nothing but white space is left.
    ///
    /// # Errors
    /// The place of the first byte that is left.
    pub fn end(&mut self) -> Scan<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(SyntaxError { at: self.at, truncated: false }),
        }
    }

    /// Moves over `"key":` and returns the key.
    pub(super) fn key(&mut self) -> Scan<RawKey<'a>> {
        self.skip_space();
        self.expect(b'"')?;
        let start = self.at;
        let escaped = self.string_tail()?;
        let key = self.slice(start, self.at - 1);
        self.skip_space();
        self.expect(b':')?;
        Ok(RawKey::trusted(key, escaped))
    }

    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Moves over one byte, if it is the next one after white space.
    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let hit = self.peek() == Some(byte);
        self.at += usize::from(hit);
        hit
    }

    fn slice(&self, start: usize, end: usize) -> &'a [u8] {
        self.text.get(start..end).unwrap_or_default()
    }

    fn skip_space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    fn next(&mut self) -> Scan<u8> {
        match self.text.get(self.at) {
            Some(byte) => {
                self.at += 1;
                Ok(*byte)
            }
            None => Err(SyntaxError { at: self.at, truncated: true }),
        }
    }

    fn expect(&mut self, byte: u8) -> Scan<()> {
        if self.next()? == byte { Ok(()) } else { Err(self.unexpected()) }
    }

    /// The error for the byte just taken.
    fn unexpected(&self) -> SyntaxError {
        SyntaxError { at: self.at.saturating_sub(1), truncated: false }
    }

    fn skip_value(&mut self) -> Scan<()> {
        let mut nesting = Nesting::default();
        loop {
            if self.open_value(&mut nesting)? {
                continue;
            }
            if self.close_values(&mut nesting)? {
                return Ok(());
            }
        }
    }

    /// Takes the start of a value. True when it opened a container that has something in it, so that a value follows.
    fn open_value(&mut self, nesting: &mut Nesting) -> Scan<bool> {
        self.skip_space();
        match self.next()? {
            b'"' => self.string_tail().map(drop)?,
            b'{' => {
                if !self.eat(b'}') {
                    nesting.push(true);
                    self.key()?;
                    return Ok(true);
                }
            }
            b'[' => {
                if !self.eat(b']') {
                    nesting.push(false);
                    return Ok(true);
                }
            }
            b't' => self.literal(b"rue")?,
            b'f' => self.literal(b"alse")?,
            b'n' => self.literal(b"ull")?,
            first @ (b'-' | b'0'..=b'9') => self.number(first)?,
            _ => return Err(self.unexpected()),
        }
        Ok(false)
    }

    /// After a value: closes every container that ends here. True when the outermost value is done, false when another value follows.
    fn close_values(&mut self, nesting: &mut Nesting) -> Scan<bool> {
        while let Some(object) = nesting.top() {
            self.skip_space();
            match (self.next()?, object) {
                (b',', true) => {
                    self.key()?;
                    return Ok(false);
                }
                (b',', false) => return Ok(false),
                (b'}', true) | (b']', false) => nesting.pop(),
                _ => return Err(self.unexpected()),
            }
        }
        Ok(true)
    }

    fn literal(&mut self, rest: &[u8]) -> Scan<()> {
        for byte in rest {
            self.expect(*byte)?;
        }
        Ok(())
    }

    fn number(&mut self, first: u8) -> Scan<()> {
        let first = if first == b'-' { self.next()? } else { first };
        match first {
            b'0' => {}
            b'1'..=b'9' => self.digits(),
            _ => return Err(self.unexpected()),
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            if let Some(b'+' | b'-') = self.text.get(self.at) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(())
    }

    fn some_digits(&mut self) -> Scan<()> {
        if !self.next()?.is_ascii_digit() {
            return Err(self.unexpected());
        }
        self.digits();
        Ok(())
    }

    fn digits(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
    }

    /// Moves over a string whose opening quote is taken; says whether it has escapes.
    fn string_tail(&mut self) -> Scan<bool> {
        let mut escaped = false;
        loop {
            self.at += plain_prefix(self.text.get(self.at..).unwrap_or_default());
            match self.next()? {
                b'"' => return Ok(escaped),
                b'\\' => {
                    self.escape()?;
                    escaped = true;
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn escape(&mut self) -> Scan<()> {
        match self.next()? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(()),
            b'u' => {
                let unit = self.hex4()?;
                self.pair(unit)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// After an escaped UTF-16 unit: takes its partner along, or notes that it has none.
    fn pair(&mut self, unit: u16) -> Scan<()> {
        match unit {
            0xd800..=0xdbff if self.text.get(self.at..self.at + 2) == Some(b"\\u") => {
                let back = self.at;
                self.at += 2;
                if !matches!(self.hex4()?, 0xdc00..=0xdfff) {
                    self.lone_surrogate = true;
                    self.at = back;
                }
            }
            0xd800..=0xdfff => self.lone_surrogate = true,
            _ => {}
        }
        Ok(())
    }

    fn hex4(&mut self) -> Scan<u16> {
        let mut unit = 0u16;
        for _ in 0..4 {
            let digit = char::from(self.next()?).to_digit(16);
            let digit = digit.ok_or_else(|| self.unexpected())?;
            unit = unit << 4 | u16::try_from(digit).unwrap_or(0);
        }
        Ok(unit)
    }
}

/// The open containers, a bit each (set: object), so that depth costs no stack.
#[derive(Default)]
struct Nesting {
    word: u64,
    used: u32,
    spill: Vec<u64>,
}

impl Nesting {
    fn push(&mut self, object: bool) {
        if self.used == u64::BITS {
            self.spill.push(self.word);
            self.used = 0;
        }
        self.word = self.word << 1 | u64::from(object);
        self.used += 1;
    }

    fn top(&self) -> Option<bool> {
        (self.used > 0).then_some(self.word & 1 == 1)
    }

    fn pop(&mut self) {
        self.word >>= 1;
        self.used -= 1;
        if self.used == 0
            && let Some(word) = self.spill.pop()
        {
            self.word = word;
            self.used = u64::BITS;
        }
    }
}

/// How many bytes at the start can stand in a string as they are: no quote, no backslash, no control character.
pub(crate) fn plain_prefix(text: &[u8]) -> usize {
    let (words, tail) = text.as_chunks::<8>();
    let (head, rest) = words.split_at(words.len().min(4));
    let mut done = 0;
    for word in head {
        match special_in(word) {
            None => done += 8,
            Some(at) => return done + at,
        }
    }
    if rest.is_empty() {
        return done + tail.iter().take_while(|byte| !is_special(**byte)).count();
    }
    long_prefix(text.get(done..).unwrap_or_default(), done)
}

/// The same for long strings, in blocks that the compiler turns into vector code.
fn long_prefix(text: &[u8], before: usize) -> usize {
    let (blocks, _) = text.as_chunks::<64>();
    let clean = blocks.iter().take_while(|block| !block_has_special(block)).count();
    let done = clean * 64;
    let (words, tail) = text.get(done..).unwrap_or_default().as_chunks::<8>();
    let mut at = before + done;
    for word in words {
        match special_in(word) {
            None => at += 8,
            Some(within) => return at + within,
        }
    }
    at + tail.iter().take_while(|byte| !is_special(**byte)).count()
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

fn block_has_special(block: &[u8; 64]) -> bool {
    block.iter().fold(0u8, |found, byte| found | u8::from(is_special(*byte))) != 0
}

/// The index of the first special byte of eight, found with word arithmetic: the lowest set bit is exact, bits above it may not be.
fn special_in(word: &[u8; 8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 255;
    const HIGHS: u64 = ONES << 7;
    let word = u64::from_le_bytes(*word);
    let equal = |byte: u8| {
        let x = word ^ (ONES * u64::from(byte));
        x.wrapping_sub(ONES) & !x
    };
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = (equal(b'"') | equal(b'\\') | control) & HIGHS;
    (found != 0).then(|| (found.trailing_zeros() / 8) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &[u8]) -> Result<(), SyntaxError> {
        let mut cursor = Cursor::new(text);
        cursor.value()?;
        cursor.end()
    }

    #[test]
    fn plain_prefix_finds_every_special_byte_at_every_place() {
        for special in (0..0x20).chain([b'"', b'\\']) {
            for at in 0..200 {
                let mut text = vec![b'a'; 200];
                text[at] = special;
                assert_eq!(plain_prefix(&text), at, "byte {special} at {at}");
            }
        }
        assert_eq!(plain_prefix(&[0x80; 133]), 133);
        assert_eq!(plain_prefix(" !#~\u{7f}é".as_bytes()), 7);
    }

    #[test]
    fn depth_costs_no_stack() {
        for depth in [1, 63, 64, 65, 127, 128, 129, 500_000] {
            let mut text = "[".repeat(depth);
            text.push_str(&"]".repeat(depth));
            assert_eq!(check(text.as_bytes()), Ok(()), "depth {depth}");
            text.pop();
            assert!(check(text.as_bytes()).is_err_and(|error| error.truncated), "depth {depth}");
        }
    }

    #[test]
    fn objects_and_arrays_do_not_close_each_other() {
        for text in
            ["[1}", "{\"a\":1]", "[{\"a\":[1}]]", "[1,]", "{\"a\":1,}", "{,}", "[,1]", "{\"a\"}"]
        {
            assert!(check(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn lone_surrogates_are_noticed_and_pairs_are_not() {
        for (text, lone) in [
            (r#""\ud83d\ude00""#, false),
            (r#""\ud83d""#, true),
            (r#""\ude00""#, true),
            (r#""\ud83dx""#, true),
            (r#""\ud83d\n""#, true),
            (r#""\ud83d\ud83d\ude00""#, true),
            (r#""\ud83d\u0041""#, true),
            (r#"{"\ud800":1}"#, true),
            (r#""\u00e9""#, false),
        ] {
            let mut cursor = Cursor::new(text.as_bytes());
            cursor.value().unwrap();
            assert_eq!(cursor.saw_lone_surrogate(), lone, "{text}");
        }
    }

    #[test]
    fn members_are_visited_in_order_with_duplicates() {
        let mut cursor = Cursor::new(br#" {"a":1,"b":[{}],"a":"x"} "#);
        let mut seen = Vec::new();
        cursor
            .members(|key, cursor| {
                seen.push((key.bytes().to_vec(), cursor.value()?.bytes().to_vec()));
                Ok(())
            })
            .unwrap();
        cursor.end().unwrap();
        let seen: Vec<_> = seen.iter().map(|(key, value)| (&key[..], &value[..])).collect();
        assert_eq!(seen, [(&b"a"[..], &b"1"[..]), (b"b", b"[{}]"), (b"a", b"\"x\"")]);
    }
}
