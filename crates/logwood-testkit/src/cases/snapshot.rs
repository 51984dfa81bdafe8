//! A folder as it is at one moment, to show that looking changed nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::setup::walk;

/// Every file and folder below one folder: bytes, time of last change, permissions. Access times are not in it.
#[derive(PartialEq)]
pub struct Snapshot(BTreeMap<PathBuf, State>);

#[derive(PartialEq)]
struct State {
    bytes: Option<Vec<u8>>,
    modified: Option<SystemTime>,
    mode: u32,
}

impl Snapshot {
    /// The folder as it is now; links are taken as links.
    ///
    /// # Errors
    ///
    /// Something cannot be read.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let mut states = BTreeMap::new();
        for path in walk(folder).map_err(|error| error.to_string())? {
            let state = state(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            states.insert(path, state);
        }
        Ok(Self(states))
    }

    /// The bytes of every file by its path below `root`, times and permissions left out.
    #[must_use]
    pub fn contents(&self, root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
        let inner = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
        self.0
            .iter()
            .filter_map(|(path, state)| Some((inner(path), state.bytes.clone()?)))
            .collect()
    }
}

fn state(path: &Path) -> std::io::Result<State> {
    let meta = path.symlink_metadata()?;
    let bytes = meta.is_file().then(|| std::fs::read(path)).transpose()?;
    Ok(State { bytes, modified: meta.modified().ok(), mode: mode(&meta) })
}

#[cfg(unix)]
fn mode(meta: &Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode()
}

#[cfg(not(unix))]
fn mode(meta: &Metadata) -> u32 {
    meta.permissions().readonly().into()
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.0.iter().map(|(path, state)| {
            let size = state.bytes.as_ref().map_or(0, Vec::len);
            format!("{} {size} bytes {:?} {:o}", path.display(), state.modified, state.mode)
        });
        f.debug_list().entries(lines).finish()
    }
}
