//! `logwood perf`: the table, its filters, pruning, and what is said where there is nothing.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Store, example, printed, run};

fn line(time: &str, model: &str, tps: f64) -> String {
    json!({"timestamp": time, "sessionId": "s", "provider": "demo", "modelId": model, "outputTokens": 100, "durationMs": 1000, "tps": tps})
        .to_string()
        + "\n"
}

fn perf(store: &Store, words: &[&str]) -> crate::support::Ran {
    run(&[&["--agent-dir", &store.path(), "perf"], words].concat())
}

/// Figures of the example log by a program of its own (sorted by time, middle values, plain averages).
#[test]
fn the_table_of_the_example() {
    assert_snapshot!(printed(&["perf"]), @"
    MODEL                        MEDIAN  MEAN  COUNT  TREND  LAST
    anthropic/claude-sonnet-4-5    17.7  17.9     26  ↓ 21%    2w  ████████████
    openai/gpt-5.1-codex           17.2  20.0      4   → 0%   1mo  ███████████▋
    anthropic/claude-opus-4-5      16.2  15.9      4   → 0%    1w  ███████████
    anthropic/claude-haiku-4-5     13.2  14.1      7   → 0%   1mo  █████████

    Tokens a second: median and average of the latest 100 answers of each model, and
    how the latest 10 compare with those before.
    ");
    assert_snapshot!(printed(&["perf", "-q", "--since", "2026-11-20", "--model", "OPUS"]), @"
    MODEL                      MEDIAN  MEAN  COUNT  TREND  LAST
    anthropic/claude-opus-4-5    16.2  15.9      4   → 0%    1w  ████████████
    ");
}

#[test]
fn json_has_dreb_s_names_and_the_lines_that_are_no_records() {
    let store = Store::new();
    let text = line("2026-11-01T00:00:00.000Z", "large", 30.0)
        + "{torn\n"
        + &line("2026-11-02T00:00:00.000Z", "large", 50.0);
    let path = store.file("performance.jsonl", text);
    let ran = perf(&store, &["--json"]);
    let said: Value = serde_json::from_str(&ran.out).unwrap();
    let model = json!({
        "store": said["models"][0]["store"], "provider": "demo", "modelId": "large",
        "rolling": {"median": 40, "mean": 40, "count": 2},
        "delta": {"baselineMedian": 40, "recentMedian": 40, "percentDelta": 0, "direction": "stable", "baselineCount": 2, "recentCount": 2},
        "records": 2, "first": "2026-11-01T00:00:00.000Z", "last": "2026-11-02T00:00:00.000Z",
    });
    let unusable = json!([{"line": 2, "byte": said["logs"][0]["unusable"][0]["byte"], "message": "it is not JSON"}]);
    let log = json!({"store": model["store"], "path": path, "exists": true, "records": 2, "unusable": unusable});
    assert_eq!(said, json!({"models": [model], "logs": [log]}));
    let ran = perf(&store, &["-q"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.contains("1 line is no record (line 2: it is not JSON)"), "{}", ran.err);
    assert_eq!(ran.out.lines().count(), 2, "the head and one model");
}

#[test]
fn several_stores_have_a_column() {
    let (one, two) = (Store::new(), Store::new());
    one.file("performance.jsonl", line("2026-11-01T00:00:00.000Z", "m", 30.0));
    two.file("performance.jsonl", line("2026-11-01T00:00:00.000Z", "m", 60.0));
    let ran = run(&["--agent-dir", &one.path(), "--agent-dir", &two.path(), "perf", "-q"]);
    assert!(ran.out.starts_with("MODEL"), "{}", ran.out);
    assert!(ran.out.lines().next().unwrap().contains("STORE"));
    let medians: Vec<_> = ran.out.lines().skip(1).map(|line| line.contains("60.0")).collect();
    assert_eq!(medians, [true, false], "the fastest first");
}

#[test]
fn an_empty_log_says_where_records_come_from() {
    let store = Store::new();
    let ran = perf(&store, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let text = ran.out.replace('\n', " ");
    assert!(text.starts_with("no answer was recorded yet in "), "{text}");
    assert!(text.contains("record_performance"), "{text}");
    store.file("performance.jsonl", line("2026-11-01T00:00:00.000Z", "m", 30.0));
    assert!(perf(&store, &["--model", "x"]).out.contains("no record fits"));
    assert_eq!(perf(&store, &["--model", "x", "-q"]).out, "");
}

#[test]
fn a_date_that_is_none_is_refused() {
    let ran = example(&["perf", "--since", "soon"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(ran.err.contains("`soon` is no date"), "{}", ran.err);
}

#[test]
fn names_of_a_log_cannot_steer_the_terminal() {
    let store = Store::new();
    let text = line("2026-11-01T00:00:00.000Z", "m\u{1b}[31m\u{202e}\nx", 30.0);
    store.file("performance.jsonl", text);
    let ran = perf(&store, &["-q"]);
    assert!(!ran.out.contains('\u{1b}') && !ran.out.contains('\u{202e}'), "{:?}", ran.out);
    assert_eq!(ran.out.lines().count(), 2);
}

/// The clock of these runs is 2026-12-01T12:00.
#[test]
fn pruning_says_what_went_and_leaves_the_rest_as_it_is() {
    let store = Store::new();
    let kept = line("2026-11-01T12:00:00.000Z", "m", 30.0);
    let old = line("2026-11-01T11:59:59.999Z", "m", 20.0);
    let path = store.file("performance.jsonl", format!("{old}{kept}null\n"));
    let text = |words: &[&str]| {
        let ran = perf(&store, words);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out.replace(&path, "LOG")
    };
    assert_snapshot!(text(&["prune", "--dry-run"]), @"LOG: would take out 1 record older than 30 days and 1 line that is no record; 1 record would stay");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{old}{kept}null\n"));
    let said: Value = serde_json::from_str(&text(&["prune", "--json"])).unwrap();
    let log = json!({"store": said["logs"][0]["store"], "path": "LOG", "kept": 1, "old": 1, "unusable": 1});
    assert_eq!(said, json!({"dryRun": false, "logs": [log]}));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), kept);
    assert_snapshot!(text(&["prune"]), @"LOG: nothing to take out, 1 record not older than 30 days");
    std::fs::remove_file(&path).unwrap();
    assert_snapshot!(text(&["prune"]), @"there is no performance log, so there is nothing to prune");
}

#[test]
fn doctor_names_lines_that_are_no_records() {
    let store = Store::new();
    store.file("performance.jsonl", "{torn\n");
    let ran = run(&["--agent-dir", &store.path(), "doctor"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("1 line is no record"), "{}", ran.out);
}

#[test]
fn help() {
    assert_snapshot!(crate::help_write::help("perf"), @r#"
Show how fast models answered

From the performance log of each store, where dreb records every answer: the median and the average
of tokens a second over the latest 100 answers of a model, how many they are, and how the latest 10
compare with up to 10,000. The fastest first. Lines of a log that are no records are counted and
passed over.

Usage: logwood perf [OPTIONS]
       logwood perf <COMMAND>

Commands:
  prune  Take out records older than 30 days
  help   Print this message or the help of the given subcommand(s)

Options:
  -m, --model <WORD>
          Only models whose `provider/model` has WORD in it, in any case (can be repeated)

      --since <DATE>
          Only answers since DATE: 2026-01-31, today, or 2h, 7d, 3w ago

  -h, --help
          Print help (see a summary with '-h')

Examples:
  logwood perf
  logwood perf --model sonnet --since 7d
  logwood perf --json | jq '.models[] | {modelId, median: .rolling.median}'
  logwood perf prune --dry-run
"#);
}
