use crate::entry::SessionHeader;
use crate::json::{Raw, remove_member, set_member};

/// Which steps the entries of a file need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// None: version 3 or newer, or a version that is no number.
    None,
    /// Version 2: the role `hookMessage` becomes `custom`.
    RenameRole,
    /// Version 1: ids, parents and the compaction's index too.
    AssignIds,
}

impl Steps {
    /// The steps that the version of a header asks for.
    pub fn of(header: &SessionHeader) -> Self {
        let version = header.version_number();
        if version < 2.0 {
            Self::AssignIds
        } else if version < 3.0 {
            Self::RenameRole
        } else {
            Self::None
        }
    }
}

/// What becomes of `firstKeptEntryIndex`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstKept<'a> {
    /// There is no numeric index: nothing changes.
    Keep,
    /// It named this entry.
    Entry(&'a str),
    /// It named nothing that comes before: it is dropped.
    Dropped,
}

/// What a version 1 entry is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EntryUpgrade<'a> {
    /// Its id.
    pub id: &'a str,
    /// The id of the entry before it.
    pub parent: Option<&'a str>,
    /// What its index becomes.
    pub first_kept: FirstKept<'a>,
}

/// The header of a version 1 or 2 file as version 3 has it: `version` where it stands, or last.
pub fn upgrade_header(header: Raw<'_>) -> Vec<u8> {
    set_member(header, "version", b"3")
}

/// An entry as version 3 has it; `assign` for version 1, none for version 2. All that keeps its meaning keeps its bytes.
pub fn upgrade_entry(entry: Raw<'_>, assign: Option<EntryUpgrade<'_>>) -> Vec<u8> {
    let entry = match assign {
        Some(assign) => assign_ids(entry, assign),
        None => entry.bytes().to_vec(),
    };
    match Raw::parse(&entry).ok().and_then(rename_role) {
        Some(renamed) => renamed,
        None => entry,
    }
}

fn assign_ids(entry: Raw<'_>, assign: EntryUpgrade<'_>) -> Vec<u8> {
    let mut text = set_member(entry, "id", &quoted(assign.id));
    let parent = assign.parent.map_or(b"null".to_vec(), quoted);
    text = edit(&text, |raw| set_member(raw, "parentId", &parent));
    match assign.first_kept {
        FirstKept::Keep => text,
        FirstKept::Dropped => edit(&text, |raw| remove_member(raw, "firstKeptEntryIndex")),
        FirstKept::Entry(id) => {
            let text = edit(&text, |raw| remove_member(raw, "firstKeptEntryIndex"));
            edit(&text, |raw| set_member(raw, "firstKeptEntryId", &quoted(id)))
        }
    }
}

/// `message.role` from `hookMessage` to `custom`, where that is what it says.
fn rename_role(entry: Raw<'_>) -> Option<Vec<u8>> {
    let message = entry.get("message")?;
    if !entry.get("type")?.is_str("message") || !message.get("role")?.is_str("hookMessage") {
        return None;
    }
    Some(set_member(entry, "message", &set_member(message, "role", b"\"custom\"")))
}

fn edit(text: &[u8], change: impl FnOnce(Raw<'_>) -> Vec<u8>) -> Vec<u8> {
    Raw::parse(text).map_or_else(|_| text.to_vec(), change)
}

fn quoted(text: &str) -> Vec<u8> {
    let mut out = vec![b'"'];
    crate::json::escape_into(&mut out, text);
    out.push(b'"');
    out
}
