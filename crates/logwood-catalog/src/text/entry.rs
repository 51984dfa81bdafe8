//! One entry, or one header, into its pieces.

use std::borrow::Cow;

use logwood::entry::{EntryKind, ParsedLine, Role, SessionHeader};
use logwood::json::{JsonKind, Raw, unescape};

use super::arguments::{Scalar, names_a_file, scalars};
use super::base64::without_base64;
use super::ends::head_and_tail;
use super::{Extent, Field, Piece};

/// Gives `visit` every piece of an entry that can be searched, and says whether there is more that only [`Extent::Whole`] reads.
///
/// Pieces come in the order of the entry, its id first; one text may come in several pieces, where base64 or the middle of a long
/// output was left out, and nothing is to be found across two of them. Linear in the length of the line.
///
/// ```
/// use logwood::entry::parse_line;
/// use logwood_catalog::text::{Extent, Field, pieces};
///
/// let line = br#"{"type":"message","id":"a1","message":{"role":"user","content":"hello\nworld"}}"#;
/// let parsed = parse_line(line).unwrap()?;
/// let mut found = Vec::new();
/// let more = pieces(&parsed, Extent::Ends, &mut |piece| found.push((piece.field, piece.text.into_owned())));
/// assert_eq!(found, [(Field::Id, "a1".to_owned()), (Field::User, "hello\nworld".to_owned())]);
/// assert!(!more);
/// # Ok::<(), logwood::json::SyntaxError>(())
/// ```
pub fn pieces<'a>(
    entry: &ParsedLine<'a>,
    extent: Extent,
    visit: &mut dyn FnMut(Piece<'a>),
) -> bool {
    let mut out = Out { visit, extent, more: false };
    let envelope = &entry.envelope;
    out.short(Field::Id, envelope.usable_id());
    match envelope.entry_kind() {
        EntryKind::Message => {
            if let Some(message) = envelope.message.filter(|message| message.is_object()) {
                out.message(envelope.role(), message, envelope.head.content);
            }
        }
        EntryKind::Label => out.short(Field::Label, envelope.label),
        EntryKind::SessionInfo => out.short(Field::Name, envelope.name),
        kind => out.other_kind(kind, entry.text),
    }
    out.more
}

/// Gives `visit` what can be searched of a header: the session's id, its working directory, where it came from, its title.
pub fn header_pieces<'a>(header: &'a SessionHeader, visit: &mut dyn FnMut(Piece<'a>)) {
    let mut give = |field, text: Option<Cow<'a, str>>| {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            visit(Piece { field, text });
        }
    };
    give(Field::Id, Some(Cow::Borrowed(header.id())));
    give(Field::Cwd, header.cwd());
    give(Field::Parent, header.parent_session());
    give(Field::Name, header.raw().get_str("title"));
}

/// Where pieces go.
struct Out<'v, 'a> {
    visit: &'v mut dyn FnMut(Piece<'a>),
    extent: Extent,
    more: bool,
}

impl<'a> Out<'_, 'a> {
    /// The kinds whose text is no part of the envelope.
    fn other_kind(&mut self, kind: EntryKind, text: &'a [u8]) {
        let Ok(raw) = Raw::parse(text) else { return };
        match kind {
            EntryKind::Compaction | EntryKind::BranchSummary => self.summary(raw),
            EntryKind::CustomMessage => {
                self.short(Field::Custom, raw.get("customType"));
                self.content(Field::Custom, raw.get("content"));
            }
            EntryKind::ContextEdit => {
                let replacement = raw.get("replacement").filter(|value| value.is_object());
                self.content(Field::Other, replacement.and_then(|value| value.get("content")));
            }
            EntryKind::Usage => self.short(Field::Other, raw.get("note")),
            EntryKind::Unknown => self.content(Field::Other, raw.get("content")),
            _ => {}
        }
    }

    /// A summary, and the files that dreb lists beside it.
    fn summary(&mut self, raw: Raw<'a>) {
        self.text(Field::Summary, raw.get("summary"));
        for (key, scalar) in raw.get("details").into_iter().flat_map(scalars) {
            if let (true, Scalar::Text(inner)) = (names_a_file(key), scalar) {
                self.inner(Field::File, inner);
            }
        }
    }

    fn message(&mut self, role: Role, message: Raw<'a>, content: Option<Raw<'a>>) {
        match role {
            Role::User => self.content(Field::User, content),
            Role::Assistant => {
                self.content(Field::Assistant, content);
                self.text(Field::Error, message.get("errorMessage"));
            }
            Role::ToolResult => self.content(Field::ToolResult, content),
            Role::BashExecution => {
                self.text(Field::Bash, message.get("command"));
                self.long(Field::BashOutput, message.get("output"));
                self.short(Field::File, message.get("fullOutputPath"));
            }
            Role::Custom | Role::HookMessage => {
                self.short(Field::Custom, message.get("customType"));
                self.content(Field::Custom, content);
            }
            Role::BranchSummary | Role::CompactionSummary => self.summary(message),
            Role::Unknown => self.content(Field::Other, content),
            _ => {}
        }
    }

    /// The content of a message: a text, or blocks.
    fn content(&mut self, field: Field, content: Option<Raw<'a>>) {
        let Some(content) = content else { return };
        match content.kind() {
            JsonKind::String => self.block_text(field, Some(content)),
            JsonKind::Array => content.elements().for_each(|block| self.block(field, block)),
            _ => {}
        }
    }

    fn block(&mut self, field: Field, block: Raw<'a>) {
        let mut parts = BlockParts::default();
        for (key, value) in block.members() {
            parts.take(key.plain().as_ref(), value);
        }
        match parts.kind.and_then(Raw::as_string_bytes) {
            Some(b"text") => self.block_text(field, parts.text),
            Some(b"thinking") if !parts.is_redacted => self.text(Field::Thinking, parts.thinking),
            Some(b"toolCall") => self.tool_call(&parts),
            _ => {}
        }
    }

    fn block_text(&mut self, field: Field, text: Option<Raw<'a>>) {
        match field {
            Field::ToolResult => self.long(field, text),
            _ => self.text(field, text),
        }
    }

    fn tool_call(&mut self, parts: &BlockParts<'a>) {
        self.short(Field::Tool, parts.name);
        for (key, scalar) in parts.arguments.into_iter().flat_map(scalars) {
            match scalar {
                Scalar::Text(inner) if names_a_file(key) => self.inner(Field::File, inner),
                Scalar::Text(inner) => self.long_inner(Field::ToolCall, inner),
                Scalar::Number(number) => self.piece(Field::ToolCall, number),
            }
        }
    }

    /// A text that may be long and is read whole.
    fn text(&mut self, field: Field, value: Option<Raw<'a>>) {
        if let Some(inner) = value.and_then(Raw::as_string_bytes) {
            self.inner(field, inner);
        }
    }

    /// Output, of which only the ends are read unless all is wanted.
    fn long(&mut self, field: Field, value: Option<Raw<'a>>) {
        if let Some(inner) = value.and_then(Raw::as_string_bytes) {
            self.long_inner(field, inner);
        }
    }

    /// A text that holds no base64, such as an id.
    fn short(&mut self, field: Field, value: Option<Raw<'a>>) {
        if let Some(inner) = value.and_then(Raw::as_string_bytes) {
            self.piece(field, inner);
        }
    }

    fn inner(&mut self, field: Field, inner: &'a [u8]) {
        without_base64(inner).for_each(|part| self.piece(field, part));
    }

    fn long_inner(&mut self, field: Field, inner: &'a [u8]) {
        match head_and_tail(inner).filter(|_| self.extent == Extent::Ends) {
            Some((head, tail)) => {
                self.more = true;
                self.inner(field, head);
                self.inner(field, tail);
            }
            None => self.inner(field, inner),
        }
    }

    fn piece(&mut self, field: Field, inner: &'a [u8]) {
        if !inner.is_empty() {
            (self.visit)(Piece { field, text: unescape(inner) });
        }
    }
}

/// The members of a content block that matter here.
#[derive(Default)]
struct BlockParts<'a> {
    kind: Option<Raw<'a>>,
    text: Option<Raw<'a>>,
    thinking: Option<Raw<'a>>,
    is_redacted: bool,
    name: Option<Raw<'a>>,
    arguments: Option<Raw<'a>>,
}

impl<'a> BlockParts<'a> {
    fn take(&mut self, key: &[u8], value: Raw<'a>) {
        match key {
            b"type" => self.kind = Some(value),
            b"text" => self.text = Some(value),
            b"thinking" => self.thinking = Some(value),
            b"redacted" => self.is_redacted = value.is_truthy(),
            b"name" => self.name = Some(value),
            b"arguments" => self.arguments = Some(value),
            _ => {}
        }
    }
}
