//! Brings together what is there and what is known of it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::storage::{FileKind, Storage};

use super::files::{Candidate, Candidates, Folder, Job};
use super::known::{FileKey, KnownFile, KnownFiles, KnownFolder};
use super::{Facts, Place};

/// The files below the places, each with what it is and what is known of it; what is gone is forgotten.
pub(super) fn candidates(
    storage: &dyn Storage,
    places: &[Place],
    known: &dyn KnownFiles,
    threads: usize,
) -> Candidates {
    let mut candidates = Candidates::default();
    let jobs: Vec<Job> = places.iter().flat_map(|place| candidates.jobs(storage, place)).collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(jobs.len())));
    let survey = || {
        while let Some((at, job)) = next_of(&jobs, &next) {
            let files = job.survey(storage);
            found.lock().unwrap_or_else(PoisonError::into_inner).push((at, files));
        }
    };
    let recalled = std::thread::scope(|scope| {
        // The memory first: it is one piece of work, and the folders are many small ones.
        let helper = (threads > 1).then(|| {
            scope.spawn(|| {
                let recalled = known.recall(places);
                survey();
                recalled
            })
        });
        (2..threads.min(jobs.len())).for_each(|_| drop(scope.spawn(survey)));
        survey();
        // A memory that died has nothing to say.
        helper.map_or_else(|| known.recall(places), |helper| helper.join().unwrap_or_default())
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_unstable_by_key(|(at, _)| *at);
    jobs.into_iter().zip(found).for_each(|(job, (_, files))| candidates.take(job, files));
    let mut folders: HashMap<PathBuf, KnownFolder> =
        recalled.into_iter().map(|folder| (folder.dir.clone(), folder)).collect();
    for folder in &candidates.folders {
        // A folder that is reached twice has its files known the first time; the second time they are read.
        let Some(remembered) = folders.remove(&folder.dir) else { continue };
        let files = candidates.files.get_mut(folder.files.clone()).unwrap_or_default();
        attach(folder, files, remembered, known);
    }
    let is_gone = |dir: &PathBuf| {
        let below = |root: &PathBuf| dir.parent() == Some(root.as_path());
        candidates.roots.iter().any(below)
            && candidates.problems.iter().all(|problem| problem.path != *dir)
    };
    folders.keys().filter(|dir| is_gone(dir)).for_each(|dir| known.forget_folder(dir));
    candidates
}

/// The next piece of work, with its place.
fn next_of<'j>(jobs: &'j [Job], next: &AtomicUsize) -> Option<(usize, &'j Job)> {
    let at = next.fetch_add(1, Ordering::Relaxed);
    Some((at, jobs.get(at)?))
}

/// Both are in the order of their names.
fn attach(
    folder: &Folder,
    files: &mut [Candidate],
    remembered: KnownFolder,
    known: &dyn KnownFiles,
) {
    let mut remembered = remembered.files.into_iter().peekable();
    let skip = folder.dir.as_os_str().len();
    for file in files {
        let path = file.path.as_os_str().as_encoded_bytes();
        let name = path.get(skip..).unwrap_or_default();
        let name = name.strip_prefix(SEPARATOR).unwrap_or(name);
        while let Some((gone, _)) = remembered.next_if(|(other, _)| other.as_encoded_bytes() < name)
        {
            known.forget(&folder.dir, &gone);
        }
        let same = remembered.next_if(|(other, _)| other.as_encoded_bytes() == name);
        file.known = same.map(|(_, file)| file);
    }
    remembered.for_each(|(gone, _)| known.forget(&folder.dir, &gone));
}

const SEPARATOR: &[u8] = std::path::MAIN_SEPARATOR_STR.as_bytes();

impl Candidate {
    /// What is known of it, if that still holds.
    pub(super) fn take_valid(&mut self) -> Option<KnownFile> {
        let key = FileKey::of(self.metadata.as_ref().filter(|file| file.kind == FileKind::File)?);
        self.known.take_if(|known| known.settled && known.key == key)
    }

    /// The facts of the row that it was, where it may have grown since.
    pub(super) fn earlier_facts(&self, key: &FileKey) -> Option<Facts> {
        let known = self.known.as_ref()?;
        let is_same = known.key.inode == key.inode && known.key.size < key.size;
        known.verdict.as_deref().ok().filter(|_| is_same).cloned()
    }
}
