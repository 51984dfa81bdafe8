//! The parts of an entry that are searched.

use std::borrow::Cow;

/// A part of an entry, or of a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Field {
    /// The id of an entry or, for a header, of the session.
    Id,
    /// The display name, or the title that oh-my-pi keeps in the header.
    Name,
    /// A label.
    Label,
    /// What a person wrote.
    User,
    /// What the model wrote.
    Assistant,
    /// What the model thought.
    Thinking,
    /// Why an answer failed.
    Error,
    /// The summary of a compaction or of a branch.
    Summary,
    /// A message of an extension.
    Custom,
    /// A command that a person ran.
    Bash,
    /// What it printed.
    BashOutput,
    /// The name of a tool that is called.
    Tool,
    /// A text or a number in the arguments of a tool call.
    ToolCall,
    /// What a tool gave back.
    ToolResult,
    /// A file: an argument of a tool call that names one, or the lists of a summary.
    File,
    /// The working directory of a session.
    Cwd,
    /// The session it came from.
    Parent,
    /// Text of a role or a type that is not known, of a context edit, or a note.
    Other,
}

const WORDS: [(Field, &str); 18] = [
    (Field::Id, "id"),
    (Field::Name, "name"),
    (Field::Label, "label"),
    (Field::User, "user"),
    (Field::Assistant, "assistant"),
    (Field::Thinking, "thinking"),
    (Field::Error, "error"),
    (Field::Summary, "summary"),
    (Field::Custom, "custom"),
    (Field::Bash, "bash"),
    (Field::BashOutput, "bash_output"),
    (Field::Tool, "tool"),
    (Field::ToolCall, "tool_call"),
    (Field::ToolResult, "tool_result"),
    (Field::File, "file"),
    (Field::Cwd, "cwd"),
    (Field::Parent, "parent"),
    (Field::Other, "other"),
];

impl Field {
    /// Every field.
    pub fn all() -> impl Iterator<Item = Self> {
        WORDS.iter().map(|(field, _)| *field)
    }

    /// The stable word, as the protocol and `--json` show it.
    pub fn as_str(self) -> &'static str {
        WORDS.iter().find(|(field, _)| *field == self).map_or("other", |(_, word)| word)
    }

    /// The field of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        WORDS.iter().find(|(_, known)| *known == word).map(|(field, _)| *field)
    }
}

/// A text of an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Where it stands.
    pub field: Field,
    /// The text, decoded; never empty.
    pub text: Cow<'a, str>,
}

/// How much of long output is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Extent {
    /// Its head and its tail ([`HEAD`](super::HEAD), [`TAIL`](super::TAIL)).
    #[default]
    Ends,
    /// All of it (`--deep`).
    Whole,
}
