//! One append to a file that is not read: only its header and its last line are looked at.

use std::path::Path;

use crate::entry::{EntryDraft, HeaderSearch, HeaderStep, RecordKind, SessionHeader, parse_line};
use crate::error::{Error, Result};
use crate::json::{Raw, iso_from_ms};
use crate::line::{BLOCK, LineRef, Lines};
use crate::problem::{Problem, ProblemKind};
use crate::storage::{Create, Exclusive};

use super::disk::{Found, WHAT, lock, look, read_full, write_once};
use super::options::SessionOptions;
use super::write::require_sound;

/// Up to this length, in bytes, a file is simply opened: reading it is no more work, and its entry gets a short id.
const SMALL: u64 = BLOCK as u64;
/// How much is read of either end at first; the last line may be longer.
const END: usize = 64 * 1024;
/// The longest last line that is looked for.
const LONGEST: usize = 16 * 1024 * 1024;

/// An entry that was appended by [`SessionOptions::append_to`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Appended {
    /// Its id.
    pub id: String,
    /// What concerns the file as a whole, such as `no_lock`; what is wrong with its lines is for a look at them.
    pub problems: Vec<Problem>,
}

impl SessionOptions {
    /// Appends one entry below the last entry of a file, without reading the file, so that it takes the same time whatever its
    /// length; returns the entry's id, and what there is to say about the file beside it.
    ///
    /// Of a file over 256 KiB only both ends are read, and the id is a whole UUID, since the ids in the file are not known (design
    /// section 2, "Ids"). What cannot be done so is done by opening the session: a small file, one of an older version, one that ends
    /// in anything but a whole entry, and a label, whose target must be there.
    ///
    /// # Errors
    /// As [`open`](Self::open) and [`SessionManager::append`](super::SessionManager::append).
    ///
    /// ```
    /// use logwood::entry::EntryDraft;
    /// use logwood::session::SessionOptions;
    /// use logwood::storage::MemoryStorage;
    ///
    /// let storage = MemoryStorage::new();
    /// storage.put("/s.jsonl", "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n")?;
    /// let options = SessionOptions::new().storage(std::sync::Arc::new(storage));
    /// let name = EntryDraft::SessionInfo { name: "Shop".into() };
    /// let appended = options.append_to("/s.jsonl", name)?;
    /// assert_eq!(options.open("/s.jsonl")?.leaf_id(), Some(&*appended.id));
    /// assert!(appended.problems.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn append_to(&self, path: impl AsRef<Path>, draft: EntryDraft) -> Result<Appended> {
        let path = path.as_ref();
        require_sound(&draft)?;
        let needs_all = matches!(&draft, EntryDraft::Label { .. }) || self.is_read_only();
        match if needs_all { None } else { self.append_unread(path, &draft)? } {
            Some(appended) => Ok(appended),
            None => {
                let mut session = self.open(path)?;
                let id = session.append(draft)?;
                let of_file = |problem: &&Problem| problem.position.is_none();
                let problems = session.problems().iter().filter(of_file).cloned().collect();
                Ok(Appended { id, problems })
            }
        }
    }

    /// None where the file has to be opened.
    fn append_unread(&self, path: &Path, draft: &EntryDraft) -> Result<Option<Appended>> {
        let storage = &*self.world.storage;
        // What is wrong with the file is told by opening it.
        let Ok(mut writer) = storage.open_append(path, Create::Never) else { return Ok(None) };
        let mut locked = lock(&mut *writer, path)?;
        let io = |error| Error::io(WHAT, path, error);
        let held = locked.metadata().map_err(io)?;
        let found = look(&locked, held.identity, storage, path, (held.identity, held.len))?;
        if held.len <= SMALL || found != Found::Same || is_header(draft) {
            return Ok(None);
        }
        if !starts_as_session(&mut locked).map_err(io)? {
            return Ok(None);
        }
        let Some(leaf) = last_entry(&mut locked, held.len).map_err(io)? else { return Ok(None) };
        let id = self.world.ids.new_uuid();
        let timestamp = iso_from_ms(self.world.clock.now_ms()).unwrap_or_default();
        let mut line = draft.line(&id, Some(&leaf), &timestamp);
        line.push(b'\n');
        write_once(&mut locked, path, held.len, &line, self.world.durability)?;
        let is_there = stands_alone(&mut locked, held.len, &line).map_err(io)?;
        let no_lock = (!locked.is_guarded()).then(|| Problem::of_file(ProblemKind::NoLock));
        Ok(is_there.then(|| Appended { id, problems: no_lock.into_iter().collect() }))
    }
}

fn is_header(draft: &EntryDraft) -> bool {
    matches!(draft, EntryDraft::Raw(raw) if raw.type_word().as_deref() == Some("session"))
}

/// Whether the first line is a header of version 3 or later.
fn starts_as_session(file: &mut Exclusive<'_>) -> std::io::Result<bool> {
    let mut start = vec![0; END];
    let count = read_full(&mut **file, 0, &mut start)?;
    let lines = Lines::of(start.get(..count).unwrap_or_default());
    let first = lines.filter(|line| line.complete).find_map(|line| first_header(line));
    Ok(first.flatten().is_some_and(|header| header.has_version() && header.version() >= 3))
}

/// None for a blank line.
fn first_header(line: LineRef<'_>) -> Option<Option<SessionHeader>> {
    let parsed = parse_line(line.bytes)?;
    Some(parsed.ok().and_then(|parsed| match HeaderSearch::default().line(line, &parsed) {
        HeaderStep::Found { header, .. } => Some(header),
        _ => None,
    }))
}

/// The id of the entry on the last line; none when that is no whole line with an entry.
fn last_entry(file: &mut Exclusive<'_>, len: u64) -> std::io::Result<Option<String>> {
    let mut size = END;
    loop {
        let from = len.saturating_sub(size as u64);
        let mut end = vec![0; usize::try_from(len - from).unwrap_or(0)];
        let count = read_full(&mut **file, from, &mut end)?;
        let Some(lines) = end.get(..count).and_then(|end| end.strip_suffix(b"\n")) else {
            return Ok(None);
        };
        if let Some(at) = memchr::memrchr(b'\n', lines) {
            return Ok(entry_id(lines.get(at + 1..).unwrap_or_default()));
        }
        if from == 0 || size >= LONGEST {
            return Ok(None);
        }
        size *= 4;
    }
}

fn entry_id(line: &[u8]) -> Option<String> {
    let parsed = parse_line(line)?.ok()?;
    let envelope = parsed.envelope;
    let is_entry = envelope.record_kind() == RecordKind::Entry;
    let id = envelope.usable_id().filter(|_| is_entry).and_then(Raw::as_str)?;
    Some(id.into_owned())
}

/// Whether our line stands on a line of its own: a program that takes no lock may have appended in the same moment.
fn stands_alone(file: &mut Exclusive<'_>, old_len: u64, line: &[u8]) -> std::io::Result<bool> {
    // Without an answer we count as alone, as every append does.
    let end = old_len + line.len() as u64;
    if file.end_of_append().map_or(true, |there| there == end) {
        return Ok(true);
    }
    let len = file.metadata()?.len;
    let mut added = vec![0; usize::try_from(len.saturating_sub(old_len)).unwrap_or(0)];
    let count = read_full(&mut **file, old_len, &mut added)?;
    let mut added = Lines::of(added.get(..count).unwrap_or_default());
    Ok(added.any(|other| other.complete && line.strip_suffix(b"\n") == Some(other.bytes)))
}
