//! The generators make what they say.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

use super::*;
use crate::json::{decode, on_big_stack};
use crate::oracle::Oracle;

/// `count` values of a strategy, always the same ones.
fn samples<T: std::fmt::Debug>(strategy: &impl Strategy<Value = T>, count: usize) -> Vec<T> {
    let mut runner = TestRunner::deterministic();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

proptest! {
    /// `serde_json` refuses numbers beyond `f64`, which JSON and JavaScript do not.
    #[test]
    fn json_texts_are_json(text in json_text()) {
        prop_assert!(decode(&text.replace("1e400", "1e40")).is_ok(), "{}", text);
        prop_assert!(!text.contains('\n'));
    }

    #[test]
    fn lines_of_sessions_are_their_entries(session in session(12)) {
        let text = String::from_utf8(session.text.clone()).unwrap();
        let lines: Vec<_> = text.lines().map(|line| decode(line).unwrap()).collect();
        prop_assert_eq!(lines.len(), session.entries.len() + 1);
        for (line, entry) in lines.iter().skip(1).zip(&session.entries) {
            let mut line = line.clone();
            line.as_object_mut().unwrap().shift_remove("odd");
            prop_assert_eq!(&line, &entry.value);
            prop_assert_eq!(line["id"].as_str(), Some(entry.id.as_str()));
            prop_assert_eq!(line["parentId"].as_str(), entry.parent.as_deref());
            prop_assert_eq!(line["type"].as_str(), Some(entry.kind));
        }
    }
}

/// What property tests are for must come up often enough.
#[test]
fn sessions_have_everything_that_is_worth_testing() {
    let sessions = samples(&session(30), 300);
    let share = |what: &dyn Fn(&Session, &Oracle<'_>) -> bool| {
        let hits =
            sessions.iter().filter(|session| what(session, &Oracle::new(&session.records())));
        hits.count()
    };
    let kinds: HashSet<_> =
        sessions.iter().flat_map(|s| &s.entries).map(|entry| entry.kind).collect();
    assert_eq!(kinds.len(), 12, "{kinds:?}");
    assert!(share(&|_, oracle| oracle.ids().iter().any(|id| oracle.children(id).len() > 1)) > 100);
    assert!(share(&|session, oracle| oracle.ids().len() < session.entries.len()) > 60);
    assert!(share(&|_, oracle| oracle.ids().iter().any(|id| oracle.label(id).is_some())) > 60);
    assert!(share(&|_, oracle| oracle.name().is_some()) > 30);
    assert!(share(&|_, oracle| oracle.roots().len() > 2) > 60);
    let cycle = |_: &Session, oracle: &Oracle<'_>| {
        oracle.roots().iter().any(|id| {
            let parent = oracle.entry(id).unwrap()["parentId"].as_str();
            parent.is_some_and(|parent| oracle.entry(parent).is_some() && parent != *id)
        })
    };
    assert!(share(&cycle) > 20);
    let leaf = |oracle: &Oracle<'_>| oracle.leaf().map(|leaf| oracle.context(Some(leaf)).messages);
    let has_role = |role: &'static str| {
        move |_: &Session, oracle: &Oracle<'_>| {
            leaf(oracle).into_iter().flatten().any(|sourced| sourced.message["role"] == role)
        }
    };
    for role in ["compactionSummary", "branchSummary", "custom", "system", "toolResult"] {
        assert!(share(&has_role(role)) > 30, "{role}");
    }
}

#[test]
fn mutations_do_what_they_say() {
    let text = b"one\ntwo\nthree\n".to_vec();
    let after = |mutation: Mutation| String::from_utf8(mutation.apply(text.clone())).unwrap();
    assert_eq!(after(Mutation::Cut(5)), "one\nt");
    assert_eq!(after(Mutation::Flip(0, 0)), "nne\ntwo\nthree\n");
    assert_eq!(after(Mutation::Nul(3, 2)), "one\0\0\ntwo\nthree\n");
    assert_eq!(after(Mutation::Padding(1)), "one\ntwo\nthree\n\0");
    assert_eq!(after(Mutation::DoubleLine(1)), "one\ntwo\ntwo\nthree\n");
    assert_eq!(after(Mutation::DropLine(0)), "two\nthree\n");
    assert_eq!(after(Mutation::MoveLine(0, 2)), "two\nthree\none\n");
    assert_eq!(after(Mutation::FuseLines(1)), "one\ntwothree\n");
    assert_eq!(after(Mutation::Bom(1)), "one\n\u{feff}two\nthree\n");
    assert_eq!(after(Mutation::Crlf), "one\r\ntwo\r\nthree\r\n");
    assert_eq!(after(Mutation::Insert(2, b"x".to_vec())), "one\ntwo\nx\nthree\n");
}

#[test]
fn mutations_survive_an_empty_file() {
    for mutation in samples(&mutation(), 200) {
        let _ = mutation.apply(Vec::new());
    }
}

#[test]
fn big_sessions_have_the_shape_they_are_named_after() {
    let depth = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut text = Vec::new();
        write(&mut text);
        let records: Vec<_> =
            String::from_utf8(text).unwrap().lines().map(|line| decode(line).unwrap()).collect();
        let oracle = Oracle::new(&records);
        let walk = oracle.walk();
        (oracle.roots().len(), walk.len(), walk.iter().map(|(_, depth)| depth + 1).max().unwrap())
    };
    assert_eq!(depth(&|out| big::chain(out, 40).unwrap()), (1, 40, 40));
    assert_eq!(depth(&|out| big::wide(out, 40).unwrap()), (1, 40, 2));
    assert_eq!(depth(&|out| big::roots(out, 40).unwrap()), (40, 40, 1));
    assert_eq!(depth(&|out| big::cycle(out, 40).unwrap()), (1, 40, 40));
    assert_eq!(depth(&|out| big::long_line(out, 100_000).unwrap()), (1, 1, 1));
}

#[test]
fn nesting_is_as_deep_as_it_says() {
    let mut text = Vec::new();
    big::nested(&mut text, 5_001).unwrap();
    let line = String::from_utf8(text).unwrap().lines().nth(2).unwrap().to_owned();
    let levels = on_big_stack(|| {
        let entry = decode(&line).unwrap();
        let mut value = &entry["message"]["content"][0]["arguments"];
        let mut levels = 0;
        while let Some(inner) = value.get("a").or_else(|| value.get(0)) {
            (value, levels) = (inner, levels + 1);
        }
        levels
    });
    assert_eq!(levels.unwrap(), 5_001);
}
