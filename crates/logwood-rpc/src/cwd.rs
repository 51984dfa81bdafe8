//! Which working directories are gone, asked with a time limit: a directory on a dead mount must not hang a listing (case 62).

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use logwood::storage::{FileKind, Storage};

/// How many threads ask at the same time.
const ASKERS: usize = 4;

/// How many askers may hang in this process before no more are sent out.
const MOST_HANGING: usize = 16;

/// Askers that have not come back.
static OUT: AtomicUsize = AtomicUsize::new(0);

/// Those of `cwds` that are not there any more, or are no directories; what has not answered within `limit` counts as there.
///
/// The directories are asked by threads of their own, which may outlive the call where the system does not answer; their number is
/// bounded. An empty one is left out.
pub fn missing_cwds<'a>(
    cwds: impl IntoIterator<Item = &'a str>,
    storage: &Arc<dyn Storage>,
    limit: Duration,
) -> HashSet<String> {
    let wanted: HashSet<&str> = cwds.into_iter().filter(|cwd| !cwd.is_empty()).collect();
    let count = wanted.len();
    let queue = wanted.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let queue = Arc::new(Mutex::new(queue));
    let (sender, answers) = mpsc::channel();
    for _ in 0..ASKERS.min(count) {
        ask(Arc::clone(&queue), Arc::clone(storage), sender.clone());
    }
    drop(sender);
    let end = Instant::now() + limit;
    let left = || end.saturating_duration_since(Instant::now());
    let answered = std::iter::from_fn(|| answers.recv_timeout(left()).ok()).take(count);
    answered.filter_map(|(cwd, gone): (String, bool)| gone.then_some(cwd)).collect()
}

/// Sends out one asker, unless too many hang already or the system gives no thread.
fn ask(
    queue: Arc<Mutex<Vec<String>>>,
    storage: Arc<dyn Storage>,
    sender: mpsc::Sender<(String, bool)>,
) {
    if OUT.fetch_add(1, Ordering::Relaxed) >= MOST_HANGING {
        OUT.fetch_sub(1, Ordering::Relaxed);
        return;
    }
    let work = move || {
        let next = || queue.lock().ok().and_then(|mut queue| queue.pop());
        while let Some(cwd) = next() {
            let gone = is_gone(&*storage, &cwd);
            if sender.send((cwd, gone)).is_err() {
                break;
            }
        }
        OUT.fetch_sub(1, Ordering::Relaxed);
    };
    if std::thread::Builder::new().name("cwd".to_owned()).spawn(work).is_err() {
        OUT.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether there certainly is no such directory; one that may not be looked at counts as there.
fn is_gone(storage: &dyn Storage, cwd: &str) -> bool {
    match storage.metadata(Path::new(cwd)) {
        Ok(metadata) => metadata.kind != FileKind::Dir,
        Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::path::PathBuf;

    use logwood::storage::{AppendFile, Create, DirEntry, LocalStorage, Metadata, StoredFile};

    use super::*;

    /// A disk on which everything below `/dead` never answers.
    #[derive(Debug)]
    struct Dead;

    impl Storage for Dead {
        fn metadata(&self, path: &Path) -> io::Result<Metadata> {
            if path.starts_with("/dead") {
                std::thread::sleep(Duration::from_secs(3600));
            }
            LocalStorage.metadata(path)
        }

        fn open(&self, path: &Path) -> io::Result<Box<dyn StoredFile>> {
            LocalStorage.open(path)
        }

        fn open_append(&self, path: &Path, create: Create) -> io::Result<Box<dyn AppendFile>> {
            LocalStorage.open_append(path, create)
        }

        fn link_metadata(&self, path: &Path) -> io::Result<Metadata> {
            LocalStorage.link_metadata(path)
        }

        fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
            LocalStorage.list(path)
        }

        fn create_dir_all(&self, path: &Path) -> io::Result<()> {
            LocalStorage.create_dir_all(path)
        }

        fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
            LocalStorage.rename(from, to)
        }

        fn rename_over(&self, from: &Path, to: &Path) -> io::Result<()> {
            LocalStorage.rename_over(from, to)
        }

        fn remove_file(&self, path: &Path) -> io::Result<()> {
            LocalStorage.remove_file(path)
        }

        fn canonicalize(&self, path: &Path) -> io::Result<PathBuf> {
            LocalStorage.canonicalize(path)
        }

        fn sync_dir(&self, path: &Path) -> io::Result<()> {
            LocalStorage.sync_dir(path)
        }
    }

    /// However often it is asked: what hangs is left behind and counts as there, and in the end nobody is sent out any more.
    #[test]
    fn a_dead_mount_hangs_nothing() {
        let storage: Arc<dyn Storage> = Arc::new(Dead);
        let limit = Duration::from_millis(20);
        let dead = ["/dead/a", "/dead/b", "/dead/c", "/dead/d", "/dead/e"];
        let started = Instant::now();
        for _ in 0..3 {
            assert_eq!(missing_cwds(dead, &storage, limit), HashSet::new());
        }
        assert!(started.elapsed() < Duration::from_secs(5));
        assert!(OUT.load(Ordering::Relaxed) <= MOST_HANGING);
    }

    #[test]
    fn directories_that_are_gone_are_told_from_those_that_are_there() {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path().to_str().unwrap().to_owned();
        let (gone, file) = (format!("{here}/gone"), format!("{here}/file"));
        std::fs::write(&file, "").unwrap();
        let storage: Arc<dyn Storage> = Arc::new(LocalStorage);
        let cwds = [&here, &gone, &file, &gone, ""].map(|cwd| cwd as &str);
        let missing = missing_cwds(cwds, &storage, Duration::from_secs(5));
        assert_eq!(missing, HashSet::from([gone, file]));
    }
}
