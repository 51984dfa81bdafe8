//! What a row of the table of commands says.

use logwood::error::Result;
use logwood::json::JsonWriter;

use super::Dispatcher;
use crate::request::Request;

/// A command: its name, fields, data and what runs it.
#[derive(Debug)]
pub struct CommandSpec {
    /// The value of `type`.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
    /// The fields of the request besides `type` and `id`.
    pub fields: &'static [FieldSpec],
    /// The members of `data`; none at all when the response has no `data`.
    pub data: &'static [DataSpec],
    /// A request and what it answers.
    pub example: Example,
    pub(crate) run: Run,
}

/// Runs a command on the process state and writes the members of `data`.
pub(crate) type Run = fn(&mut Dispatcher, &Request<'_>, &mut JsonWriter<'_>) -> Result<()>;

/// One field of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldSpec {
    /// Its name.
    pub name: &'static str,
    /// What its value must be; null counts as missing, except for a position.
    pub kind: FieldKind,
    /// Whether the request is refused without it.
    pub required: bool,
    /// What it says.
    pub about: &'static str,
}

/// What the value of a field must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// A path: text that is not empty and has no NUL.
    Path,
    /// A path that names a root: text without NUL, which counts as missing where it is blank (rule L8).
    Root,
    /// The id of an entry: any text.
    EntryId,
    /// The id of an entry, or null for the position before every entry.
    Position,
    /// True or false.
    Flag,
    /// A whole number from 0.
    Count,
    /// Any number.
    Number,
    /// An object.
    Object,
    /// Any value, null included.
    Json,
}

impl FieldKind {
    /// What is expected, for a person.
    pub fn expected(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Path => "a path (text that is not empty, without NUL)",
            Self::Root => "a path (text without NUL; blank counts as missing)",
            Self::EntryId => "the id of an entry",
            Self::Position => "the id of an entry or null",
            Self::Flag => "true or false",
            Self::Count => "a whole number from 0",
            Self::Number => "a number",
            Self::Object => "an object",
            Self::Json => "any JSON value",
        }
    }
}

/// One member of `data`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataSpec {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub about: &'static str,
}

/// A request and the `data` of its response, as they are for the example session of the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The request, one line.
    pub request: &'static str,
    /// The data, empty where there is none.
    pub data: &'static str,
}

pub(super) const fn required(
    name: &'static str,
    kind: FieldKind,
    about: &'static str,
) -> FieldSpec {
    FieldSpec { name, kind, required: true, about }
}

pub(super) const fn optional(
    name: &'static str,
    kind: FieldKind,
    about: &'static str,
) -> FieldSpec {
    FieldSpec { name, kind, required: false, about }
}

pub(super) const fn gives(name: &'static str, about: &'static str) -> DataSpec {
    DataSpec { name, about }
}

pub(super) const fn example(request: &'static str, data: &'static str) -> Example {
    Example { request, data }
}
