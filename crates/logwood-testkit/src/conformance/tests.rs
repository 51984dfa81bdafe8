//! The runner against a transport that answers what the cases expect, and against the same answers spoiled.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::case::{Case, Kind, all, text};
use super::{Difference, Launch, run};
use crate::json::decode;

/// The responses a case expects, to be given in order.
fn answers(case: &Case) -> VecDeque<(String, Value)> {
    let steps = case.steps().iter();
    steps
        .filter(|step| !["read_file", "file_exists"].contains(&text(step, "type")))
        .map(|step| (text(step, "type").to_owned(), response(step)))
        .collect()
}

fn response(step: &Value) -> Value {
    if step.get("expectError").is_some() {
        return json!({"success": false, "error": "no", "errorKind": step.get("errorKind")});
    }
    json!({"success": true, "data": step["expect"]})
}

/// `@input` and the like as the paths of this run, generated values as values.
fn concrete(value: &Value, launch: &Launch) -> Value {
    match value {
        Value::String(text) => concrete_text(text, launch).into(),
        Value::Array(items) => items.iter().map(|item| concrete(item, launch)).collect(),
        Value::Object(map) => {
            let pairs = map.iter().map(|(key, value)| (key.clone(), concrete(value, launch)));
            Value::Object(pairs.collect::<Map<_, _>>())
        }
        other => other.clone(),
    }
}

fn concrete_text(text: &str, launch: &Launch) -> String {
    let sessions = launch.agent_dir.with_file_name("case").join("sessions");
    let path = |inner: &str| sessions.join(inner).to_string_lossy().into_owned();
    match text {
        "@dir" => sessions.to_string_lossy().into_owned(),
        "@input" => path("input.jsonl"),
        "@cwd" => std::env::current_dir().unwrap().to_string_lossy().into_owned(),
        "@time" => "2026-02-03T04:05:06.007Z".into(),
        _ => {
            match (text.strip_prefix("@file"), text.strip_prefix("@uuid"), text.strip_prefix("@id"))
            {
                (Some(number), _, _) => path(&format!("new{number}.jsonl")),
                (_, Some(number), _) => format!("0a1b2c3d-0000-4000-8000-{number:0>12}"),
                (_, _, Some(number)) => format!("fe{number:0>6}"),
                _ => text.to_owned(),
            }
        }
    }
}

fn play(case: &Case, answers: VecDeque<(String, Value)>) -> Vec<Difference> {
    run(case, move |launch| {
        let launch = launch.clone();
        let mut answers = answers;
        Ok(move |request: Value| {
            let asked = text(&request, "type");
            let due = answers.front().map(|(kind, _)| kind.replace("get_tree_ids", "get_tree"));
            if asked == "get_session_file" && due.as_deref() != Some(asked) {
                return concrete(
                    &json!({"success": true, "data": {"sessionFile": "@input"}}),
                    &launch,
                );
            }
            assert_eq!(due.as_deref(), Some(asked));
            concrete(&answers.pop_front().unwrap().1, &launch)
        })
    })
}

fn reading() -> Vec<Case> {
    all().unwrap().into_iter().filter(Case::is_reading).collect()
}

#[test]
fn all_cases_are_there() {
    let cases = all().unwrap();
    let count = |kind| cases.iter().filter(|case| case.kind == kind).count();
    assert_eq!((count(Kind::Session), count(Kind::Store)), (79, 9));
    assert!(cases.iter().all(|case| !case.steps().is_empty() && !case.about().is_empty()));
}

/// Counted with the selection of `check.py --reading`.
#[test]
fn reading_takes_the_cases_that_change_no_file() {
    let cases = reading();
    assert_eq!(cases.len(), 57);
    assert!(!cases.iter().any(|case| case.name.contains("append")));
}

#[test]
fn right_answers_pass() {
    for case in reading() {
        let found = play(&case, answers(&case));
        assert_eq!(found, [], "{}", case.name);
    }
}

/// Numbers, texts, truths and nulls of every answer, changed one at a time, are noticed (the last ones of each answer:
/// those that stand deepest).
#[test]
fn every_wrong_value_is_found() {
    let mut spoiled = 0;
    for case in reading() {
        let right = answers(&case);
        for (at, (_, response)) in right.iter().enumerate() {
            for pointer in leaves(response).into_iter().rev().take(6) {
                let mut wrong = right.clone();
                let leaf = wrong[at].1.pointer_mut(&pointer).unwrap();
                *leaf = other(leaf);
                spoiled += 1;
                assert_ne!(play(&case, wrong), [], "{} answer {at} {pointer}", case.name);
            }
        }
    }
    assert!(spoiled > 600, "{spoiled}");
}

fn other(leaf: &Value) -> Value {
    match leaf {
        Value::String(text) => format!("{text} and more").into(),
        Value::Number(number) => json!(number.as_f64().unwrap() + 1.0),
        Value::Bool(truth) => (!truth).into(),
        _ => "something".into(),
    }
}

/// Pointers to the leaves of a response that the runner must look at.
fn leaves(response: &Value) -> Vec<String> {
    let mut open = vec![(String::new(), response)];
    let mut found = Vec::new();
    while let Some((pointer, value)) = open.pop() {
        match value {
            Value::Object(map) => {
                let top = pointer.is_empty();
                let looked_at = map.iter().filter(|(key, value)| {
                    !(top && (*key == "error" || *key == "errorKind" && value.is_null()))
                });
                open.extend(looked_at.map(|(key, value)| {
                    let key = key.replace('~', "~0").replace('/', "~1");
                    (format!("{pointer}/{key}"), value)
                }));
            }
            Value::Array(items) => open.extend(
                items.iter().enumerate().map(|(at, item)| (format!("{pointer}/{at}"), item)),
            ),
            _ => found.push(pointer),
        }
    }
    found
}

/// A list with one more, one less or two exchanged is noticed; so is a key too many below the top.
#[test]
fn wrong_shapes_are_found() {
    let case =
        session(r#"{"type":"get_entries","expect":{"entries":[{"id":"a","n":null},{"id":"b"}]}}"#);
    let ask = |data: Value| {
        play(&case, [("get_entries".into(), json!({"success": true, "data": data}))].into())
    };
    assert_eq!(ask(json!({"entries": [{"n": null, "id": "a"}, {"id": "b"}], "more": 1})), []);
    for wrong in [
        json!([{"id": "a", "n": null}]),
        json!([{"id": "a", "n": null}, {"id": "b"}, {"id": "b"}]),
        json!([{"id": "b"}, {"id": "a", "n": null}]),
        json!([{"id": "a"}, {"id": "b"}]),
        json!([{"id": "a", "n": null}, {"id": "b", "x": null}]),
        json!({}),
    ] {
        assert_eq!(ask(json!({ "entries": wrong })).len(), 1);
    }
    assert_eq!(ask(Value::Null).len(), 1);
}

#[test]
fn an_error_is_no_answer_and_an_answer_no_error() {
    let fine = session(r#"{"type":"get_header","expect":{}}"#);
    let refused = session(r#"{"type":"get_header","expectError":true,"errorKind":"not_found"}"#);
    let ask =
        |case: &Case, response: Value| play(case, [("get_header".into(), response)].into()).len();
    let error = |kind: &str| json!({"success": false, "error": "no", "errorKind": kind});
    assert_eq!(ask(&fine, json!({"success": true})), 0);
    assert_eq!(ask(&fine, error("io")), 1);
    assert_eq!(ask(&fine, json!({"data": {}})), 1);
    assert_eq!(ask(&refused, error("not_found")), 0);
    assert_eq!(ask(&refused, error("io")), 1);
    assert_eq!(ask(&refused, json!({"success": true})), 1);
}

#[test]
fn a_refused_file_that_changed_is_found() {
    let case = session(r#"{"type":"open","path":"@input","expectError":true}"#);
    let found = run(&case, |_| {
        Ok(|request: Value| {
            std::fs::write(request["path"].as_str().unwrap(), "gone").unwrap();
            json!({"success": false})
        })
    });
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].command, "bytes");
}

#[test]
fn earlier_results_are_filled_in() {
    let case = session(
        r#"{"type":"append_message","expect":{"entryId":"@id1"}},{"type":"get_entry","entryId":"$0","expect":{"entry":{"id":"@id1"}}}"#,
    );
    let found = run(&case, |_| {
        Ok(|request: Value| match request["entryId"].as_str() {
            None => json!({"success": true, "data": {"entryId": "feed0001"}}),
            Some(id) => json!({"success": true, "data": {"entry": {"id": id}}}),
        })
    });
    assert_eq!(found, []);
}

#[test]
fn a_transport_that_fails_fails_the_case() {
    let case = session(r#"{"type":"get_header","expect":{}}"#);
    let found = run(&case, |_| Err::<fn(Value) -> Value, _>("no such program".to_owned()));
    assert_eq!(found.len(), 1);
    assert!(found[0].to_string().contains("no such program"));
}

fn session(steps: &str) -> Case {
    let body = decode(&format!(r#"{{"input":"x","steps":[{steps}]}}"#)).unwrap();
    Case { kind: Kind::Session, name: "test".into(), body }
}
