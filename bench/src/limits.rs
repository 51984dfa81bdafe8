//! What the machine can do at best: reading, counting, walking and writing without any meaning.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::Fault;
use crate::clock::Clock;
use crate::op::Outcome;

const BLOCK: usize = 256 * 1024;
/// The size of one appended entry, in bytes.
const ENTRY: usize = 700;
pub(crate) const WRITES: u64 = 20_000;
pub(crate) const SYNCED_WRITES: u64 = 300;

/// NL: counts the newlines of a file, or of each session file below a folder.
pub(crate) fn newlines(path: &Path, threads: usize) -> Result<Outcome, Fault> {
    let files = session_files(path)?;
    let (next, total) = (AtomicUsize::new(0), AtomicU64::new(0));
    let clock = Clock::start();
    std::thread::scope(|scope| {
        let spawn = |_| scope.spawn(|| count_some(&files, &next, &total));
        let workers: Vec<_> = (1..threads).map(spawn).collect();
        count_some(&files, &next, &total)?;
        for worker in workers {
            worker.join().map_err(|_| io::Error::other("a worker died"))??;
        }
        Ok::<_, io::Error>(())
    })?;
    Ok(Outcome::new(clock.stop_threads(threads), total.load(Ordering::Relaxed)))
}

/// Takes files until none is left.
fn count_some(files: &[PathBuf], next: &AtomicUsize, total: &AtomicU64) -> io::Result<()> {
    let mut block = vec![0; BLOCK];
    while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
        total.fetch_add(count_newlines(path, &mut block)?, Ordering::Relaxed);
    }
    Ok(())
}

fn count_newlines(path: &Path, block: &mut [u8]) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut count = 0;
    loop {
        match file.read(block)? {
            0 => return Ok(count),
            length => {
                let bytes = block.get(..length).unwrap_or_default();
                count += memchr::memchr_iter(b'\n', bytes).count() as u64;
            }
        }
    }
}

/// The length of the longest line of all files, in bytes; one block of memory.
pub(crate) fn longest_line(path: &Path) -> io::Result<u64> {
    let mut block = vec![0; BLOCK];
    let mut longest = 0;
    for path in session_files(path)? {
        let mut file = File::open(path)?;
        let (mut at, mut start) = (0, 0);
        loop {
            let length = file.read(&mut block)?;
            let bytes = block.get(..length).unwrap_or_default();
            for end in memchr::memchr_iter(b'\n', bytes) {
                longest = longest.max(at + end as u64 - start);
                start = at + end as u64 + 1;
            }
            at += length as u64;
            if length == 0 {
                longest = longest.max(at - start);
                break;
            }
        }
    }
    Ok(longest)
}

/// The path itself, or the `.jsonl` files of a folder and the folders in it, in order.
pub(crate) fn session_files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if path.is_file() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    walk(path, |entry| {
        let path = entry.path();
        if path.extension().is_some_and(|end| end == "jsonl") {
            files.push(path);
        }
        Ok(())
    })?;
    files.sort();
    Ok(files)
}

/// WS: walks a folder and asks for the metadata of each session file.
pub(crate) fn walk_stat(path: &Path) -> Result<Outcome, Fault> {
    let (mut files, mut bytes) = (0, 0);
    let clock = Clock::start();
    walk(path, |entry| {
        bytes += entry.metadata()?.len();
        files += u64::from(entry.file_name().as_encoded_bytes().ends_with(b".jsonl"));
        Ok(())
    })?;
    let time = clock.stop();
    std::hint::black_box(bytes);
    Ok(Outcome::new(time, files))
}

/// Calls `visit` for each file below a folder; links are not followed.
fn walk(folder: &Path, mut visit: impl FnMut(&fs::DirEntry) -> io::Result<()>) -> io::Result<()> {
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                folders.push(entry.path());
            } else {
                visit(&entry)?;
            }
        }
    }
    Ok(())
}

pub(crate) fn write_kept(folder: &Path) -> Result<Outcome, Fault> {
    let target = Target::new(folder)?;
    let mut file = target.open()?;
    target.repeat(WRITES, |line| file.write_all(line))
}

pub(crate) fn write_open(folder: &Path) -> Result<Outcome, Fault> {
    let target = Target::new(folder)?;
    target.repeat(WRITES, |line| target.open()?.write_all(line))
}

pub(crate) fn write_locked(folder: &Path) -> Result<Outcome, Fault> {
    let target = Target::new(folder)?;
    let mut file = target.open()?;
    target.repeat(WRITES, |line| {
        file.lock()?;
        std::hint::black_box((file.metadata()?.len(), fs::metadata(&target.path)?.len()));
        file.write_all(line)?;
        file.unlock()
    })
}

pub(crate) fn write_synced(folder: &Path) -> Result<Outcome, Fault> {
    let target = Target::new(folder)?;
    let mut file = target.open()?;
    target.repeat(SYNCED_WRITES, |line| {
        file.write_all(line)?;
        file.sync_data()
    })
}

pub(crate) fn write_lock_file(folder: &Path) -> Result<Outcome, Fault> {
    let target = Target::new(folder)?;
    let lock = target.path.with_extension("lock");
    target.repeat(WRITES, |line| {
        drop(OpenOptions::new().write(true).create_new(true).open(&lock)?);
        target.open()?.write_all(line)?;
        fs::remove_file(&lock)
    })
}

/// A file that is written to and removed at the end.
struct Target {
    path: PathBuf,
}

impl Target {
    fn new(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self { path: folder.join(format!("written-{}", std::process::id())) })
    }

    fn open(&self) -> io::Result<File> {
        OpenOptions::new().append(true).create(true).open(&self.path)
    }

    /// Times `times` writes and checks that every byte arrived.
    fn repeat(
        &self,
        times: u64,
        mut write: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> Result<Outcome, Fault> {
        let mut line = [b'x'; ENTRY];
        line[ENTRY - 1] = b'\n';
        let clock = Clock::start();
        for _ in 0..times {
            write(&line)?;
        }
        let time = clock.stop();
        let (length, wanted) = (fs::metadata(&self.path)?.len(), times * ENTRY as u64);
        if length != wanted {
            return Err(format!("wrote {length} bytes instead of {wanted}").into());
        }
        Ok(Outcome::new(time, times))
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // What stays behind is in the folder of corpora and harms nobody.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of its own for a test.
    fn folder(name: &str) -> PathBuf {
        let name = format!("logwood-bench-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(folder.join("a")).unwrap();
        folder
    }

    #[test]
    fn newlines_of_every_session_file_are_counted_once() {
        let folder = folder("newlines");
        let long = "y".repeat(BLOCK) + "\n\n";
        fs::write(folder.join("a/one.jsonl"), "1\n2\n3").unwrap();
        fs::write(folder.join("two.jsonl"), long).unwrap();
        fs::write(folder.join("other.txt"), "\n\n\n\n").unwrap();
        for threads in [1, 2, 5] {
            assert_eq!(newlines(&folder, threads).unwrap().count, 4);
        }
        assert_eq!(newlines(&folder.join("a/one.jsonl"), 1).unwrap().count, 2);
        assert_eq!(walk_stat(&folder).unwrap().count, 2);
        assert_eq!(longest_line(&folder).unwrap(), BLOCK as u64);
        assert_eq!(longest_line(&folder.join("a")).unwrap(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn writes_are_counted_and_their_file_is_removed() {
        let folder = folder("writes");
        let target = Target::new(&folder).unwrap();
        let mut file = target.open().unwrap();
        assert_eq!(target.repeat(3, |line| file.write_all(line)).unwrap().count, 3);
        assert!(
            target.repeat(1, |_| Ok(())).unwrap_err().to_string().contains("2100 bytes instead")
        );
        drop(target);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }
}
