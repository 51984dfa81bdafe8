//! What a SESSION word means (design section 4, "Choosing"): a path, a full id, an exact name, a unique start of an id,
//! or a place in the list of this project (`@`, `@2`).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use logwood::error::ErrorKind;
use logwood::inventory::{HeaderRow, SessionInfo};

use crate::entry_ref::starts_with;
use crate::error::{CommandError, Result};
use crate::output::cut;
use crate::stores::{Stores, go_on};
use crate::transcripts::Transcripts;

/// How many candidates an ambiguous word lists, and how many columns of the text of each.
const CANDIDATES: usize = 10;
const CANDIDATE_TEXT: usize = 40;

/// The file that `word` names.
///
/// # Errors
/// `not_found`, `ambiguous` with the candidates, `invalid_argument`.
pub(crate) fn resolve(word: &OsStr, stores: &Stores) -> Result<PathBuf> {
    if is_path(word) {
        return Ok(PathBuf::from(word));
    }
    // Ids and names are UTF-8; a word that is not is none of them.
    let word = &*word.to_string_lossy();
    if let Some(place) = word.strip_prefix('@') {
        return by_place(word, place, stores);
    }
    // A whole id is looked for in the headers first: to list every session takes longer.
    if let Some(file) = Some(word).filter(|word| is_uuid(word)).and_then(|id| stores.file_of(id)) {
        return Ok(stores.shorten(&file));
    }
    let sessions = stores.sessions()?;
    let is_name = |session: &&SessionInfo| session.name.as_deref() == Some(word);
    let starts = |session: &&SessionInfo| starts_with(&session.id, word);
    let ways: [&dyn Fn(&&SessionInfo) -> bool; 3] =
        [&|session| session.id == word, &is_name, &starts];
    for way in ways {
        let hits: Vec<_> = sessions.iter().filter(way).collect();
        match hits.as_slice() {
            [] => {}
            _ if word.is_empty() => break,
            [one] => return Ok(stores.shorten(&one.path)),
            several => return Err(ambiguous(word, several, stores)),
        }
    }
    by_transcript(word, stores)
}

/// A transcript of a subagent, which only its id or the start of it names.
fn by_transcript(word: &str, stores: &Stores) -> Result<PathBuf> {
    let transcripts = Transcripts::read(stores, None);
    let starts = |row: &HeaderRow| starts_with(row.header.id(), word);
    let ways: [&dyn Fn(&HeaderRow) -> bool; 2] = [&|row| row.header.id() == word, &starts];
    for way in ways.iter().filter(|_| !word.is_empty()) {
        let rows = transcripts.rows().iter().enumerate();
        let hits: Vec<usize> = rows.filter(|(_, row)| way(row)).map(|(at, _)| at).collect();
        let mut files = transcripts.files(hits);
        match files.len() {
            0 => {}
            1 => return Ok(stores.shorten(&files.remove(0).path)),
            _ => {
                let rows = stores.lister().list_files(files, &go_on).sessions;
                return Err(ambiguous(word, &rows.iter().collect::<Vec<_>>(), stores));
            }
        }
    }
    Err(nothing(&format!("no session has the id or the name `{word}`"), stores))
}

/// Whether a word is built as the ids of dreb and pi are, so that it is a whole id.
fn is_uuid(word: &str) -> bool {
    let groups = word.split('-').map(str::len);
    groups.eq([8, 4, 4, 4, 12]) && word.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// Whether a word is a path: it has a `/` or ends in `.jsonl`.
fn is_path(word: &OsStr) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.iter().any(|byte| std::path::is_separator(char::from(*byte)))
        || bytes.ends_with(b".jsonl")
}

/// `@` is the first row of the list of this project, `@2` the second.
fn by_place(word: &str, place: &str, stores: &Stores) -> Result<PathBuf> {
    let number = if place.is_empty() { Ok(1) } else { place.parse::<usize>() };
    let Some(at) = number.ok().and_then(|number| number.checked_sub(1)) else {
        let message = format!("`{word}` is no place in the list of sessions");
        return Err(CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("@ is the newest session of this directory, @2 the one before it"));
    };
    let sessions = stores.sessions_of_project()?;
    let found = sessions.get(at).map(|session| stores.shorten(&session.path));
    found.ok_or_else(|| {
        nothing(&format!("`{word}`: `{}` has no such session", stores.cwd()), stores)
    })
}

fn nothing(message: &str, stores: &Stores) -> CommandError {
    let roots = stores.roots();
    let looked: Vec<_> = roots.iter().map(|root| shown(&stores.shorten(root))).collect();
    let looked = if looked.is_empty() {
        "no store of sessions was found".to_owned()
    } else {
        format!("looked in {}", looked.join(", "))
    };
    let unread = match stores.unreadable() {
        0 => String::new(),
        _ => ", where not everything can be read (`logwood list --all -v` says what)".to_owned(),
    };
    CommandError::new(ErrorKind::NotFound, message).hint(format!(
        "{looked}{unread}; name another with --agent-dir or --session-dir, or give the path of a file"
    ))
}

fn ambiguous(word: &str, hits: &[&SessionInfo], stores: &Stores) -> CommandError {
    let mut message = format!("`{word}` fits {} sessions:", hits.len());
    for hit in hits.iter().take(CANDIDATES) {
        let text = hit.name.as_deref().unwrap_or(hit.first_message_or_placeholder());
        let text = cut(text.lines().next().unwrap_or_default(), CANDIDATE_TEXT);
        message.push_str(&format!(
            "\n  {}  {text}\n    {}",
            hit.id,
            shown(&stores.shorten(&hit.path))
        ));
    }
    if hits.len() > CANDIDATES {
        message.push_str(&format!("\n  and {} more", hits.len() - CANDIDATES));
    }
    CommandError::new(ErrorKind::Ambiguous, message)
        .hint("give more of the id, or the path of the file")
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
