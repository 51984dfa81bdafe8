//! Slices of JSON text that are known to be valid, decoded on demand.

use std::borrow::Cow;

use super::cursor::{Cursor, SyntaxError};
use super::{number, string};

/// The text of one valid JSON value, without white space around it.
///
/// Nothing is decoded until asked for, and nothing is lost: key order, duplicate keys, number text, escapes.
///
/// ```
/// use logwood::json::Raw;
///
/// let value = Raw::parse(br#"{"a":1,"b":"x\ud800","a":2.50}"#)?;
/// assert_eq!(value.get("a").map(|a| a.bytes()), Some(&b"2.50"[..])); // the last one counts, as in JavaScript
/// assert_eq!(value.get("b").and_then(|b| b.as_str()).as_deref(), Some("x\u{fffd}"));
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Raw<'a>(&'a [u8]);

/// What a [`Raw`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of JSON itself")]
pub enum JsonKind {
    Null,
    Bool,
    Number,
    String,
    Array,
    Object,
}

impl<'a> Raw<'a> {
    /// Checks that `text` is one JSON value with nothing but white space around it.
    ///
    /// # Errors
    /// The place where it stops being JSON.
    pub fn parse(text: &'a [u8]) -> Result<Self, SyntaxError> {
        let mut cursor = Cursor::new(text);
        let value = cursor.value()?;
        cursor.end()?;
        Ok(value)
    }

    /// A text that is known to be valid: a cursor has just been over it, or it was put together from such texts.
    pub(crate) fn trusted(text: &'a [u8]) -> Self {
        Self(text)
    }

    /// The value `null`.
    pub fn null() -> Self {
        Self(b"null")
    }

    /// The text as it stands in the file; may hold bytes that are not UTF-8, inside strings only.
    pub fn bytes(self) -> &'a [u8] {
        self.0
    }

    /// The text as a string, bytes that are not UTF-8 replaced by U+FFFD.
    pub fn text(self) -> Cow<'a, str> {
        String::from_utf8_lossy(self.0)
    }

    /// What kind of value it is.
    pub fn kind(self) -> JsonKind {
        match self.0.first() {
            Some(b'{') => JsonKind::Object,
            Some(b'[') => JsonKind::Array,
            Some(b'"') => JsonKind::String,
            Some(b't' | b'f') => JsonKind::Bool,
            Some(b'n') | None => JsonKind::Null,
            Some(_) => JsonKind::Number,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(self) -> bool {
        self.kind() == JsonKind::Null
    }

    /// Whether it is an object.
    pub fn is_object(self) -> bool {
        self.kind() == JsonKind::Object
    }

    /// Whether JavaScript would take it for true.
    pub fn is_truthy(self) -> bool {
        match self.kind() {
            JsonKind::Null => false,
            JsonKind::Bool => self.0 == b"true",
            JsonKind::Number => self.as_f64().is_some_and(|number| number != 0.0),
            JsonKind::String => self.0.len() > 2,
            JsonKind::Array | JsonKind::Object => true,
        }
    }

    /// The bytes between the quotes of a string, escapes and all.
    pub fn as_string_bytes(self) -> Option<&'a [u8]> {
        match self.0 {
            [b'"', inner @ .., b'"'] => Some(inner),
            _ => None,
        }
    }

    /// The value of a string; what is not a character (half a surrogate pair, a byte that is not UTF-8) shows as U+FFFD.
    pub fn as_str(self) -> Option<Cow<'a, str>> {
        self.as_string_bytes().map(string::unescape)
    }

    /// Whether it is a string with exactly this value.
    pub fn is_str(self, value: &str) -> bool {
        self.as_string_bytes().is_some_and(|inner| same(inner, value))
    }

    /// The value of a number, rounded as JavaScript rounds it.
    pub fn as_f64(self) -> Option<f64> {
        (self.kind() == JsonKind::Number).then(|| number::parse_number(self.0)).flatten()
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        (self.kind() == JsonKind::Bool).then(|| self.0 == b"true")
    }

    /// The members of an object in order, duplicates included; empty for any other value.
    pub fn members(self) -> Members<'a> {
        Members(Walk::over(self.0, b'{'))
    }

    /// The elements of an array in order; empty for any other value.
    pub fn elements(self) -> Elements<'a> {
        Elements(Walk::over(self.0, b'['))
    }

    /// The value of the last member with this key, as JavaScript reads it.
    pub fn get(self, key: &str) -> Option<Raw<'a>> {
        self.members().filter(|(name, _)| name.is(key)).last().map(|(_, value)| value)
    }

    /// The text of a string member.
    pub fn get_str(self, key: &str) -> Option<Cow<'a, str>> {
        self.get(key)?.as_str()
    }

    /// The value of a number member.
    pub fn get_f64(self, key: &str) -> Option<f64> {
        self.get(key)?.as_f64()
    }
}

impl std::fmt::Debug for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Raw({})", self.text())
    }
}

/// The key of an object member, still escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawKey<'a> {
    inner: &'a [u8],
    escaped: bool,
}

impl<'a> RawKey<'a> {
    /// What a cursor found between the quotes, and whether there are escapes in it.
    pub(super) fn trusted(inner: &'a [u8], escaped: bool) -> Self {
        Self { inner, escaped }
    }

    /// The bytes between the quotes, escapes and all.
    pub fn bytes(self) -> &'a [u8] {
        self.inner
    }

    /// The bytes between the quotes where they say the key plainly; a key written with escapes is decoded.
    pub fn plain(self) -> Cow<'a, [u8]> {
        if self.escaped {
            Cow::Owned(string::unescape(self.inner).into_owned().into_bytes())
        } else {
            Cow::Borrowed(self.inner)
        }
    }

    /// The key as text.
    pub fn text(self) -> Cow<'a, str> {
        string::unescape(self.inner)
    }

    /// Whether it is this key, however it is escaped.
    pub fn is(self, key: &str) -> bool {
        self.inner == key.as_bytes() || (self.escaped && string::unescape(self.inner) == key)
    }
}

fn same(inner: &[u8], value: &str) -> bool {
    inner == value.as_bytes() || (inner.contains(&b'\\') && string::unescape(inner) == value)
}

/// Iterator of [`Raw::members`].
#[derive(Debug, Clone)]
pub struct Members<'a>(Walk<'a>);

impl<'a> Iterator for Members<'a> {
    type Item = (RawKey<'a>, Raw<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.advance()?;
        let key = self.0.cursor.key().ok()?;
        Some((key, self.0.cursor.value().ok()?))
    }
}

/// Iterator of [`Raw::elements`].
#[derive(Debug, Clone)]
pub struct Elements<'a>(Walk<'a>);

impl<'a> Iterator for Elements<'a> {
    type Item = Raw<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.advance()?;
        self.0.cursor.value().ok()
    }
}

/// A walk over the inside of one container.
#[derive(Debug, Clone)]
struct Walk<'a> {
    cursor: Cursor<'a>,
    open: u8,
    started: bool,
}

impl<'a> Walk<'a> {
    fn over(text: &'a [u8], open: u8) -> Self {
        Self { cursor: Cursor::new(text), open, started: false }
    }

    /// Moves to the next item, if there is one.
    fn advance(&mut self) -> Option<()> {
        if self.started {
            return self.cursor.eat(b',').then_some(());
        }
        self.started = true;
        let inside = self.cursor.eat(self.open);
        (inside && !matches!(self.cursor.peek()?, b'}' | b']')).then_some(())
    }
}
