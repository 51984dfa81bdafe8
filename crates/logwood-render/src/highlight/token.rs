//! What a piece of code is, coarse enough for any theme.

use syntect::parsing::Scope;

/// What a piece of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Token {
    /// Nothing special.
    #[default]
    Plain,
    /// A comment.
    Comment,
    /// A string or a character.
    String,
    /// A number, `true`, `null` and their like.
    Constant,
    /// A keyword or a modifier.
    Keyword,
    /// The name of a function where it is made or called.
    Function,
    /// The name of a type, a tag or a module.
    Type,
    /// A variable or an attribute that the grammar knows.
    Variable,
    /// A line that came, in a diff.
    Inserted,
    /// A line that went, in a diff.
    Deleted,
    /// A heading of marked up text.
    Heading,
}

/// Scopes by their beginnings, the more special ones first.
const SCOPES: [(&str, Token); 17] = [
    ("comment", Token::Comment),
    ("constant.character.escape", Token::Constant),
    ("string", Token::String),
    ("constant", Token::Constant),
    ("keyword.operator", Token::Plain),
    ("keyword", Token::Keyword),
    ("storage.type.function", Token::Keyword),
    ("storage", Token::Keyword),
    ("entity.name.function", Token::Function),
    ("support.function", Token::Function),
    ("variable.function", Token::Function),
    ("entity.name", Token::Type),
    ("support", Token::Type),
    ("entity.other.attribute-name", Token::Variable),
    ("markup.inserted", Token::Inserted),
    ("markup.deleted", Token::Deleted),
    ("markup.heading", Token::Heading),
];

/// Finds the token of a stack of scopes: that of the innermost scope that has one.
pub(super) struct Names(Vec<(Scope, Token)>);

impl Names {
    pub(super) fn new() -> Self {
        Self(
            SCOPES
                .iter()
                .filter_map(|(name, token)| Some((Scope::new(name).ok()?, *token)))
                .collect(),
        )
    }

    pub(super) fn token(&self, stack: &[Scope]) -> Token {
        stack.iter().rev().find_map(|scope| self.of(*scope)).unwrap_or_default()
    }

    fn of(&self, scope: Scope) -> Option<Token> {
        self.0.iter().find(|(name, _)| name.is_prefix_of(scope)).map(|(_, token)| *token)
    }
}
