use crate::json::{Raw, SyntaxError, escape_into, js_number_text, stringify};

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
        Ok(Self(String::from_utf8_lossy(&stringify(raw.bytes())).into_owned()))
    }

    /// A string.
    pub fn string(text: &str) -> Self {
        let mut out = vec![b'"'];
        escape_into(&mut out, text);
        out.push(b'"');
        Self(String::from_utf8_lossy(&out).into_owned())
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
        let items: Vec<_> = items.iter().map(Self::as_str).collect();
        Self(format!("[{}]", items.join(",")))
    }

    /// An object with these members in this order; members without a value are left out, as JavaScript leaves out `undefined`.
    pub fn object(members: &[(&str, Option<JsonText>)]) -> Self {
        let present = members.iter().filter_map(|(key, value)| Some((key, value.as_ref()?)));
        let members: Vec<_> =
            present.map(|(key, value)| format!("{}:{}", Self::string(key).0, value.0)).collect();
        Self(format!("{{{}}}", members.join(",")))
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
