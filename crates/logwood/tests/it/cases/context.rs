//! Compactions, broken pairs of tool calls and results, and settings along the path.

use logwood::context::unpaired_tools;
use logwood_testkit::cases::Case;
use serde_json::json;

use super::support::{kinds_and_lines, open, roles, settings, texts, texts_at, texts_of};

#[test]
fn case_34_two_compactions() {
    let case = Case::load("34").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    assert_eq!(json!(roles(&session.context().unwrap())), *case.fact("/context/roles"));
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    assert_eq!(texts_at(&session, "a6000006"), *case.fact("/context_at_a6000006/texts"));
}

#[test]
fn case_35_compaction_on_another_branch() {
    let case = Case::load("35").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    assert_eq!(texts_at(&session, "bc000005"), *case.fact("/context_at_bc000005/texts"));
}

#[test]
fn case_36_compaction_boundary_missing() {
    let case = Case::load("36").unwrap();
    for at in 0..2 {
        let path = case.input(at);
        let session = open(&case, &path).unwrap();
        let facts = &case.fact("/by_file")[path.file_name().unwrap().to_str().unwrap()];
        assert_eq!(texts_of(&session), facts["context_texts"]);
        assert_eq!(json!(kinds_and_lines(session.problems())), facts["warnings"]);
    }
}

#[test]
fn case_37_compaction_boundary_is_not_a_message() {
    let case = Case::load("37").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    let context = session.context().unwrap();
    assert_eq!(json!(context.model().unwrap().model_id), *case.fact("/context/model"));
}

#[test]
fn case_38_tool_call_pairs_broken() {
    let case = Case::load("38").unwrap();
    for at in 0..2 {
        let path = case.input(at);
        let session = open(&case, &path).unwrap();
        let facts = &case.fact("/by_file")[path.file_name().unwrap().to_str().unwrap()];
        let context = session.context().unwrap();
        let found = unpaired_tools(&context).into_iter().map(|tool| {
            let kind = if tool.is_result { "unpaired_tool_result" } else { "unpaired_tool_call" };
            json!({"kind": kind, "call": tool.call_id, "entry": tool.entry_id})
        });
        assert_eq!(json!(found.collect::<Vec<_>>()), facts["warnings"]);
        if facts["context_roles"].is_array() {
            assert_eq!(json!(roles(&context)), facts["context_roles"]);
        }
    }
}

#[test]
fn case_39_settings_follow_the_path() {
    let case = Case::load("39").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let there = session.require("b5000005").unwrap();
    for (at, leaf) in [
        ("/context", session.leaf()),
        ("/context_at_b5000005", Some(there)),
        ("/context_at_null", None),
    ] {
        let context = session.context_at(leaf).unwrap();
        let fact = |key: &str| case.fact(&format!("{at}/{key}")).clone();
        assert_eq!(json!(texts(&context)), fact("texts"), "{at}");
        assert_eq!(settings(&context), (fact("model"), fact("thinking_level")), "{at}");
    }
}
