//! Reads code by a grammar.

use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

use super::Token;
use super::token::Names;

/// More of one text than this stays plain, in bytes: grammars are slow, and nobody reads that far.
const LONGEST: usize = 32 * 1024;
/// A line longer than this stays plain, in bytes: it is data.
const LONGEST_LINE: usize = 2 * 1024;

/// The grammars, loaded once (some milliseconds).
pub struct Highlighter {
    syntaxes: SyntaxSet,
    names: Names,
    /// How many bytes may still be read.
    budget: usize,
}

/// A piece of one line of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What it is.
    pub token: Token,
    /// Its text, never empty, without line ends except the line's own.
    pub text: &'a str,
}

impl Highlighter {
    /// Loads the grammars. At most `budget` bytes of code are read in all; what comes later is plain, so that a session of
    /// gigabytes does not take minutes.
    pub fn new(budget: usize) -> Self {
        Self { syntaxes: two_face::syntax::extra_newlines(), names: Names::new(), budget }
    }

    /// The lines of a code, each in its pieces, which together are the code byte for byte.
    ///
    /// `language` is a name or a file extension (`rust`, `ts`, `Cargo.toml`'s `toml`); an unknown one gives plain pieces.
    pub fn lines<'a>(&mut self, code: &'a str, language: &str) -> Vec<Vec<Piece<'a>>> {
        let known = self.syntaxes.find_syntax_by_token(language).is_some();
        if !known || code.len() > LONGEST.min(self.budget) {
            return code.split_inclusive('\n').map(plain).collect();
        }
        self.budget -= code.len();
        match self.syntaxes.find_syntax_by_token(language) {
            Some(syntax) => self.parse(code, syntax),
            None => Vec::new(),
        }
    }

    fn parse<'a>(&self, code: &'a str, syntax: &SyntaxReference) -> Vec<Vec<Piece<'a>>> {
        let mut state = ParseState::new(syntax);
        let mut stack = ScopeStack::new();
        let mut lines = Vec::new();
        let mut failed = false;
        for line in code.split_inclusive('\n') {
            let pieces = match failed || line.len() > LONGEST_LINE {
                true => None,
                false => self.line(line, &mut state, &mut stack),
            };
            failed |= pieces.is_none() && line.len() <= LONGEST_LINE;
            lines.push(pieces.unwrap_or_else(|| plain(line)));
        }
        lines
    }

    /// The pieces of a line; none when the grammar fails on it.
    fn line<'a>(
        &self,
        line: &'a str,
        state: &mut ParseState,
        stack: &mut ScopeStack,
    ) -> Option<Vec<Piece<'a>>> {
        let changes = state.parse_line(line, &self.syntaxes).ok()?;
        let mut runs = Vec::new();
        let (mut from, mut token) = (0, self.names.token(stack.as_slice()));
        for (at, change) in changes {
            stack.apply(&change).ok()?;
            push(&mut runs, token, from, at);
            (from, token) = (at, self.names.token(stack.as_slice()));
        }
        push(&mut runs, token, from, line.len());
        let piece = |(token, from, to): (Token, usize, usize)| {
            Some(Piece { token, text: line.get(from..to)? })
        };
        runs.into_iter().map(piece).collect()
    }
}

impl std::fmt::Debug for Highlighter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Highlighter").field("budget", &self.budget).finish_non_exhaustive()
    }
}

/// Adds a run of bytes; one of the same kind goes on.
fn push(runs: &mut Vec<(Token, usize, usize)>, token: Token, from: usize, to: usize) {
    match runs.last_mut() {
        _ if from == to => {}
        Some((before, _, end)) if *before == token => *end = to,
        _ => runs.push((token, from, to)),
    }
}

fn plain(line: &str) -> Vec<Piece<'_>> {
    vec![Piece { token: Token::Plain, text: line }]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(code: &str, language: &str) -> Vec<(Token, String)> {
        let mut highlighter = Highlighter::new(1 << 20);
        let lines = highlighter.lines(code, language);
        let pieces = lines.into_iter().flatten();
        pieces.map(|piece| (piece.token, piece.text.to_owned())).collect()
    }

    #[test]
    fn common_languages_are_known() {
        for (language, code, token, text) in [
            ("rust", "fn main() {} // x\n", Token::Keyword, "fn"),
            ("rs", "let a = \"b\";\n", Token::String, "\"b\""),
            ("ts", "const a: number = 1;\n", Token::Keyword, "const"),
            ("python", "def f(): pass\n", Token::Function, "f"),
            ("toml", "a = 12\n", Token::Constant, "12"),
            ("bash", "# note\nls\n", Token::Comment, "# note\n"),
            ("diff", "-a\n+b\n", Token::Inserted, "+b\n"),
            ("json", "{\"a\": null}\n", Token::Constant, "null"),
        ] {
            let found = tokens(code, language);
            assert!(
                found.iter().any(|(kind, piece)| *kind == token && piece == text),
                "{language}: {found:?}"
            );
        }
    }

    /// Whatever the language and the text, the pieces are the text.
    #[test]
    fn nothing_is_lost() {
        let code = "fn a() {\r\n\t\"unterminated\n*/ é 日本 \0 \u{2028}\n\nx";
        for language in ["rust", "html", "markdown", "no such language", "", "c"] {
            let text: String = tokens(code, language).into_iter().map(|(_, text)| text).collect();
            assert_eq!(text, code, "{language}");
        }
    }

    #[test]
    fn the_budget_bounds_the_work() {
        let mut highlighter = Highlighter::new(12);
        assert_eq!(highlighter.lines("fn a() {}\n", "rust")[0][0].token, Token::Keyword);
        assert_eq!(highlighter.lines("fn a() {}\n", "rust")[0][0].token, Token::Plain);
        let long = format!("fn {}() {{}}\n", "a".repeat(LONGEST));
        assert_eq!(Highlighter::new(1 << 20).lines(&long, "rust")[0].len(), 1);
    }
}
