//! Folders for new transcripts (rule L27; spec 6.10).

use std::io;
use std::path::{Path, PathBuf};

use crate::env::IdSource;
use crate::error::{Error, ErrorKind, Result};
use crate::location::TranscriptTag;
use crate::storage::Storage;

/// So many names are tried; of 2^48 names one is free at the first try.
const TRIES: usize = 100;

/// A folder for a single child, or for one of several that run at once. It is not made: the session that is created in it makes it
/// with its first write, so that a child that says nothing leaves nothing.
///
/// ```
/// use std::sync::Arc;
/// use logwood::env::RandomIds;
/// use logwood::session::{NewSession, SessionOptions};
/// use logwood::storage::MemoryStorage;
/// use logwood::transcript::new_single_dir;
///
/// let storage = MemoryStorage::new();
/// let dir = new_single_dir(&storage, &RandomIds, "/agent/subagent-sessions".as_ref())?;
/// let header = NewSession {
///     agent_type: Some("Explore".into()),
///     parent_session: Some("/agent/sessions/--p--/parent.jsonl".into()),
///     ..NewSession::default()
/// };
/// let child = SessionOptions::new().storage(Arc::new(storage)).create(dir, header)?;
/// assert_eq!(child.header().agent_type().as_deref(), Some("Explore"));
/// # Ok::<(), logwood::error::Error>(())
/// ```
///
/// # Errors
/// What the system says of the root.
pub fn new_single_dir(storage: &dyn Storage, ids: &dyn IdSource, root: &Path) -> Result<PathBuf> {
    free_dir(storage, ids, root, |tag| tag.single_dir(root))
}

/// A folder for a chain, in which each step has a [`step_dir`](crate::location::step_dir). It is not made either.
///
/// # Errors
/// What the system says of the root.
pub fn new_chain_dir(storage: &dyn Storage, ids: &dyn IdSource, root: &Path) -> Result<PathBuf> {
    free_dir(storage, ids, root, |tag| tag.chain_dir(root))
}

fn free_dir(
    storage: &dyn Storage,
    ids: &dyn IdSource,
    root: &Path,
    name: impl Fn(&TranscriptTag) -> PathBuf,
) -> Result<PathBuf> {
    const WHAT: &str = "cannot choose a folder for a transcript in";
    for _ in 0..TRIES {
        let Some(dir) = TranscriptTag::of_uuid(&ids.new_uuid()).map(|tag| name(&tag)) else {
            continue;
        };
        match storage.link_metadata(&dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(dir),
            Err(error) => return Err(Error::io(WHAT, root, error)),
            Ok(_) => {}
        }
    }
    Err(Error::new(ErrorKind::Io, WHAT)
        .with_path(root)
        .with_why("every name that was tried is taken, or the source of ids gives no UUIDs"))
}
