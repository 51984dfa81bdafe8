//! Appending: every entry is one line, written once, and in memory only when it is in the file.

use std::io::{self, Write as _};
use std::path::Path;

use crate::entry::{EntryDraft, EntryKind, JsonText, Role};
use crate::error::{Error, ErrorKind, Result};
use crate::json::{iso_from_ms, trim_js};
use crate::line::{Lines, Position};
use crate::storage::{Exclusive, Replacement, Settled, Storage, create_dir_all_synced, read_whole};
use crate::tree::NodeId;

use super::bodies::Bodies;
use super::disk::{Disk, Found, Stored, WHAT, changed, gone, lock, look, read_full, write_once};
use super::manager::SessionManager;
use super::options::FirstWrite;

impl SessionManager {
    /// Appends an entry below the current position and moves there; returns its id.
    ///
    /// The line is written with one call under the file's lock. What others appended meanwhile is read in first: both sides live on as
    /// branches, and a problem `foreign_append` says so. When the write fails, the entry is neither in memory nor, if it can be taken
    /// back, in the file.
    ///
    /// # Errors
    /// `read_only`; `entry_not_found` for a label without its target; `invalid_argument` for raw text that is a header, and for a record of an
    /// arbitration that must not be written (see [`EntryDraft::arbitration_fault`]); `changed_on_disk` when the file was cut, removed or replaced by
    /// another session; `locked` after 5 seconds; `no_space`, `permission`, `io` as the system says.
    pub fn append(&mut self, draft: EntryDraft) -> Result<String> {
        self.require_writable()?;
        if matches!(&draft, EntryDraft::Raw(raw) if raw.type_word().as_deref() == Some("session")) {
            return Err(refused("a header is no entry"));
        }
        require_sound(&draft)?;
        self.require_target(&draft)?;
        self.migrate_before_write()?;
        match self.disk {
            Disk::None => self.append_in_memory(&draft),
            Disk::Deferred | Disk::Empty => self.append_deferred(&draft),
            Disk::Stored(_) => self.append_stored(&draft),
        }
    }

    /// Appends a message; any role but the summaries, which are made for a context and never stored.
    ///
    /// # Errors
    /// `invalid_argument` for a summary or what is no object, else as [`append`](Self::append).
    #[doc(alias = "appendMessage")]
    pub fn append_message(&mut self, message: JsonText) -> Result<String> {
        let role = message.raw().get_str("role").map(|word| Role::from_word(&word));
        if !message.raw().is_object() {
            return Err(refused("a message is a JSON object"));
        }
        if matches!(role, Some(Role::BranchSummary | Role::CompactionSummary)) {
            return Err(refused("a summary is an entry of its own, not a message"));
        }
        self.append(EntryDraft::Message(message))
    }

    /// Records that the thinking level changes.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendThinkingLevelChange")]
    pub fn append_thinking_level_change(&mut self, level: impl Into<String>) -> Result<String> {
        self.append(EntryDraft::ThinkingLevelChange { thinking_level: level.into() })
    }

    /// Records that the model changes.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendModelChange")]
    pub fn append_model_change(
        &mut self,
        provider: impl Into<String>,
        model_id: impl Into<String>,
    ) -> Result<String> {
        let (provider, model_id) = (provider.into(), model_id.into());
        self.append(EntryDraft::ModelChange { provider, model_id })
    }

    /// Records a compaction; see [`CompactionDraft`](crate::entry::CompactionDraft).
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendCompaction")]
    pub fn append_compaction(&mut self, draft: crate::entry::CompactionDraft) -> Result<String> {
        self.append(EntryDraft::Compaction(draft))
    }

    /// Stores state of an extension; never in the context.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendCustomEntry")]
    pub fn append_custom_entry(
        &mut self,
        custom_type: impl Into<String>,
        data: Option<JsonText>,
    ) -> Result<String> {
        self.append(EntryDraft::Custom { custom_type: custom_type.into(), data })
    }

    /// Appends a message of an extension, which the model gets.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendCustomMessageEntry")]
    pub fn append_custom_message_entry(
        &mut self,
        custom_type: impl Into<String>,
        content: JsonText,
        display: bool,
        details: Option<JsonText>,
    ) -> Result<String> {
        let custom_type = custom_type.into();
        self.append(EntryDraft::CustomMessage { custom_type, content, display, details })
    }

    /// Sets the display name, trimmed; an empty one clears it.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    #[doc(alias = "appendSessionInfo")]
    pub fn append_session_info(&mut self, name: &str) -> Result<String> {
        self.append(EntryDraft::SessionInfo { name: trim_js(name).to_owned() })
    }

    /// Labels an entry, or clears its label with none.
    ///
    /// # Errors
    /// `entry_not_found` when there is no such entry; nothing is written. Else as [`append`](Self::append).
    #[doc(alias = "appendLabelChange")]
    pub fn append_label_change(&mut self, target: &str, label: Option<&str>) -> Result<String> {
        let label = label.map(str::to_owned);
        self.append(EntryDraft::Label { target_id: target.to_owned(), label })
    }

    /// Writes a new session to its file now instead of with its first assistant message; returns the file, none for a session in memory.
    ///
    /// # Errors
    /// As [`append`](Self::append).
    pub fn flush(&mut self) -> Result<Option<&Path>> {
        self.require_writable()?;
        if matches!(self.disk, Disk::Deferred | Disk::Empty) {
            let _ = self.write_first(&[])?;
        }
        Ok(self.session_file())
    }

    /// Reads in what other programs appended since; returns how many entry lines came. The current position stays.
    ///
    /// # Errors
    /// `changed_on_disk` when the file was cut, removed or replaced by another session; what the system says.
    pub fn reload(&mut self) -> Result<usize> {
        if !matches!(self.disk, Disk::Stored(_)) {
            return Ok(0);
        }
        let before = self.entries().count();
        self.catch_up()?;
        Ok(self.entries().count().saturating_sub(before))
    }

    pub(super) fn require_writable(&self) -> Result<()> {
        if !self.place.read_only {
            return Ok(());
        }
        let error = Error::new(ErrorKind::ReadOnly, "cannot change session")
            .with_why("it was opened only to be read");
        Err(match self.session_file() {
            Some(file) => error.with_path(file),
            None => error,
        })
    }

    /// What a label names must be there; another process may have appended it since.
    fn require_target(&mut self, draft: &EntryDraft) -> Result<()> {
        let EntryDraft::Label { target_id, .. } = draft else { return Ok(()) };
        if self.tree().find(target_id).is_none() {
            self.catch_up()?;
        }
        self.require(target_id).map(drop)
    }

    fn append_in_memory(&mut self, draft: &EntryDraft) -> Result<String> {
        let (id, line) = self.render(draft);
        self.accept(&line);
        Ok(id)
    }

    /// An append to a session whose file is not written yet.
    fn append_deferred(&mut self, draft: &EntryDraft) -> Result<String> {
        let (id, line) = self.render(draft);
        let due = self.loaded.has_assistant
            || is_due(draft, self.world.first_write)
            || matches!(self.disk, Disk::Empty);
        if !due {
            self.accept(&line);
        } else if !self.write_first(&line)? {
            return self.append_stored(draft);
        }
        Ok(id)
    }

    /// Writes everything so far and `line` in one call; only then is the line in memory. False when everything so far stands in the
    /// file already, from a try that could not be taken back.
    fn write_first(&mut self, line: &[u8]) -> Result<bool> {
        let path = self.place.file.clone().unwrap_or_default();
        let Bodies::Kept(image) = &self.bodies else { return Err(gone(&path)) };
        let bytes = [image.as_slice(), line].concat();
        let mut is_guarded = true;
        let (stored, is_new) = match self.disk {
            Disk::Empty => self.fill_empty(&path, image, &bytes, &mut is_guarded)?,
            _ => match self.create_file(&path, &bytes) {
                Err(error) if error.kind() == ErrorKind::ChangedOnDisk => {
                    let ours = what_starts_with(image, &path, &*self.world.storage);
                    (ours.ok_or(error)?, false)
                }
                made => (made?, true),
            },
        };
        self.disk = Disk::Stored(stored);
        if is_new {
            self.accept(line);
        }
        self.note_lock(is_guarded);
        Ok(is_new)
    }

    /// A new file gets its name when everything is in it: a killed process leaves all or nothing.
    fn create_file(&self, path: &Path, bytes: &[u8]) -> Result<Stored> {
        let storage = &*self.world.storage;
        let io = |error: io::Error| match error.kind() {
            io::ErrorKind::AlreadyExists => {
                changed(path, "a file of this name appeared since the session was made")
            }
            _ => Error::io("cannot create session", path, error),
        };
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            let made = match self.world.is_synced() {
                true => create_dir_all_synced(storage, parent),
                false => storage.create_dir_all(parent),
            };
            made.map_err(io)?;
        }
        let new = Replacement::of_nothing(path, storage).map_err(io)?;
        let mut new = new.durability(self.world.durability);
        new.write_all(bytes).map_err(io)?;
        let identity = new.identity().map_err(io)?;
        match new.commit().map_err(io)? {
            Settled::Unconfirmed(error) if self.world.is_synced() => {
                // A name that may be gone after a power cut must not count; nobody has seen the file yet.
                let _ = storage.remove_file(path);
                Err(io(error))
            }
            _ => Ok(Stored::of(identity)),
        }
    }

    /// Writes a new session into a file of size 0 that was there. False when `image`, the beginning of `bytes`, is in it already.
    fn fill_empty(
        &self,
        path: &Path,
        image: &[u8],
        bytes: &[u8],
        is_guarded: &mut bool,
    ) -> Result<(Stored, bool)> {
        let storage = &*self.world.storage;
        let io = |error| Error::io(WHAT, path, error);
        let mut stored = Stored::default();
        let writer = stored.writer(storage, path)?;
        let identity = writer.identity;
        let mut locked = lock(&mut *writer.file, path)?;
        *is_guarded = locked.is_guarded();
        match look(&locked, identity, storage, path, (identity, 0))? {
            Found::Same => {}
            Found::Grown(_) => {
                let there = read_whole(&mut *locked).map_err(io)?;
                if there.starts_with(image) {
                    drop(locked);
                    stored.identity = identity;
                    return Ok((stored, false));
                }
                if !image.starts_with(&there) {
                    return Err(changed(path, "the file was empty and is not any more"));
                }
                // A piece of our own header, from a try that failed.
                locked.truncate(0).map_err(io)?;
            }
            Found::Gone => return Err(gone(path)),
            Found::Other | Found::Stale | Found::Shrunk => {
                return Err(changed(path, "another file has its name"));
            }
        }
        write_once(&mut locked, path, 0, bytes, self.world.durability)?;
        drop(locked);
        stored.identity = identity;
        Ok((stored, true))
    }

    fn append_stored(&mut self, draft: &EntryDraft) -> Result<String> {
        let path = self.file();
        let id = self.hold(|session, locked| session.append_locked(locked, &path, draft))?;
        self.let_go_of_a_large_image();
        Ok(id)
    }

    /// Writes one line behind what was read; none when it has to be written again.
    fn append_locked(
        &mut self,
        locked: &mut Exclusive<'_>,
        path: &Path,
        draft: &EntryDraft,
    ) -> Result<Option<String>> {
        let (id, mut bytes) = self.render(draft);
        if !self.loaded.ends_with_newline {
            bytes.insert(0, b'\n');
        }
        write_once(locked, path, self.loaded.end, &bytes, self.world.durability)?;
        let is_there = self.take_written(locked, path, &bytes, &id)?;
        Ok(is_there.then_some(id))
    }

    /// Takes what was just written. A program that takes no lock may have appended in the same moment: then the file says what stands
    /// where. False when its last line had no LF, so that ours is glued to it and has to be written again.
    fn take_written(
        &mut self,
        locked: &mut Exclusive<'_>,
        path: &Path,
        bytes: &[u8],
        id: &str,
    ) -> Result<bool> {
        let end = self.loaded.end + bytes.len() as u64;
        // Without an answer we count as alone; the next append compares what stands before the end.
        if locked.end_of_append().is_ok_and(|there| there != end) {
            let len = locked.metadata().map_or(end, |now| now.len);
            return self.take_displaced(locked, path, len, id);
        }
        self.accept(bytes);
        Ok(true)
    }

    /// Reads in what stands in the file, our line among it or not.
    fn take_displaced(
        &mut self,
        locked: &mut Exclusive<'_>,
        path: &Path,
        len: u64,
        id: &str,
    ) -> Result<bool> {
        self.read_in(Found::Grown(len), locked, path)?;
        let node = self.loaded.tree.find(id);
        if node.is_some() {
            self.set_leaf(node);
        }
        Ok(node.is_some())
    }

    /// The id and the line, LF included, of an entry below the current position.
    pub(super) fn render(&self, draft: &EntryDraft) -> (String, Vec<u8>) {
        let id = self.fresh_id(|_| false);
        let timestamp = self.now();
        let mut line = draft.line(&id, self.leaf_id(), &timestamp);
        line.push(b'\n');
        (id, line)
    }

    pub(super) fn now(&self) -> String {
        iso_from_ms(self.world.clock.now_ms()).unwrap_or_default()
    }

    /// An id that no entry has: 8 hex digits, or a whole UUID when a hundred tries hit known ones (spec 1.3).
    pub(super) fn fresh_id(&self, taken: impl Fn(&str) -> bool) -> String {
        for _ in 0..100 {
            let mut id = self.world.ids.new_uuid();
            if id.is_char_boundary(8) {
                id.truncate(8);
            }
            if self.loaded.tree.find(&id).is_none() && !taken(&id) {
                return id;
            }
        }
        self.world.ids.new_uuid()
    }

    /// Takes bytes that now stand at the end of the file, or of a session in memory. They may start with the LF of the line before.
    pub(super) fn accept(&mut self, bytes: &[u8]) {
        if let Bodies::Kept(image) = &mut self.bodies {
            image.extend_from_slice(bytes);
        }
        let mut rest = bytes;
        if !self.loaded.ends_with_newline && !rest.is_empty() {
            self.loaded.end += 1;
            self.loaded.seam.push(b"\n");
            self.loaded.ends_with_newline = true;
            rest = rest.get(1..).unwrap_or_default();
        }
        let start = Position { byte: self.loaded.end, line: self.loaded.lines + 1 };
        for line in Lines::starting_at(rest, start) {
            self.loaded.line(line);
        }
        self.loaded.settle();
    }

    pub(super) fn file(&self) -> std::path::PathBuf {
        self.place.file.clone().unwrap_or_default()
    }

    pub(super) fn set_leaf(&mut self, leaf: Option<NodeId>) {
        self.loaded.tree.move_leaf(leaf);
    }
}

/// Whether a draft brings a deferred session to the disk.
fn is_due(draft: &EntryDraft, rule: FirstWrite) -> bool {
    let (kind, role) = match draft {
        EntryDraft::Message(message) => {
            (EntryKind::Message, message.raw().get_str("role").map(|word| Role::from_word(&word)))
        }
        EntryDraft::Raw(raw) => (raw.kind(), raw.role()),
        _ => return false,
    };
    kind == EntryKind::Message && role.is_some_and(|role| rule.begins_with(role))
}

/// The file at a path, when it begins with these bytes, a header with its new id among them: then it is from a try of ours that failed
/// and could not be taken back.
fn what_starts_with(image: &[u8], path: &Path, storage: &dyn Storage) -> Option<Stored> {
    let mut file = storage.open(path).ok()?;
    let mut start = vec![0; image.len()];
    let count = read_full(&mut *file, 0, &mut start).ok()?;
    let is_ours = count == image.len() && start == image;
    is_ours.then(|| Some(Stored::of(file.metadata().ok()?.identity)))?
}

/// Refuses a record of an arbitration with what must not be stored (spec 10.1).
pub(super) fn require_sound(draft: &EntryDraft) -> Result<()> {
    match draft.arbitration_fault() {
        None => Ok(()),
        Some(fault) => Err(refused(&format!("it is no record of an arbitration: {fault}"))
            .with_hint("such a record names routes and why it failed, and no prompt or answer")),
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, "cannot append this").with_why(why)
}
