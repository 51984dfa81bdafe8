//! What logwood does to files, through its public interface; every file is removed at the end.

use std::fs;
use std::path::{Path, PathBuf};

use logwood::deletion::{Deletion, Removal, Trash, TrashProgram};
use logwood::entry::JsonText;
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::LocalStorage;

use crate::clock::Clock;
use crate::limits::{SYNCED_WRITES, WRITES, newlines};
use crate::op::Outcome;
use crate::{Fault, op::Part};

/// How many entries a session has at the end of the growth measurement, and a tenth of them.
const MANY: u64 = 1_000_000;
const TENTH: u64 = MANY / 10;

/// Appends messages to a session that is held open and has its file.
pub(crate) fn append(folder: &Path, durability: Durability) -> Result<Outcome, Fault> {
    let times = if durability == Durability::Synced { SYNCED_WRITES } else { WRITES };
    let place = Place::new(folder)?;
    let options = SessionOptions::new().durability(durability);
    let mut session = options.create(&place.folder, NewSession::default())?;
    session.append_message(message("assistant", 10)?)?;
    let entry = message("user", 560)?;
    let clock = Clock::start();
    for _ in 0..times {
        session.append_message(entry.clone())?;
    }
    let time = clock.stop();
    // The header and the answer are lines too.
    place.check(&session, times + 2)?;
    Ok(Outcome::new(time, times))
}

/// Appends a million short messages of one role and times the first or the last tenth.
pub(crate) fn growth(folder: &Path, role: &str, part: Part) -> Result<Outcome, Fault> {
    let place = Place::new(folder)?;
    let mut session = SessionOptions::new().create(&place.folder, NewSession::default())?;
    let entry = message(role, 40)?;
    let mut many = |times: u64| -> Result<(), Fault> {
        for _ in 0..times {
            session.append_message(entry.clone())?;
        }
        Ok(())
    };
    if part == Part::Last {
        many(MANY - TENTH)?;
    }
    let clock = Clock::start();
    many(TENTH)?;
    let time = clock.stop();
    let entries = session.tree().len() as u64;
    let wanted = if part == Part::Last { MANY } else { TENTH };
    if entries != wanted {
        return Err(format!("{entries} entries instead of {wanted}").into());
    }
    if role == "assistant" {
        place.check(&session, wanted + 1)?;
    }
    Ok(Outcome::new(time, TENTH))
}

/// Makes the path to the leaf of an open session a session of its own; counts the entries of the new file.
pub(crate) fn branch(path: &Path, folder: &Path) -> Result<Outcome, Fault> {
    let place = Place::new(folder)?;
    let mut session =
        SessionOptions::new().background_writes(true).session_dir(&place.folder).open(path)?;
    let leaf = session.leaf_id().ok_or("no leaf")?.to_owned();
    let clock = Clock::start();
    session.create_branched_session(&leaf, None)?;
    let time = clock.stop_threads(2);
    place.entries(&session).map(|entries| Outcome::new(time, entries))
}

/// Copies a session into another project; counts the entries of the new file.
pub(crate) fn fork(path: &Path, folder: &Path) -> Result<Outcome, Fault> {
    let place = Place::new(folder)?;
    let clock = Clock::start();
    let session = SessionOptions::new().background_writes(true).fork_from(
        path,
        "/home/dev/elsewhere",
        &place.folder,
    )?;
    let time = clock.stop_threads(2);
    place.entries(&session).map(|entries| Outcome::new(time, entries))
}

/// How many sessions are deleted.
const DOOMED: usize = 1000;

/// Unlinks as many files as [`delete`] deletes, by their paths.
pub(crate) fn unlink(folder: &Path) -> Result<Outcome, Fault> {
    let place = Place::new(folder)?;
    let files = place.sessions()?;
    let clock = Clock::start();
    for file in &files {
        fs::remove_file(file)?;
    }
    let time = clock.stop();
    place.require_empty()?;
    Ok(Outcome::new(time, files.len() as u64))
}

/// Deletes sessions as the protocol and the command do where there is no `trash` program: it is looked for, and not found, once.
pub(crate) fn delete(folder: &Path) -> Result<Outcome, Fault> {
    let place = Place::new(folder)?;
    let files = place.sessions()?;
    // Where programs could be; none of the folders has one.
    let path = std::env::join_paths([&place.folder, &place.folder.join("bin")])?;
    let clock = Clock::start();
    let trash = Trash::none().program(TrashProgram::find(&LocalStorage, &path));
    let deletion = Deletion::new();
    let plans = deletion.plan_all(&files)?;
    let report = deletion.apply_all(&plans, &trash, Removal::TrashOrUnlink);
    let time = clock.stop();
    if let Some(failed) = report.failed.first() {
        return Err(failed.error.to_string().into());
    }
    place.require_empty()?;
    Ok(Outcome::new(time, report.removed.len() as u64))
}

/// A message of one role with `length` bytes of text.
fn message(role: &str, length: usize) -> Result<JsonText, Fault> {
    let text = "word ".repeat(length / 5);
    let message = format!(
        r#"{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}],"timestamp":1760000000000}}"#
    );
    Ok(JsonText::parse(message.as_bytes())?)
}

/// A folder for new sessions, removed at the end.
struct Place {
    folder: PathBuf,
}

impl Place {
    fn new(parent: &Path) -> Result<Self, Fault> {
        let folder = parent.join(format!("sessions-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// Makes small sessions, of one message each.
    fn sessions(&self) -> Result<Vec<PathBuf>, Fault> {
        let line = message("user", 560)?;
        let text = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"/p\"}}\n\
            {{\"type\":\"message\",\"id\":\"a1b2c3d4\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"message\":{}}}\n",
            line.as_str()
        );
        let name = |number| self.folder.join(format!("2025-01-01T00-00-00-000Z_{number:04}.jsonl"));
        let files: Vec<PathBuf> = (0..DOOMED).map(name).collect();
        files.iter().try_for_each(|file| fs::write(file, &text))?;
        Ok(files)
    }

    fn require_empty(&self) -> Result<(), Fault> {
        let left = fs::read_dir(&self.folder)?.count();
        if left == 0 { Ok(()) } else { Err(format!("{left} files are still there").into()) }
    }

    /// The entries that arrived in the session's new file: its lines without the header.
    fn entries(&self, session: &SessionManager) -> Result<u64, Fault> {
        let file = session.session_file().ok_or("the session has no file")?;
        if !file.starts_with(&self.folder) {
            return Err(format!("{} is not where it was asked for", file.display()).into());
        }
        Ok(newlines(file, 1)?.count.saturating_sub(1))
    }

    fn check(&self, session: &SessionManager, lines: u64) -> Result<(), Fault> {
        let found = self.entries(session)? + 1;
        if found == lines {
            Ok(())
        } else {
            Err(format!("{found} lines instead of {lines}").into())
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // What stays behind is in the folder of corpora and harms nobody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
