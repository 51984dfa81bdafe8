//! The standard streams, locked for the whole run.

use std::io::{self, BufWriter, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};

use super::human::Line;
use super::json::Object;
use super::wrap::wrap;
use logwood_render::plain::{clean, clean_json};

/// How wide output is where there is no terminal.
const WIDTH: usize = 80;
/// Text is not set wider than this, since nobody can read longer lines.
const WIDEST: usize = 100;

/// Which of the standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standard {
    /// Results.
    Output,
    /// Errors, hints and progress.
    Error,
}

/// A standard stream: locked, buffered, with colours only where they are wanted.
pub(crate) struct Stream {
    inner: BufWriter<AutoStream<Box<dyn Write>>>,
    width: usize,
}

impl Stream {
    /// Locks one of the standard streams. With `Auto`, colours follow the terminal, `NO_COLOR` and `CLICOLOR_FORCE`.
    pub(crate) fn standard(which: Standard, colors: ColorChoice) -> Self {
        let (raw, choice, width): (Box<dyn Write>, _, _) = match which {
            Standard::Output => {
                let stdout = io::stdout();
                let choice = resolve(colors, AutoStream::choice(&stdout));
                let columns = stdout.is_terminal().then(|| columns(&stdout)).flatten();
                (Box::new(stdout.lock()), choice, columns)
            }
            Standard::Error => {
                let stderr = io::stderr();
                let choice = resolve(colors, AutoStream::choice(&stderr));
                let columns = stderr.is_terminal().then(|| columns(&stderr)).flatten();
                (Box::new(stderr.lock()), choice, columns)
            }
        };
        let inner = BufWriter::new(AutoStream::new(raw, choice));
        Self { inner, width: width.or_else(columns_variable).unwrap_or(WIDTH).max(20) }
    }

    /// The columns of the terminal; 80, or what `COLUMNS` says, where there is none.
    pub(crate) fn columns(&self) -> usize {
        self.width
    }

    /// The columns for running text.
    pub(crate) fn text_columns(&self) -> usize {
        self.width.min(WIDEST)
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, line: &Line) -> io::Result<()> {
        writeln!(self.inner, "{}", line.render())
    }

    /// Writes text behind `start`, wrapped to the columns; the lines after the first are indented by `indent` columns.
    pub(crate) fn paragraph(&mut self, start: Line, text: &str, indent: usize) -> io::Result<()> {
        let text = clean(&text.replace('\t', " ")).into_owned();
        let room = self.text_columns();
        // The first line may hold less than the others: what does not fit there is wrapped again.
        let first_line = wrap(&text, room.saturating_sub(start.width())).into_iter().next();
        let first = first_line.unwrap_or_default();
        let rest = text.get(first.len()..).unwrap_or_default().trim_start().to_owned();
        self.line(&start.plain(first))?;
        if rest.is_empty() {
            return Ok(());
        }
        let spaces = " ".repeat(indent);
        wrap(&rest, room.saturating_sub(indent))
            .iter()
            .try_for_each(|line| self.line(&Line::new().plain(&spaces).plain(line)))
    }

    /// Writes an empty line.
    pub(crate) fn gap(&mut self) -> io::Result<()> {
        writeln!(self.inner)
    }

    /// Writes one JSON text as one line.
    pub(crate) fn json(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.inner, "{}", clean_json(text))
    }

    /// Writes one object as one line, whose last member `key` is a list that is written as it is made.
    pub(crate) fn json_with_list<E: From<io::Error>>(
        &mut self,
        object: Object,
        key: &str,
        values: impl Iterator<Item = Result<String, E>>,
    ) -> Result<(), E> {
        write!(self.inner, "{}", clean_json(&object.before(key)))?;
        self.list(values)?;
        Ok(writeln!(self.inner, "}}")?)
    }

    /// Writes a list as one line, each value as it is made.
    pub(crate) fn json_list<E: From<io::Error>>(
        &mut self,
        values: impl Iterator<Item = Result<String, E>>,
    ) -> Result<(), E> {
        self.list(values)?;
        Ok(writeln!(self.inner)?)
    }

    fn list<E: From<io::Error>>(
        &mut self,
        values: impl Iterator<Item = Result<String, E>>,
    ) -> Result<(), E> {
        let mut before = "[";
        for value in values {
            write!(self.inner, "{before}{}", clean_json(&value?))?;
            before = ",";
        }
        let end = if before == "[" { "[]" } else { "]" };
        Ok(write!(self.inner, "{end}")?)
    }

    /// Writes text of the program itself (help, completions) as it is.
    pub(crate) fn own_text(&mut self, text: &[u8]) -> io::Result<()> {
        self.inner.write_all(text)
    }

    /// Writes out what is still held back.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn resolve(wanted: ColorChoice, found: ColorChoice) -> ColorChoice {
    match wanted {
        ColorChoice::Auto => found,
        other => other,
    }
}

fn columns(stream: impl rustix::fd::AsFd) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

fn columns_variable() -> Option<usize> {
    std::env::var("COLUMNS").ok()?.trim().parse().ok().filter(|columns| *columns > 0)
}
