//! The failure of a command, in words for a person or as an object for a program.

use std::io;

use logwood::error::{Error, ErrorKind};

use crate::exit::Exit;
use crate::output::{Line, Object, Stream, style};

/// What every command returns.
pub(crate) type Result<T> = std::result::Result<T, CommandError>;

/// Why a command could not be done.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// Something failed.
    Failed(Box<Failure>),
    /// Nobody reads the output any more, which is fine.
    BrokenPipe,
}

/// What failed and why, and what to do next.
#[derive(Debug)]
pub(crate) struct Failure {
    /// The stable kind.
    pub(crate) kind: ErrorKind,
    /// What failed and why.
    pub(crate) message: String,
    /// What to do next; several lines where there are several ways.
    pub(crate) hints: Vec<String>,
}

impl CommandError {
    /// A failure without advice.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self::Failed(Box::new(Failure { kind, message: message.into(), hints: Vec::new() }))
    }

    /// Adds advice.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Self::Failed(failure) = &mut self {
            failure.hints.push(hint.into());
        }
        self
    }

    /// How the program ends.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Failed(failure) => Exit::of(failure.kind),
            Self::BrokenPipe => Exit::Done,
        }
    }

    /// Says it on `stream`; a stream that cannot be written to has nobody to tell.
    pub(crate) fn report(&self, stream: &mut Stream, json: bool) {
        if let Self::Failed(failure) = self {
            let written = if json { failure.as_json(stream) } else { failure.as_text(stream) };
            drop(written.and_then(|()| stream.finish()));
        }
    }
}

impl Failure {
    /// As lines for a person.
    pub(crate) fn as_text(&self, stream: &mut Stream) -> io::Result<()> {
        labelled(stream, "error: ", style::ERROR, &self.message)?;
        self.hints.iter().try_for_each(|hint| labelled(stream, "hint: ", style::HINT, hint))
    }

    /// `error`, `errorKind` and, where there is advice, `hint`.
    fn as_json(&self, stream: &mut Stream) -> io::Result<()> {
        stream.json(&self.members(Object::new()))
    }

    /// The object with its members added.
    pub(crate) fn members(&self, object: Object) -> String {
        let hint = (!self.hints.is_empty()).then(|| self.hints.join("\n"));
        object
            .str("error", &self.message)
            .str("errorKind", self.kind.as_str())
            .opt_str("hint", hint.as_deref())
            .end()
    }
}

/// A text of several lines behind a label; the lines after the first are indented as they stand.
fn labelled(stream: &mut Stream, label: &str, style: anstyle::Style, text: &str) -> io::Result<()> {
    let mut lines = text.trim_end().split('\n');
    let first = Line::new().add(style, label).plain(lines.next().unwrap_or_default());
    stream.line(&first)?;
    lines.try_for_each(|line| stream.line(&Line::new().plain(line)))
}

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let failure = Self::new(error.kind(), error.summary());
        match error.hint() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Only writing to the standard streams gives bare I/O errors.
impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::BrokenPipe;
        }
        Self::new(ErrorKind::of_io(&error), format!("cannot write the output: {error}"))
    }
}
