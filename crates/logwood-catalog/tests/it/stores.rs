//! Stores of files for tests, and the two ways to list them.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use logwood::env::Clock;
use logwood::inventory::{Inventory, KnownFiles, Listing, Place, Progress};
use logwood::location::Layout;
use logwood::storage::{LocalStorage, Storage};
use logwood_catalog::catalog::Catalog;

/// Long after the time of every file here.
pub(crate) const NOW: i64 = 1_900_000_000_000;

/// A clock that stands still, long after every file was written.
#[derive(Debug)]
pub(crate) struct Later;

impl Clock for Later {
    fn now_ms(&self) -> i64 {
        NOW
    }
}

/// A store below a temporary folder, and a place for its catalog.
pub(crate) struct Shop {
    pub(crate) dir: tempfile::TempDir,
    ticks: u64,
}

impl Shop {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap(), ticks: 0 }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join("sessions").join(name)
    }

    pub(crate) fn places(&self) -> Vec<Place> {
        vec![Place::new("mine", self.dir.path().join("sessions"), Layout::Nested)]
    }

    pub(crate) fn catalog_path(&self) -> PathBuf {
        self.dir.path().join("cache/logwood/x.sqlite")
    }

    pub(crate) fn catalog(&self) -> Catalog {
        self.catalog_on(Arc::new(LocalStorage))
    }

    pub(crate) fn catalog_on(&self, storage: Arc<dyn Storage>) -> Catalog {
        Catalog::open_with_clock(&self.catalog_path(), storage, Arc::new(Later)).unwrap()
    }

    /// Writes in place: a file that is there keeps its number. Its time is one that no file had.
    pub(crate) fn write(&mut self, name: &str, text: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        self.touch(&path);
    }

    pub(crate) fn append(&mut self, name: &str, text: &[u8]) {
        let path = self.path(name);
        OpenOptions::new().append(true).open(&path).unwrap().write_all(text).unwrap();
        self.touch(&path);
    }

    pub(crate) fn touch(&mut self, path: &Path) {
        self.ticks += 1;
        let time =
            SystemTime::UNIX_EPOCH + Duration::from_micros(1_600_000_000_000_000 + self.ticks);
        File::options().append(true).open(path).unwrap().set_modified(time).unwrap();
    }

    /// The same answer both ways.
    pub(crate) fn both(&self, known: &dyn KnownFiles, threads: usize) -> Listing {
        let inventory = inventory().threads(threads);
        let plain = inventory.list_places(&self.places(), None, &go_on);
        let helped = inventory.list_known_places(&self.places(), None, known, &go_on);
        assert_eq!(helped.sessions, plain.sessions);
        assert_eq!(helped.problems, plain.problems);
        helped
    }
}

pub(crate) fn inventory() -> Inventory {
    Inventory::new().now_ms(NOW)
}

pub(crate) fn go_on(_: Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A session with a header and some messages.
pub(crate) fn session(id: &str, messages: usize) -> String {
    let mut text = format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2025-06-01T10:00:00.000Z\",\"cwd\":\"/p\"}}\n"
    );
    for n in 0..messages {
        text += &message(n);
    }
    text
}

/// One message, with its line end.
pub(crate) fn message(n: usize) -> String {
    let parent = if n == 0 { "null".to_owned() } else { format!("\"{:08x}\"", n - 1) };
    let role = if n.is_multiple_of(2) { "user" } else { "assistant" };
    format!(
        "{{\"type\":\"message\",\"id\":\"{n:08x}\",\"parentId\":{parent},\"timestamp\":\"2025-06-01T10:00:01.000Z\",\"message\":{{\"role\":\"{role}\",\"content\":[{{\"type\":\"text\",\"text\":\"text {n}\"}}],\"provider\":\"p\",\"model\":\"m\",\"timestamp\":{n}}}}}\n"
    )
}
