//! Vectors of spec 17.4 and 2.4.

use super::*;
use crate::json::Raw;

fn upgraded(entry: &str, assign: Option<EntryUpgrade<'_>>) -> String {
    String::from_utf8(upgrade_entry(Raw::parse(entry.as_bytes()).unwrap(), assign)).unwrap()
}

#[test]
fn a_version_1_compaction_ends_as_the_reference_writes_it() {
    let entry = r#"{"type":"compaction","timestamp":"2024-01-01T00:00:03.000Z","summary":"S","firstKeptEntryIndex":2,"tokensBefore":9}"#;
    let first_kept = FirstKept::Entry("aaaaaaa2");
    let assign = EntryUpgrade { id: "aaaaaaa3", parent: Some("aaaaaaa2"), first_kept };
    assert_eq!(
        upgraded(entry, Some(assign)),
        r#"{"type":"compaction","timestamp":"2024-01-01T00:00:03.000Z","summary":"S","tokensBefore":9,"id":"aaaaaaa3","parentId":"aaaaaaa2","firstKeptEntryId":"aaaaaaa2"}"#
    );
}

#[test]
fn the_first_entry_has_no_parent_and_an_old_id_is_replaced_in_place() {
    let assign = EntryUpgrade { id: "n", parent: None, first_kept: FirstKept::Keep };
    assert_eq!(
        upgraded(r#"{"id":"old","type":"x"}"#, Some(assign)),
        r#"{"id":"n","type":"x","parentId":null}"#
    );
}

#[test]
fn hook_messages_become_custom_and_nothing_else_changes() {
    assert_eq!(
        upgraded(r#"{"type":"message", "message":{"role" : "hookMessage","n":1.0}}"#, None),
        r#"{"type":"message", "message":{"role" : "custom","n":1.0}}"#
    );
    for same in [
        r#"{"type":"message","message":{"role":"user"}}"#,
        r#"{"type":"custom","message":{"role":"hookMessage"}}"#,
        r#"{"type":"message","message":null}"#,
    ] {
        assert_eq!(upgraded(same, None), same);
    }
}

#[test]
fn the_header_gets_its_version_in_place_or_last() {
    for (before, after) in [
        (
            r#"{"type":"session","version":2,"id":"x"}"#,
            r#"{"type":"session","version":3,"id":"x"}"#,
        ),
        (r#"{"type":"session","id":"x"}"#, r#"{"type":"session","id":"x","version":3}"#),
    ] {
        assert_eq!(upgrade_header(Raw::parse(before.as_bytes()).unwrap()), after.as_bytes());
    }
}
