//! The last entries of a session, read from the end: those that opening it shows, for a part of the reads.

use std::sync::Arc;

use logwood::context::Entries as _;
use logwood::problem::ProblemKind;
use logwood::session::{Before, SessionOptions, SessionTail};
use logwood::storage::{MemoryStorage, Storage};
use logwood_testkit::generate;
use logwood_testkit::storage::{RecordingStorage, Verb};
use proptest::prelude::*;

const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"/p\"}\n";

fn entry(id: &str, parent: &str, size: usize) -> String {
    let text = "x".repeat(size);
    format!(
        "{{\"type\":\"custom\",\"id\":\"{id}\",\"parentId\":\"{parent}\",\"customType\":\"{text}\"}}\n"
    )
}

fn options(storage: impl Storage + 'static) -> SessionOptions {
    SessionOptions::new().storage(Arc::new(storage)).read_only(true)
}

fn disk(text: impl Into<Vec<u8>>) -> MemoryStorage {
    let storage = MemoryStorage::new();
    storage.put("/s.jsonl", text).unwrap();
    storage
}

fn ids(tail: &SessionTail) -> Vec<String> {
    tail.nodes().iter().map(|node| tail.tree().id(*node).to_owned()).collect()
}

proptest! {
    /// Whatever a session holds, its end shows what the whole shows; the file is made long enough not to be simply opened.
    #[test]
    fn the_end_shows_what_the_whole_shows(session in generate::session(14), count in 1..18_usize) {
        let at = session.text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        let (header, lines) = session.text.split_at(at);
        let pad = entry("pad", "", 300_000);
        let storage = disk([header, pad.as_bytes(), lines].concat());
        let whole = options(storage.clone()).open("/s.jsonl").unwrap();
        let tail = options(storage).open_tail("/s.jsonl", count).unwrap();
        // Where a loop of parents has to be cut only the whole file shows.
        if whole.problems().iter().any(|problem| problem.kind == ProblemKind::Cycle) {
            return Ok(());
        }
        let branch = whole.tree().branch(whole.leaf().unwrap());
        let wanted = branch.get(branch.len().saturating_sub(count)..).unwrap();
        let wanted: Vec<_> = wanted.iter().map(|node| whole.tree().id(*node).to_owned()).collect();
        prop_assert_eq!(ids(&tail), wanted);
        prop_assert_eq!(tail.leaf_id(), whole.leaf_id());
        for node in tail.nodes() {
            let same = whole.tree().find(tail.tree().id(*node)).unwrap();
            prop_assert_eq!(tail.entry_text(*node).unwrap(), whole.entry_text(same).unwrap());
            prop_assert_eq!(tail.tree().label(*node), whole.tree().label(same));
        }
        // A parent that is nowhere in the file is not looked for.
        let orphan = whole.tree().missing_parent(*branch.first().unwrap()).is_some();
        let before = if branch.len() > count || orphan && branch.len() == count { Before::More } else { Before::Nothing };
        prop_assert_eq!(tail.before(), &before);
    }
}

/// Of 20 MB a few hundred KiB are read for the last 20 entries; the same for any size.
#[test]
fn the_rest_is_not_read() {
    let mut text = HEADER.to_owned();
    for number in 0..20_000_usize {
        text += &entry(&number.to_string(), &number.wrapping_sub(1).to_string(), 950);
    }
    let recording = RecordingStorage::new(Arc::new(disk(text)));
    let tail = options(recording.clone()).open_tail("/s.jsonl", 20).unwrap();
    for node in tail.nodes() {
        assert!(tail.entry_text(*node).unwrap().len() > 950);
    }
    assert_eq!((tail.nodes().len(), tail.before()), (20, &Before::More));
    let (read, opened) = (recording.bytes(Verb::ReadAt), recording.count(Verb::Open));
    assert!(read < 200_000 && opened == 1, "{read} bytes, {opened} times opened");
}

/// Another branch between an entry and its parent is passed over up to 1 MiB; then the tail says where the branch goes on.
#[test]
fn a_branch_that_leaves_the_end_is_told() {
    for (aside, before) in [(900_000, Before::Nothing), (1_100_000, Before::Elsewhere("b".into()))]
    {
        let text = [
            HEADER,
            &entry("a", "", 10),
            &entry("b", "a", 10),
            &entry("aside", "b", aside),
            &entry("c", "b", 10),
            &entry("d", "c", 10),
        ]
        .concat();
        let recording = RecordingStorage::new(Arc::new(disk(text)));
        let tail = options(recording.clone()).open_tail("/s.jsonl", 9).unwrap();
        let all: &[&str] =
            if before == Before::Nothing { &["a", "b", "c", "d"] } else { &["c", "d"] };
        assert_eq!(
            (ids(&tail).iter().map(|id| &**id).collect::<Vec<_>>().as_slice(), tail.before()),
            (all, &before)
        );
    }
}

#[test]
fn a_torn_line_at_the_end_is_passed_over() {
    let torn = "{\"type\":\"custom\",\"id\":\"torn";
    let text = [HEADER, &entry("a", "", 300_000), &entry("b", "a", 10), torn].concat();
    let tail = options(disk(text)).open_tail("/s.jsonl", 1).unwrap();
    assert_eq!(ids(&tail), ["b"]);
}

/// Versions 1 and 2 are read whole, since their entries get ids by their order.
#[test]
fn an_older_file_has_an_end_too() {
    let line = format!("{{\"type\":\"custom\",\"customType\":\"{}\"}}\n", "x".repeat(1000));
    let header = HEADER.replace(",\"version\":3", "");
    let storage = disk(header + &line.repeat(400));
    let whole = options(storage.clone()).open("/s.jsonl").unwrap();
    let tail = options(storage).open_tail("/s.jsonl", 2).unwrap();
    let nodes: Vec<_> = whole.tree().nodes().map(|node| whole.tree().id(node).to_owned()).collect();
    assert_eq!(ids(&tail), nodes.get(398..).unwrap());
}
