//! Sessions of a few lines for the unit tests of this crate.

use super::bodies::Bodies;
use super::manager::{Place, SessionManager};
use super::read::load_bytes;

/// A session in memory: a header of version 3 and these entries, each ended by LF.
pub(crate) fn session_of(entries: &[String]) -> SessionManager {
    let header = r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/"}"#;
    session_from(format!("{header}\n{}\n", entries.join("\n")).as_bytes())
}

/// A session in memory, from the bytes of a file.
pub(crate) fn session_from(bytes: &[u8]) -> SessionManager {
    let loaded = load_bytes(bytes, false).unwrap();
    let bodies = Bodies::Kept(bytes.to_vec());
    SessionManager {
        loaded,
        bodies,
        place: Place::default(),
        disk: super::disk::Disk::None,
        world: super::world::World::default(),
        presence: None,
        courtesy: crate::storage::Courtesy::default(),
    }
}
