//! What a caller keeps to go on after a restart.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};
use crate::json::{ObjectWriter, Raw, write_object};
use crate::location::{path_from_hex, path_to_hex};

use super::end::End;
use super::mark::{Mark, Stamp};

/// How far one session was followed; JSON outside of the program, whose members are nobody's business but the follower's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionCursor {
    pub(super) path: PathBuf,
    pub(super) mark: Option<Mark>,
    /// Whether the file was gone.
    pub(super) gone: bool,
    /// What the file looked like, where all of it was taken.
    pub(super) stamp: Option<Stamp>,
}

/// How far the sessions of a store were followed, or a single one.
///
/// ```
/// use logwood::follow::FollowCursor;
///
/// let cursor = FollowCursor::parse(br#"{"sessions":[]}"#)?;
/// assert_eq!(cursor.to_json(), br#"{"sessions":[]}"#);
/// assert!(FollowCursor::parse(b"12").is_err());
/// # Ok::<(), logwood::error::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FollowCursor {
    pub(super) sessions: BTreeMap<PathBuf, SessionCursor>,
}

impl SessionCursor {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The cursor as one JSON object.
    pub fn to_json(&self) -> Vec<u8> {
        write_object(|object| self.write(object))
    }

    fn write(&self, object: &mut ObjectWriter<'_>) {
        match self.path.to_str() {
            Some(path) => object.field_str("path", path),
            None => object.field_str("pathHex", &path_to_hex(&self.path)),
        };
        if let Some(mark) = &self.mark {
            write_mark(object, mark);
        }
        if self.gone {
            object.field_bool("gone", true);
        }
        if let Some(stamp) = self.stamp {
            object.field_str("stamp", &stamp.text());
        }
    }

    /// Reads a cursor.
    ///
    /// # Errors
    /// `invalid_argument` when it is none.
    pub fn parse(json: &[u8]) -> Result<Self> {
        Raw::parse(json).ok().and_then(Self::of).ok_or_else(no_cursor)
    }

    fn of(raw: Raw<'_>) -> Option<Self> {
        let path = match raw.get_str("path") {
            Some(path) => PathBuf::from(&*path),
            None => path_from_hex(&raw.get_str("pathHex")?)?,
        };
        let mark = match raw.get("sessionId") {
            Some(_) => Some(mark_of(raw)?),
            None => None,
        };
        let gone = raw.get("gone").and_then(Raw::as_bool).unwrap_or(false);
        let stamp = raw.get_str("stamp").and_then(|stamp| Stamp::parse(&stamp));
        Some(Self { path, mark, gone, stamp })
    }
}

impl FollowCursor {
    /// The sessions in it.
    pub fn len(&self) -> usize {
        self.sessions.len()
    }

    /// Whether it knows no session.
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty()
    }

    /// Takes what the cursor of a later event says.
    pub fn advance(&mut self, cursor: SessionCursor) {
        self.sessions.insert(cursor.path.clone(), cursor);
    }

    /// The cursor of the session at `path`; where the cursor knows one session only, and by another path, that one.
    pub fn session(&self, path: &Path) -> Option<SessionCursor> {
        let only = || self.sessions.values().next().filter(|_| self.sessions.len() == 1);
        let found = self.sessions.get(path).or_else(only)?;
        Some(SessionCursor { path: path.to_path_buf(), ..found.clone() })
    }

    /// The cursor as one JSON object.
    pub fn to_json(&self) -> Vec<u8> {
        write_object(|object| {
            object.field_array("sessions", |sessions| {
                for cursor in self.sessions.values() {
                    sessions.object(|object| cursor.write(object));
                }
            });
        })
    }

    /// Reads the cursor of a store, that of a session, or a list of both, in which what comes later counts.
    ///
    /// # Errors
    /// `invalid_argument` when it is none of them.
    pub fn parse(json: &[u8]) -> Result<Self> {
        let raw = Raw::parse(json).map_err(|_| no_cursor())?;
        let mut cursor = Self::default();
        let taken = match raw.is_object() {
            true => cursor.take(raw),
            false if raw.bytes().starts_with(b"[") => {
                raw.elements().try_for_each(|part| cursor.take(part))
            }
            false => None,
        };
        taken.map(|()| cursor).ok_or_else(no_cursor)
    }

    fn take(&mut self, raw: Raw<'_>) -> Option<()> {
        if let Some(sessions) = raw.get("sessions") {
            return sessions.elements().try_for_each(|session| self.take_session(session));
        }
        self.take_session(raw)
    }

    fn take_session(&mut self, raw: Raw<'_>) -> Option<()> {
        self.advance(SessionCursor::of(raw)?);
        Some(())
    }
}

fn write_mark(object: &mut ObjectWriter<'_>, mark: &Mark) {
    object.field_str("sessionId", &mark.session_id);
    if mark.older {
        object.field_bool("older", true);
    }
    object.field_u64("offset", mark.offset);
    for (key, count) in [("lines", mark.lines), ("entries", mark.entries)] {
        if let Some(count) = count {
            object.field_u64(key, count);
        }
    }
    object.field_opt_str("lastId", mark.last_id.as_deref());
    object.field_str("end", &mark.end.text());
}

fn mark_of(raw: Raw<'_>) -> Option<Mark> {
    Some(Mark {
        session_id: (&*raw.get_str("sessionId")?).into(),
        older: raw.get("older").and_then(Raw::as_bool).unwrap_or(false),
        offset: count(raw, "offset")?,
        lines: count(raw, "lines"),
        entries: count(raw, "entries"),
        last_id: raw.get_str("lastId").map(|id| (&*id).into()),
        end: End::parse(&raw.get_str("end")?)?,
    })
}

fn count(raw: Raw<'_>, key: &str) -> Option<u64> {
    raw.get_f64(key)
        .filter(|number| *number >= 0.0 && number.fract() == 0.0)
        .map(|number| number as u64)
}

fn no_cursor() -> Error {
    Error::new(ErrorKind::InvalidArgument, "cannot go on where somebody stopped")
        .with_why("this is no cursor that logwood made")
        .with_hint("give back a `cursor` as it came, or begin without one")
}
