//! JSON put together field by field, in the order of the calls, as `JSON.stringify` would write it (spec 0.4).
//!
//! [`write_object`] and [`write_array`] hand a writer to a closure; [`ObjectWriter`] and [`ArrayWriter`] place the commas.
//! Nothing is buffered twice: nested values go straight to the same bytes. For trees as deep as their data,
//! [`JsonWriter`] opens and closes without a closure.

use super::{escape_into, escape_wtf8_into, js_number_text, stringify};

/// A new text holding one object.
///
/// ```
/// use logwood::json::write_object;
///
/// let out = write_object(|o| {
///     o.field_str("type", "response")
///         .field_opt_str("id", None)
///         .field_f64("cost", 2.0)
///         .field_array("kept", |a| {
///             a.str("x").raw(b"{\"n\":1.50}");
///         });
/// });
/// assert_eq!(out, br#"{"type":"response","cost":2,"kept":["x",{"n":1.50}]}"#);
/// ```
pub fn write_object(fill: impl FnOnce(&mut ObjectWriter<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    JsonWriter::new(&mut out).object(fill);
    out
}

/// A new text holding one array.
pub fn write_array(fill: impl FnOnce(&mut ArrayWriter<'_>)) -> Vec<u8> {
    let mut out = Vec::new();
    JsonWriter::new(&mut out).array(fill);
    out
}

/// Appends JSON to bytes and places the commas; what is opened must be closed by the caller.
///
/// ```
/// use logwood::json::JsonWriter;
///
/// let mut out = Vec::new();
/// let mut json = JsonWriter::new(&mut out);
/// json.begin_object().key("children").begin_array();
/// json.str("a").str("b");
/// json.end_array().end_object();
/// assert_eq!(out, br#"{"children":["a","b"]}"#);
/// ```
#[derive(Debug)]
pub struct JsonWriter<'o> {
    out: &'o mut Vec<u8>,
    /// Whether a value stands before the place where the next one goes.
    follows: bool,
}

impl<'o> JsonWriter<'o> {
    /// A writer for one value at the end of `out`; what is in `out` already stays and gets no comma.
    pub fn new(out: &'o mut Vec<u8>) -> Self {
        Self { out, follows: false }
    }

    /// Opens an object; [`Self::end_object`] closes it.
    pub fn begin_object(&mut self) -> &mut Self {
        self.begin(b'{')
    }

    /// Closes an object.
    pub fn end_object(&mut self) -> &mut Self {
        self.end(b'}')
    }

    /// Opens an array; [`Self::end_array`] closes it.
    pub fn begin_array(&mut self) -> &mut Self {
        self.begin(b'[')
    }

    /// Closes an array.
    pub fn end_array(&mut self) -> &mut Self {
        self.end(b']')
    }

    /// The key of the value that comes next.
    pub fn key(&mut self, key: &str) -> &mut Self {
        self.str(key);
        self.out.push(b':');
        self.follows = false;
        self
    }

    /// An object, filled by `fill`.
    pub fn object(&mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) -> &mut Self {
        self.begin_object();
        fill(&mut ObjectWriter(JsonWriter::new(self.out)));
        self.end_object()
    }

    /// An array, filled by `fill`.
    pub fn array(&mut self, fill: impl FnOnce(&mut ArrayWriter<'_>)) -> &mut Self {
        self.begin_array();
        fill(&mut ArrayWriter(JsonWriter::new(self.out)));
        self.end_array()
    }

    /// Writes a string.
    pub fn str(&mut self, value: &str) -> &mut Self {
        self.string(|out| escape_into(out, value))
    }

    /// Writes a string given as WTF-8, lone surrogates as `\udxxx` (see [`unescape_wtf8`](super::unescape_wtf8)).
    pub fn wtf8(&mut self, value: &[u8]) -> &mut Self {
        self.string(|out| escape_wtf8_into(out, value))
    }

    /// Writes one valid JSON text, byte for byte, line breaks too (`null` if empty).
    pub fn raw(&mut self, json: &[u8]) -> &mut Self {
        self.value(if json.is_empty() { b"null" } else { json })
    }

    /// Writes one valid JSON text, with U+FFFD for bytes that are not UTF-8.
    pub fn raw_lossy(&mut self, json: &[u8]) -> &mut Self {
        self.raw(String::from_utf8_lossy(json).as_bytes())
    }

    /// Writes one valid JSON text as [`stringify()`] writes it: on one line, in UTF-8.
    pub fn stringified(&mut self, json: &[u8]) -> &mut Self {
        self.raw(&stringify(json))
    }

    /// Writes a number; NaN and infinities are `null`, as in JavaScript.
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.value(js_number_text(value).as_bytes())
    }

    /// Writes an integer with all its digits.
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.value(value.to_string().as_bytes())
    }

    /// Writes an integer with all its digits.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.value(value.to_string().as_bytes())
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.value(if value { b"true" } else { b"false" })
    }

    /// Writes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.value(b"null")
    }

    fn comma(&mut self) {
        if self.follows {
            self.out.push(b',');
        }
        self.follows = true;
    }

    fn value(&mut self, text: &[u8]) -> &mut Self {
        self.comma();
        self.out.extend_from_slice(text);
        self
    }

    fn string(&mut self, escape: impl FnOnce(&mut Vec<u8>)) -> &mut Self {
        self.value(b"\"");
        escape(self.out);
        self.out.push(b'"');
        self
    }

    fn begin(&mut self, mark: u8) -> &mut Self {
        self.value(&[mark]);
        self.follows = false;
        self
    }

    fn end(&mut self, mark: u8) -> &mut Self {
        self.out.push(mark);
        self.follows = true;
        self
    }
}

/// Writes the members of one object, in the order of the calls; a key given twice is written twice.
#[derive(Debug)]
pub struct ObjectWriter<'o>(JsonWriter<'o>);

impl ObjectWriter<'_> {
    /// A member that is a string, or no member at all: what JavaScript does with `undefined`.
    pub fn field_opt_str(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        if let Some(value) = value {
            self.field_str(key, value);
        }
        self
    }

    /// A member that is a string or `null`.
    pub fn field_str_or_null(&mut self, key: &str, value: Option<&str>) -> &mut Self {
        match value {
            Some(value) => self.field_str(key, value),
            None => self.field_null(key),
        }
    }

    /// A member that is an object, filled by `fill`.
    pub fn field_object(
        &mut self,
        key: &str,
        fill: impl FnOnce(&mut ObjectWriter<'_>),
    ) -> &mut Self {
        self.0.key(key).object(fill);
        self
    }

    /// A member that is an array, filled by `fill`.
    pub fn field_array(&mut self, key: &str, fill: impl FnOnce(&mut ArrayWriter<'_>)) -> &mut Self {
        self.0.key(key).array(fill);
        self
    }

    /// A member that is a string.
    pub fn field_str(&mut self, key: &str, value: &str) -> &mut Self {
        self.0.key(key).str(value);
        self
    }

    /// A member that is a string given as WTF-8, lone surrogates as `\udxxx` (see [`unescape_wtf8`](super::unescape_wtf8)).
    pub fn field_wtf8(&mut self, key: &str, value: &[u8]) -> &mut Self {
        self.0.key(key).wtf8(value);
        self
    }

    /// A member that is one valid JSON text, byte for byte, line breaks too (`null` if empty).
    pub fn field_raw(&mut self, key: &str, json: &[u8]) -> &mut Self {
        self.0.key(key).raw(json);
        self
    }

    /// A member that is one valid JSON text, with U+FFFD for bytes that are not UTF-8.
    pub fn field_raw_lossy(&mut self, key: &str, json: &[u8]) -> &mut Self {
        self.0.key(key).raw_lossy(json);
        self
    }

    /// A member that is one valid JSON text as [`stringify()`] writes it: on one line, in UTF-8.
    pub fn field_stringified(&mut self, key: &str, json: &[u8]) -> &mut Self {
        self.0.key(key).stringified(json);
        self
    }

    /// A member that is a number; NaN and infinities are `null`, as in JavaScript.
    pub fn field_f64(&mut self, key: &str, value: f64) -> &mut Self {
        self.0.key(key).f64(value);
        self
    }

    /// A member that is an integer with all its digits.
    pub fn field_i64(&mut self, key: &str, value: i64) -> &mut Self {
        self.0.key(key).i64(value);
        self
    }

    /// A member that is an integer with all its digits.
    pub fn field_u64(&mut self, key: &str, value: u64) -> &mut Self {
        self.0.key(key).u64(value);
        self
    }

    /// A member that is `true` or `false`.
    pub fn field_bool(&mut self, key: &str, value: bool) -> &mut Self {
        self.0.key(key).bool(value);
        self
    }

    /// A member that is `null`.
    pub fn field_null(&mut self, key: &str) -> &mut Self {
        self.0.key(key).null();
        self
    }
}

/// Writes the elements of one array.
#[derive(Debug)]
pub struct ArrayWriter<'o>(JsonWriter<'o>);

impl ArrayWriter<'_> {
    /// An element that is an object, filled by `fill`.
    pub fn object(&mut self, fill: impl FnOnce(&mut ObjectWriter<'_>)) -> &mut Self {
        self.0.object(fill);
        self
    }

    /// An element that is an array, filled by `fill`.
    pub fn array(&mut self, fill: impl FnOnce(&mut ArrayWriter<'_>)) -> &mut Self {
        self.0.array(fill);
        self
    }

    /// An element that is a string.
    pub fn str(&mut self, value: &str) -> &mut Self {
        self.0.str(value);
        self
    }

    /// An element that is a string given as WTF-8, lone surrogates as `\udxxx` (see [`unescape_wtf8`](super::unescape_wtf8)).
    pub fn wtf8(&mut self, value: &[u8]) -> &mut Self {
        self.0.wtf8(value);
        self
    }

    /// An element that is one valid JSON text, byte for byte, line breaks too (`null` if empty).
    pub fn raw(&mut self, json: &[u8]) -> &mut Self {
        self.0.raw(json);
        self
    }

    /// An element that is one valid JSON text, with U+FFFD for bytes that are not UTF-8.
    pub fn raw_lossy(&mut self, json: &[u8]) -> &mut Self {
        self.0.raw_lossy(json);
        self
    }

    /// An element that is one valid JSON text as [`stringify()`] writes it: on one line, in UTF-8.
    pub fn stringified(&mut self, json: &[u8]) -> &mut Self {
        self.0.stringified(json);
        self
    }

    /// An element that is a number; NaN and infinities are `null`, as in JavaScript.
    pub fn f64(&mut self, value: f64) -> &mut Self {
        self.0.f64(value);
        self
    }

    /// An element that is an integer with all its digits.
    pub fn i64(&mut self, value: i64) -> &mut Self {
        self.0.i64(value);
        self
    }

    /// An element that is an integer with all its digits.
    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.0.u64(value);
        self
    }

    /// An element that is `true` or `false`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.0.bool(value);
        self
    }

    /// An element that is `null`.
    pub fn null(&mut self) -> &mut Self {
        self.0.null();
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(out: Vec<u8>) -> String {
        String::from_utf8(out).unwrap()
    }

    /// The expected text is what Node's `JSON.stringify` gives for the same object.
    #[test]
    fn every_kind_of_value_in_both_places() {
        let object = write_object(|o| {
            o.field_str("s\"\n", "a\"\u{1}\u{2028}/")
                .field_opt_str("gone", None)
                .field_opt_str("here", Some("x"))
                .field_str_or_null("none", None)
                .field_str_or_null("some", Some(""))
                .field_wtf8("half", b"\xed\xa0\xbd!")
                .field_raw("raw", b"{\"n\": 1.50}")
                .field_stringified("value", b"{ \"b\": 1.50, \"0\": [ ] }")
                .field_f64("f", 1e21)
                .field_f64("nan", f64::NAN)
                .field_i64("i", i64::MIN)
                .field_u64("u", u64::MAX)
                .field_bool("yes", true)
                .field_null("null")
                .field_object("o", |_| {})
                .field_array("a", |_| {});
        });
        let want = r#"{"s\"\n":"a\"\u0001"#.to_owned()
            + "\u{2028}"
            + r#"/","here":"x","none":null,"some":"","half":"\ud83d!","raw":{"n": 1.50},"value":{"0":[],"b":1.5},"f":1e+21,"nan":null,"#
            + r#""i":-9223372036854775808,"u":18446744073709551615,"yes":true,"null":null,"o":{},"a":[]}"#;
        assert_eq!(text(object), want);
        let array = write_array(|a| {
            a.str("é").wtf8(b"\xed\xb0\x80").raw(b"1.0").stringified(b"1.0").f64(-0.0).i64(-1);
            a.u64(1).bool(false).null().object(|o| {
                o.field_array("n", |a| {
                    a.array(|_| {}).object(|_| {});
                })
                .field_null("z");
            });
            a.str("last");
        });
        assert_eq!(
            text(array),
            r#"["é","\udc00",1.0,1,0,-1,1,false,null,{"n":[[],{}],"z":null},"last"]"#
        );
    }

    #[test]
    fn broken_bytes_are_kept_or_replaced_as_asked_and_an_empty_text_is_null() {
        let out = write_array(|a| {
            a.raw(b"\"\xff\"").raw_lossy(b"\"\xff\"").raw(b"").raw_lossy(b"").stringified(b"");
        });
        assert_eq!(out, b"[\"\xff\",\"\xef\xbf\xbd\",null,null,null]");
        let out = write_object(|o| {
            o.field_raw_lossy("a", b"\"\xe2\x82\"");
        });
        assert_eq!(text(out), "{\"a\":\"\u{fffd}\"}");
    }

    #[test]
    fn a_line_after_a_line_gets_no_comma_and_depth_needs_no_closure() {
        let mut out = b"[]\n".to_vec();
        let mut json = JsonWriter::new(&mut out);
        for _ in 0..100_000 {
            json.begin_object().key("id").u64(1).key("children").begin_array().null();
        }
        for _ in 0..100_000 {
            json.end_array().key("more").bool(false).end_object();
        }
        let want = format!(
            "[]\n{}{}",
            "{\"id\":1,\"children\":[null,".repeat(100_000),
            "],\"more\":false}".repeat(100_000)
        );
        assert!(out == want.replace("[null,]", "[null]").as_bytes());
    }
}
