//! Who has a session open for writing (design section 2, "Presence").
//!
//! A holder keeps a small file in a runtime directory, never beside the session, and keeps that file locked. The lock goes with the
//! process, so a killed holder counts as gone and its file is swept by whoever looks next; a process id alone would not tell, since
//! ids are given again.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::entry::JsonText;
use crate::env::{Clock, IdSource, RandomIds};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{Raw, iso_from_ms};
use crate::problem::{Problem, ProblemKind};
use crate::storage::{AppendFile, Create, LockOutcome, Storage, read_whole};

use super::manager::SessionManager;
use super::options::SessionOptions;
use super::world::World;

const ENDING: &str = ".holder.json";
const KEY_BYTES: usize = 8;
/// How often a holder announces itself anew because another took its file for a dead one's before it was locked.
const TRIES: u32 = 8;

/// How sessions announce that they are open.
#[derive(Debug, Clone)]
pub(super) struct Announcing {
    pub(super) dir: PathBuf,
    pub(super) program: String,
}

/// A process that has a session open for writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The session's file, without links.
    pub session: PathBuf,
    /// The id of the process; 0 where it did not say so yet.
    pub pid: u32,
    /// Which program it is.
    pub program: String,
    /// Since when it has it open, as ISO text.
    pub since: String,
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (process {}), since {}", self.program, self.pid, self.since)
    }
}

/// The sessions that are open for writing, as their holders announced in `dir`; what dead holders left there is removed.
///
/// A directory that is not there holds none.
///
/// # Errors
/// `permission`, `not_a_file`, `io` when the directory cannot be read.
pub fn live_sessions(storage: &dyn Storage, dir: impl AsRef<Path>) -> Result<Vec<Holder>> {
    let dir = dir.as_ref();
    let entries = match storage.list(dir) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => {
            entries.map_err(|error| Error::io("cannot look for open sessions in", dir, error))?
        }
    };
    let names = entries.iter().filter_map(|entry| entry.name.to_str());
    let names = names.filter(|name| name.ends_with(ENDING));
    Ok(names.filter_map(|name| holder_at(storage, &dir.join(name))).collect())
}

/// The announcement of one open session; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Presence {
    storage: std::sync::Arc<dyn Storage>,
    path: PathBuf,
    /// Locked as long as it is open.
    _file: Box<dyn AppendFile>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        // What cannot be removed is no longer locked in a moment, and swept by the next who looks.
        let _ = self.storage.remove_file(&self.path);
    }
}

impl SessionManager {
    /// Announces that this session is open, in place of the one before, and notes who else has it open.
    ///
    /// # Errors
    /// `locked` for an exclusive session that another process holds, naming it; for one that cannot be announced, what the system says.
    pub(super) fn announce(&mut self) -> Result<()> {
        self.presence = None;
        let (Some(announcing), Some(file)) = (self.world.presence.clone(), self.session_file())
        else {
            return Ok(());
        };
        if self.is_read_only() {
            return Ok(());
        }
        let session = without_links(&*self.world.storage, file);
        let Elsewhere { holders, presence } = announce(&self.world, &announcing, &session)?;
        self.presence = presence;
        self.loaded.problems.extend(holders.iter().map(Holder::problem));
        Ok(())
    }
}

/// Who else has a session open for writing, as one was told who is about to change it.
#[derive(Debug, Default)]
pub struct Elsewhere {
    /// The holders; none where there are none, or where nobody said where they announce themselves.
    pub holders: Vec<Holder>,
    /// Our own announcement, which ends when this is dropped.
    presence: Option<Presence>,
}

impl SessionOptions {
    /// Asks who has a session open, before it is changed without being opened: by a repair, or an entry that is appended to a file that
    /// is not read. With [`exclusive`](Self::exclusive) it is announced as open here, too, as long as the answer lives.
    ///
    /// # Errors
    /// `locked` where it should be exclusive and another process holds it, naming that one, or where it cannot be announced.
    ///
    /// ```
    /// use logwood::session::SessionOptions;
    /// use logwood::storage::MemoryStorage;
    ///
    /// let storage = std::sync::Arc::new(MemoryStorage::new());
    /// storage.put("/s.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n")?;
    /// let options = SessionOptions::new().storage(storage).presence("/run/logwood", "example");
    /// let open = options.open("/s.jsonl")?;
    /// assert_eq!(options.elsewhere("/s.jsonl")?.holders.len(), 1);
    /// drop(open);
    /// assert!(options.elsewhere("/s.jsonl")?.holders.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn elsewhere(&self, path: impl AsRef<Path>) -> Result<Elsewhere> {
        let Some(how) = &self.world.presence else { return Ok(Elsewhere::default()) };
        let storage = &*self.world.storage;
        let session = without_links(storage, path.as_ref());
        if self.world.exclusive {
            return announce(&self.world, how, &session);
        }
        // Presence is a courtesy: where nobody can tell, nobody is there.
        let holders = holders_in(storage, &how.dir, &key_of(&session), None).unwrap_or_default();
        Ok(Elsewhere { holders, presence: None })
    }

    /// The sessions that are open for writing, as [`live_sessions`] finds them where these options announce; none where they do not.
    ///
    /// # Errors
    /// As [`live_sessions`].
    pub fn live_sessions(&self) -> Result<Vec<Holder>> {
        match &self.world.presence {
            Some(how) => live_sessions(&*self.world.storage, &how.dir),
            None => Ok(Vec::new()),
        }
    }
}

impl Holder {
    /// The problem `open_elsewhere` that names it.
    pub fn problem(&self) -> Problem {
        Problem::of_file(ProblemKind::OpenElsewhere).with_detail(self.to_string())
    }
}

/// Announces a session and says who else holds it; refused where it should be exclusive and is not.
fn announce(world: &World, how: &Announcing, session: &Path) -> Result<Elsewhere> {
    match announce_in(world, how, session) {
        Ok(Elsewhere { holders, .. }) if world.exclusive && !holders.is_empty() => holders
            .first()
            .map_or_else(|| Ok(Elsewhere::default()), |other| Err(held(session, other))),
        Err(error) if world.exclusive => {
            Err(Error::io("cannot announce an exclusive session in", &how.dir, error))
        }
        // Presence is a courtesy: a session opens without it.
        found => Ok(found.unwrap_or_default()),
    }
}

fn announce_in(world: &World, how: &Announcing, session: &Path) -> std::io::Result<Elsewhere> {
    let storage = &world.storage;
    storage.create_dir_all(&how.dir)?;
    let key = key_of(session);
    let text = announcement(how, session, &*world.clock);
    let (path, file) = hold_place(&**storage, &how.dir, &key, text.as_bytes())?;
    let presence = Presence { storage: storage.clone(), path: path.clone(), _file: file };
    let holders = holders_in(&**storage, &how.dir, &key, Some(&path))?;
    Ok(Elsewhere { holders, presence: Some(presence) })
}

/// The holders of one session, without our own.
fn holders_in(
    storage: &dyn Storage,
    dir: &Path,
    key: &str,
    own: Option<&Path>,
) -> std::io::Result<Vec<Holder>> {
    let mut holders = Vec::new();
    for entry in storage.list(dir)? {
        let name = entry.name.to_str().unwrap_or_default();
        let other = dir.join(name);
        if name.starts_with(key) && name.ends_with(ENDING) && own != Some(&other) {
            holders.extend(holder_at(storage, &other));
        }
    }
    Ok(holders)
}

/// Makes, locks and fills the file of a holder.
fn hold_place(
    storage: &dyn Storage,
    dir: &Path,
    key: &str,
    text: &[u8],
) -> std::io::Result<(PathBuf, Box<dyn AppendFile>)> {
    for _ in 0..TRIES {
        let tag = RandomIds.new_uuid();
        let path = dir.join(format!("{key}.{}{ENDING}", tag.get(..8).unwrap_or(&tag)));
        let mut file = storage.open_append(&path, Create::Exclusive)?;
        let _ = file.try_lock()?;
        file.append(text)?;
        let named = storage.link_metadata(&path).map(|named| named.identity);
        if named.is_ok_and(|named| file.metadata().is_ok_and(|held| held.identity == named)) {
            return Ok((path, file));
        }
    }
    Err(std::io::Error::other("another process takes away what is announced"))
}

/// The holder behind a file; none, and no file any more, when it is dead.
fn holder_at(storage: &dyn Storage, path: &Path) -> Option<Holder> {
    let mut file = storage.open_append(path, Create::Never).ok()?;
    match file.try_lock() {
        Ok(LockOutcome::Acquired) => {
            let _ = storage.remove_file(path);
            None
        }
        // Without locks nobody knows: whoever announced itself counts.
        Ok(LockOutcome::Busy | LockOutcome::Unsupported) | Err(_) => {
            let text = read_whole(&mut *file).unwrap_or_default();
            Some(read_announcement(&text))
        }
    }
}

fn announcement(how: &Announcing, session: &Path, clock: &dyn Clock) -> String {
    let since = iso_from_ms(clock.now_ms()).unwrap_or_default();
    let text = JsonText::object(&[
        ("pid", Some(JsonText::number(f64::from(std::process::id())))),
        ("program", Some(JsonText::string(&how.program))),
        ("since", Some(JsonText::string(&since))),
        ("session", Some(JsonText::string(&session.to_string_lossy()))),
    ]);
    format!("{}\n", text.as_str())
}

fn read_announcement(text: &[u8]) -> Holder {
    let raw = Raw::parse(text.trim_ascii()).ok();
    let word = |key| raw.and_then(|raw| raw.get_str(key)).unwrap_or_default().into_owned();
    let pid = raw.and_then(|raw| raw.get("pid")).and_then(Raw::as_f64).unwrap_or_default();
    let program = Some(word("program")).filter(|program| !program.is_empty());
    Holder {
        session: word("session").into(),
        pid: pid as u32,
        program: program.unwrap_or_else(|| "another program".to_owned()),
        since: word("since"),
    }
}

/// The same for every spelling of a path, also while there is no file yet.
fn without_links(storage: &dyn Storage, file: &Path) -> PathBuf {
    if let Ok(path) = storage.canonicalize(file) {
        return path;
    }
    let parent = file.parent().and_then(|parent| storage.canonicalize(parent).ok());
    match (parent, file.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => file.to_path_buf(),
    }
}

fn key_of(session: &Path) -> String {
    let hash = Sha256::digest(session.as_os_str().as_encoded_bytes());
    hash.iter().take(KEY_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

fn held(session: &Path, by: &Holder) -> Error {
    Error::new(ErrorKind::Locked, "cannot open session for yourself alone")
        .with_path(session)
        .with_why(format!("it is open in {by}"))
        .with_hint("end that process, or open the session without asking for it alone")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::*;
    use super::*;
    use crate::storage::MemoryStorage;

    const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n";

    fn storage() -> Arc<MemoryStorage> {
        let storage = Arc::new(MemoryStorage::new());
        storage.put("/d/s.jsonl", HEADER).unwrap();
        storage.put_link("/d/link.jsonl", "/d/s.jsonl").unwrap();
        storage
    }

    fn options(storage: &Arc<MemoryStorage>) -> SessionOptions {
        SessionOptions::new().storage(storage.clone()).presence("/run/logwood", "test")
    }

    fn live(storage: &Arc<MemoryStorage>) -> Vec<Holder> {
        live_sessions(&**storage, "/run/logwood").unwrap()
    }

    fn elsewhere(session: &SessionManager) -> Vec<String> {
        let problems = session.problems().iter();
        let problems = problems.filter(|problem| problem.kind == ProblemKind::OpenElsewhere);
        problems.map(|problem| problem.detail.clone().unwrap()).collect()
    }

    #[test]
    fn the_second_knows_of_the_first_under_every_name() {
        let storage = storage();
        assert_eq!(live(&storage), []);
        let first = options(&storage).open("/d/s.jsonl").unwrap();
        assert_eq!(elsewhere(&first), [""; 0]);
        let holders = live(&storage);
        assert_eq!(holders.len(), 1);
        assert_eq!((holders[0].pid, &*holders[0].program), (std::process::id(), "test"));
        assert_eq!(holders[0].session, Path::new("/d/s.jsonl"));
        let mut second = options(&storage).open("/d/link.jsonl").unwrap();
        assert_eq!(elsewhere(&second), [holders[0].to_string()]);
        second.append_session_info("goes on safely").unwrap();
        second.set_agent_type("x").unwrap();
        assert_eq!(elsewhere(&second).len(), 1, "also after the file was read again");
        assert_eq!(
            elsewhere(&options(&storage).read_only(true).open("/d/s.jsonl").unwrap()),
            [""; 0]
        );
        drop((first, second));
        assert_eq!(
            (live(&storage), storage.list(Path::new("/run/logwood")).unwrap().len()),
            (vec![], 0)
        );
        assert_eq!(storage.list(Path::new("/d")).unwrap().len(), 2, "never beside the session");
    }

    #[test]
    fn exclusive_is_refused_and_names_the_holder() {
        let storage = storage();
        let first = options(&storage).open("/d/s.jsonl").unwrap();
        let exclusive = options(&storage).exclusive(true);
        let error = exclusive.open("/d/s.jsonl").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Locked);
        assert!(error.to_string().contains(&format!("test (process {})", std::process::id())));
        assert_eq!(live(&storage).len(), 1, "the refused one is no holder");
        drop(first);
        exclusive.open("/d/s.jsonl").unwrap();
    }

    #[test]
    fn who_changes_a_file_without_opening_it_can_ask() {
        let storage = storage();
        let asking = options(&storage);
        let count =
            |options: &SessionOptions| options.elsewhere("/d/link.jsonl").unwrap().holders.len();
        assert_eq!(count(&asking), 0);
        let first = asking.open("/d/s.jsonl").unwrap();
        assert_eq!((count(&asking), live(&storage).len()), (1, 1), "who asks is no holder");
        assert_eq!(count(&SessionOptions::new().storage(storage.clone())), 0);
        let alone = options(&storage).exclusive(true);
        assert_eq!(alone.elsewhere("/d/s.jsonl").unwrap_err().kind(), ErrorKind::Locked);
        assert_eq!(asking.live_sessions().unwrap(), live(&storage));
        drop(first);
        let held = alone.elsewhere("/d/s.jsonl").unwrap();
        assert_eq!(count(&asking), 1, "one that must be alone says that it is there");
        drop(held);
        assert_eq!((count(&asking), live(&storage)), (0, vec![]));
    }

    #[test]
    fn what_a_dead_holder_left_counts_for_nothing() {
        let storage = storage();
        let key = key_of(Path::new("/d/s.jsonl"));
        let left = format!("/run/logwood/{key}.0123abcd{ENDING}");
        storage.put(&left, "{\"pid\":1,\"program\":\"dead\"}\n").unwrap();
        let session = options(&storage).exclusive(true).open("/d/s.jsonl").unwrap();
        assert_eq!(elsewhere(&session), [""; 0]);
        assert!(storage.link_metadata(Path::new(&left)).is_err(), "swept");
    }

    #[test]
    fn the_announcement_follows_the_session() {
        let storage = storage();
        let mut session = options(&storage).create("/d", NewSession::default()).unwrap();
        let first = live(&storage)[0].session.clone();
        assert_eq!(Some(&*first), session.session_file());
        session.new_session(NewSession::default()).unwrap();
        let now: Vec<_> = live(&storage).into_iter().map(|holder| holder.session).collect();
        assert!(now[0] != first && now == [session.session_file().unwrap()]);
        let id = session.append_session_info("x").unwrap();
        session.create_branched_session(&id, None).unwrap();
        let now: Vec<_> = live(&storage).into_iter().map(|holder| holder.session).collect();
        assert_eq!(now, [session.session_file().unwrap()]);
    }
}
