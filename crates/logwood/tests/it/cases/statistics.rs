//! What sessions cost: forks, children, unknown costs, copies of entries; a deep and a huge session.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use jiff::tz::TimeZone;
use logwood::inventory::{Place, SessionFile};
use logwood::location::Layout;
use logwood::statistics::{
    Calendar, Dimension, Label, Scanned, SessionStatistics, Totals, UsageScan,
};
use logwood::storage::LocalStorage;
use logwood_testkit::cases::Case;
use serde_json::Value;

use super::support::open;

fn scan() -> UsageScan {
    UsageScan::new(Arc::new(LocalStorage)).threads(2)
}

fn places(places: &[Place], transcripts: &[Place], cwd: Option<&str>) -> Scanned {
    let found = scan().places(places, transcripts, cwd, &|_| ControlFlow::Continue(()));
    assert!(found.problems.is_empty() && !found.cancelled, "{:?}", found.problems);
    found
}

fn flat(root: impl AsRef<Path>) -> Vec<Place> {
    vec![Place::new("", root.as_ref(), Layout::Flat)]
}

/// Holds totals to the facts of a case, each by its name; a fact that has no name here fails.
fn holds(totals: &Totals, facts: &Value) {
    for (name, wanted) in facts.as_object().unwrap() {
        let found: Value = match name.as_str() {
            "cost_total" => totals.cost.dollars().into(),
            "assistant_messages" => totals.answers.into(),
            "messages_without_cost" => totals.without_cost.into(),
            "input_tokens" => totals.tokens.input.into(),
            "output_tokens" => totals.tokens.output.into(),
            "cost_is_lower_bound" => totals.is_lower_bound().into(),
            "own_cost" => totals.own().dollars().into(),
            "subagent_cost" => totals.subagents.dollars().into(),
            "total_cost" => totals.cost.dollars().into(),
            "copies_skipped" | "subagents" | "agent_types" => continue,
            other => format!("nobody looks at the fact `{other}`").into(),
        };
        assert_eq!(found, *wanted, "{name}");
    }
}

#[test]
fn case_64_an_answer_counts_once_however_many_forks_repeat_it() {
    let case = Case::load("64").unwrap();
    let files = case.fact("/per_file_cost").as_object().unwrap();
    assert_eq!(files.len(), 3);
    for at in 0..3 {
        let path = case.input(at);
        let session = open(&case, &path).unwrap();
        let totals = SessionStatistics::of(&session).unwrap().file.totals;
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(totals.cost.dollars(), files.get(name).unwrap().as_f64().unwrap(), "{name}");
    }
    let folder = case.path("in/sessions/--work-demo--");
    let found = places(&flat(folder), &[], None).statistics;
    holds(&found.totals(), case.fact("/store"));
    assert_eq!(found.copies_skipped(), case.fact("/store/copies_skipped").as_u64().unwrap());
}

#[test]
fn case_64_what_a_fork_repeats_belongs_to_its_parent() {
    let case = Case::load("64").unwrap();
    let found = places(&flat(case.path("in/sessions/--work-demo--")), &[], None).statistics;
    let table = found.table(&[Dimension::Session], &Calendar::new(TimeZone::UTC));
    let rows = table.rows.iter().map(|row| {
        let [Label::Session(owner)] = row.labels.as_slice() else { panic!("no session") };
        (found.owners().get(*owner).unwrap().id.as_str(), row.totals.cost.dollars())
    });
    let rows: Vec<_> = rows.collect();
    let id = |n: u8| format!("7d3c1f60-5b0a-4c52-9a11-00000000000{n}");
    assert_eq!(rows, [(&*id(3), 0.4), (&*id(1), 0.3), (&*id(2), 0.05)]);
}

#[test]
fn case_65_what_is_unknown_is_not_zero() {
    let case = Case::load("65").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let found = SessionStatistics::of(&session).unwrap();
    holds(&found.file.totals, case.fact("/stats"));
    holds(&found.branch.totals, case.fact("/stats"));
    holds(&found.context.totals, case.fact("/stats"));
    let scanned = places(&flat(case.path("in/sessions/--work-demo--")), &[], None);
    holds(&scanned.statistics.totals(), case.fact("/stats"));
}

#[test]
fn case_67_what_children_spend_is_the_parents() {
    let case = Case::load("67").unwrap();
    let file = SessionFile { path: case.input(0), store: "".into(), adopts: false };
    let roots = flat(case.path("in/subagent-sessions"));
    let found = scan().session(&file, &roots).unwrap().statistics;
    holds(&found.totals(), case.fact("/stats"));
    let agents: Vec<_> = found.owners().iter().filter_map(|own| own.agent_type.clone()).collect();
    assert_eq!(Value::from(agents.clone()), *case.fact("/stats/agent_types"));
    assert_eq!(agents.len() as u64, case.fact("/stats/subagents").as_u64().unwrap());
}

#[test]
fn case_67_a_project_has_what_its_children_spent() {
    let case = Case::load("67").unwrap();
    let main = flat(case.path("in/sessions/--work-demo--"));
    let children = flat(case.path("in/subagent-sessions"));
    let found = places(&main, &children, Some("/work/demo")).statistics;
    holds(&found.totals(), case.fact("/stats"));
    let by = |dimension| {
        let table = found.table(&[dimension], &Calendar::new(TimeZone::UTC));
        table
            .rows
            .into_iter()
            .map(|row| (row.labels, row.totals.cost.dollars()))
            .collect::<Vec<_>>()
    };
    assert_eq!(by(Dimension::Session), [(vec![Label::Session(0)], 0.6)], "one session and its two");
    let text = |text: &str| vec![Label::Text(text.to_owned())];
    let agents = [(text("feature-dev"), 0.3), (text("Explore"), 0.2), (vec![Label::None], 0.1)];
    assert_eq!(by(Dimension::AgentType), agents);
    assert_eq!(
        places(&main, &children, Some("/work/other")).statistics.totals(),
        Totals::default()
    );
}

#[test]
fn case_26_an_entry_that_is_written_twice_counts_once() {
    let case = Case::load("26").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let found = SessionStatistics::of(&session).unwrap();
    holds(&found.file.totals, case.fact("/stats"));
    assert_eq!(found.file.messages.assistant, 1);
    assert_eq!(found.file.messages.total, 3);
}

#[test]
fn case_11_a_deep_tool_call_is_counted() {
    let case = Case::load("11").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let found = SessionStatistics::of(&session).unwrap();
    let calls = case.fact("/stats/tool_calls").as_u64().unwrap();
    let extents = [found.context, found.branch, found.file];
    assert_eq!(extents.map(|extent| extent.messages.tool_calls), [calls; 3]);
}

#[test]
fn case_78_counting_deletes_nothing() {
    let case = Case::load("78").unwrap();
    let before = case.snapshot().unwrap();
    let found = scan().places(&flat(case.path("in/sessions/--work-demo--")), &[], None, &|_| {
        ControlFlow::Continue(())
    });
    assert_eq!(found.problems.len(), 2, "the blank and the empty file are told");
    assert_eq!(case.snapshot().unwrap(), before);
}

#[test]
fn case_81_a_huge_session_is_counted() {
    let Some(case) = Case::generated("81").unwrap() else { return };
    let file = SessionFile { path: case.input(1), store: "".into(), adopts: false };
    holds(&scan().session(&file, &[]).unwrap().statistics.totals(), case.fact("/stats"));
    let session = open(&case, &case.input(1)).unwrap();
    holds(&SessionStatistics::of(&session).unwrap().file.totals, case.fact("/stats"));
}
