//! What is a usage and what it is worth (spec 1.7, rules F69 to F71, F117, F118, F122; cases 26 and 65).

mod aggregate;

use crate::entry::parse_line;
use crate::line::Lines;

use super::{Money, Tokens, UsageCollector, UsageRecord, UsageSource};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-03-04T09:00:00.000Z","cwd":"/p"}"#;

fn records(lines: &[&str]) -> Vec<UsageRecord> {
    let mut collector = UsageCollector::default();
    for line in Lines::of(lines.join("\n").as_bytes()) {
        if let Some(Ok(parsed)) = parse_line(line.bytes) {
            collector.line(line, &parsed);
        }
    }
    collector.finish()
}

fn answer(id: &str, parent: &str, extra: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"2025-03-04T09:02:00.000Z","message":{{"role":"assistant","content":[],"provider":"p","model":"m"{extra}}}}}"#
    )
}

fn one(extra: &str) -> UsageRecord {
    let mut found = records(&[HEADER, &answer("a", "null", extra)]);
    assert_eq!(found.len(), 1);
    found.remove(0)
}

fn dollars(amount: f64) -> Option<Money> {
    Money::from_dollars(amount)
}

#[test]
fn an_answer_says_tokens_cost_and_when() {
    let found = one(
        r#","usage":{"input":10,"output":5,"cacheRead":3,"cacheWrite":2,"totalTokens":99,"cost":{"total":0.25}},"timestamp":1741078920000"#,
    );
    assert_eq!(found.tokens, Tokens { input: 10, output: 5, cache_read: 3, cache_write: 2 });
    assert_eq!(found.tokens.total(), 20, "the sum of the four (spec 8.7)");
    assert_eq!(found.cost, dollars(0.25));
    assert_eq!(found.entry_ms, Some(1_741_078_920_000));
    assert_eq!(found.message_ms, Some(1_741_078_920_000));
    assert_eq!(found.source, UsageSource::Answer);
    assert_eq!(found.entry_id.as_deref(), Some("a"));
}

#[test]
fn what_is_missing_or_impossible_is_unknown_and_not_zero() {
    for usage in [
        "",
        r#","usage":null"#,
        r#","usage":"free""#,
        r#","usage":{"input":1}"#,
        r#","usage":{"cost":{"total":"0.5"}}"#,
        r#","usage":{"cost":{"total":-1}}"#,
        r#","usage":{"cost":{"total":1e999}}"#,
        r#","usage":{"cost":{"input":1,"output":1}}"#,
        r#","usage":{"cost":0.5}"#,
    ] {
        assert_eq!(one(usage).cost, None, "{usage}");
    }
    assert_eq!(one(r#","usage":{"cost":{"total":0}}"#).cost, Some(Money::ZERO));
    let odd = one(r#","usage":{"input":-5,"output":"7","cacheRead":1e300,"cacheWrite":7}"#);
    assert_eq!(odd.tokens, Tokens { cache_write: 7, ..Tokens::default() });
}

#[test]
fn the_model_that_answered_is_the_one_that_is_charged() {
    let plain = one("");
    assert_eq!(plain.model.label().as_deref(), Some("p/m"));
    let named = one(r#","responseModel":"m-real""#);
    assert_eq!(named.model.label().as_deref(), Some("p/m-real"));
    assert_eq!(named.model.requested.as_deref(), Some("m"));
    assert_eq!(one(r#","responseModel":null"#).model.label().as_deref(), Some("p/m"));
}

#[test]
fn summaries_tools_and_usage_entries_count_and_others_do_not() {
    let usage = r#""usage":{"input":1,"output":1,"cost":{"total":0.5}}"#;
    let compaction = format!(
        r#"{{"type":"compaction","id":"c","parentId":"a","timestamp":"2025-03-04T09:03:00.000Z","summary":"s",{usage}}}"#
    );
    let free = r#"{"type":"compaction","id":"f","parentId":"c","timestamp":"2025-03-04T09:03:00.000Z","summary":"s"}"#;
    let left = format!(
        r#"{{"type":"branch_summary","id":"b","parentId":"f","timestamp":"2025-03-04T09:03:00.000Z","fromId":"a","summary":"s",{usage}}}"#
    );
    let warm = format!(
        r#"{{"type":"usage","id":"u","parentId":"b","timestamp":"2025-03-04T09:03:00.000Z","kind":"cache_warm","provider":"q","model":"n",{usage}}}"#
    );
    let message = |id: &str, role: &str, extra: &str| {
        format!(
            r#"{{"type":"message","id":"{id}","parentId":"u","timestamp":"2025-03-04T09:03:00.000Z","message":{{"role":"{role}","content":[]{extra}}}}}"#
        )
    };
    let tool = message("t", "toolResult", &format!(",{usage}"));
    let user = message("v", "user", &format!(",{usage}"));
    let silent = message("w", "toolResult", "");
    let found = records(&[HEADER, &compaction, free, &left, &warm, &tool, &user, &silent]);
    let what: Vec<_> =
        found.iter().map(|record| (record.source.as_str(), record.model.label())).collect();
    assert_eq!(
        what,
        [
            ("summary", None),
            ("branch_summary", None),
            ("usage_entry", Some("q/n".to_owned())),
            ("tool", None)
        ]
    );
    assert!(found.iter().all(|record| record.cost == dollars(0.5)));
}

#[test]
fn copies_have_the_same_key_and_another_time_or_use_another() {
    let at = |usage: &str, time: i64| one(&format!(r#","usage":{usage},"timestamp":{time}"#)).key();
    let key = at(r#"{"input":1,"cost":{"total":0.1}}"#, 5);
    assert_eq!(key, at(r#"{"input":1.0,"cost":{"total":1e-1}}"#, 5), "however numbers are written");
    assert_ne!(key, at(r#"{"input":1,"cost":{"total":0.1}}"#, 6));
    assert_ne!(key, at(r#"{"input":2,"cost":{"total":0.1}}"#, 5));
    assert_ne!(key, at(r#"{"input":1,"cost":{"total":0.2}}"#, 5));
    assert_ne!(at(r#"{"cost":{"total":0}}"#, 5), at(r#"{}"#, 5), "unknown is not nothing");
}

#[test]
fn an_abandoned_branch_is_told_apart() {
    let lines = [
        answer("a", "null", ""),
        answer("b", "\"a\"", ""),
        answer("c", "\"a\"", ""),
        answer("d", "\"nowhere\"", ""),
        answer("e", "\"c\"", ""),
    ];
    let mut all = vec![HEADER];
    all.extend(lines.iter().map(String::as_str));
    let current: Vec<_> = records(&all).iter().map(|record| record.current_branch).collect();
    assert_eq!(current, [true, false, true, false, true]);
}

#[test]
fn a_line_without_an_id_was_paid_for_and_is_on_no_branch() {
    let line = answer("a", "null", "").replace(r#""id":"a","#, "");
    let found = records(&[HEADER, &line]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].entry_id.as_deref(), found[0].current_branch), (None, false));
}

#[test]
fn version_1_is_one_branch_and_its_answers_have_ids() {
    let header = HEADER.replace(r#""version":3,"#, "");
    let line = answer("", "null", "").replace(r#""id":"","parentId":null,"#, "");
    let found = records(&[&header, &line, &line]);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|record| record.current_branch && record.entry_id.is_some()));
    assert_ne!(found[0].key(), found[1].key());
}

#[test]
fn a_header_without_version_before_a_tree_is_read_as_a_tree() {
    let header = HEADER.replace(r#""version":3,"#, "");
    let found = records(&[&header, &answer("a", "null", ""), &answer("b", "null", "")]);
    let seen: Vec<_> =
        found.iter().map(|record| (record.entry_id.as_deref(), record.current_branch)).collect();
    assert_eq!(seen, [(Some("a"), false), (Some("b"), true)]);
}

#[test]
fn words_of_sources_come_back() {
    for word in ["answer", "summary", "branch_summary", "tool", "usage_entry"] {
        assert_eq!(UsageSource::from_word(word).map(UsageSource::as_str), Some(word));
    }
    assert_eq!(UsageSource::from_word("gift"), None);
}

#[test]
fn sums_do_not_depend_on_their_order() {
    let costs = [0.1, 0.7, 0.2, 1e-9, 1234.56789];
    let sum = |costs: &mut dyn Iterator<Item = f64>| -> Money { costs.filter_map(dollars).sum() };
    assert_eq!(sum(&mut costs.into_iter()), sum(&mut costs.into_iter().rev()));
    assert_eq!(sum(&mut costs.into_iter()).dollars(), 1235.567890001);
    assert_eq!(Money::from_picodollars(5).picodollars(), 5);
    let huge = Money::from_dollars(f64::MAX).unwrap();
    assert_eq!(huge + huge, huge, "no overflow");
}
