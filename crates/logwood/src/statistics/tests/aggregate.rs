//! Many sessions together: copies, children, periods, and tables.

use std::sync::Arc;

use jiff::tz::{TimeZone, offset};

use crate::inventory::SessionKind;
use crate::statistics::{
    Calendar, Dimension, Label, ModelName, Money, Period, Statistics, Table, Tokens, Totals,
    UsageOwner, UsageRecord, UsageSource,
};

/// 2025-03-04T09:00:00Z, a Tuesday.
const START: i64 = 1_741_078_800_000;
const HOUR: i64 = 3_600_000;

fn owner(id: &str, created_ms: i64) -> UsageOwner {
    UsageOwner {
        path: format!("/s/{id}.jsonl").into(),
        store: "dreb".into(),
        id: id.to_owned(),
        cwd: "/work/demo".to_owned(),
        heading: String::new(),
        kind: SessionKind::Main,
        agent_type: None,
        created_ms,
    }
}

fn child(id: &str, agent: &str) -> UsageOwner {
    let cwd = "/elsewhere".to_owned();
    let agent_type = Some(agent.to_owned());
    UsageOwner { kind: SessionKind::Subagent, agent_type, cwd, ..owner(id, START) }
}

fn record(id: &str, hours: i64, cost: f64) -> UsageRecord {
    UsageRecord {
        entry_id: Some(id.into()),
        entry_ms: Some(START + hours * HOUR),
        message_ms: Some(START + hours * HOUR),
        source: UsageSource::Answer,
        model: model("p", "m"),
        tokens: Tokens { input: 1, output: 2, cache_read: 3, cache_write: 4 },
        cost: Money::from_dollars(cost),
        current_branch: true,
    }
}

fn model(provider: &str, name: &str) -> Arc<ModelName> {
    let (provider, requested) = (Some(provider.to_owned()), Some(name.to_owned()));
    Arc::new(ModelName { provider, requested, answered: None })
}

fn utc() -> Calendar {
    Calendar::new(TimeZone::UTC)
}

fn rows(table: &Table) -> Vec<(String, f64)> {
    let text = |label: &Label| match label {
        Label::Text(text) => text.clone(),
        Label::Session(at) => format!("#{at}"),
        Label::None => "-".to_owned(),
    };
    let row = |labels: &[Label]| labels.iter().map(text).collect::<Vec<_>>().join(" ");
    table.rows.iter().map(|at| (row(&at.labels), at.totals.cost.dollars())).collect()
}

fn pairs(pairs: &[(&str, f64)]) -> Vec<(String, f64)> {
    pairs.iter().map(|(text, cost)| ((*text).to_owned(), *cost)).collect()
}

#[test]
fn the_order_in_which_sessions_come_does_not_matter() {
    let parts = [
        (owner("old", START), vec![record("a", 0, 0.1), record("b", 1, 0.2)]),
        (owner("fork", START + HOUR), vec![record("a", 0, 0.1), record("c", 2, 0.3)]),
        (owner("forks-fork", START + 2 * HOUR), vec![record("a", 0, 0.1), record("c", 2, 0.3)]),
    ];
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [1, 0, 2]] {
        let mut found = Statistics::default();
        for at in order {
            found.add(parts[at].0.clone(), &parts[at].1);
        }
        assert_eq!(found.copies_skipped(), 3);
        assert_eq!(found.totals().answers, 3);
        let spent = |id: &str| {
            let at = found.owners().iter().position(|owner| owner.id == id).unwrap();
            found.totals_of(at).cost.dollars()
        };
        assert_eq!([spent("old"), spent("fork"), spent("forks-fork")], [0.3, 0.3, 0.0]);
    }
}

#[test]
fn a_branch_is_abandoned_only_where_no_session_goes_on_with_it() {
    let left = |id: &str| UsageRecord { current_branch: false, ..record(id, 0, 0.5) };
    let mut found = Statistics::default();
    found.add(owner("old", START), &[left("a"), left("b"), record("c", 0, 0.5)]);
    found.add(owner("fork", START + 1), &[record("a", 0, 0.5)]);
    assert_eq!(found.totals().abandoned.dollars(), 0.5);
    assert_eq!(found.totals().cost.dollars(), 1.5);
}

#[test]
fn children_count_for_the_session_at_the_top_and_are_told_apart() {
    let mut found = Statistics::default();
    found.add(child("step", "Explore"), &[record("a", 0, 0.2)]);
    found.add(owner("main", START), &[record("b", 0, 0.1)]);
    found.add(child("below", "Plan"), &[record("c", 0, 0.4)]);
    found.add(child("lost", "Plan"), &[record("d", 0, 0.8)]);
    found.set_parent(0, 1);
    found.set_parent(2, 0);
    let table = found.table(&[Dimension::Session], &utc());
    assert_eq!(rows(&table), pairs(&[("#3", 0.8), ("#1", 0.7)]));
    assert_eq!(table.rows[1].totals.subagents.dollars(), 0.6);
    assert_eq!(table.rows[1].totals.own().dollars(), 0.1);
    let projects = rows(&found.table(&[Dimension::Project], &utc()));
    assert_eq!(projects, pairs(&[("/elsewhere", 0.8), ("/work/demo", 0.7)]));
    let agents = rows(&found.table(&[Dimension::AgentType], &utc()));
    assert_eq!(agents, pairs(&[("Plan", 1.2), ("Explore", 0.2), ("-", 0.1)]));
}

#[test]
fn parents_that_make_a_loop_end() {
    let mut found = Statistics::default();
    found.add(child("a", "x"), &[record("a", 0, 0.1)]);
    found.add(child("b", "x"), &[record("b", 0, 0.2)]);
    found.set_parent(0, 1);
    found.set_parent(1, 0);
    assert_eq!(found.table(&[Dimension::Session], &utc()).rows.len(), 2);
}

#[test]
fn days_weeks_and_months_are_those_of_the_zone() {
    let mut found = Statistics::default();
    let at = |hours, cost| record(&format!("{hours}"), hours, cost);
    // Sunday 23:00, Monday 01:00, the last hour of March; all UTC.
    found.add(owner("s", START), &[at(134, 0.1), at(136, 0.2), at(662, 0.4)]);
    let by = |dimension, zone| rows(&found.table(&[dimension], &Calendar::new(zone)));
    assert_eq!(
        by(Dimension::Day, TimeZone::UTC),
        pairs(&[("2025-03-09", 0.1), ("2025-03-10", 0.2), ("2025-03-31", 0.4)])
    );
    let east = TimeZone::fixed(offset(2));
    assert_eq!(
        by(Dimension::Day, east.clone()),
        pairs(&[("2025-03-10", 0.3), ("2025-04-01", 0.4)])
    );
    assert_eq!(
        by(Dimension::Week, TimeZone::UTC),
        pairs(&[("2025-W10", 0.1), ("2025-W11", 0.2), ("2025-W14", 0.4)])
    );
    assert_eq!(by(Dimension::Month, TimeZone::UTC), pairs(&[("2025-03", 0.7)]));
    assert_eq!(by(Dimension::Month, east), pairs(&[("2025-03", 0.3), ("2025-04", 0.4)]));
}

#[test]
fn the_last_days_of_a_year_belong_to_the_week_that_has_its_thursday() {
    let day = |text: &str| text.parse().unwrap();
    assert_eq!(Calendar::week(day("2024-12-30")), "2025-W01");
    assert_eq!(Calendar::week(day("2027-01-03")), "2026-W53");
}

#[test]
fn a_day_is_as_long_as_the_clock_says() {
    let calendar = Calendar::new(TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap());
    let hours = |day: &str| {
        let Period { from_ms, to_ms } = calendar.period_of(day.parse().unwrap()).unwrap();
        (to_ms.unwrap() - from_ms.unwrap()) / HOUR
    };
    assert_eq!([hours("2025-03-29"), hours("2025-03-30"), hours("2025-10-26")], [24, 23, 25]);
}

#[test]
fn crossed_rows_stay_together_and_the_costly_come_first() {
    let with = |id: &str, name: &str, hours, cost| UsageRecord {
        model: model("p", name),
        ..record(id, hours, cost)
    };
    let mut found = Statistics::default();
    let cheap = [with("a", "small", 0, 0.1), with("b", "small", 24, 0.2)];
    let dear = [with("c", "large", 0, 1.0), with("d", "large", 24, 0.15)];
    found.add(owner("s", START), &[cheap, dear].concat());
    assert_eq!(
        rows(&found.table(&[Dimension::Model, Dimension::Day], &utc())),
        pairs(&[
            ("p/large 2025-03-04", 1.0),
            ("p/large 2025-03-05", 0.15),
            ("p/small 2025-03-04", 0.1),
            ("p/small 2025-03-05", 0.2),
        ])
    );
    assert_eq!(
        rows(&found.table(&[Dimension::Day, Dimension::Model], &utc())),
        pairs(&[
            ("2025-03-04 p/large", 1.0),
            ("2025-03-04 p/small", 0.1),
            ("2025-03-05 p/small", 0.2),
            ("2025-03-05 p/large", 0.15),
        ])
    );
}

#[test]
fn what_has_no_value_is_a_row_of_its_own() {
    let nameless = UsageRecord {
        model: Arc::default(),
        source: UsageSource::Summary,
        message_ms: None,
        entry_ms: None,
        ..record("a", 0, 0.3)
    };
    let mut found = Statistics::default();
    found.add(owner("s", START), &[nameless, record("b", 0, 0.1)]);
    let by = |dimension| rows(&found.table(&[dimension], &utc()));
    assert_eq!(by(Dimension::Model), pairs(&[("-", 0.3), ("p/m", 0.1)]));
    assert_eq!(by(Dimension::Day), pairs(&[("2025-03-04", 0.1), ("-", 0.3)]));
    assert_eq!(by(Dimension::Source), pairs(&[("summary", 0.3), ("answer", 0.1)]));
    let Totals { answers, others, .. } = found.totals();
    assert_eq!((answers, others.dollars()), (1, 0.3));
}

#[test]
fn a_period_holds_its_first_moment_and_not_its_last() {
    let day = utc().period_of("2025-03-04".parse().unwrap()).unwrap();
    let mut found = Statistics::of(day);
    let timeless = UsageRecord { message_ms: None, entry_ms: None, ..record("t", 0, 8.0) };
    let records = [
        record("before", -10, 1.0),
        record("first", -9, 2.0),
        record("after", 15, 4.0),
        timeless.clone(),
    ];
    found.add(owner("s", START), &records);
    assert_eq!(found.totals().cost.dollars(), 2.0);
    assert_eq!(found.without_time(), 1);
    let mut all = Statistics::default();
    all.add(owner("s", START), &records);
    assert_eq!((all.totals().cost.dollars(), all.without_time()), (15.0, 0));
}
