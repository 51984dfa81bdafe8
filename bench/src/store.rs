//! What logwood does with many sessions, through its public interface.

use std::path::{Path, PathBuf};

use logwood::inventory::{Inventory, Listing, most_recent as find, read_header};
use logwood::storage::LocalStorage;

use crate::clock::Clock;
use crate::op::Outcome;
use crate::{Fault, limits};

/// Lists every session of a store; counts the messages of all rows.
pub(crate) fn inventory(path: &Path, threads: usize) -> Result<Outcome, Fault> {
    let inventory = Inventory::new().threads(threads);
    Ok(listed(path, threads, &inventory)?.0)
}

/// Lists with the text of all messages, which is held.
pub(crate) fn inventory_text(path: &Path) -> Result<Outcome, Fault> {
    let (outcome, listing) = listed(path, 1, &Inventory::new().with_text(true))?;
    let texts = listing.sessions.iter().filter_map(|row| row.all_messages_text.as_ref());
    Ok(Outcome { held: texts.map(|text| text.len() as u64).sum(), ..outcome })
}

fn listed(path: &Path, threads: usize, inventory: &Inventory) -> Result<(Outcome, Listing), Fault> {
    let nested = path.join("sessions");
    let clock = Clock::start();
    let listing = match nested.is_dir() {
        true => inventory.list_all(&nested)?,
        false => inventory.list_all_from_dir(path)?,
    };
    let time = clock.stop_threads(threads);
    let messages = listing.sessions.iter().map(|row| row.message_count).sum();
    Ok((Outcome::new(time, messages), listing))
}

/// Finds the session that changed last of the project that changed last, among all in one folder.
pub(crate) fn most_recent(path: &Path) -> Result<Outcome, Fault> {
    let (wanted, cwd) = newest(path)?.ok_or("no session in the folder")?;
    let clock = Clock::start();
    let found = find(&LocalStorage, path, &cwd)?;
    let time = clock.stop();
    if found.as_ref() != Some(&wanted) {
        return Err(format!("found {found:?} instead of {}", wanted.display()).into());
    }
    Ok(Outcome::new(time, 1))
}

/// The newest file with a header that names a working directory, the plain way.
fn newest(path: &Path) -> Result<Option<(PathBuf, String)>, Fault> {
    let mut files = Vec::new();
    for file in limits::session_files(path)? {
        files.push((std::fs::metadata(&file)?.modified()?, file));
    }
    files.sort();
    for (_, file) in files.into_iter().rev() {
        if let Ok(header) = read_header(&LocalStorage, &file)?
            && let Some(cwd) = header.cwd().filter(|cwd| !cwd.is_empty())
        {
            return Ok(Some((file, cwd.into_owned())));
        }
    }
    Ok(None)
}
