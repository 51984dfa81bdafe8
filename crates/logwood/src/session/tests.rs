//! Loading, rule by rule (spec 2.5, design section 2 "Bad files").

use std::sync::Arc;

use super::load::Fault;
use super::read::load_bytes;
use super::testing::{session_from, session_of};
use super::*;
use crate::error::ErrorKind;
use crate::problem::ProblemKind;

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/"}"#;
const T: &str = "2025-01-01T00:00:01.000Z";

fn user(id: &str, parent: &str) -> String {
    format!(
        r#"{{"type":"message","id":"{id}","parentId":{parent},"timestamp":"{T}","message":{{"role":"user","content":"{id}"}}}}"#
    )
}

/// The kinds and lines of the problems of a file.
fn problems(bytes: &[u8]) -> Vec<(&'static str, u64)> {
    let loaded = load_bytes(bytes, false).unwrap();
    loaded.problems.iter().map(|p| (p.kind.as_str(), p.position.map_or(0, |at| at.line))).collect()
}

fn refused(bytes: &[u8]) -> ErrorKind {
    match load_bytes(bytes, false) {
        Err(Fault::Refused(fault)) => fault.kind,
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_without_a_header_are_refused_by_what_they_hold() {
    let entry = user("a", "null");
    for (bytes, kind) in [
        (String::new(), ErrorKind::EmptyFile),
        ("\n \t\r\n\u{feff}\u{a0}\n".to_owned(), ErrorKind::EmptyFile),
        (entry.clone(), ErrorKind::NotASession),
        (format!("{entry}\n{HEADER}\n"), ErrorKind::NotASession),
        (format!("{{\"torn\n{entry}\n{HEADER}\n"), ErrorKind::HeaderCorrupt),
        (r#"{"type":"session","version":3,"id":5}"#.to_owned(), ErrorKind::HeaderCorrupt),
        (r#"{"type":"session","version":3"#.to_owned(), ErrorKind::HeaderCorrupt),
        (r#"{"type":"ses"#.to_owned(), ErrorKind::HeaderCorrupt),
        ("hello\n".to_owned(), ErrorKind::NotASession),
        ("{\"my\":\"data\"}\n{\"more\":1}\n".to_owned(), ErrorKind::NotASession),
        ("42\nnull\n".to_owned(), ErrorKind::NotASession),
    ] {
        assert_eq!(refused(bytes.as_bytes()), kind, "{bytes}");
    }
}

#[test]
fn records_before_the_header_are_kept_and_reported() {
    let text = format!("{{\"type\":\"title\",\"title\":\"T\"}}\n{HEADER}\n{}\n", user("a", "null"));
    assert_eq!(problems(text.as_bytes()), [("header_not_first", 2)]);
    let text = format!("\n\n{HEADER}\n");
    assert_eq!(problems(text.as_bytes()), [], "blank lines are silent");
    let text = format!("garbage\n{HEADER}\n");
    assert_eq!(problems(text.as_bytes()), [("malformed_line", 1)]);
}

/// newer-dialects: such a line before the header is understood, so front ends tell it from other records.
#[test]
fn title_lines_alone_before_the_header_are_named_and_give_the_title() {
    let title = |title: &str| format!("{{\"type\":\"title\",\"title\":\"{title}\"}}\n");
    let note = |before: String| {
        let session = session_from(format!("{before}{HEADER}\n").as_bytes());
        let problem = &session.problems()[0];
        assert_eq!(problem.kind, ProblemKind::HeaderNotFirst);
        let title = session.title().map(str::to_owned);
        (problem.detail.clone(), problem.is_note(), title)
    };
    let detail = Some("title".to_owned());
    assert_eq!(note(title("T")), (detail.clone(), true, Some("T".to_owned())));
    let two = title("T") + "\n" + &title(" U ");
    assert_eq!(note(two), (detail.clone(), true, Some("U".to_owned())));
    assert_eq!(note(title(" ")), (detail, true, None));
    let stranger = "{\"type\":\"other\"}\n";
    assert_eq!(note(stranger.to_owned()), (None, false, None));
    assert_eq!(note(title("T") + stranger), (None, false, Some("T".to_owned())));
    let own = HEADER.replace("{\"type\"", "{\"title\":\"in it\",\"type\"");
    assert_eq!(session_from(own.as_bytes()).title(), Some("in it"));
}

#[test]
fn every_odd_line_is_one_problem_with_its_line() {
    let lone = r#"{"type":"custom","id":"l","parentId":"a","timestamp":"T","data":"\ud800"}"#
        .replace('T', T);
    let mut bytes = Vec::new();
    for line in [
        "\u{feff}".to_owned() + HEADER,
        user("a", "null"),
        "null".to_owned(),
        "[1]".to_owned(),
        "{}".to_owned(),
        r#"{"type":"message"}"#.to_owned(),
        r#"{"type":"message","id":""}"#.to_owned(),
        "{\"cut".to_owned(),
        String::new(),
        "\0\0\0".to_owned(),
        lone,
        user("a", "null"),
        HEADER.to_owned(),
        user("b", "\"gone\""),
        user("c", "\"c\""),
        user("d", "\"a\"").replace(T, "yesterday"),
        user("e", "\"a\"").replace(T, "2025-02-30T00:00:00.000Z"),
        format!(
            r#"{{"type":"label","id":"f","parentId":"a","timestamp":"{T}","targetId":"gone","label":"x"}}"#
        ),
    ] {
        bytes.extend_from_slice(line.as_bytes());
        bytes.push(b'\n');
    }
    bytes.extend_from_slice(user("g", "\"a\"").replace("\"g\"}", "\"\u{1}\"}").as_bytes());
    bytes.push(b'\n');
    let mut invalid = user("h", "\"a\"").into_bytes();
    let at = invalid.iter().rposition(|byte| *byte == b'h').unwrap();
    invalid[at] = 0xff;
    bytes.extend(invalid);
    let expected = [
        ("bom", 1),
        ("not_an_entry", 3),
        ("not_an_entry", 4),
        ("not_an_entry", 5),
        ("missing_id", 6),
        ("missing_id", 7),
        ("malformed_line", 8),
        ("nul_bytes", 10),
        ("lone_surrogate", 11),
        ("duplicate_id", 12),
        ("duplicate_header", 13),
        ("orphan_parent", 14),
        ("cycle", 15),
        ("invalid_timestamp", 16),
        ("invalid_timestamp", 17),
        ("dangling_label_target", 18),
        ("malformed_line", 19),
        ("invalid_utf8", 20),
        ("missing_final_newline", 20),
    ];
    assert_eq!(problems(&bytes), expected);
}

#[test]
fn a_torn_tail_is_skipped_and_named() {
    let text = format!("{HEADER}\n{}\n{{\"type\":\"mess", user("a", "null"));
    assert_eq!(problems(text.as_bytes()), [("torn_tail", 3)]);
    let session = session_from(text.as_bytes());
    assert_eq!(session.leaf_id(), Some("a"));
    let at = session.problems()[0].position.unwrap().byte;
    assert_eq!(at as usize, text.rfind("{\"type\":\"mess").unwrap());
}

#[test]
fn a_later_line_with_a_known_id_is_what_the_entry_says() {
    let moved = user("a", "\"b\"").replace("\"content\":\"a\"", "\"content\":\"new\"");
    let session = session_of(&[user("a", "null"), user("b", "null"), user("c", "\"a\""), moved]);
    assert_eq!(session.leaf_id(), Some("a"));
    let path = session.tree().branch(session.leaf().unwrap());
    let path: Vec<_> = path.iter().map(|node| session.tree().id(*node)).collect();
    assert_eq!(path, ["b", "a"]);
    assert_eq!(session.entries().count(), 4);
    let first = session.tree().nodes().next().unwrap();
    assert_eq!(session.tree().id(first), "a", "its place is its first line's");
    let line = session.entry_line(first).unwrap();
    assert!(String::from_utf8_lossy(&session.line_text(&line).unwrap()).contains("new"));
}

#[test]
fn a_header_without_a_version_before_whole_entries_is_no_version_1() {
    let text = format!(
        "{}\n{}\n{}\n",
        HEADER.replace("\"version\":3,", ""),
        user("a", "null"),
        user("b", "\"a\"")
    );
    assert!(matches!(load_bytes(text.as_bytes(), false), Err(Fault::ReadAsTree)));
    let loaded = load_bytes(text.as_bytes(), true).unwrap();
    assert!(loaded.tree.find("b").is_some(), "ids are kept (F-09)");
    let one_lacks_its_parent = text.replace("\"parentId\":\"a\",", "");
    assert!(load_bytes(one_lacks_its_parent.as_bytes(), false).is_ok(), "read as version 1");
    let says_one = text.replace("\"type\":\"session\",", "\"type\":\"session\",\"version\":1,");
    let loaded = load_bytes(says_one.as_bytes(), false).unwrap();
    assert!(loaded.tree.find("b").is_none(), "version 1 gives new ids (spec 2.4)");
}

#[test]
fn an_index_counts_parsed_records_as_the_reference_does() {
    let header = HEADER.replace("\"version\":3,", "");
    let m = |text: &str| {
        format!(
            r#"{{"type":"message","timestamp":"{T}","message":{{"role":"user","content":"{text}"}}}}"#
        )
    };
    let c = |index: &str| {
        format!(
            r#"{{"type":"compaction","timestamp":"{T}","summary":"s","firstKeptEntryIndex":{index}}}"#
        )
    };
    for (index, kept) in [
        ("1", Some("one")),
        ("2", None),
        ("3", Some("two")),
        ("0", None),
        ("5", None),
        ("99", None),
        ("-1", None),
        ("1.5", None),
    ] {
        let text = [&header, &m("one"), "7", "{cut", &m("two"), &c(index), &m("after")]
            .map(|l| format!("{l}\n"))
            .concat();
        let session = session_from(text.as_bytes());
        let context = session.context().unwrap();
        let texts: Vec<_> = context
            .messages()
            .filter_map(|m| m.raw.get_str("content").map(|c| c.into_owned()))
            .collect();
        let expected: Vec<&str> = match kept {
            Some("one") => vec!["one", "two", "after"],
            Some(_) => vec!["two", "after"],
            None => vec!["after"],
        };
        assert_eq!(texts, expected, "index {index}");
        let dangling = session.problems().iter().any(|p| p.kind.as_str() == "dangling_first_kept");
        assert_eq!(dangling, kept.is_none(), "index {index}");
    }
}

#[test]
fn ids_of_version_1_are_the_same_on_every_look() {
    let text = format!(
        "{}\n{}\n{}\n",
        HEADER.replace("\"version\":3,", ""),
        r#"{"type":"message"}"#,
        r#"{"type":"custom"}"#
    );
    let ids = || {
        let session = session_from(text.as_bytes());
        session.tree().nodes().map(|node| session.tree().id(node).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(), ids());
    assert!(ids().iter().all(|id| id.len() == 8 && id.bytes().all(|b| b.is_ascii_hexdigit())));
}

#[test]
fn names_are_trimmed_and_the_last_one_of_the_file_counts() {
    let name = |id: &str, name: &str| {
        format!(r#"{{"type":"session_info","id":"{id}","parentId":null,"timestamp":"{T}"{name}}}"#)
    };
    let named = |entries: &[String]| session_of(entries).session_name().map(str::to_owned);
    assert_eq!(
        named(&[name("a", r#","name":"one""#), name("b", r#","name":" \u00a0two\n""#)]).as_deref(),
        Some("two")
    );
    for cleared in [r#","name":"""#, r#","name":" ""#, "", r#","name":5"#, r#","name":null"#] {
        assert_eq!(named(&[name("a", r#","name":"one""#), name("b", cleared)]), None, "{cleared}");
    }
}

#[test]
fn options_choose_clock_and_ids() {
    #[derive(Debug)]
    struct Fixed;
    impl crate::env::Clock for Fixed {
        fn now_ms(&self) -> i64 {
            1_735_689_601_000
        }
    }
    impl crate::env::IdSource for Fixed {
        fn new_uuid(&self) -> String {
            "11111111-1111-4111-8111-111111111111".to_owned()
        }
    }
    let options = SessionOptions::new().clock(Arc::new(Fixed)).ids(Arc::new(Fixed));
    let session = options.custom_session_inventory_root("/inv").in_memory("/p \"q\"");
    assert_eq!(
        String::from_utf8(session.header_text()).unwrap(),
        r#"{"type":"session","version":3,"id":"11111111-1111-4111-8111-111111111111","timestamp":"2025-01-01T00:00:01.000Z","cwd":"/p \"q\""}"#
    );
    assert_eq!(session.custom_session_inventory_root().unwrap().to_str(), Some("/inv"));
    assert!(
        !session.is_persisted() && session.leaf().is_none() && session.session_file().is_none()
    );
}

#[test]
fn a_parent_that_is_no_text_names_no_entry() {
    let session = session_of(&[user("5", "null"), user("b", "5")]);
    let orphan = session.tree().find("b").unwrap();
    assert_eq!(session.tree().parent(orphan), None, "rule F37");
    assert_eq!(session.problems()[0].kind.as_str(), "orphan_parent");
}

#[test]
fn a_header_is_one_however_its_type_is_written() {
    let text = HEADER.replace("\"session\"", "\"sess\\u0069on\"");
    assert_eq!(load_bytes(text.as_bytes(), false).unwrap().header.id(), "s");
}
