//! Reads a session file into a [`Loaded`] and its [`Bodies`].

use std::io;
use std::path::Path;

use crate::error::{Error, ErrorKind, Result};
use crate::line::{LineReader, LineRef, Lines, Position};
use crate::storage::{FileId, Sequential, Storage, StoredFile, read_whole};

use super::bodies::{Bodies, KEEP_LIMIT};
use super::load::{Fault, Loader};
use super::loaded::Loaded;

/// What there is at a path.
#[derive(Debug)]
pub(super) enum Opened {
    /// A session.
    Session(Box<Loaded>, Bodies, Option<FileId>),
    /// A file of size 0.
    Nothing,
}

pub(super) const WHAT: &str = "cannot open session";

/// Opens and reads a session file once, from the first byte to the last.
pub(super) fn read_session(storage: &dyn Storage, path: &Path) -> Result<Opened> {
    let io = |error| Error::io(WHAT, path, error);
    let mut file = storage.open(path).map_err(io)?;
    let metadata = file.metadata().map_err(io)?;
    if metadata.len == 0 {
        return Ok(Opened::Nothing);
    }
    let (loaded, bytes) = read_open(&mut *file, path)?;
    let bodies = bytes.map_or_else(|| Bodies::stored(file), Bodies::Kept);
    Ok(Opened::Session(Box::new(loaded), bodies, metadata.identity))
}

/// Reads an open file once, from the first byte to the last; gives its bytes, too, where they are few enough to be kept.
pub(super) fn read_open(
    file: &mut dyn StoredFile,
    path: &Path,
) -> Result<(Loaded, Option<Vec<u8>>)> {
    let io = |error| Error::io(WHAT, path, error);
    if file.metadata().map_err(io)?.len <= KEEP_LIMIT {
        let bytes = read_whole(file).map_err(io)?;
        return Ok((load_whole(path, &bytes)?, Some(bytes)));
    }
    let mut load = |as_tree| load_stream(file, as_tree).map_err(io);
    let loaded = match load(false)? {
        Err(Fault::ReadAsTree) => load(true)?,
        other => other,
    };
    Ok((loaded.map_err(|fault| refusal(path, fault))?, None))
}

/// Loads a session from all the bytes of its file.
pub(super) fn load_whole(path: &Path, bytes: &[u8]) -> Result<Loaded> {
    let loaded = match load_bytes(bytes, false) {
        Err(Fault::ReadAsTree) => load_bytes(bytes, true),
        other => other,
    };
    loaded.map_err(|fault| refusal(path, fault))
}

/// Loads a session from memory.
pub(super) fn load_bytes(bytes: &[u8], as_tree: bool) -> std::result::Result<Loaded, Fault> {
    let mut loader = Loader::new(as_tree);
    for line in Lines::of(bytes) {
        loader.line(line);
        if loader.is_refused() {
            break;
        }
    }
    loader.finish()
}

fn load_stream(
    file: &mut dyn StoredFile,
    as_tree: bool,
) -> io::Result<std::result::Result<Loaded, Fault>> {
    let length = file.metadata()?.len;
    let mut loader = Loader::new(as_tree);
    let mut reader = LineReader::new(Sequential::new(file));
    while let Some(line) = reader.next_line()? {
        loader.line(line);
        if let Some(entries) = expected_after(line, length) {
            loader.reserve(entries);
        }
        if loader.is_refused() {
            break;
        }
    }
    Ok(loader.finish())
}

/// How many entries are to be expected after this line of a file of this length; told once.
pub(super) fn expected_after(line: LineRef<'_>, length: u64) -> Option<usize> {
    (line.position.line == SAMPLE).then(|| lines_of(length, line.position.byte))
}

/// After this many lines the number of all lines is guessed, so that a large session is not moved while it grows.
const SAMPLE: u64 = 1000;

/// How many lines a file has whose first [`SAMPLE`] take this many bytes.
fn lines_of(length: u64, sample: u64) -> usize {
    let lines = length.saturating_mul(SAMPLE) / sample.max(1);
    usize::try_from(lines.min(length / 64)).unwrap_or(0)
}

fn refusal(path: &Path, fault: Fault) -> Error {
    let (kind, position) = match fault {
        Fault::Refused(fault) => (fault.kind, fault.position),
        Fault::ReadAsTree => (ErrorKind::HeaderCorrupt, None),
    };
    let error = Error::new(kind, WHAT).with_path(path).with_why(why(kind));
    match position {
        Some(position) => error.with_position(Position { ..position }),
        None => error,
    }
}

fn why(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::EmptyFile => "the file has no line that is not blank",
        ErrorKind::HeaderCorrupt => "its header line cannot be read",
        _ => "it has no session header",
    }
}
