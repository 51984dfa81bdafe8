//! The `trash` program: the only place of the library that starts a process.

use std::ffi::OsStr;
use std::io::{self, PipeReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::storage::{FileKind, Storage};

/// How long the program may take (spec 6.12).
const LIMIT: Duration = Duration::from_secs(10);
const SHORTEST_SLEEP: Duration = Duration::from_millis(1);
const LONGEST_SLEEP: Duration = Duration::from_millis(50);
/// How much of what it says is looked at, in bytes.
const SAID: usize = 4096;

/// A program that is called `trash`, takes a path as its only argument and puts the file into some trash.
#[derive(Debug, Clone)]
pub struct TrashProgram {
    path: PathBuf,
    limit: Duration,
}

impl TrashProgram {
    /// Looks for it once, in the folders of a `PATH`; relative ones are passed over.
    pub fn find(storage: &dyn Storage, path_variable: &OsStr) -> Option<Self> {
        let mut places = std::env::split_paths(path_variable)
            .filter(|dir| dir.is_absolute())
            .map(|dir| dir.join("trash"));
        let path = places.find(|path| is_program(storage, path))?;
        Some(Self { path, limit: LIMIT })
    }

    /// Gives it less or more time than 10 seconds.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Puts a file, given by its absolute path, into the trash.
    ///
    /// # Errors
    /// Why it did not: the file is then still there.
    pub(super) fn run(&self, storage: &dyn Storage, file: &Path) -> Result<(), String> {
        let outcome = self.start_and_wait(file);
        // Whatever it says: gone is gone, and there is still there.
        let is_gone =
            storage.link_metadata(file).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        match outcome {
            _ if is_gone => Ok(()),
            Ok(()) => Err("it reported success, but the file is still there".to_owned()),
            Err(why) => Err(why),
        }
    }

    fn start_and_wait(&self, file: &Path) -> Result<(), String> {
        let (reader, writer) = io::pipe().map_err(|error| error.to_string())?;
        let told = writer.try_clone().map_err(|error| error.to_string())?;
        let mut child = start(&self.path, file, told).map_err(|error| error.to_string())?;
        match wait(&mut child, self.limit) {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(status)) => Err(reason(status, reader, writer)),
            Ok(None) => {
                stop(&mut child);
                Err(format!("it was not done after {} seconds", self.limit.as_secs_f32()))
            }
            Err(error) => {
                stop(&mut child);
                Err(error.to_string())
            }
        }
    }
}

fn is_program(storage: &dyn Storage, path: &Path) -> bool {
    let is_one = |mode: u32| mode & 0o111 != 0;
    storage.metadata(path).is_ok_and(|file| file.kind == FileKind::File && is_one(file.access.mode))
}

#[expect(clippy::disallowed_methods, reason = "this is the door to other programs")]
fn start(program: &Path, file: &Path, stderr: impl Into<Stdio>) -> io::Result<Child> {
    Command::new(program)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(stderr)
        .spawn()
}

/// Its status, or none when it is not done in time.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut sleep = SHORTEST_SLEEP;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let left = limit.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Ok(None);
        }
        thread::sleep(sleep.min(left));
        sleep = (sleep * 2).min(LONGEST_SLEEP);
    }
}

fn stop(child: &mut Child) {
    // One that cannot be killed has ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

/// The first line that it wrote to its standard error, else its status.
fn reason(status: ExitStatus, mut reader: PipeReader, mut writer: io::PipeWriter) -> String {
    // A mark of our own in the pipe: so the read below never waits, even if a child of the program keeps the other end open.
    let marked = writer.write_all(b"\n").is_ok();
    let mut said = vec![0; SAID];
    let count = if marked { reader.read(&mut said).unwrap_or(0) } else { 0 };
    let said = String::from_utf8_lossy(said.get(..count).unwrap_or_default()).into_owned();
    match said.trim().lines().next() {
        Some(line) => line.to_owned(),
        None => status.to_string(),
    }
}
