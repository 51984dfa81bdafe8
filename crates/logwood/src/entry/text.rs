use crate::json::{JsonWriter, Raw, SyntaxError, js_number_text, stringify};

/// JSON that logwood is going to write: always one line, as JSON.stringify writes it (design section 2, "Values").
///
/// ```
/// use logwood::entry::JsonText;
///
/// let text = JsonText::parse(br#"{ "b": 1.0, "a": 12345678901234567890, "b": "x" }"#)?;
/// assert_eq!(text.as_str(), r#"{"b":"x","a":12345678901234567890}"#);
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// Takes one JSON value and writes it as JavaScript would; a number that JavaScript would round keeps its text.
    ///
    /// # Errors
    /// The place where the text stops being JSON.
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        let raw = Raw::parse(text)?;
        Ok(Self(as_string(stringify(raw.bytes()))))
    }

    /// A string.
    pub fn string(text: &str) -> Self {
        let mut out = Vec::with_capacity(text.len() + 2);
        JsonWriter::new(&mut out).str(text);
        Self(as_string(out))
    }

    /// A number, as JavaScript prints it; what is no number becomes `null`.
    pub fn number(number: f64) -> Self {
        Self(js_number_text(number))
    }

    /// `true` or `false`.
    pub fn bool(value: bool) -> Self {
        Self(value.to_string())
    }

    /// `null`.
    pub fn null() -> Self {
        Self("null".to_owned())
    }

    /// A list.
    pub fn array(items: &[JsonText]) -> Self {
        let mut out =
            Vec::with_capacity(items.iter().map(|item| item.0.len() + 1).sum::<usize>() + 2);
        JsonWriter::new(&mut out).array(|a| {
            for item in items {
                a.raw(item.0.as_bytes());
            }
        });
        Self(as_string(out))
    }

    /// An object with these members in this order; members without a value are left out, as JavaScript leaves out `undefined`.
    pub fn object(members: &[(&str, Option<JsonText>)]) -> Self {
        let present = || members.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let length: usize = present().map(|(key, value)| key.len() + value.0.len() + 4).sum();
        let mut out = Vec::with_capacity(length + 2);
        JsonWriter::new(&mut out).object(|o| {
            for (key, value) in present() {
                o.field_raw(key, value.0.as_bytes());
            }
        });
        Self(as_string(out))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text as a value to read.
    pub fn raw(&self) -> Raw<'_> {
        Raw::trusted(self.0.as_bytes())
    }
}

impl From<&str> for JsonText {
    fn from(text: &str) -> Self {
        Self::string(text)
    }
}

/// What was written is text already; bytes of a source that are none become U+FFFD.
fn as_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|broken| String::from_utf8_lossy(broken.as_bytes()).into_owned())
}
