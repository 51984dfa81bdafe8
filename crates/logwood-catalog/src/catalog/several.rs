//! The catalogs of several stores as one memory.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use logwood::inventory::{KnownFiles, KnownFolder, News, Place};

use super::open::Catalog;

/// The catalogs of several stores, each for what lies below some roots.
#[derive(Debug)]
pub struct Catalogs {
    members: Vec<Member>,
    now_ms: fn() -> i64,
}

#[derive(Debug)]
struct Member {
    roots: Vec<PathBuf>,
    catalog: Catalog,
}

impl Default for Catalogs {
    fn default() -> Self {
        use logwood::env::{Clock as _, SystemClock};
        Self { members: Vec::new(), now_ms: || SystemClock.now_ms() }
    }
}

impl Catalogs {
    /// None yet: everything is read from the files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a catalog for what lies below `roots`.
    pub fn add(&mut self, roots: Vec<PathBuf>, catalog: Catalog) {
        self.members.push(Member { roots, catalog });
    }

    /// The catalogs, in the order in which they were added.
    pub fn all(&self) -> impl Iterator<Item = &Catalog> {
        self.members.iter().map(|member| &member.catalog)
    }

    /// Writes what is left, and lets others write; see [`Catalog::finish`].
    pub fn finish(&self) {
        self.all().for_each(Catalog::finish);
    }

    /// Why catalogs could not be used, a sentence for each.
    pub fn troubles(&self) -> Vec<String> {
        self.all().filter_map(Catalog::trouble).collect()
    }

    /// Each catalog with those of the places that are its own.
    fn parted(&self, places: &[Place]) -> impl Iterator<Item = (&Catalog, Vec<Place>)> {
        self.all().map(|catalog| {
            let is_its = |place: &&Place| {
                self.of(&place.root).is_some_and(|other| std::ptr::eq(other, catalog))
            };
            (catalog, places.iter().filter(is_its).cloned().collect())
        })
    }

    /// The catalog for what lies at `path`: of the root that is nearest above it.
    pub(super) fn of(&self, path: &Path) -> Option<&Catalog> {
        let depth = |member: &Member| {
            let roots = member.roots.iter().filter(|root| path.starts_with(root));
            roots.map(|root| root.as_os_str().len()).max()
        };
        let near = self.members.iter().filter_map(|member| Some((depth(member)?, member)));
        // Of two for the same root the first counts.
        let best = near.rev().max_by_key(|(depth, _)| *depth);
        best.map(|(_, member)| &member.catalog)
    }
}

impl KnownFiles for Catalogs {
    fn recall(&self, places: &[Place]) -> Vec<KnownFolder> {
        let recalled = |(catalog, places): (&Catalog, Vec<Place>)| catalog.recall(&places);
        self.parted(places).flat_map(recalled).collect()
    }

    fn complete(&self, places: &[Place]) {
        self.parted(places).for_each(|(catalog, places)| catalog.complete(&places));
    }

    fn checkpoint(&self, path: &Path) -> Option<Vec<u8>> {
        self.of(path)?.checkpoint(path)
    }

    fn keep(&self, path: &Path, news: News) {
        if let Some(catalog) = self.of(path) {
            catalog.keep(path, news);
        }
    }

    fn forget(&self, dir: &Path, name: &OsStr) {
        if let Some(catalog) = self.of(dir) {
            catalog.forget(dir, name);
        }
    }

    fn forget_folder(&self, dir: &Path) {
        if let Some(catalog) = self.of(dir) {
            catalog.forget_folder(dir);
        }
    }

    fn now_ms(&self) -> i64 {
        (self.now_ms)()
    }
}
