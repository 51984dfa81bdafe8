//! The oracle against the recorded answers of `conformance/`: what it says of each input is what the case expects.

use serde_json::{Value, json};

use super::Oracle;
use crate::json::decode;

/// The cases of version 3 that only read, asked of the oracle.
#[test]
fn the_oracle_agrees_with_the_recorded_cases() {
    let mut asked = 0;
    for case in crate::conformance::all().unwrap().into_iter().filter(|case| case.is_reading()) {
        let records = records(case.input());
        if records.first().is_none_or(|header| header["version"].as_u64() < Some(3)) {
            continue;
        }
        let oracle = Oracle::new(&records);
        let mut leaf = oracle.leaf();
        for step in case.steps() {
            let id = |key: &str| step[key].as_str();
            match step["type"].as_str().unwrap() {
                "branch" if step.get("expectError").is_none() => leaf = id("entryId"),
                "reset_leaf" => leaf = None,
                _ => {}
            }
            let Some(got) = answer(&oracle, leaf, step) else { continue };
            for (key, value) in got.as_object().unwrap() {
                assert_eq!(&step["expect"][key], value, "{} {step}", case.name);
                asked += 1;
            }
        }
    }
    assert!(asked > 120, "{asked}");
}

fn records(input: &str) -> Vec<Value> {
    let lines = input.trim_start_matches('\u{feff}').split('\n');
    lines.filter_map(|line| decode(line.trim()).ok()).collect()
}

fn answer(oracle: &Oracle<'_>, leaf: Option<&str>, step: &Value) -> Option<Value> {
    let id = |key: &str| step[key].as_str();
    Some(match step["type"].as_str()? {
        _ if step.get("expect").is_none() => return None,
        "get_leaf_id" => json!({"leafId": leaf}),
        "get_entries" if step["expect"]["entries"].is_array() => json!({"entries": oracle.lines()}),
        "get_entry" => json!({"entry": oracle.entry(id("entryId")?)}),
        "get_children" => json!({"entries": oracle.children(id("parentId")?)}),
        "get_label" => json!({"label": oracle.label(id("entryId")?)}),
        "get_session_name" => json!({"name": oracle.name()}),
        "get_branch" => {
            json!({"ids": id("fromId").or(leaf).map(|id| oracle.branch(id)).unwrap_or_default()})
        }
        "get_tree_ids" => json!({"roots": nested(oracle)}),
        "build_session_context" => context(oracle, id("leafId").or(leaf)),
        _ => return None,
    })
}

fn context(oracle: &Oracle<'_>, leaf: Option<&str>) -> Value {
    let context = oracle.context(leaf);
    let messages: Vec<_> = context.messages.into_iter().map(|sourced| sourced.message).collect();
    json!({"messages": messages, "thinkingLevel": context.thinking_level, "model": context.model})
}

/// The walk as nested nodes.
fn nested(oracle: &Oracle<'_>) -> Value {
    let mut levels: Vec<Vec<Value>> = vec![Vec::new()];
    for (id, depth) in oracle.walk() {
        fold(&mut levels, depth);
        let mut node = json!({"id": id, "children": []});
        if let Some(label) = oracle.label(id) {
            node["label"] = label.into();
        }
        levels[depth].push(node);
        levels.push(Vec::new());
    }
    fold(&mut levels, 0);
    levels.remove(0).into()
}

/// Hands what stands deeper than `depth` to its parents.
fn fold(levels: &mut Vec<Vec<Value>>, depth: usize) {
    while levels.len() > depth + 1 {
        let children = levels.pop().unwrap();
        if let Some(parent) = levels.last_mut().unwrap().last_mut() {
            parent["children"] = children.into();
        }
    }
}

fn entry(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "custom", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z"})
}

#[test]
fn a_cycle_is_broken_at_its_first_entry() {
    let records = [
        entry("t", Some("b")),
        entry("b", Some("c")),
        entry("c", Some("a")),
        entry("a", Some("b")),
    ];
    let oracle = Oracle::new(&records);
    assert_eq!(oracle.roots(), ["b"]);
    assert_eq!(oracle.branch("c"), ["b", "a", "c"]);
    assert_eq!(oracle.branch("t"), ["b", "t"]);
}

#[test]
fn a_repeated_id_has_the_place_of_its_first_line_and_the_meaning_of_its_last() {
    let records =
        [entry("a", None), entry("b", Some("a")), entry("c", None), entry("b", Some("c"))];
    let oracle = Oracle::new(&records);
    assert_eq!(oracle.ids(), ["a", "b", "c"]);
    assert_eq!(oracle.leaf(), Some("b"));
    assert_eq!(oracle.branch("b"), ["c", "b"]);
    assert_eq!(oracle.lines().len(), 4);
}
