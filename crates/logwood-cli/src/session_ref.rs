//! What a SESSION word means (design section 4).

use std::path::PathBuf;

use logwood::error::ErrorKind;

use crate::args::Globals;
use crate::error::{CommandError, Result};

/// The file that `word` names: a path has a `/` or ends in `.jsonl`.
pub(crate) fn resolve(word: &str, _globals: &Globals) -> Result<PathBuf> {
    if word.contains('/') || word.ends_with(".jsonl") {
        return Ok(PathBuf::from(word));
    }
    Err(CommandError::new(ErrorKind::NotFound, format!("no session is called `{word}`"))
        .hint("name a session by the path of its file"))
}
