//! The cases about subagents, as far as they are about who belongs to whom.

use logwood::inventory::read_headers;
use logwood::location::{
    AgentDir, Environment, Settings, Store, StoreKind, StoreOrigin, TranscriptSetting,
};
use logwood::storage::LocalStorage;
use logwood::transcript::{Kinship, recover_children};
use logwood_testkit::cases::Case;

/// The children of the case are found with their agents, a single one and the step of a chain, and nothing is changed.
#[test]
fn case_67_children_are_found_with_their_agents() {
    let case = Case::load("67").unwrap();
    let before = case.snapshot().unwrap();
    let store = Store::new(AgentDir::new(case.path("in"), StoreKind::Dreb), StoreOrigin::Home);
    let environment = Environment::new(None, []);
    let roots = TranscriptSetting::new(&environment, &store, &Settings::none());
    let found = recover_children(&LocalStorage, &roots.at(&case.path("")), &case.input(0)).unwrap();
    assert_eq!(found.problems, []);
    let mut agents: Vec<_> = found.children.iter().map(|child| &*child.agent_type).collect();
    agents.sort_unstable();
    assert_eq!(serde_json::json!(agents), *case.fact("/stats/agent_types"));
    assert_eq!(serde_json::json!(agents.len()), *case.fact("/stats/subagents"));

    let rows =
        read_headers(&LocalStorage, &[case.path("in/sessions"), case.path("in/subagent-sessions")])
            .rows;
    let kinship = Kinship::of(&LocalStorage, &rows);
    assert_eq!(kinship.transcripts(&case.input(0)).len(), 2);
    assert_eq!(kinship.family(&case.input(2)).unwrap().members.len(), 3);
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
}

/// A fork is no child: it belongs to the family and to nobody's transcripts.
#[test]
fn case_64_a_fork_is_one_of_the_family() {
    let case = Case::load("64").unwrap();
    let rows = read_headers(&LocalStorage, &[case.path("in/sessions")]).rows;
    let kinship = Kinship::of(&LocalStorage, &rows);
    assert!(kinship.transcripts(&case.input(0)).is_empty());
    assert_eq!(kinship.forks(&case.input(0)).len(), 1);
    assert_eq!(kinship.family(&case.input(1)).unwrap().members.len(), 2);
    assert_eq!(kinship.family(&case.input(2)).unwrap().members.len(), 1);
}
