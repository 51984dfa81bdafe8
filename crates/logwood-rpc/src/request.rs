//! One request: a JSON object whose values stay raw until a command asks for them.

use std::borrow::Cow;

use logwood::entry::JsonText;
use logwood::error::{Error, ErrorKind, Result};
use logwood::json::{JsonKind, Raw, trim_js};

use crate::dispatch::{FieldKind, FieldSpec};

/// A request that has a type.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    body: Raw<'a>,
    /// What comes back as it is.
    pub(crate) id: Option<Raw<'a>>,
    /// The value of `type` as it is written.
    pub(crate) kind: Raw<'a>,
    /// The value of `type`.
    pub(crate) command: Cow<'a, str>,
    /// Where events go that come before the response.
    events: Events<'a>,
}

/// Takes each event as one line without its line end.
pub(crate) type EventFn<'a> = &'a dyn Fn(&[u8]);

#[derive(Clone, Copy)]
struct Events<'a>(Option<EventFn<'a>>);

impl std::fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_some() { "wanted" } else { "not wanted" })
    }
}

/// A line that is no request, and its id if it has one.
#[derive(Debug)]
pub(crate) struct Refused<'a> {
    pub(crate) id: Option<Raw<'a>>,
    pub(crate) error: Error,
}

impl<'a> Request<'a> {
    /// Reads a line.
    pub(crate) fn parse(line: &'a [u8]) -> std::result::Result<Self, Refused<'a>> {
        let body = Raw::parse(line).map_err(|fault| {
            refused(None, ErrorKind::Parse, format!("Failed to parse JSON: {fault}"))
        })?;
        if !body.is_object() {
            let what = format!("a request is a JSON object, this is {}", name_of(body));
            return Err(refused(None, ErrorKind::Parse, what));
        }
        let id = body.get("id");
        let kind = body.get("type");
        let Some((kind, command)) = kind.and_then(|kind| Some((kind, kind.as_str()?))) else {
            let found = kind.map_or("missing", name_of);
            let what = format!("the field `type` must be the name of a command, it is {found}");
            return Err(refused(id, ErrorKind::InvalidArgument, what));
        };
        Ok(Self { body, id, kind, command, events: Events(None) })
    }

    /// Sends events to `events` while the request runs.
    pub(crate) fn with_events(mut self, events: EventFn<'a>) -> Self {
        self.events = Events(Some(events));
        self
    }

    /// Sends an event, where somebody wants events.
    pub(crate) fn send_event(&self, event: impl FnOnce() -> Vec<u8>) {
        if let Events(Some(send)) = self.events {
            send(&event());
        }
    }

    /// The value of a field, null included.
    pub(crate) fn raw(&self, field: &str) -> Option<Raw<'a>> {
        self.body.get(field)
    }

    /// A text field; null counts as missing.
    pub(crate) fn text(&self, field: &str) -> Option<Cow<'a, str>> {
        self.raw(field)?.as_str()
    }

    /// A path that names a root; null and blank count as missing (rule L8).
    pub(crate) fn root(&self, field: &str) -> Option<Cow<'a, str>> {
        self.text(field).filter(|path| !trim_js(path).is_empty())
    }

    /// A text field that the table of commands requires.
    pub(crate) fn required(&self, field: &str) -> Result<Cow<'a, str>> {
        self.text(field).ok_or_else(|| self.invalid(field, "missing", "text"))
    }

    /// A flag; not set unless it is there.
    pub(crate) fn flag(&self, field: &str) -> Option<bool> {
        self.raw(field)?.as_bool()
    }

    /// A count.
    pub(crate) fn count(&self, field: &str) -> Option<usize> {
        self.raw(field).and_then(count_of)
    }

    /// A number.
    pub(crate) fn number(&self, field: &str) -> Option<f64> {
        self.raw(field)?.as_f64()
    }

    /// Any value, null included, as JavaScript would write it.
    pub(crate) fn json(&self, field: &str) -> Result<Option<JsonText>> {
        let text = self.raw(field).map(|value| JsonText::parse(value.bytes())).transpose();
        text.map_err(|_| self.invalid(field, "no JSON", FieldKind::Json.expected()))
    }

    /// Checks the fields against the table.
    pub(crate) fn check(&self, fields: &[FieldSpec]) -> Result<()> {
        fields.iter().try_for_each(|field| {
            let value = self.raw(field.name).filter(|value| !value.is_null());
            match value {
                None if field.required => {
                    Err(self.invalid(field.name, "missing", field.kind.expected()))
                }
                Some(value) if !fits(field.kind, value) => {
                    Err(self.invalid(field.name, name_of(value), field.kind.expected()))
                }
                _ => Ok(()),
            }
        })
    }

    fn invalid(&self, field: &str, found: &str, expected: &str) -> Error {
        Error::new(ErrorKind::InvalidArgument, format!("cannot do {}", self.command))
            .with_why(format!("the field `{field}` must be {expected}, it is {found}"))
    }
}

fn refused(id: Option<Raw<'_>>, kind: ErrorKind, what: impl Into<String>) -> Refused<'_> {
    Refused { id, error: Error::new(kind, what) }
}

fn fits(kind: FieldKind, value: Raw<'_>) -> bool {
    match kind {
        FieldKind::Text | FieldKind::EntryId | FieldKind::Position => value.as_str().is_some(),
        FieldKind::Path => {
            value.as_str().is_some_and(|path| !path.is_empty() && !path.contains('\0'))
        }
        FieldKind::Root => value.as_str().is_some_and(|path| !path.contains('\0')),
        FieldKind::Flag => value.as_bool().is_some(),
        FieldKind::Count => count_of(value).is_some(),
        FieldKind::Number => value.as_f64().is_some(),
        FieldKind::Object => value.is_object(),
        FieldKind::Json => true,
    }
}

/// A whole number that JavaScript counts exactly.
fn count_of(value: Raw<'_>) -> Option<usize> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0)?;
    (0.0..=9_007_199_254_740_991.0).contains(&number).then_some(number as usize)
}

/// What a value is, for a person.
fn name_of(value: Raw<'_>) -> &'static str {
    match value.kind() {
        JsonKind::Null => "null",
        JsonKind::Bool => "true or false",
        JsonKind::Number => "a number",
        JsonKind::String if value.as_string_bytes() == Some(b"") => "an empty text",
        JsonKind::String if value.as_str().is_some_and(|text| text.contains('\0')) => {
            "text with NUL"
        }
        JsonKind::String => "text",
        JsonKind::Array => "a list",
        JsonKind::Object => "an object",
    }
}
