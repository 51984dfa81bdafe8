//! Lines that are no request, commands that are not there, sessions that cannot be opened.

use serde_json::json;

use crate::support::{Desk, EXAMPLE};

#[test]
fn lines_that_are_no_request_are_answered_as_parse() {
    let mut desk = Desk::empty();
    let cases: [(&[u8], &str, &str); 11] = [
        (b"", "parse", "Failed to parse JSON"),
        (b"   ", "parse", "Failed to parse JSON"),
        (b"{not json}", "parse", "Failed to parse JSON"),
        (b"{\"type\":\"get_version\"", "parse", "Failed to parse JSON"),
        (b"{\"type\":\"get_version\"}{}", "parse", "Failed to parse JSON"),
        (b"\0\0\0", "parse", "Failed to parse JSON"),
        (b"{\"type\":\"a\0b\"}", "parse", "Failed to parse JSON"),
        (b"\xff\xfe", "parse", "Failed to parse JSON"),
        (b"[]", "parse", "this is a list"),
        (b"null", "parse", "this is null"),
        (b"\"get_version\"", "parse", "this is text"),
    ];
    for (line, kind, message) in cases {
        let answer = String::from_utf8(desk.rpc.answer(line)).unwrap();
        let start = r#"{"type":"response","command":"parse","success":false,"error":""#;
        assert!(answer.starts_with(start), "{answer}");
        assert!(answer.contains(message), "{answer}");
        assert!(answer.ends_with(&format!(r#""errorKind":"{kind}"}}"#)), "{answer}");
    }
}

#[test]
fn a_request_without_a_type_gets_its_id_back() {
    let mut desk = Desk::empty();
    for (line, found) in [
        (r#"{"id":7}"#, "missing"),
        (r#"{"id":7,"type":null}"#, "null"),
        (r#"{"id":7,"type":["get_version"]}"#, "a list"),
    ] {
        assert_eq!(
            desk.line(line),
            format!(
                r#"{{"id":7,"type":"response","command":"parse","success":false,"error":"the field `type` must be the name of a command, it is {found}","errorKind":"invalid_argument"}}"#
            )
        );
    }
}

#[test]
fn an_unknown_command_is_named() {
    let mut desk = Desk::empty();
    for (name, shown) in [("nope", "nope"), ("", ""), ("\\ud800x", "\u{fffd}x")] {
        assert_eq!(
            desk.line(&format!(r#"{{"type":"{name}"}}"#)),
            format!(
                r#"{{"type":"response","command":"{name}","success":false,"error":"Unknown command: {shown}","errorKind":"unknown_command"}}"#
            )
        );
    }
}

#[test]
fn the_id_comes_back_as_it_was_written() {
    let mut desk = Desk::empty();
    for id in ["1.50", "null", "\"\\u0041\\ud800\"", "{ \"a\":[1, 2] }", "12345678901234567890"] {
        let answer = desk.line(&format!(r#"{{"type":"get_leaf_id","id":{id}}}"#));
        assert_eq!(
            answer,
            format!(
                r#"{{"id":{id},"type":"response","command":"get_leaf_id","success":true,"data":{{"leafId":null}}}}"#
            )
        );
    }
    let answer = desk.rpc.answer(b"{\"type\":\"get_leaf_id\",\"id\":\"\xff\",\"x\":\"\xe2\x82\"}");
    assert!(String::from_utf8(answer).unwrap().starts_with("{\"id\":\"\u{fffd}\","));
    assert_eq!(desk.ask(json!({"type": "branch", "id": 3, "entryId": "zz"}))["id"], json!(3));
}

#[test]
fn a_type_may_be_escaped_and_the_last_one_of_a_key_counts() {
    let mut desk = Desk::empty();
    let line = r#"{"type":"nope","\u0074ype":"get\u005fleaf_id","id":1,"id":2}"#;
    assert_eq!(
        desk.line(line),
        r#"{"id":2,"type":"response","command":"get\u005fleaf_id","success":true,"data":{"leafId":null}}"#
    );
}

#[test]
fn what_cannot_be_opened_says_why_and_leaves_the_session_and_the_disk_as_they_were() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.write("empty.jsonl", b"");
    desk.write("blank.jsonl", b"\n\n");
    desk.write("notes.jsonl", b"{\"type\":\"message\",\"id\":\"a\"}\n");
    desk.write("corrupt.jsonl", b"{\"type\":\"sess\n{\"type\":\"message\",\"id\":\"a\"}\n");
    let cases = [
        ("gone.jsonl", "not_found"),
        ("blank.jsonl", "empty_file"),
        ("notes.jsonl", "not_a_session"),
        ("corrupt.jsonl", "header_corrupt"),
    ];
    for (name, want) in cases {
        let (kind, message) = desk.error(json!({"type": "open", "path": name}));
        assert_eq!(kind, want, "{message}");
        assert!(message.contains(desk.file(name).to_str().unwrap()), "{message}");
        assert_eq!(desk.data(json!({"type": "get_leaf_id"})), json!({"leafId": "aa000004"}));
    }
    let (kind, _) = desk.error(json!({"type": "open", "path": "empty.jsonl", "readOnly": true}));
    assert_eq!(kind, "empty_file");
    assert!(!desk.file("gone.jsonl").exists());
    assert_eq!(std::fs::read(desk.file("blank.jsonl")).unwrap(), b"\n\n");
}
