//! A filter as a query that means the same.

use std::fmt::{self, Display, Formatter, Write};

use super::lex::PREFIXES;
use super::parse::ends_in_word;
use super::{Ask, Filter, Term, Value, date};

impl Display for Filter {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, term) in self.terms().iter().enumerate() {
            if at > 0 {
                f.write_char(' ')?;
            }
            term.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Term {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.negated {
            f.write_char('-')?;
        }
        match &self.ask {
            Ask::Text { text, prefix } => write_text(f, text, *prefix),
            Ask::Regex(pattern) => write_pattern(f, pattern.source()),
            Ask::Cwd(value) => write_value(f, "cwd", value),
            Ask::Store(value) => write_value(f, "store", value),
            Ask::Model(value) => write_value(f, "model", value),
            Ask::Tool(value) => write_value(f, "tool", value),
            Ask::File(value) => write_value(f, "file", value),
            Ask::Label(value) => write_value(f, "label", value),
            Ask::Name(value) => write_value(f, "name", value),
            Ask::Role(speaker) => write!(f, "role:{}", speaker.as_str()),
            Ask::Is(state) => write!(f, "is:{}", state.as_str()),
            Ask::After(ms) => write!(f, "after:{}", date::print(*ms)),
            Ask::Before(ms) => write!(f, "before:{}", date::print(*ms)),
            Ask::Cost(comparison, number) => write!(f, "cost:{}{number}", comparison.as_str()),
        }
    }
}

fn write_text(f: &mut Formatter<'_>, text: &str, prefix: bool) -> fmt::Result {
    let looks_like_more = text.starts_with('-')
        || PREFIXES
            .iter()
            .any(|known| text.strip_prefix(known).is_some_and(|rest| rest.starts_with(':')))
        || text.strip_suffix('*').is_some_and(ends_in_word);
    if looks_like_more || wants_quotes(text) {
        write_quoted(f, text)?
    } else {
        f.write_str(text)?
    }
    if prefix { f.write_char('*') } else { Ok(()) }
}

fn write_pattern(f: &mut Formatter<'_>, source: &str) -> fmt::Result {
    f.write_str("re:")?;
    let quotes = source.starts_with('"') || source.contains(char::is_whitespace);
    if quotes { write_quoted(f, source) } else { f.write_str(source) }
}

fn write_value(f: &mut Formatter<'_>, prefix: &str, value: &Value) -> fmt::Result {
    write!(f, "{prefix}:")?;
    match value {
        Value::Any => f.write_char('*'),
        Value::Part(text) if text.ends_with('*') || wants_quotes(text) => write_quoted(f, text),
        Value::Part(text) => f.write_str(text),
        Value::Start(text) if wants_quotes(text) => {
            write_quoted(f, text)?;
            f.write_char('*')
        }
        Value::Start(text) => write!(f, "{text}*"),
    }
}

fn wants_quotes(text: &str) -> bool {
    text.contains(|c: char| c == '"' || c.is_whitespace())
}

fn write_quoted(f: &mut Formatter<'_>, text: &str) -> fmt::Result {
    write!(f, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
