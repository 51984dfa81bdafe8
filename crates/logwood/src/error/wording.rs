//! The sentences of errors, in one place.

use super::ErrorKind;
use super::report::Inner;

pub(super) fn summary(inner: &Inner) -> String {
    let mut text = inner.what.clone();
    if let Some(path) = &inner.path {
        text.push_str(&format!(" `{}`", path.display()));
    }
    if let Some(position) = inner.position {
        text.push_str(&format!(" at line {}, byte {}", position.line, position.byte));
    }
    if let Some(why) = &inner.why {
        text.push_str(&format!(": {why}"));
    }
    if let Some(source) = &inner.source {
        text.push_str(&format!(": {source}"));
    }
    text
}

/// What to do next, where the kind alone tells.
pub(super) fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::NotFound => {
            "check the spelling, or run `logwood list --all` to see what is there"
        }
        ErrorKind::NotASession => {
            "nothing was changed; name a session file (`logwood list` shows them)"
        }
        ErrorKind::NotAFile => "name a session file (`logwood list` shows them)",
        ErrorKind::HeaderCorrupt => {
            "nothing was changed; run `logwood repair --dry-run` on the file to see what can be saved"
        }
        ErrorKind::EmptyFile => {
            "nothing was changed; `logwood append` starts a session in a file of 0 bytes, else remove it"
        }
        ErrorKind::EntryNotFound => "run `logwood tree` to see the ids of this session",
        ErrorKind::Ambiguous => "give more of the id, or the path of the file",
        ErrorKind::ChangedOnDisk => "nothing was written; open the session again",
        ErrorKind::Locked => "wait until the other process is done, then try again",
        ErrorKind::Permission => "check the owner and the permissions of the file and its folder",
        ErrorKind::NoSpace => "free some space, then try again",
        _ => return None,
    })
}
