//! Listings with a catalog: warm, after a file grew, and from nothing.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::inventory::{Inventory, Listing, Place, Progress};
use logwood::location::Layout;
use logwood::storage::LocalStorage;
use logwood_catalog::catalog::{Catalog, file_name};

use crate::Fault;
use crate::clock::Clock;
use crate::op::Outcome;

/// The folder of the catalogs of measurements; what is in it is made anew where it is not there.
pub(crate) fn folder() -> PathBuf {
    std::env::temp_dir().join("logwood-bench-cache")
}

/// Lists every session of a store, every file looked at, none read; counts the messages of all rows.
pub(crate) fn warm(path: &Path, threads: usize) -> Result<Outcome, Fault> {
    let file = folder().join(file_name(path));
    list(&file, path, threads)?;
    timed(&file, path, threads)
}

/// Lists from nothing: every file is read, and the catalog is written.
pub(crate) fn build(path: &Path) -> Result<Outcome, Fault> {
    let scratch = Scratch::new("build")?;
    timed(&scratch.0.join("catalog.sqlite"), path, 2)
}

/// Lists a store in which one file grew by the bytes of another.
pub(crate) fn grown(path: &Path, more: &Path, threads: usize) -> Result<Outcome, Fault> {
    let scratch = Scratch::new("grown")?;
    let sessions = scratch.0.join("sessions");
    fs::create_dir_all(sessions.join("grown"))?;
    // The corpus itself is not to be changed: its folders are linked.
    for folder in fs::read_dir(path.join("sessions"))? {
        let folder = folder?;
        link(&folder.path(), &sessions.join(folder.file_name()))?;
    }
    let lines = fs::read(more)?;
    let end = lines.iter().position(|byte| *byte == b'\n').ok_or("no line in the corpus")? + 1;
    let (header, entries) = lines.split_at(end);
    let file = sessions.join("grown/grown.jsonl");
    fs::write(&file, header)?;
    let catalog = scratch.0.join("catalog.sqlite");
    std::thread::sleep(std::time::Duration::from_millis(50));
    list(&catalog, &scratch.0, threads)?;
    OpenOptions::new().append(true).open(&file)?.write_all(entries)?;
    timed(&catalog, &scratch.0, threads)
}

fn timed(file: &Path, path: &Path, threads: usize) -> Result<Outcome, Fault> {
    let clock = Clock::start();
    let listing = list(file, path, threads)?;
    let time = clock.stop_threads(threads);
    let messages = listing.sessions.iter().map(|row| row.message_count).sum();
    Ok(Outcome::new(time, messages))
}

fn list(file: &Path, path: &Path, threads: usize) -> Result<Listing, Fault> {
    let nested = path.join("sessions");
    let place = match nested.is_dir() {
        true => Place::new("", nested, Layout::Nested),
        false => Place::new("", path, Layout::Flat),
    };
    let catalog = Catalog::open(file, Arc::new(LocalStorage))?;
    let go_on = |_: Progress<'_>| ControlFlow::Continue(());
    let inventory = Inventory::new().threads(threads);
    let listing = inventory.list_known_places(&[place], None, &catalog, &go_on);
    catalog.finish();
    match catalog.trouble() {
        Some(why) => Err(why.into()),
        None => Ok(listing),
    }
}

#[cfg(unix)]
fn link(target: &Path, name: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, name)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// A folder that goes with its measurement.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> std::io::Result<Self> {
        let path =
            std::env::temp_dir().join(format!("logwood-bench-{name}-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is among the temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}
