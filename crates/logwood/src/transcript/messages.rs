//! What a child said: the messages of its files, as dreb's dashboard reads them (spec 6.11).

use std::io;
use std::path::{Path, PathBuf};

use crate::entry::{EntryKind, parse_line};
use crate::json::Raw;
use crate::line::LineReader;
use crate::storage::{Sequential, Storage};

use super::discover::{is_missing, newest_in, steps_in};

/// The files that hold what a child said: those of the steps in its folder, else its own file, else the newest in the folder; none
/// where there is nothing yet.
///
/// # Errors
/// What the system says of the folder.
pub fn log_files(storage: &dyn Storage, dir: &Path, file: &Path) -> io::Result<Vec<PathBuf>> {
    let steps = steps_in(storage, dir)?;
    if !steps.is_empty() {
        return Ok(steps.into_iter().map(|step| step.path).collect());
    }
    match storage.metadata(file) {
        Ok(_) => Ok(vec![file.to_path_buf()]),
        Err(error) if is_missing(&error) => Ok(newest_in(storage, dir)?.into_iter().collect()),
        Err(error) => Err(error),
    }
}

/// Gives every message of a file in file order, of all branches, as the JSON text that stands there. Lines that are not JSON are
/// passed over.
///
/// # Errors
/// What the system says.
pub fn read_messages(
    storage: &dyn Storage,
    path: &Path,
    mut take: impl FnMut(Raw<'_>),
) -> io::Result<()> {
    let mut file = storage.open(path)?;
    let mut reader = LineReader::new(Sequential::new(&mut *file));
    while let Some(line) = reader.next_line()? {
        let Some(Ok(parsed)) = parse_line(line.bytes) else { continue };
        if parsed.envelope.entry_kind() != EntryKind::Message {
            continue;
        }
        if let Some(message) = parsed.envelope.message.filter(|message| message.is_truthy()) {
            take(message);
        }
    }
    Ok(())
}
