//! `--format`: a row in a form of the caller's, with named placeholders.

use std::collections::HashSet;

use logwood::error::ErrorKind;
use logwood::inventory::SessionInfo;
use logwood::json::iso_from_ms;
use logwood_rpc::flags_of;

use crate::error::{CommandError, Result};
use crate::output::{age, one_line};

/// What a placeholder stands for.
type Value = fn(&SessionInfo, &Context<'_>) -> String;

/// What a value needs besides the row.
pub(super) struct Context<'a> {
    pub(super) now_ms: i64,
    pub(super) missing: &'a HashSet<String>,
}

const PLACEHOLDERS: [(&str, Value); 18] = [
    ("id", |row, _| row.id.clone()),
    ("path", |row, _| row.path.to_string_lossy().into_owned()),
    ("cwd", |row, _| row.cwd.clone()),
    ("store", |row, _| row.store.to_string()),
    ("name", |row, _| one_line(row.name.as_deref().unwrap_or_default())),
    ("title", |row, _| one_line(row.heading().1)),
    ("first", |row, _| one_line(row.first_message.as_deref().unwrap_or_default())),
    ("age", |row, context| age(context.now_ms, row.modified_ms)),
    ("modified", |row, _| iso_from_ms(row.modified_ms).unwrap_or_default()),
    ("created", |row, _| iso_from_ms(row.created_ms).unwrap_or_default()),
    ("messages", |row, _| row.message_count.to_string()),
    ("entries", |row, _| row.entry_count.to_string()),
    ("branches", |row, _| row.branch_count.to_string()),
    ("size", |row, _| row.size.to_string()),
    ("status", |row, _| row.status.as_str().to_owned()),
    ("kind", |row, _| row.kind.as_str().to_owned()),
    ("models", |row, _| row.models.join(",")),
    ("flags", |row, context| {
        let flags = flags_of(row, context.missing.contains(&row.cwd));
        flags.collect::<Vec<_>>().join(",")
    }),
];

/// A format that was understood.
pub(super) struct Format(Vec<Part>);

enum Part {
    Text(String),
    Value(Value),
}

impl Format {
    /// Reads a format: `{name}` is a value, `{{` and `}}` are braces, `\t`, `\n` and `\\` what they are in C.
    ///
    /// # Errors
    /// `invalid_argument`, which names the placeholders that there are.
    pub(super) fn parse(format: &str) -> Result<Self> {
        let mut parts = Vec::new();
        let mut text = String::new();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => text.push(unescaped(chars.next())),
                '{' | '}' if chars.peek() == Some(&c) => text.extend(chars.next()),
                '{' => {
                    let name: String = chars.by_ref().take_while(|c| *c != '}').collect();
                    parts.push(Part::Text(std::mem::take(&mut text)));
                    parts.push(Part::Value(value_of(&name)?));
                }
                c => text.push(c),
            }
        }
        parts.push(Part::Text(text));
        Ok(Self(parts))
    }

    /// The pieces of a row: text of the format, which stays as it is, and values, which have to be made harmless.
    pub(super) fn pieces<'f>(
        &'f self,
        row: &'f SessionInfo,
        context: &'f Context<'f>,
    ) -> impl Iterator<Item = (bool, String)> + 'f {
        self.0.iter().map(move |part| match part {
            Part::Text(text) => (false, text.clone()),
            Part::Value(value) => (true, value(row, context)),
        })
    }
}

fn unescaped(c: Option<char>) -> char {
    match c {
        Some('t') => '\t',
        Some('n') => '\n',
        Some(c) => c,
        None => '\\',
    }
}

fn value_of(name: &str) -> Result<Value> {
    let found = PLACEHOLDERS.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = PLACEHOLDERS.iter().map(|(name, _)| format!("{{{name}}}")).collect();
        let message = format!("--format has no placeholder `{{{name}}}`");
        CommandError::new(ErrorKind::InvalidArgument, message)
            .hint(format!("there are {}; {{{{ is a brace", names.join(" ")))
    })
}
