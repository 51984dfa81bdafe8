//! Ids that repeat, parents that loop or are missing, labels, and depth.

use std::collections::HashSet;

use logwood_testkit::cases::Case;

use super::support::{ids, kinds_and_lines, load, open, texts, texts_of};

#[test]
fn case_26_exact_duplicate_entries() {
    let case = Case::load("26").unwrap();
    let session = load(&case, 0, "/load");
    let tree = session.tree();
    let fact = |pointer: &str| case.fact(pointer).as_u64().unwrap();
    assert_eq!(session.entries().count() as u64, fact("/load/record_lines"));
    assert_eq!(tree.len() as u64, fact("/load/distinct_ids"));
    assert_eq!(tree.walk().count() as u64, fact("/tree/node_count"));
    assert_eq!(ids(&session, tree.roots()), *case.fact("/tree/roots"));
    for (parent, children) in case.fact("/tree/children").as_object().unwrap() {
        assert_eq!(ids(&session, tree.children(tree.find(parent).unwrap())), *children);
    }
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
}

#[test]
fn case_28_parent_loops() {
    let case = Case::load("28").unwrap();
    for at in 0..3 {
        let path = case.input(at);
        let session = open(&case, &path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let facts = &case.fact("/by_file")[name];
        assert_eq!(texts_of(&session), facts["context_texts"], "{name}");
        if let Some(leaf) = facts["leaf_id"].as_str() {
            assert_eq!(session.leaf_id(), Some(leaf));
        }
        let nodes = session.tree().walk().count();
        assert_eq!(nodes as u64, case.fact(&format!("/tree_node_counts/{at}")).as_u64().unwrap());
        let roots = ["a1000001", "b2000002", "d4000004"];
        let cycles: Vec<_> =
            session.problems().iter().map(|p| (p.kind.as_str(), p.entry.as_deref())).collect();
        assert_eq!(cycles, [("cycle", Some(roots[at]))], "{name}");
    }
}

#[test]
fn case_29_orphan_parents() {
    let case = Case::load("29").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let fact = |pointer: &str| case.fact(pointer);
    assert_eq!(session.entries().count() as u64, fact("/load/entry_count").as_u64().unwrap());
    assert_eq!(session.leaf_id(), fact("/load/leaf_id").as_str());
    let problem = &session.problems()[0];
    assert_eq!(session.problems().len(), 1);
    assert_eq!(problem.kind.as_str(), fact("/load/warnings/0/kind"));
    assert_eq!(problem.position.unwrap().line, fact("/load/warnings/0/line").as_u64().unwrap());
    assert_eq!(problem.detail.as_deref(), fact("/load/warnings/0/missing").as_str());
    assert_eq!(ids(&session, session.tree().roots()), *fact("/tree/roots"));
    assert_eq!(session.tree().walk().count() as u64, fact("/tree/node_count").as_u64().unwrap());
    assert_eq!(texts_of(&session), *fact("/context/texts"));
}

#[test]
fn case_75_twenty_thousand_entries_in_one_chain() {
    deep(&Case::generated("75").unwrap());
}

#[test]
fn case_82_a_hundred_thousand_entries_in_one_chain() {
    deep(&Case::generated("82").unwrap());
}

fn deep(case: &Option<Case>) {
    let Some(case) = case else { return };
    let session = load(case, 0, "/load");
    let number = |pointer: &str| case.fact(pointer).as_u64().unwrap() as usize;
    let visits: Vec<_> = session.tree().walk().collect();
    assert_eq!(visits.len(), number("/tree/node_count"));
    assert_eq!(visits.iter().map(|visit| visit.depth + 1).max(), Some(number("/tree/depth")));
    let distinct: HashSet<_> = visits.iter().map(|visit| visit.node).collect();
    assert_eq!(distinct.len(), visits.len());
    let texts = texts(&session.context().unwrap());
    assert_eq!(texts.len(), number("/context/message_count"));
    assert_eq!(texts.first(), Some(case.fact("/context/first_text")));
    assert_eq!(texts.last(), Some(case.fact("/context/last_text")));
}

#[test]
fn case_86_label_history() {
    let case = Case::load("86").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(kinds_and_lines(session.problems()).len(), 1);
    let tree = session.tree();
    let wanted = case.fact("/load/labels").as_object().unwrap();
    let labelled = tree.nodes().filter_map(|node| Some((tree.id(node), tree.label(node)?)));
    let labelled: Vec<_> = labelled.collect();
    assert_eq!(labelled.len(), wanted.len());
    for (id, label) in labelled {
        assert_eq!(wanted[id], label);
    }
    for (id, label) in case.fact("/load/labels_on_missing").as_object().unwrap() {
        assert_eq!(tree.labels().get(id), label.as_str());
        assert!(tree.find(id).is_none());
    }
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
}
