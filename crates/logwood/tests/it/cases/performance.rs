//! Cases of the performance log: lines that are no records, a lock left behind and one that is held.

use std::time::Instant;

use logwood::performance::{PerformanceDraft, PerformanceLog, Recording, Unrecorded};
use logwood_testkit::cases::Case;
use serde_json::{Map, Value, json};

#[test]
fn case_68_bad_lines_are_counted() {
    let case = Case::load("68").unwrap();
    let before = case.snapshot().unwrap();
    let said = PerformanceLog::new(case.input(0)).read().unwrap();
    let models: Map<_, _> = said
        .models()
        .iter()
        .map(|model| {
            let rolling = model.rolling();
            let facts =
                json!({"count": rolling.count, "median": rolling.median, "mean": rolling.mean});
            (model.model_id().to_owned(), facts)
        })
        .collect();
    let found = json!({
        "usable": said.usable(), "unusable_lines": said.unusable().len(), "models": models,
    });
    assert_eq!(found, *case.fact("/perf"));
    let lines: Vec<_> = said.unusable().iter().map(|line| line.position.line).collect();
    assert_eq!(lines, [3, 5, 7, 8, 9, 10, 14], "line 12 is blank");
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
}

fn draft(entry: &Value) -> PerformanceDraft {
    let text = |key: &str| entry[key].as_str().unwrap().to_owned();
    PerformanceDraft {
        provider: text("provider"),
        model_id: text("modelId"),
        output_tokens: entry["outputTokens"].as_f64().unwrap(),
        duration_ms: entry["durationMs"].as_f64().unwrap(),
        ..PerformanceDraft::default()
    }
}

#[test]
fn case_70_a_lock_left_behind_is_taken_over_and_a_held_one_is_not() {
    let case = Case::load("70").unwrap();
    let (path, lock) = (case.input(0), case.input(1));
    let steps = &case.body()["steps"];
    let mut log = PerformanceLog::new(&path);
    let first = log.record(&draft(&steps[0]["entry"])).unwrap();
    assert_eq!(matches!(first, Recording::Recorded(_)), *case.fact("/first/recorded"));
    let recorded = std::fs::read(&path).unwrap();
    assert!(!lock.exists());
    // The record of the case is older than 30 days by now, and went before.
    let said = log.read().unwrap();
    let tps: Vec<_> =
        said.models().iter().flat_map(|model| model.samples()).map(|s| s.tps).collect();
    assert_eq!(tps, [30.0], "60 tokens in 2 s");

    std::fs::write(&lock, "").unwrap();
    let start = Instant::now();
    let second = log.record(&draft(&steps[1]["do"][0]["entry"])).unwrap();
    let waited = start.elapsed().as_secs_f64();
    assert!(matches!(second, Recording::Left(Unrecorded::Locked)), "{second:?}");
    assert_eq!(*case.fact("/second/recorded"), false);
    let most = case.fact("/second/max_wait_seconds").as_f64().unwrap();
    assert!((1.0..most).contains(&waited), "{waited} s");
    assert_eq!(lock.exists(), *case.fact("/second/fresh_lock_still_there"));
    assert_eq!(std::fs::read(&path).unwrap(), recorded);
}
