//! Rules of spec 9 one by one. Expected figures come from the tables of `conformance/`, which dreb's own code computed, or from the spec.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::env::Clock;
use crate::json::{Raw, iso_from_ms};
use crate::storage::{Create, MemoryStorage, Storage};

use super::*;

const LOG: &str = "/agent/performance.jsonl";
const NOW: i64 = 1_750_000_000_000;
const DAY: i64 = 86_400_000;

#[derive(Debug)]
struct At(i64);

impl Clock for At {
    fn now_ms(&self) -> i64 {
        self.0
    }
}

struct World {
    storage: MemoryStorage,
}

impl World {
    fn with(text: impl Into<Vec<u8>>) -> Self {
        let storage = MemoryStorage::new();
        storage.put(LOG, text.into()).unwrap();
        Self { storage }
    }

    fn log_at(&self, now: i64) -> PerformanceLog {
        PerformanceLog::new(LOG).storage(Arc::new(self.storage.clone())).clock(Arc::new(At(now)))
    }

    fn log(&self) -> PerformanceLog {
        self.log_at(NOW)
    }

    fn text(&self) -> String {
        String::from_utf8(self.storage.contents(LOG).unwrap()).unwrap()
    }
}

fn answer() -> PerformanceDraft {
    PerformanceDraft {
        session_id: "s-1".into(),
        provider: "anthropic".into(),
        model_id: "claude-sonnet-4".into(),
        output_tokens: 250.0,
        duration_ms: 3000.0,
        stop_reason: Some("stop".into()),
        ..PerformanceDraft::default()
    }
}

fn line(days_ago: i64, model: &str, tps: &str) -> String {
    let time = iso_from_ms(NOW - days_ago * DAY).unwrap();
    format!(
        "{{\"timestamp\":\"{time}\",\"sessionId\":\"s\",\"provider\":\"p\",\"modelId\":\"{model}\",\"outputTokens\":100,\"durationMs\":1000,\"tps\":{tps}}}\n"
    )
}

fn recorded(recording: Recording) -> Option<Pruned> {
    match recording {
        Recording::Recorded(pruned) => pruned,
        Recording::Left(why) => panic!("left out: {why:?}"),
    }
}

fn figures(model: &ModelPerformance) -> String {
    let (rolling, delta) = (model.rolling(), model.delta());
    let numbers = [rolling.median, rolling.mean, rolling.count as f64];
    let numbers = numbers.into_iter().chain([
        delta.baseline_median,
        delta.recent_median,
        delta.percent,
        delta.baseline_count as f64,
        delta.recent_count as f64,
    ]);
    let mut text =
        format!("{} {} {}", model.provider(), model.model_id(), delta.direction.as_str());
    for number in numbers {
        write!(text, " {}", crate::json::js_number_text(number)).unwrap();
    }
    text
}

/// The same as [`figures`] says, from the table, numbers as their text stands there.
fn wanted(model: Raw<'_>) -> String {
    let at = |outer: &str, inner: &str| {
        model.get(outer).unwrap().get(inner).unwrap().text().into_owned()
    };
    let word = |key| model.get_str(key).unwrap();
    let direction = model.get("delta").unwrap().get_str("direction").unwrap();
    let mut text = format!("{} {} {direction}", word("provider"), word("modelId"));
    let members = [("rolling", "median"), ("rolling", "mean"), ("rolling", "count")];
    let delta = ["baselineMedian", "recentMedian", "percentDelta", "baselineCount", "recentCount"];
    for (outer, inner) in members.into_iter().chain(delta.map(|inner| ("delta", inner))) {
        write!(text, " {}", at(outer, inner)).unwrap();
    }
    text
}

fn check_models(text: &[u8], expect: Raw<'_>, name: &str) {
    let said = World::with(text).log().read().unwrap();
    let found: Vec<_> = said.models().iter().map(figures).collect();
    let want: Vec<_> = expect.get("models").unwrap().elements().map(wanted).collect();
    assert_eq!(found, want, "{name}");
}

const STATISTICS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../conformance/tables/performance-statistics.json"
));
const BAD_LINES: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../conformance/tables/performance-bad-lines.json"
));

#[test]
fn the_table_of_statistics_is_met_to_the_last_digit() {
    let table = Raw::parse(STATISTICS.as_bytes()).unwrap();
    let mut cases = 0;
    for case in table.get("cases").unwrap().elements() {
        let lines: Vec<_> =
            case.get("entries").unwrap().elements().map(|entry| entry.bytes().to_vec()).collect();
        let name = case.get_str("name").unwrap();
        check_models(&lines.join(&b"\n"[..]), case.get("expect").unwrap(), &name);
        cases += 1;
    }
    assert!(cases >= 10, "{cases} cases");
}

#[test]
fn the_table_of_bad_lines_is_met() {
    let table = Raw::parse(BAD_LINES.as_bytes()).unwrap();
    let text = table.get_str("text").unwrap();
    check_models(text.as_bytes(), table.get("expect").unwrap(), "bad lines");
    let said = World::with(&*text).log().read().unwrap();
    let lines: Vec<_> = said.unusable().iter().map(|line| line.position.line).collect();
    // Lines 1 and 2 are blank.
    assert_eq!((lines, said.usable()), (vec![3, 5, 6, 8, 9, 10], 5));
}

/// Spec 15, R1 and R2.
#[test]
fn medians_of_few() {
    let text = |tps: &[&str]| tps.iter().map(|tps| line(1, "m", tps)).collect::<String>();
    let said = World::with(text(&["10", "20", "30", "40"])).log().read().unwrap();
    assert_eq!(said.models()[0].rolling(), Rolling { median: 25.0, mean: 25.0, count: 4 });
    let said = World::with(text(&["10", "40"])).log().read().unwrap();
    let delta = said.models()[0].delta();
    assert_eq!(
        (delta.baseline_median, delta.percent, delta.direction),
        (25.0, 0.0, Direction::Stable)
    );
    assert!(!delta.tells());
    // As many as you like on the one side are of no use with two on the other.
    let said = World::with(text(&["10", "20", "30", "40"])).log().read().unwrap();
    assert_eq!(said.models()[0].delta_of(2, 0).percent, 0.0);
    assert_eq!(said.models()[0].delta_of(3, 0).percent, -20.0);
}

/// Spec 9.5: a baseline of 0 or less gives no percentage.
#[test]
fn a_baseline_of_nothing_gives_no_trend() {
    for tps in ["0", "-2"] {
        let said = World::with(line(1, "m", tps).repeat(4)).log().read().unwrap();
        let delta = said.models()[0].delta();
        assert_eq!(
            (delta.percent, delta.direction, delta.baseline_count),
            (0.0, Direction::Stable, 4)
        );
    }
}

/// Spec 9.5: "by timestamp descending, stable": of equal times those first in the file are the latest.
#[test]
fn the_latest_of_one_time_are_those_first_in_the_file() {
    let text = line(2, "m", "1") + &line(1, "m", "2") + &line(1, "m", "3") + &line(3, "m", "4");
    let said = World::with(text).log().read().unwrap();
    let model = &said.models()[0];
    let order: Vec<_> = model.samples().iter().map(|sample| sample.tps).collect();
    assert_eq!(order, [2.0, 3.0, 1.0, 4.0]);
    assert_eq!(model.rolling_of(1).median, 2.0);
    assert_eq!(model.rolling_of(0).count, 4);
}

#[test]
fn a_model_is_one_however_its_name_is_escaped_and_where_names_are_cut() {
    let text = line(1, "a/b", "1")
        + &line(1, "a\\/b", "2")
        + &line(1, "a\\u002fb", "3")
        + &line(1, "a", "4");
    let said = World::with(text).log().read().unwrap();
    let models: Vec<_> = said.models().iter().map(|m| (m.model_id(), m.samples().len())).collect();
    assert_eq!(models, [("a/b", 3), ("a", 1)]);
}

#[test]
fn what_makes_a_line_a_record() {
    let good = r#"{"timestamp":"2025-06-01T10:00:00.000Z","provider":"","modelId":"","outputTokens":0,"durationMs":-1,"tps":1e2}"#;
    let record = PerformanceRecord::parse(good.as_bytes()).unwrap().unwrap();
    assert_eq!((record.tps, record.output_tokens(), record.duration_ms()), (100.0, 0.0, -1.0));
    assert_eq!(record.session_id(), None);
    let with =
        |from: &str, to: &str| PerformanceRecord::parse(good.replace(from, to).as_bytes()).err();
    assert_eq!(with("\"provider\":\"\",", ""), Some(Unusable::Member("provider")));
    assert_eq!(with("1e2", "1e999"), Some(Unusable::Member("tps")));
    assert_eq!(with("Tokens\":0", "Tokens\":1e999"), Some(Unusable::Member("outputTokens")));
    assert_eq!(with(":-1", ":null"), Some(Unusable::Member("durationMs")));
    assert_eq!(with("2025-06-01T10", "2025-13-01T10"), Some(Unusable::Member("timestamp")));
    assert_eq!(with("}", ""), Some(Unusable::NotJson));
    assert_eq!(with("}", "} x"), Some(Unusable::NotJson));
    // The last of a name counts, as in JavaScript.
    assert_eq!(with("}", ",\"tps\":\"3\"}"), Some(Unusable::Member("tps")));
    let parse =
        |text: &str| PerformanceRecord::parse(text.as_bytes()).map(|record| record.is_some());
    assert_eq!(parse(" \t\u{feff}\r"), Ok(false));
    assert_eq!(parse(&format!("\u{feff}{good}\r")), Ok(true));
    assert_eq!(parse("[]"), Err(Unusable::NotAnObject));
    assert_eq!(parse("[}"), Err(Unusable::NotJson));
}

/// Spec 9.1: keys in order, numbers as JavaScript writes them (250 * 1000 / 3000 in Node is 83.33333333333333).
#[test]
fn a_record_is_one_line_as_dreb_writes_it() {
    let world = World::with("");
    recorded(world.log().record(&answer()).unwrap());
    assert_eq!(
        world.text(),
        "{\"timestamp\":\"2025-06-15T15:06:40.000Z\",\"sessionId\":\"s-1\",\"provider\":\"anthropic\",\"modelId\":\"claude-sonnet-4\",\"outputTokens\":250,\"durationMs\":3000,\"tps\":83.33333333333333}\n"
    );
}

/// Spec 9.2 and R4.
#[test]
fn what_is_not_worth_a_record() {
    let world = World::with("");
    let why = |draft: PerformanceDraft| match world.log().record(&draft).unwrap() {
        Recording::Left(why) => Some(why.as_str()),
        Recording::Recorded(_) => None,
    };
    let stop = |reason: &str| PerformanceDraft { stop_reason: Some(reason.into()), ..answer() };
    assert_eq!(why(stop("aborted")), Some("stopped"));
    assert_eq!(why(stop("error")), Some("stopped"));
    assert_eq!(why(PerformanceDraft { output_tokens: 0.0, ..answer() }), Some("no_output"));
    assert_eq!(why(PerformanceDraft { duration_ms: 9.0, ..answer() }), Some("too_short"));
    assert_eq!(world.text(), "");
    assert_eq!(why(stop("length")), None);
    assert_eq!(why(stop("toolUse")), None);
    assert_eq!(why(PerformanceDraft { duration_ms: 10.0, ..answer() }), None);
    assert_eq!(world.text().lines().count(), 3);
}

#[test]
fn what_could_not_be_read_again_is_refused() {
    let world = World::with("");
    for bad in [
        PerformanceDraft { timestamp: Some("yesterday".into()), ..answer() },
        PerformanceDraft { output_tokens: f64::INFINITY, ..answer() },
        PerformanceDraft { output_tokens: f64::NAN, ..answer() },
        PerformanceDraft { duration_ms: f64::NAN, ..answer() },
        PerformanceDraft { tps: Some(f64::NAN), ..answer() },
    ] {
        let error = world.log().record(&bad).unwrap_err();
        assert_eq!(error.kind(), crate::error::ErrorKind::InvalidArgument, "{bad:?}");
    }
    assert_eq!(world.text(), "");
}

#[test]
fn an_answer_is_taken_from_its_message() {
    let message = br#"{"role":"assistant","provider":"p","model":"m","usage":{"output":7},"durationMs":20,"stopReason":"toolUse"}"#;
    let draft = PerformanceDraft::of_message("s", Raw::parse(message).unwrap()).unwrap();
    assert_eq!((&*draft.provider, &*draft.model_id, draft.output_tokens), ("p", "m", 7.0));
    assert_eq!((draft.unrecorded(), &*draft.session_id), (None, "s"));
    let bare = PerformanceDraft::of_message("s", Raw::parse(br#"{"role":"assistant"}"#).unwrap());
    assert_eq!(bare.unwrap().unrecorded(), Some(Unrecorded::NoOutput));
    assert!(
        PerformanceDraft::of_message("s", Raw::parse(br#"{"role":"user"}"#).unwrap()).is_none()
    );
}

/// F-31: a torn last line glues the next record in dreb.
#[test]
fn a_torn_last_line_spoils_no_record() {
    let world = World::with("{\"timestamp\":\"2025-0");
    let mut log = world.log();
    recorded(log.record(&answer()).unwrap());
    recorded(log.record(&answer()).unwrap());
    assert!(world.text().starts_with("{\"timestamp\":\"2025-0\n{\"timestamp\":\"2025-06"));
    assert_eq!(log.read().unwrap().usable(), 2);
    assert_eq!(world.text().lines().count(), 3);
}

/// Another program's torn line, written between two records of one log that is held open.
#[test]
fn a_line_torn_meanwhile_spoils_no_record() {
    let world = World::with("");
    let mut log = world.log();
    recorded(log.record(&answer()).unwrap());
    let mut other = world.storage.open_append(Path::new(LOG), Create::Never).unwrap();
    other.append(b"{\"torn").unwrap();
    recorded(log.record(&answer()).unwrap());
    assert_eq!(log.read().unwrap().usable(), 2);
}

#[test]
fn a_record_goes_into_the_file_that_has_the_name_now() {
    let world = World::with("");
    let mut log = world.log();
    recorded(log.record(&answer()).unwrap());
    world.storage.put("/agent/other", line(1, "m", "1")).unwrap();
    world.storage.rename_over(Path::new("/agent/other"), Path::new(LOG)).unwrap();
    recorded(log.record(&answer()).unwrap());
    world.storage.remove_file(Path::new(LOG)).unwrap();
    recorded(log.record(&answer()).unwrap());
    assert_eq!(world.text().lines().count(), 1);
    assert_eq!(log.read().unwrap().usable(), 1);
}

#[test]
fn the_directory_is_made() {
    let storage = MemoryStorage::new();
    let mut log = PerformanceLog::new(LOG).storage(Arc::new(storage.clone()));
    assert_eq!(log.read().unwrap().usable(), 0);
    assert_eq!(log.prune().unwrap(), Pruned::default());
    assert!(storage.metadata(Path::new("/agent")).is_err(), "looking makes nothing");
    recorded(log.record(&answer()).unwrap());
    assert_eq!(log.read().unwrap().usable(), 1);
    assert_eq!(storage.list(Path::new("/agent")).unwrap().len(), 1, "the lock is gone");
}

/// Spec 9.4: kept is what is 30 days old at most; lines stay byte for byte, invalid ones go.
#[test]
fn pruning_keeps_lines_as_they_are() {
    let keep = line(1, "m", "10.50").replace("}\n", ", \"new\":{\"a\": [1.0]}}\r\n");
    let edge = line(30, "m", "2");
    let future = line(-3, "m", "3");
    let past = line(30, "m", "1").replace(".000Z", "Z").replace(":40Z", ":39.999Z");
    let last = line(0, "m", "4");
    let text = format!("{past}{keep}{{torn\n\nnull\n{edge}{future}{}", last.trim_end());
    let world = World::with(text.clone());
    let wanted = Pruned { kept: 4, old: 1, unusable: 2 };
    assert_eq!(world.log().plan_prune().unwrap(), wanted);
    assert_eq!(world.text(), text, "a plan changes nothing");
    assert_eq!(world.log().prune().unwrap(), wanted);
    assert_eq!(world.text(), format!("{keep}{edge}{future}{last}"));
    assert_eq!(world.storage.list(Path::new("/agent")).unwrap().len(), 1, "nothing is left behind");
}

#[test]
fn a_log_without_old_records_is_not_touched_and_one_of_old_ones_is_emptied() {
    let world = World::with(line(29, "m", "1").trim_end());
    assert!(!world.log().prune().unwrap().is_change());
    assert_eq!(world.text(), line(29, "m", "1").trim_end(), "not even a line end");
    let world = World::with(line(31, "m", "1"));
    assert_eq!(world.log().prune().unwrap(), Pruned { kept: 0, old: 1, unusable: 0 });
    assert_eq!(world.text(), "");
}

/// Spec 14.11: daily, at the first record of a run too. A run that starts while only one day's records are too old leaves them.
#[test]
fn pruning_comes_once_a_day() {
    let now = recorded;
    let world = World::with(line(31, "m", "1") + &line(1, "m", "2"));
    assert_eq!(now(world.log().record(&answer()).unwrap()), None, "31 days to the millisecond");
    let mut log = world.log_at(NOW + 1);
    assert_eq!(now(log.record(&answer()).unwrap()), Some(Pruned { kept: 2, old: 1, unusable: 0 }));
    world.storage.put(LOG, line(40, "m", "1")).unwrap();
    assert_eq!(now(log.record(&answer()).unwrap()), None, "not again on the same day");
    log = log.clock(Arc::new(At(NOW + DAY + 1)));
    let pruned = now(log.record(&answer()).unwrap());
    assert_eq!(pruned, Some(Pruned { kept: 1, old: 1, unusable: 0 }));
    assert!(!world.text().contains("\"tps\":1}"));
}

#[test]
fn a_lock_that_is_held_is_waited_for_and_stays() {
    let world = World::with(line(40, "m", "1"));
    world.storage.put(format!("{LOG}.lock"), "").unwrap();
    world.storage.set_modified_ms(format!("{LOG}.lock"), NOW).unwrap();
    let start = std::time::Instant::now();
    let left = world.log().record(&answer()).unwrap();
    assert!(matches!(left, Recording::Left(Unrecorded::Locked)), "{left:?}");
    assert!(start.elapsed().as_millis() >= 1000);
    let log = world.log();
    assert_eq!(log.prune_wait.as_millis(), 5000);
    let short = std::time::Duration::from_millis(30);
    let log = log.lock_waits(short, short);
    let error = log.prune().unwrap_err();
    assert_eq!(error.kind(), crate::error::ErrorKind::Locked);
    assert_eq!(world.text(), line(40, "m", "1"));
    assert!(world.storage.metadata(Path::new(&format!("{LOG}.lock"))).is_ok());
}

#[test]
fn a_filter_leaves_records_out_and_bad_lines_in() {
    let world = World::with(line(1, "a", "1") + "{bad\n" + &line(1, "b", "2"));
    let said = world.log().read_where(|record| record.model_id() == "b").unwrap();
    assert_eq!((said.models().len(), said.usable(), said.unusable().len()), (1, 1, 1));
}

/// The short way to a record gives what the long way gives: a space makes a line take the long one.
#[test]
fn a_line_as_it_is_written_is_read_as_every_other_line() {
    let line = line(1, "m", "12.5");
    let mut lines = vec![line.trim_end().as_bytes().to_vec()];
    for at in 0..line.len() - 1 {
        for byte in *b"\"\\{},:.019eE- \x00\xff\n" {
            let mut changed = lines[0].clone();
            changed[at] = byte;
            lines.push(changed.clone());
            changed.insert(at, byte);
            lines.push(changed);
        }
        lines.push([&lines[0][..at], &lines[0][at + 1..]].concat());
        lines.push(lines[0][..at].to_vec());
    }
    for long in ["1".repeat(299), "1".repeat(400), format!("0.{}", "1".repeat(299))] {
        lines.push(line.trim_end().replace("12.5", &long).into_bytes());
    }
    let seen = |line: &[u8]| {
        PerformanceRecord::parse(line).map(|record| {
            record.map(|record| {
                let texts =
                    [record.provider(), record.model_id(), record.session_id().unwrap_or_default()];
                let numbers = [record.tps, record.output_tokens(), record.duration_ms()];
                (record.time_ms, numbers.map(f64::to_bits), texts.map(|text| text.into_owned()))
            })
        })
    };
    let mut usable = 0;
    for line in lines {
        let wanted = seen(&[b" ", &line[..]].concat());
        assert_eq!(seen(&line), wanted, "{}", String::from_utf8_lossy(&line));
        usable += usize::from(wanted.is_ok_and(|record| record.is_some()));
    }
    assert!(usable > 400, "{usable}");
}
