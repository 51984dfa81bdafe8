//! Usage and cost of whole sessions and stores, seen from outside.
#![expect(
    clippy::indexing_slicing,
    clippy::print_stderr,
    reason = "members of JSON values are looked up by name; a test that is skipped says so"
)]

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use jiff::tz::TimeZone;
use logwood::entry::parse_line;
use logwood::inventory::Place;
use logwood::line::Lines;
use logwood::location::Layout;
use logwood::session::SessionOptions;
use logwood::statistics::{
    Calendar, Dimension, Label, Money, SessionStatistics, Totals, UsageCollector, UsageRecord,
    UsageScan, usage_of,
};
use logwood::storage::LocalStorage;
use logwood_testkit::generate::damaged_session;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

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

/// A small corpus of the benchmarks' generator, undamaged; none where there is no Python 3.
fn corpus(out: &Path) -> Option<Value> {
    let generator = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/gen_corpus.py");
    let options = ["--sessions", "60", "--total-mb", "4", "--max-mb", "1", "--damage-rate", "0"];
    let layout = ["--agent-dir-layout", "full", "--legacy-rate", "0.1", "--projects", "6"];
    let mut made = Command::new("python3");
    made.arg(generator).arg("--out").arg(out).args(options).args(layout);
    let made = made.output();
    if made.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        eprintln!("skipped: the generator needs python3, which is not here");
        return None;
    }
    let made = made.unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let manifest = std::fs::read(out.join("corpus-manifest.json")).unwrap();
    Some(serde_json::from_slice(&manifest).unwrap())
}

/// Answers, tokens by kind, and millionths of a dollar: what the generator writes has six decimals.
type Counts = [u64; 6];

/// What the lines of a file say plainly: for each answer its day, its model and its counts.
fn plain_answers(file: &Path) -> Vec<(String, String, Counts)> {
    let text = std::fs::read_to_string(file).unwrap();
    let records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answers = records.filter(|record| record["message"]["role"] == "assistant");
    answers.map(|record| plain_answer(&record)).collect()
}

fn plain_answer(record: &Value) -> (String, String, Counts) {
    let (message, usage) = (&record["message"], &record["message"]["usage"]);
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let count = |key: &str| usage[key].as_u64().unwrap();
    let micro = (usage["cost"]["total"].as_f64().unwrap() * 1e6).round() as u64;
    let day = word(&record["timestamp"]).split_once('T').unwrap().0.to_owned();
    let model = format!("{}/{}", word(&message["provider"]), word(&message["model"]));
    let [input, output] = ["input", "output"].map(count);
    let [read, write] = ["cacheRead", "cacheWrite"].map(count);
    (day, model, [1, input, output, read, write, micro])
}

fn sum(counts: impl Iterator<Item = Counts>) -> Counts {
    counts.fold(Counts::default(), |sum, more| std::array::from_fn(|at| sum[at] + more[at]))
}

fn counts(totals: &Totals) -> Counts {
    let tokens = totals.tokens;
    assert_eq!(totals.cost.picodollars() % 1_000_000, 0);
    let micro = u64::try_from(totals.cost.picodollars() / 1_000_000).unwrap();
    let [read, write] = [tokens.cache_read, tokens.cache_write];
    [totals.answers, tokens.input, tokens.output, read, write, micro]
}

#[test]
fn a_generated_store_costs_what_its_lines_say() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("store");
    let Some(manifest) = corpus(&store) else { return };
    let place = |folder: &str| vec![Place::new("", store.join(folder), Layout::Nested)];
    let go_on = &|_: logwood::inventory::Progress<'_>| ControlFlow::Continue(());
    let scan = UsageScan::new(Arc::new(LocalStorage)).threads(2);
    let found = scan.places(&place("sessions"), &place("subagent-sessions"), None, go_on);
    let statistics = found.statistics;
    let files = manifest["files"].as_array().unwrap();
    assert_eq!(statistics.owners().len(), files.len());
    let (mut all, mut children) = (Vec::new(), Money::ZERO);
    for file in files {
        let path = store.join(file["path"].as_str().unwrap());
        let at = statistics.owners().iter().position(|owner| owner.path == path).unwrap();
        let totals = statistics.totals_of(at);
        let answers = plain_answers(&path);
        assert_eq!(counts(&totals), sum(answers.iter().map(|answer| answer.2)), "{path:?}");
        all.extend(answers);
        children += totals.subagents;
        let session = SessionOptions::new().read_only(true).open(&path).unwrap();
        let messages = SessionStatistics::of(&session).unwrap().file.messages.total;
        assert_eq!(Some(messages), file["messages"].as_u64(), "{path:?}");
    }
    assert!(!children.is_zero());
    assert_eq!(statistics.totals().subagents, children);
    for (dimension, key) in [(Dimension::Day, 0), (Dimension::Model, 1)] {
        let table = statistics.table(&[dimension], &Calendar::new(TimeZone::UTC));
        for row in &table.rows {
            let [Label::Text(label)] = row.labels.as_slice() else { panic!("{row:?}") };
            let of = all.iter().filter(|answer| [&answer.0, &answer.1][key] == label);
            assert_eq!(counts(&row.totals), sum(of.map(|answer| answer.2)), "{label}");
        }
        let rows = table.rows.iter().map(|row| counts(&row.totals));
        assert_eq!(sum(rows), sum(all.iter().map(|answer| answer.2)));
    }
}
