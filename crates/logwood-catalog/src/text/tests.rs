use logwood::entry::{SessionHeader, parse_line};
use proptest::prelude::*;

use super::*;

/// The pieces of an entry whose members these are, its id `e1` left out, as `field: text`.
fn found_with(extent: Extent, rest: &str) -> (Vec<String>, bool) {
    let line = format!(r#"{{"id":"e1",{rest}}}"#);
    let parsed = parse_line(line.as_bytes()).unwrap().unwrap();
    let mut out = Vec::new();
    let more = pieces(&parsed, extent, &mut |piece| {
        out.push(format!("{}: {}", piece.field.as_str(), piece.text));
    });
    assert_eq!(out.remove(0), "id: e1");
    (out, more)
}

fn found(rest: &str) -> Vec<String> {
    found_with(Extent::Ends, rest).0
}

fn message(message: &str) -> Vec<String> {
    found(&format!(r#""type":"message","message":{message}"#))
}

#[test]
fn every_kind_gives_its_text() {
    for (rest, wanted) in [
        (r#""type":"label","targetId":"t1","label":"here""#, &["label: here"][..]),
        (r#""type":"label","targetId":"t1""#, &[]),
        (r#""type":"session_info","name":"Lighthouse""#, &["name: Lighthouse"]),
        (
            r#""type":"compaction","summary":"s","firstKeptEntryId":"x","details":{"readFiles":["a.rs"],"modifiedFiles":["b.rs"],"note":"n"}"#,
            &["summary: s", "file: a.rs", "file: b.rs"],
        ),
        (r#""type":"branch_summary","fromId":"x","summary":"left""#, &["summary: left"]),
        (
            r#""type":"custom_message","customType":"memo","content":[{"type":"text","text":"t"}],"display":false"#,
            &["custom: memo", "custom: t"],
        ),
        (r#""type":"custom","customType":"memo","data":{"text":"state"}"#, &[]),
        (r#""type":"model_change","provider":"p","modelId":"m""#, &[]),
        (r#""type":"usage","note":"warm""#, &["other: warm"]),
        (
            r#""type":"context_edit","targetId":"t1","replacement":{"content":"short"}"#,
            &["other: short"],
        ),
        (r#""type":"context_edit","targetId":"t1","replacement":null"#, &[]),
        (r#""type":"later","content":"new"}"#.trim_end_matches('}'), &["other: new"]),
    ] {
        assert_eq!(found(rest), wanted, "{rest}");
    }
}

#[test]
fn every_role_gives_its_text() {
    for (rest, wanted) in [
        (r#"{"role":"user","content":"a\tb \u00e9"}"#, &["user: a\tb é"][..]),
        (
            r#"{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","data":"iVBO","mimeType":"image/png"}]}"#,
            &["user: a"],
        ),
        (
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"sig"},{"type":"text","text":"b","textSignature":"sig"}],"errorMessage":"overloaded","responseId":"r1"}"#,
            &["thinking: hm", "assistant: b", "error: overloaded"],
        ),
        (
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":"[Reasoning redacted]","redacted":true}]}"#,
            &[],
        ),
        (
            r#"{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"edit","arguments":{"path":"src/a.rs","edits":[{"oldText":"x","n":[7]}],"deep":{"limit":-1.5e3,"ok":true},"none":null}}]}"#,
            &["tool: edit", "file: src/a.rs", "tool_call: x", "tool_call: -1.5e3"],
        ),
        (
            r#"{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"out"}],"details":{"diff":"d"}}"#,
            &["tool_result: out"],
        ),
        (
            r#"{"role":"bashExecution","command":"ls","output":"a b","fullOutputPath":"/tmp/o"}"#,
            &["bash: ls", "bash_output: a b", "file: /tmp/o"],
        ),
        (
            r#"{"role":"hookMessage","customType":"h","content":"old"}"#,
            &["custom: h", "custom: old"],
        ),
        (r#"{"role":"branchSummary","summary":"s"}"#, &["summary: s"]),
        (r#"{"role":"system","content":"prompt"}"#, &[]),
        (r#"{"role":"later","content":"new"}"#, &["other: new"]),
        (r#"{"content":"nobody"}"#, &["other: nobody"]),
    ] {
        assert_eq!(message(rest), wanted, "{rest}");
    }
}

/// Case 46.
#[test]
fn content_that_says_nothing_gives_nothing() {
    for rest in [
        "null",
        "5",
        r#"{"role":"user"}"#,
        r#"{"role":"user","content":null}"#,
        r#"{"role":"user","content":7}"#,
        r#"{"role":"user","content":[null,1,"x",{"type":"text"},{"type":"text","text":9}]}"#,
        r#"{"role":"assistant","content":[{"type":"toolCall"}]}"#,
        r#"{"role":"assistant","content":[{"type":"toolCall","name":"x","arguments":"raw"}]}"#,
    ] {
        let wanted: &[&str] =
            if rest.contains("raw") { &["tool: x", "tool_call: raw"] } else { &[] };
        assert_eq!(message(rest), wanted, "{rest}");
    }
}

#[test]
fn of_long_output_the_ends_are_read_and_the_rest_when_asked() {
    let text = format!("start {} middle {} end", "x ".repeat(HEAD), "y ".repeat(TAIL));
    let result = |role: &str| {
        format!(
            r#""type":"message","message":{{"role":"{role}","content":[{{"type":"text","text":"{text}"}}]}}"#
        )
    };
    let (ends, more) = found_with(Extent::Ends, &result("toolResult"));
    assert!(more && ends.len() == 2);
    assert!(ends[0].starts_with("tool_result: start") && ends[1].ends_with(" end"));
    assert!(ends.iter().all(|part| !part.contains("middle") && part.len() < HEAD + 20));
    let (whole, more) = found_with(Extent::Whole, &result("toolResult"));
    assert_eq!((whole, more), (vec![format!("tool_result: {text}")], false));
    let (said, more) = found_with(Extent::Ends, &result("user"));
    assert_eq!(
        (said, more),
        (vec![format!("user: {text}")], false),
        "what people write is read whole"
    );
    let call = format!(
        r#""type":"message","message":{{"role":"assistant","content":[{{"type":"toolCall","name":"write","arguments":{{"path":"a","content":"{text}"}}}}]}}"#
    );
    assert!(found_with(Extent::Ends, &call).1);
    let bash =
        format!(r#""type":"message","message":{{"role":"bashExecution","output":"{text}"}}"#);
    assert!(found_with(Extent::Ends, &bash).1);
}

/// Case 51.
#[test]
fn base64_is_never_given() {
    let data = "iVBORw0KGgo+/A9z".repeat(100);
    for extent in [Extent::Ends, Extent::Whole] {
        for rest in [
            format!(r#"{{"role":"user","content":"see {data} here"}}"#),
            format!(
                r#"{{"role":"toolResult","content":[{{"type":"text","text":"see {data} here"}}]}}"#
            ),
            format!(
                r#"{{"role":"user","content":[{{"type":"text","text":"see"}},{{"type":"image","data":"{data}"}},{{"type":"text","text":"here"}}]}}"#
            ),
        ] {
            let (parts, _) = found_with(extent, &format!(r#""type":"message","message":{rest}"#));
            assert_eq!(parts.len(), 2, "{parts:?}");
            assert!(parts.iter().all(|part| part.len() < 20));
        }
    }
}

#[test]
fn deep_arguments_are_walked_without_a_stack() {
    let deep = format!("{}\"core\"{}", "[".repeat(100_000), "]".repeat(100_000));
    let call = format!(
        r#"{{"role":"assistant","content":[{{"type":"toolCall","name":"x","arguments":{{"a":{deep}}}}}]}}"#
    );
    assert_eq!(message(&call), ["tool: x", "tool_call: core"]);
}

#[test]
fn a_header_gives_its_id_and_paths() {
    let header = SessionHeader::parse(
        br#"{"type":"session","id":"s1","cwd":"/work/demo","parentSession":"/a/b.jsonl","title":"T"}"#,
    )
    .unwrap();
    let mut out = Vec::new();
    header_pieces(&header, &mut |piece| out.push((piece.field.as_str(), piece.text)));
    let wanted = [("id", "s1"), ("cwd", "/work/demo"), ("parent", "/a/b.jsonl"), ("name", "T")];
    assert_eq!(out, wanted.map(|(field, text)| (field, text.into())));
}

#[test]
fn words_of_fields_lead_back() {
    for field in Field::all() {
        assert_eq!(Field::from_word(field.as_str()), Some(field));
    }
}

/// JSON values of any shape, as text, with a list of the strings that are no keys.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<String>().prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((any::<String>(), inner), 0..4)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

fn strings(value: &serde_json::Value, out: &mut Vec<String>) {
    match value {
        serde_json::Value::String(text) if !text.is_empty() => out.push(text.clone()),
        serde_json::Value::Array(items) => items.iter().for_each(|item| strings(item, out)),
        serde_json::Value::Object(members) => members.values().for_each(|item| strings(item, out)),
        _ => {}
    }
}

proptest! {
    /// The flat walk finds the strings that a recursive one finds, in the same order.
    #[test]
    fn every_text_of_arguments_is_found(value in json(), pretty in any::<bool>()) {
        let mut wanted = Vec::new();
        strings(&value, &mut wanted);
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let call = serde_json::json!({"role": "assistant", "content": [{"type": "toolCall", "arguments": 0}]}).to_string();
        let call = call.replace(r#""arguments":0"#, &format!(r#""arguments":{text}"#));
        let got: Vec<_> = message(&call).iter().map(|part| part.split_once(": ").unwrap().1.to_owned()).collect();
        prop_assert_eq!(got, wanted);
    }
}
