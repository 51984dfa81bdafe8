//! What deletion refuses, in words for people and in those that dreb's clients know (spec 6.12).

use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::session::Holder;

/// Whose sentences an error has; the kinds are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wording {
    /// What failed with the path, why, and what to do next.
    #[default]
    People,
    /// Those of dreb, for the line protocol.
    Dreb,
}

/// A check that was not passed.
#[derive(Debug)]
pub(super) enum Refusal {
    NotJsonl,
    Active,
    /// Another process has it open.
    Live(Holder),
    NotFound,
    NotAFile,
    /// The kind says why it is none.
    NotASession(ErrorKind),
    Io(PathBuf, std::io::Error),
}

const WHAT: &str = "cannot delete session";
const DREBS_ACTIVE: &str = "Cannot delete the currently active session";

impl Refusal {
    pub(super) fn error(self, given: &Path, wording: Wording) -> Error {
        match wording {
            Wording::People => self.for_people(given),
            Wording::Dreb => self.for_dreb(given),
        }
    }

    fn for_people(self, given: &Path) -> Error {
        let error = |kind, why| Error::new(kind, WHAT).with_path(given).with_why(why);
        match self {
            Self::NotJsonl => error(ErrorKind::NotJsonl, "its name does not end in `.jsonl`")
                .with_hint("nothing was changed; name a session file (`logwood list` shows them)"),
            Self::Active => error(ErrorKind::ActiveSession, "it is the session in use")
                .with_hint("nothing was changed; switch to another session first"),
            Self::Live(holder) => Error::new(ErrorKind::ActiveSession, WHAT)
                .with_path(given)
                .with_why(format!("it is open in {holder}"))
                .with_hint("nothing was changed; close it there first"),
            Self::NotFound => error(ErrorKind::NotFound, "there is no such file"),
            Self::NotAFile => error(ErrorKind::NotAFile, "it is no regular file")
                .with_hint("nothing was changed; logwood deletes session files only"),
            Self::NotASession(why) => error(ErrorKind::NotASession, none_because(why)).with_hint(
                "nothing was changed; `--force` deletes a damaged or empty session file all the same",
            ),
            Self::Io(path, source) => Error::io(WHAT, path, source),
        }
    }

    fn for_dreb(self, given: &Path) -> Error {
        let given = given.display();
        let error = |kind, text: String| Error::new(kind, text).without_hint();
        match self {
            Self::NotJsonl => {
                error(ErrorKind::NotJsonl, format!("Not a session file (expected .jsonl): {given}"))
            }
            Self::Active => error(ErrorKind::ActiveSession, DREBS_ACTIVE.to_owned()),
            // dreb knows only its own; its clients find its sentence, and the holder behind it.
            Self::Live(holder) => {
                error(ErrorKind::ActiveSession, format!("{DREBS_ACTIVE}: it is open in {holder}"))
            }
            Self::NotFound => {
                error(ErrorKind::NotFound, format!("Session file does not exist: {given}"))
            }
            Self::NotAFile => error(ErrorKind::NotAFile, format!("Not a regular file: {given}")),
            Self::NotASession(_) => error(
                ErrorKind::NotASession,
                format!("Not a session file (no session header): {given}"),
            ),
            Self::Io(path, source) => Error::io(WHAT, path, source),
        }
    }
}

fn none_because(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::EmptyFile => "it is empty",
        ErrorKind::HeaderCorrupt => "its header cannot be read",
        _ => "it has no session header",
    }
}
