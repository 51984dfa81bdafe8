//! The error type: a kind, a path, a place in the file, and what to do next.

use std::path::{Path, PathBuf};

use super::{ErrorKind, wording};
use crate::line::Position;

/// What every fallible call of this library returns.
pub type Result<T> = std::result::Result<T, Error>;

/// An operation that could not be done, and why.
///
/// ```
/// use logwood::error::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::NotFound, "cannot open session").with_path("/tmp/gone.jsonl");
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert!(error.to_string().contains("/tmp/gone.jsonl"));
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) kind: ErrorKind,
    pub(super) what: String,
    pub(super) why: Option<String>,
    pub(super) hint: Option<String>,
    pub(super) path: Option<PathBuf>,
    pub(super) position: Option<Position>,
    pub(super) source: Option<std::io::Error>,
}

impl Error {
    /// An error of `kind`; `what` names the operation that failed ("cannot open session").
    pub fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            kind,
            what: what.into(),
            why: None,
            hint: None,
            path: None,
            position: None,
            source: None,
        }))
    }

    /// An I/O failure while doing `what` to `path`; the kind follows from the system's error (`not_found`, `permission`, `no_space`, `read_only`, else `io`).
    pub fn io(what: impl Into<String>, path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        let mut error = Self::new(ErrorKind::of_io(&source), what).with_path(path);
        error.0.source = Some(source);
        error
    }

    /// Adds the reason, shown after the path.
    #[must_use]
    pub fn with_why(mut self, why: impl Into<String>) -> Self {
        self.0.why = Some(why.into());
        self
    }

    /// Adds what the reader can do next, in place of the kind's own advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Gives no advice, not even that of the kind: for texts that another program's clients know.
    #[must_use]
    pub fn without_hint(self) -> Self {
        self.with_hint("")
    }

    /// Names the file or folder the operation was about.
    #[must_use]
    pub fn with_path(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Names the place in the file where the fault lies.
    #[must_use]
    pub fn with_position(mut self, position: Position) -> Self {
        self.0.position = Some(position);
        self
    }

    /// The stable kind of this error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file or folder the operation was about, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The place in the file where the fault lies, where there is one.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// What the reader can do next: the advice given for this error, else that of its kind.
    pub fn hint(&self) -> Option<&str> {
        let own = self.0.hint.as_deref().or_else(|| wording::advice(self.0.kind));
        own.filter(|hint| !hint.is_empty())
    }

    /// What failed and why, on one line, without the advice.
    pub fn summary(&self) -> String {
        wording::summary(&self.0)
    }

    /// The operating system's error, where one is the cause.
    pub fn io_error(&self) -> Option<&std::io::Error> {
        self.0.source.as_ref()
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.summary())?;
        match self.hint() {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|source| source as _)
    }
}
