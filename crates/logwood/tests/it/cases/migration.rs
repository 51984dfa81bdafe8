//! Files of version 1 and 2, seen as version 3 while the file stays as it is.

use std::collections::HashSet;

use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::json;

use super::support::{entries, entry, ids, load, messages, open, roles, texts_of};

#[test]
fn case_31_v1_migration_with_compaction() {
    let case = Case::load("31").unwrap();
    let session = load(&case, 0, "/load_readonly");
    let entries = entries(&session);
    let number = |pointer: &str| case.fact(pointer).as_u64().unwrap() as usize;
    assert_eq!(entries.len(), number("/after/entry_count"));
    let distinct: HashSet<_> = entries.iter().map(|entry| entry["id"].as_str().unwrap()).collect();
    assert_eq!(distinct.len(), number("/after/distinct_ids"));
    assert!(entries[0]["parentId"].is_null());
    assert!(entries.windows(2).all(|pair| pair[1]["parentId"] == pair[0]["id"]));
    let compaction = entries.iter().find(|entry| entry["type"] == "compaction").unwrap();
    assert!(compaction.get(case.fact("/after/no_field").as_str().unwrap()).is_none());
    let first = entry(&session, compaction["firstKeptEntryId"].as_str().unwrap());
    let content = &first["message"]["content"];
    let text = content.as_str().or(content[0]["text"].as_str());
    assert_eq!(text, case.fact("/after/first_kept_is_text").as_str());
    let context = session.context().unwrap();
    assert_eq!(json!(roles(&context)), *case.fact("/context/roles"));
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    assert_eq!(messages(&context)[0]["tokensBefore"], *case.fact("/context/tokens_before"));
}

/// Every look gives the same ids, so that what was noted at one look is found at the next.
#[test]
fn case_31_ids_are_the_same_at_every_look() {
    let case = Case::load("31").unwrap();
    let look = || {
        let session = open(&case, &case.input(0)).unwrap();
        ids(&session, session.tree().nodes())
    };
    assert_eq!(look(), look());
}

#[test]
fn case_32_v2_hook_messages() {
    let case = Case::load("32").unwrap();
    let session = load(&case, 0, "/load_readonly");
    assert_eq!(json!(roles(&session.context().unwrap())), *case.fact("/context/roles"));
    assert_eq!(ids(&session, session.tree().nodes()), *case.fact("/after/ids"));
    let header = decode(&String::from_utf8(session.header_text()).unwrap()).unwrap();
    assert_eq!(header["version"], *case.fact("/after/version"));
}
