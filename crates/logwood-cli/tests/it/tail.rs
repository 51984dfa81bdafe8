//! Parts of a session, and pages of a listing.

use serde_json::Value;

use crate::support::{example, printed};

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&printed(words)).unwrap()
}

fn ids(shown: &Value) -> Vec<&str> {
    let entries = shown["entries"].as_array().unwrap();
    entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect()
}

#[test]
fn the_tail_is_the_end_of_what_is_shown() {
    let all = json(&["show", "21f7", "--json"]);
    let all = ids(&all);
    for count in [1, 3, 20] {
        let tail = json(&["show", "21f7", "--json", "--tail", &count.to_string()]);
        assert_eq!(ids(&tail), all[all.len() - count..]);
        assert_eq!(tail["before"], "more");
    }
    let tail = json(&["show", "21f7", "--json", "--tail", "999"]);
    assert_eq!((ids(&tail), &tail["before"]), (all, &Value::from("nothing")));
    let text = printed(&["show", "21f7", "--tail", "1", "-q"]);
    assert!(printed(&["show", "21f7", "-q"]).ends_with(&text), "{text}");
    let header = printed(&["show", "21f7", "--tail", "2"]);
    assert!(header.contains("shown     2 entries, the last of the branch"), "{header}");
    assert_eq!(example(&["show", "21f7", "--tail", "0"]).code, 2);
}

#[test]
fn an_entry_is_shown_with_those_around_it() {
    let all = json(&["show", "21f7", "--json"]);
    let all = ids(&all);
    let middle = all[10];
    let around = json(&["show", "21f7", "--json", "--around", middle, "--context", "2"]);
    assert_eq!(ids(&around), all[8..13]);
    let around = json(&["show", "21f7", "--json", "--around", all[0], "--context", "1"]);
    assert_eq!(ids(&around), all[..2]);
    // An entry that does not lie on the current branch is shown on its own.
    let every = json(&["show", "21f7", "--json", "--all"]);
    let aside = *ids(&every).iter().find(|id| !all.contains(id)).unwrap();
    let around = json(&["show", "21f7", "--json", "--around", aside, "--context", "1"]);
    assert!(ids(&around).contains(&aside));
    assert_eq!(example(&["show", "21f7", "--around", "zzzz"]).code, 3);
}

#[test]
fn pages_of_a_list_are_parts_of_it() {
    let all = json(&["list", "--all", "--json"]);
    let all = all["sessions"].as_array().unwrap().clone();
    let mut pages = Vec::new();
    for offset in 0..all.len() {
        let page =
            json(&["list", "--all", "--json", "--offset", &offset.to_string(), "--limit", "1"]);
        assert_eq!(page["total"], all.len());
        pages.extend(page["sessions"].as_array().unwrap().clone());
    }
    assert_eq!(pages, all);
}
