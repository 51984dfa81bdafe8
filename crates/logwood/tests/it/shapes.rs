//! Big sessions of one shape: nothing recurses over depth, nothing grows with the square of the size.

use logwood::context::{explain, llm_message};
use logwood::session::{SessionManager, SessionOptions};
use logwood_testkit::generate::big;

const ENTRIES: u32 = 20_000;

fn open(write: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> SessionManager {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    let mut text = Vec::new();
    write(&mut text).unwrap();
    std::fs::write(&path, text).unwrap();
    SessionOptions::new().read_only(true).open(&path).unwrap()
}

/// Nodes, roots and the depth of a session.
fn shape(session: &SessionManager) -> (usize, usize, usize) {
    let depth = session.tree().walk().map(|visit| visit.depth + 1).max().unwrap();
    (session.tree().walk().count(), session.tree().roots().count(), depth)
}

#[test]
fn a_long_chain() {
    let session = open(|out| big::chain(out, ENTRIES));
    let size = ENTRIES as usize;
    assert_eq!(shape(&session), (size, 1, size));
    let context = session.context().unwrap();
    assert_eq!(context.messages().filter_map(|message| llm_message(&message)).count(), size);
    assert_eq!(explain(&session, session.leaf()).unwrap().len(), size);
    assert_eq!(session.problems(), []);
}

#[test]
fn many_children_and_many_roots() {
    let size = ENTRIES as usize;
    assert_eq!(shape(&open(|out| big::wide(out, ENTRIES))), (size, 1, 2));
    let roots = open(|out| big::roots(out, ENTRIES));
    assert_eq!(shape(&roots), (size, size, 1));
    assert_eq!(roots.context().unwrap().len(), 1);
}

#[test]
fn one_long_cycle() {
    let session = open(|out| big::cycle(out, ENTRIES));
    let size = ENTRIES as usize;
    assert_eq!(shape(&session), (size, 1, size));
    assert_eq!(session.problems().len(), 1);
    assert_eq!(session.context().unwrap().len(), size);
}

/// Ids repeat in blocks, so that every line but the first of an id changes an entry that has children already.
#[test]
fn ids_that_repeat_thousands_of_times() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    let mut text = format!("{}\n", big::HEADER);
    for at in 0..ENTRIES {
        let (id, parent) = (at % 7, at % 5);
        text += &format!(
            "{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":\"{parent}\",\"customType\":\"c\"}}\n"
        );
    }
    std::fs::write(&path, text).unwrap();
    let session = SessionOptions::new().read_only(true).open(&path).unwrap();
    assert_eq!(session.tree().walk().count(), 7);
    assert_eq!(session.entries().count(), ENTRIES as usize);
}

#[test]
fn arguments_a_hundred_thousand_levels_deep() {
    let session = open(|out| big::nested(out, 100_000));
    assert_eq!(session.problems(), []);
    let context = session.context().unwrap();
    assert_eq!(context.len(), 2);
    assert_eq!(context.messages().filter_map(|message| llm_message(&message)).count(), 2);
    assert!(explain(&session, session.leaf()).unwrap().iter().any(|row| row.tokens > 25_000));
}

#[test]
fn a_line_of_thirty_mebibytes() {
    let session = open(|out| big::long_line(out, 30 << 20));
    let line = session.entries().next().unwrap();
    assert!(session.line_text(&line).unwrap().len() > 30 << 20);
    assert_eq!(session.context().unwrap().len(), 1);
}
