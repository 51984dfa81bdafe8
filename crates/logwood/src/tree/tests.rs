//! Tree laws against a plain model, and the vectors of spec 15.

use std::collections::{BTreeMap, HashSet};

use proptest::prelude::*;

use super::*;
use crate::entry::{EntryKind, Role};

type Line = (u8, Option<u8>, i64);

fn name(id: u8) -> String {
    format!("e{id}")
}

fn put(tree: &mut SessionTree, (id, parent, time): Line) {
    let (id, parent) = (name(id), parent.map(name));
    tree.insert(&NewNode {
        id: &id,
        parent: parent.as_deref(),
        timestamp_ms: (time >= 0).then_some(time),
        kind: EntryKind::Message,
        role: Role::User,
    });
}

fn tree_of(lines: &[Line]) -> (SessionTree, Vec<LinkFault>) {
    let mut tree = SessionTree::default();
    for line in lines {
        put(&mut tree, *line);
    }
    let faults = tree.link();
    (tree, faults)
}

fn ids(tree: &SessionTree, nodes: impl IntoIterator<Item = NodeId>) -> Vec<String> {
    nodes.into_iter().map(|node| tree.id(node).to_owned()).collect()
}

/// What the rules say, written plainly: last line of an id wins, place is that of the first, loops are cut at the first of the file.
struct Model {
    order: Vec<u8>,
    parent: BTreeMap<u8, Option<u8>>,
    time: BTreeMap<u8, i64>,
    cut: Vec<u8>,
}

impl Model {
    fn of(lines: &[Line]) -> Self {
        let mut model =
            Self { order: vec![], parent: BTreeMap::new(), time: BTreeMap::new(), cut: vec![] };
        for (id, parent, time) in lines {
            if !model.order.contains(id) {
                model.order.push(*id);
            }
            model.parent.insert(*id, *parent);
            model.time.insert(*id, if *time < 0 { i64::MAX } else { *time });
        }
        let known: HashSet<u8> = model.order.iter().copied().collect();
        for parent in model.parent.values_mut() {
            *parent = parent.filter(|parent| known.contains(parent));
        }
        for id in model.order.clone() {
            if model.leads_back(id) {
                model.parent.insert(id, None);
                model.cut.push(id);
            }
        }
        model
    }

    fn leads_back(&self, id: u8) -> bool {
        let mut at = self.parent[&id];
        for _ in 0..=self.order.len() {
            match at {
                None => return false,
                Some(at) if at == id => return true,
                Some(other) => at = self.parent[&other],
            }
        }
        false
    }

    fn children(&self, of: Option<u8>) -> Vec<u8> {
        self.order.iter().copied().filter(|id| self.parent[id] == of).collect()
    }

    fn branch(&self, to: u8) -> Vec<u8> {
        let mut path = vec![to];
        while let Some(parent) = self.parent[path.last().unwrap()] {
            path.push(parent);
        }
        path.reverse();
        path
    }

    fn walk(&self) -> Vec<u8> {
        let mut out = vec![];
        for root in self.children(None) {
            self.walk_from(root, &mut out);
        }
        out
    }

    fn walk_from(&self, id: u8, out: &mut Vec<u8>) {
        out.push(id);
        let mut children = self.children(Some(id));
        children.sort_by_key(|child| self.time[child]);
        children.into_iter().for_each(|child| self.walk_from(child, out));
    }
}

fn lines() -> impl Strategy<Value = Vec<Line>> {
    prop::collection::vec((0u8..12, prop::option::weighted(0.85, 0u8..14), -1i64..4), 0..24)
}

proptest! {
    #[test]
    fn the_tree_is_the_models_tree(lines in lines(), linked_at in 0usize..24) {
        let mut tree = SessionTree::default();
        let mut cut = HashSet::new();
        for (at, line) in lines.iter().enumerate() {
            put(&mut tree, *line);
            if at == linked_at && lines.iter().all(|(id, parent, _)| parent.is_none_or(|p| p < *id)) {
                tree.link(); // without loops, linking in between changes nothing
            }
        }
        for fault in tree.link() {
            if let LinkFault::Cycle(node) = fault {
                cut.insert(tree.id(node).to_owned());
            }
        }
        let model = Model::of(&lines);
        let names = |ids: Vec<u8>| ids.into_iter().map(name).collect::<Vec<_>>();
        prop_assert_eq!(ids(&tree, tree.nodes()), names(model.order.clone()));
        prop_assert_eq!(ids(&tree, tree.roots()), names(model.children(None)));
        prop_assert_eq!(cut, model.cut.iter().copied().map(name).collect::<HashSet<_>>());
        let walk: Vec<_> = tree.walk().map(|visit| visit.node).collect();
        prop_assert_eq!(ids(&tree, walk), names(model.walk()));
        for id in &model.order {
            let node = tree.find(&name(*id)).unwrap();
            prop_assert_eq!(ids(&tree, tree.branch(node)), names(model.branch(*id)));
            prop_assert_eq!(ids(&tree, tree.children(node)), names(model.children(Some(*id))));
        }
        prop_assert_eq!(tree.leaf().map(|leaf| tree.id(leaf).to_owned()), lines.last().map(|l| name(l.0)));
        let descent = tree.descent();
        for a in tree.nodes() {
            for b in tree.nodes() {
                prop_assert_eq!(descent.is_below(a, b), tree.branch(a).contains(&b));
            }
        }
    }
}

#[test]
fn children_sort_by_time_and_then_by_place_and_those_without_a_time_come_last() {
    let (tree, _) = tree_of(&[
        (0, None, 0),
        (1, Some(0), -1),
        (2, Some(0), 9),
        (3, Some(0), 1),
        (4, Some(0), 1),
    ]);
    let walk: Vec<_> = tree.walk().map(|visit| visit.node).collect();
    assert_eq!(ids(&tree, walk), ["e0", "e3", "e4", "e2", "e1"]);
    let root = tree.find("e0").unwrap();
    assert_eq!(ids(&tree, tree.children(root)), ["e1", "e2", "e3", "e4"]);
}

#[test]
fn an_orphan_is_reported_once_and_adopted_when_its_parent_comes() {
    let mut tree = SessionTree::default();
    put(&mut tree, (1, Some(9), 0));
    let orphan = LinkFault::Orphan(tree.find("e1").unwrap(), "e9".to_owned());
    assert_eq!(tree.link(), [orphan]);
    assert_eq!(tree.missing_parent(tree.find("e1").unwrap()), Some("e9"));
    put(&mut tree, (2, Some(1), 0));
    assert_eq!(tree.link(), []);
    put(&mut tree, (9, None, 0));
    assert_eq!(tree.link(), []);
    assert_eq!(ids(&tree, tree.roots()), ["e9"]);
    assert_eq!(ids(&tree, tree.branch(tree.find("e2").unwrap())), ["e9", "e1", "e2"]);
}

#[test]
fn a_chain_of_a_million_is_walked_without_a_stack() {
    let mut tree = SessionTree::default();
    let mut before = None;
    for number in 0..1_000_000u32 {
        let id = format!("{number:08x}");
        let (kind, role) = (EntryKind::Message, Role::User);
        tree.insert(&NewNode {
            id: &id,
            parent: before.as_deref(),
            timestamp_ms: None,
            kind,
            role,
        });
        before = Some(id);
    }
    assert_eq!(tree.link(), []);
    assert_eq!(tree.branch(tree.leaf().unwrap()).len(), 1_000_000);
    assert_eq!(tree.walk().last().unwrap().depth, 999_999);
}

#[test]
fn common_ancestor_is_the_deepest_shared_entry() {
    let (tree, _) =
        tree_of(&[(0, None, 0), (1, Some(0), 0), (2, Some(1), 0), (3, Some(1), 0), (4, None, 0)]);
    let at = |id: u8| tree.find(&name(id)).unwrap();
    assert_eq!(tree.common_ancestor(at(2), at(3)), Some(at(1)));
    assert_eq!(tree.common_ancestor(at(2), at(1)), Some(at(1)));
    assert_eq!(tree.common_ancestor(at(2), at(4)), None);
}

#[test]
fn labels_keep_the_order_of_a_javascript_map() {
    let mut labels = Labels::default();
    for (target, label) in [
        ("x", Some("A")),
        ("y", Some("B")),
        ("x", Some("C")),
        ("y", None),
        ("z", Some("")),
        ("y", Some("D")),
    ] {
        labels.apply(target, label);
    }
    assert_eq!(labels.in_order(), [("x", "C"), ("y", "D")]);
    labels.apply("x", Some(""));
    labels.apply("x", Some("E"));
    assert_eq!(labels.in_order(), [("y", "D"), ("x", "E")]);
    assert_eq!(labels.get("z"), None);
}
