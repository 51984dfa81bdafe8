//! The catalog as the memory of a listing.

use std::ffi::OsStr;
use std::path::Path;

use logwood::inventory::{KnownFiles, KnownFolder, News, Place};

use super::changes::Change;
use super::open::Catalog;
use super::rows;

impl KnownFiles for Catalog {
    fn recall(&self, places: &[Place]) -> Vec<KnownFolder> {
        if self.is_broken() {
            return Vec::new();
        }
        let folders = rows::folders(&self.connection(), places);
        folders.unwrap_or_else(|error| {
            self.failed(&error);
            Vec::new()
        })
    }

    fn checkpoint(&self, path: &Path) -> Option<Vec<u8>> {
        if self.is_broken() {
            return None;
        }
        let checkpoint = rows::checkpoint(&self.connection(), path);
        checkpoint.unwrap_or_else(|error| {
            self.failed(&error);
            None
        })
    }

    fn keep(&self, path: &Path, news: News) {
        self.change(Change::Keep(path.to_path_buf(), Box::new(news)));
    }

    fn forget(&self, dir: &Path, name: &OsStr) {
        self.change(Change::Forget(dir.to_path_buf(), name.to_os_string()));
    }

    fn forget_folder(&self, dir: &Path) {
        self.change(Change::ForgetFolder(dir.to_path_buf()));
    }

    fn complete(&self, places: &[Place]) {
        for place in places.iter().filter(|_| !self.is_broken()) {
            let known = rows::is_complete(&self.connection(), place);
            if matches!(known, Ok(false)) {
                self.change(Change::Complete(place.clone()));
            }
        }
    }

    fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }
}
