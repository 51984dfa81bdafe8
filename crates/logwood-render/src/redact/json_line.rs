//! Secrets in the strings of a JSON line, found in their decoded text, so that no escape hides one.

use std::borrow::Cow;
use std::rc::Rc;

use logwood::json::{Raw, escape_into};

use super::guard::{LONGEST_SECRET, is_data_char};
use super::redactor::{Redactor, Report, marked};

/// Members that hold the tree together. A secret in one of them is not taken out, since the line would lose its place; whoever writes
/// the line somewhere finds it there still.
const STRUCTURE: [&str; 10] = [
    "type",
    "id",
    "parentId",
    "targetId",
    "firstKeptEntryId",
    "fromId",
    "toolCallId",
    "role",
    "timestamp",
    "mimeType",
];

/// A secret in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFinding {
    /// What it is.
    pub kind: String,
    /// The member that holds it; empty in a list.
    pub member: String,
    /// The secret itself: show it with [`mask`](super::mask) only.
    pub secret: String,
}

/// The line without secrets. Strings that hold none stay byte for byte, as does everything between them.
pub fn redact_line<'l>(redactor: &Redactor, line: &'l [u8], report: &mut Report) -> Cow<'l, [u8]> {
    if Raw::parse(line).is_err() {
        return as_text(redactor, line, report);
    }
    let mut out: Option<Vec<u8>> = None;
    let mut copied = 0;
    for string in Strings::new(line) {
        if string.is_structure {
            continue;
        }
        let Some(changed) = redacted(redactor, &string, report) else { continue };
        let out = out.get_or_insert_with(|| Vec::with_capacity(line.len()));
        out.extend_from_slice(line.get(copied..string.from).unwrap_or_default());
        out.push(b'"');
        escape_into(out, &changed);
        out.push(b'"');
        copied = string.to;
    }
    match out {
        None => Cow::Borrowed(line),
        Some(mut out) => {
            out.extend_from_slice(line.get(copied..).unwrap_or_default());
            Cow::Owned(out)
        }
    }
}

/// What is no JSON has no strings to keep apart.
fn as_text<'l>(redactor: &Redactor, line: &'l [u8], report: &mut Report) -> Cow<'l, [u8]> {
    let text = String::from_utf8_lossy(line);
    match redactor.redact(&text, report) {
        Cow::Borrowed(_) => Cow::Borrowed(line),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

fn redacted(redactor: &Redactor, string: &StringAt<'_>, report: &mut Report) -> Option<String> {
    if !string.is_key && redactor.names_secret(&string.member, &string.text) {
        let kind = redactor
            .find(&string.text)
            .into_iter()
            .next()
            .map_or("password".to_owned(), |finding| finding.kind);
        report.count(&kind);
        return Some(marked(&kind));
    }
    if is_data(&string.text) {
        return None;
    }
    match redactor.redact(&string.text, report) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(text),
    }
}

/// The secrets of a line, those in its structure too.
pub fn find_in_line(redactor: &Redactor, line: &[u8]) -> Vec<LineFinding> {
    if Raw::parse(line).is_err() {
        return find_in_text(redactor, &String::from_utf8_lossy(line));
    }
    let mut found = Vec::new();
    for string in Strings::new(line) {
        let finding = |kind: String, secret: &str| LineFinding {
            kind,
            member: string.member.to_string(),
            secret: secret.to_owned(),
        };
        let inside = if is_data(&string.text) { Vec::new() } else { redactor.find(&string.text) };
        if inside.is_empty()
            && !string.is_key
            && redactor.names_secret(&string.member, &string.text)
        {
            found.push(finding("password".to_owned(), &string.text));
        }
        found.extend(inside.into_iter().map(|one| {
            let secret = string.text.get(one.range).unwrap_or_default();
            finding(one.kind, secret)
        }));
    }
    found
}

/// What is no JSON has no members.
fn find_in_text(redactor: &Redactor, text: &str) -> Vec<LineFinding> {
    let found = redactor.find(text).into_iter();
    let finding = |one: super::Finding| LineFinding {
        kind: one.kind,
        member: String::new(),
        secret: text.get(one.range).unwrap_or_default().to_owned(),
    };
    found.map(finding).collect()
}

/// A picture, a signature.
fn is_data(text: &str) -> bool {
    text.len() > LONGEST_SECRET && text.chars().all(is_data_char)
}

/// One string of a JSON text.
struct StringAt<'l> {
    /// Where it stands, quotes included.
    from: usize,
    to: usize,
    text: Cow<'l, str>,
    is_key: bool,
    /// The member whose value it is, or that it names; in a list, that of the list.
    member: Rc<Cow<'l, str>>,
    /// Whether it holds the tree together.
    is_structure: bool,
}

/// An object or a list that is open, and the member that was named last in it; that of a list is the one that holds it.
struct Open<'l> {
    is_object: bool,
    member: Rc<Cow<'l, str>>,
}

/// The strings of a JSON text, keys too, in order; no recursion.
struct Strings<'l> {
    line: &'l [u8],
    at: usize,
    open: Vec<Open<'l>>,
}

impl<'l> Strings<'l> {
    fn new(line: &'l [u8]) -> Self {
        Self { line, at: 0, open: Vec::new() }
    }

    /// Where the string that begins at `from` ends.
    fn end(&self, from: usize) -> Option<usize> {
        let mut at = from + 1;
        loop {
            match self.line.get(at)? {
                b'\\' => at += 2,
                b'"' => return Some(at + 1),
                _ => at += 1,
            }
        }
    }

    fn is_key(&self, end: usize) -> bool {
        let rest = self.line.get(end..).unwrap_or_default();
        rest.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':')
    }

    /// Passes what is between two strings.
    fn pass(&mut self, between: &[u8]) {
        for byte in between {
            match byte {
                b'{' | b'[' => {
                    let is_object = *byte == b'{';
                    let member = if is_object { Rc::default() } else { self.member() };
                    self.open.push(Open { is_object, member });
                }
                b'}' | b']' => drop(self.open.pop()),
                _ => {}
            }
        }
    }

    fn member(&self) -> Rc<Cow<'l, str>> {
        self.open.last().map_or_else(Rc::default, |open| Rc::clone(&open.member))
    }

    /// Whether a member of what is open now is one of the entry, of its message, or of a block of its content.
    fn is_in_tree(&self) -> bool {
        let is = |open: &Open<'_>, member: &str| open.is_object && **open.member == *member;
        match self.open.as_slice() {
            [last] => last.is_object,
            [entry, last] => is(entry, "message") && last.is_object,
            [entry, list, last] => is(entry, "content") && !list.is_object && last.is_object,
            [entry, message, list, last] => {
                is(entry, "message") && is(message, "content") && !list.is_object && last.is_object
            }
            _ => false,
        }
    }
}

impl<'l> Iterator for Strings<'l> {
    type Item = StringAt<'l>;

    fn next(&mut self) -> Option<StringAt<'l>> {
        let rest = self.line.get(self.at..)?;
        let before = rest.iter().position(|b| *b == b'"')?;
        self.pass(rest.get(..before)?);
        let from = self.at + before;
        let to = self.end(from)?;
        self.at = to;
        let raw = Raw::parse(self.line.get(from..to)?).ok();
        let text = raw.and_then(Raw::as_str).unwrap_or_default();
        let is_key = self.is_key(to);
        if is_key && let Some(open) = self.open.last_mut() {
            open.member = Rc::new(text.clone());
        }
        let member = self.member();
        let is_structure = !is_key && STRUCTURE.contains(&&**member) && self.is_in_tree();
        Some(StringAt { from, to, text, is_key, member, is_structure })
    }
}
