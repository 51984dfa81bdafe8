//! `Durability::Synced`: what a session acknowledged is there after a power cut.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::entry::JsonText;
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::MemoryStorage;
use logwood_testkit::storage::CrashStorage;

fn message(text: &str) -> JsonText {
    JsonText::parse(text.as_bytes()).unwrap()
}

/// A session with a question and an answer, in directories that were not there.
fn session_on(power: &CrashStorage, durability: Durability) -> SessionManager {
    let mut session = SessionOptions::new()
        .storage(Arc::new(power.clone()))
        .durability(durability)
        .create("/agent/sessions/--p--", NewSession::default())
        .unwrap();
    session.append_message(message(r#"{"role":"user","content":"hi"}"#)).unwrap();
    session.append_message(message(r#"{"role":"assistant","content":[]}"#)).unwrap();
    session
}

fn entries(image: &MemoryStorage, file: &Path) -> Option<usize> {
    let options = SessionOptions::new().storage(Arc::new(image.clone())).read_only(true);
    options.open(file).ok().map(|session| session.entries().count())
}

fn file_of(session: &SessionManager) -> PathBuf {
    session.session_file().unwrap().to_path_buf()
}

#[test]
fn a_new_session_is_there_with_its_directories() {
    let power = CrashStorage::new(MemoryStorage::new()).unwrap();
    let mut session = session_on(&power, Durability::Synced);
    let file = file_of(&session);
    for names in [false, true] {
        assert_eq!(entries(&power.after_power_cut(names).unwrap(), &file), Some(2));
    }
    for count in 3..6 {
        session.append_session_info("name").unwrap();
        assert_eq!(entries(&power.after_power_cut(false).unwrap(), &file), Some(count));
    }
}

/// The other level makes no such promise, and does not pay for it.
#[test]
fn a_buffered_session_may_be_gone() {
    let power = CrashStorage::new(MemoryStorage::new()).unwrap();
    let file = file_of(&session_on(&power, Durability::Buffered));
    assert_eq!(entries(&power.after_power_cut(false).unwrap(), &file), None);
}
