//! Usage and cost of whole sessions and stores, seen from outside.

use logwood::entry::parse_line;
use logwood::line::Lines;
use logwood::session::SessionOptions;
use logwood::statistics::{UsageCollector, UsageRecord, usage_of};
use logwood_testkit::generate::damaged_session;
use proptest::prelude::*;
use proptest::sample::select;

/// The records as one pass over the bytes of a file finds them.
fn collected(bytes: &[u8]) -> Vec<UsageRecord> {
    let mut collector = UsageCollector::default();
    for line in Lines::of(bytes) {
        if let Some(Ok(parsed)) = parse_line(line.bytes) {
            collector.line(line, &parsed);
        }
    }
    collector.finish()
}

/// The same in the order of an open session: lines without an id last.
fn addressed_first(mut records: Vec<UsageRecord>) -> Vec<UsageRecord> {
    records.sort_by_key(|record| record.entry_id.is_none());
    records
}

/// The records of these bytes, opened as a session; none where they are no session.
fn opened(bytes: &[u8]) -> Option<Vec<UsageRecord>> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    std::fs::write(&path, bytes).unwrap();
    let session = SessionOptions::new().read_only(true).open(&path).ok()?;
    Some(usage_of(&session).unwrap())
}

/// The file with another version, or none, in its header.
fn as_version(bytes: &[u8], version: &str) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    text.replacen("\"version\":3,", version, 1).into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_pass_and_an_open_session_find_the_same(
        session in damaged_session(30),
        version in select(vec!["", r#""version":1,"#, r#""version":2,"#, r#""version":3,"#]),
    ) {
        let bytes = as_version(&session, version);
        if let Some(opened) = opened(&bytes) {
            prop_assert_eq!(addressed_first(collected(&bytes)), opened);
        }
    }
}
