//! Where the catalogs lie, which store each belongs to, and how a listing is given them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::storage::Storage;
use logwood_catalog::catalog::{Catalog, Catalogs, file_name};

use crate::stores::{Scope, Stores};

/// The catalog of a store, or of a directory that an option names.
#[derive(Debug, Clone)]
pub(crate) struct CatalogSite {
    /// The name of the store; empty for a directory that belongs to none.
    pub(crate) store: String,
    /// The agent directory, or that directory.
    pub(crate) dir: PathBuf,
    /// What it knows of.
    pub(crate) roots: Vec<PathBuf>,
    /// The file, be it there or not.
    pub(crate) file: PathBuf,
}

/// The folder of all catalogs, in the user's cache directory; none where there is no home directory.
pub(crate) fn folder() -> Option<PathBuf> {
    let named =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|dir| dir.is_absolute());
    let cache = if cfg!(windows) { named("LOCALAPPDATA") } else { named("XDG_CACHE_HOME") };
    let of_home = || {
        // A home directory that is not there is not made.
        let home = std::env::home_dir().filter(|home| home.is_dir())?;
        let inner = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        Some(home.join(inner))
    };
    Some(cache.or_else(of_home)?.join("logwood").join("catalogs"))
}

impl Stores {
    /// The catalogs of all stores, each once, whether they are there or not.
    pub(crate) fn catalog_sites(&self) -> Vec<CatalogSite> {
        let Some(folder) = folder() else { return Vec::new() };
        let mut found: Vec<CatalogSite> = Vec::new();
        for site in self.sites() {
            for scope in [Scope::All, Scope::Project, Scope::Host] {
                let place = site.place(scope);
                // A place without a store is a directory that an option or the hook names.
                let dir = if place.store.is_empty() { &*place.root } else { site.store.dir.path() };
                match found.iter_mut().find(|other| other.dir == dir) {
                    Some(other) if other.roots.contains(&place.root) => {}
                    Some(other) => other.roots.push(place.root),
                    None => found.push(CatalogSite {
                        store: place.store.to_string(),
                        dir: dir.to_path_buf(),
                        file: folder.join(file_name(dir)),
                        roots: vec![place.root],
                    }),
                }
            }
        }
        found
    }
}

/// Opens the catalogs of the roots; what cannot be opened is told, and its sessions are read.
pub(crate) fn open<'a>(
    sites: &[CatalogSite],
    roots: impl Iterator<Item = &'a Path> + Clone,
    storage: &Arc<dyn Storage>,
) -> (Catalogs, Vec<String>) {
    let (mut catalogs, mut troubles) = (Catalogs::new(), Vec::new());
    let is_wanted =
        |site: &&CatalogSite| roots.clone().any(|root| site.roots.iter().any(|own| own == root));
    for site in sites.iter().filter(is_wanted) {
        match Catalog::open(&site.file, Arc::clone(storage)) {
            Ok(catalog) => catalogs.add(site.roots.clone(), catalog),
            // Another process makes it at this moment, which is nothing to worry about.
            Err(error) if error.kind() == logwood::error::ErrorKind::Locked => {}
            Err(error) => troubles.push(error.summary()),
        }
    }
    (catalogs, troubles)
}
