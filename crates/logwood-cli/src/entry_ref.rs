//! What an ENTRY word means: an id, or the start of one that no other entry has (any case).

use logwood::error::ErrorKind;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::error::{CommandError, Result};

/// How many candidates an ambiguous word lists.
const CANDIDATES: usize = 10;

/// The entry that a word names.
pub(crate) fn resolve(session: &SessionManager, word: &str) -> Result<NodeId> {
    let tree = session.tree();
    if let Some(node) = tree.find(word) {
        return Ok(node);
    }
    let starts = |node: &NodeId| starts_with(tree.id(*node), word);
    let mut hits = tree.nodes().filter(starts);
    let first = hits.next();
    let second = hits.next();
    match (first, second) {
        (Some(node), None) if !word.is_empty() => Ok(node),
        (Some(_), Some(_)) if !word.is_empty() => {
            let ids = tree.nodes().filter(starts).take(CANDIDATES);
            let ids: Vec<_> = ids.map(|node| tree.id(node)).collect();
            let message = format!("several entries start with `{word}`: {}", ids.join(", "));
            Err(CommandError::new(ErrorKind::Ambiguous, message).hint("give more of the id"))
        }
        _ => Err(session.require(word).err().map_or_else(|| unknown(word), Into::into)),
    }
}

fn unknown(word: &str) -> CommandError {
    CommandError::new(ErrorKind::EntryNotFound, format!("Entry {word} not found"))
}

/// Whether an id starts with a word; ASCII letters match in any case.
pub(crate) fn starts_with(id: &str, word: &str) -> bool {
    let head = id.as_bytes().get(..word.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
}
