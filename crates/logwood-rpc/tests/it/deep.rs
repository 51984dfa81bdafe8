//! Depth: of requests, of stored values, of the tree (cases 75 and 82).

use serde_json::{Value, json};

use crate::support::{Desk, HEADER};

fn chain(length: usize) -> Desk {
    let mut bytes = HEADER.to_owned();
    for at in 0..length {
        let parent = at.checked_sub(1).map_or("null".to_owned(), |at| format!("\"n{at}\""));
        bytes += &format!(
            "{{\"type\":\"custom\",\"id\":\"n{at}\",\"parentId\":{parent},\"timestamp\":\"2025-03-04T05:06:11.000Z\"}}\n"
        );
    }
    Desk::holding(bytes.as_bytes())
}

fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    assert_eq!(depth, 0);
    deepest
}

#[test]
fn a_tree_nests_down_to_a_thousand_nodes_and_is_flat_beyond() {
    let answer = chain(1000).line(r#"{"type":"get_tree"}"#);
    assert_eq!(nesting(&answer), 2 + 2 * 1000 + 1);
    let mut desk = chain(1001);
    let (kind, message) = desk.error(json!({"type": "get_tree"}));
    assert_eq!(kind, "too_large");
    assert!(message.contains("flat") && message.contains("1001"), "{message}");
    let nodes = desk.data(json!({"type": "get_tree", "flat": true}))["nodes"].clone();
    assert_eq!(nodes.as_array().unwrap().len(), 1001);
    assert_eq!(nodes[1000]["depth"], json!(1000));
}

#[test]
fn twenty_thousand_entries_in_one_chain_are_answered_flat() {
    let mut desk = chain(20_000);
    let answer = desk.line(r#"{"type":"get_tree","flat":true}"#);
    // The response, its data, the list, a node, and the bracket in a preview.
    assert_eq!(nesting(&answer), 5);
    for command in ["get_branch", "explain", "build_session_context", "get_fork_messages"] {
        let answer = desk.line(&json!({"type": command}).to_string());
        assert!(answer.contains("\"success\":true"), "{command}");
    }
}

#[test]
fn requests_and_ids_of_any_depth_are_answered() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let mut desk = Desk::empty();
    let answer = desk.line(&format!(r#"{{"type":"get_leaf_id","id":{deep}}}"#));
    assert!(answer.starts_with(&format!(r#"{{"id":{deep},"type":"response""#)));
    let answer = desk.line(&deep);
    assert!(answer.contains("this is a list"), "{}", &answer[..200]);
    let answer = desk.line(&"[".repeat(200_000));
    assert!(answer.contains("Failed to parse JSON"));
    let answer = desk.line(&format!(r#"{{"type":"open","path":{deep}}}"#));
    assert!(answer.contains("invalid_argument"));
}

#[test]
fn stored_values_of_any_depth_are_given_back() {
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let entry = format!(
        r#"{{"type":"custom","id":"a","parentId":null,"timestamp":"2025-03-04T05:06:11.000Z","data":{deep}}}"#
    );
    let mut desk = Desk::holding(format!("{HEADER}{entry}\n").as_bytes());
    let answer = desk.line(r#"{"type":"get_entries"}"#);
    assert!(answer.ends_with(&format!(r#""data":{{"entries":[{entry}]}}}}"#)));
    let tree: Value = desk.data(json!({"type": "get_tree"}));
    assert_eq!(tree["roots"][0]["id"], json!("a"));
}
