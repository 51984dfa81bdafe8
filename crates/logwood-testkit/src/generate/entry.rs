//! One random entry: what it says, apart from where it stands.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

/// A number in 0..=65535 that picks one of the entries so far.
pub(super) type Pick = u16;

/// The fields of an entry apart from id, parent, time, and the one that names another entry.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) kind: &'static str,
    pub(super) fields: Value,
    /// The field that names another entry, and which.
    pub(super) names: Option<(&'static str, Named)>,
}

/// What entry a field names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named {
    /// One of those before it.
    Earlier(Pick),
    /// One of the few just before it, so that several name the same.
    Recent(u8),
    /// The entry itself.
    Itself,
    /// No entry of the file.
    Missing,
}

pub(super) fn named() -> impl Strategy<Value = Named> {
    prop_oneof![
        4 => any::<Pick>().prop_map(Named::Earlier),
        6 => (0..3_u8).prop_map(Named::Recent),
        1 => Just(Named::Itself),
        1 => Just(Named::Missing),
    ]
}

pub(super) fn body() -> impl Strategy<Value = Body> {
    prop_oneof![
        10 => message(),
        1 => unusual_message(),
        2 => compaction(),
        2 => label(),
        4 => context_edit(),
        4 => other(),
    ]
}

fn plain(kind: &'static str, fields: Value) -> Body {
    Body { kind, fields, names: None }
}

fn word() -> impl Strategy<Value = String> {
    select(vec!["one", "two", "drei 😀", "", "cut \u{f003d}", "line\nbreak", "\u{2028}"])
        .prop_map(str::to_owned)
}

/// Text, blocks, null or nothing.
fn content() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        4 => word().prop_map(|word| Some(json!(word))),
        4 => word().prop_map(|word| Some(json!([{"type": "text", "text": word}]))),
        1 => Just(Some(json!([]))),
        1 => Just(Some(Value::Null)),
        1 => Just(None),
    ]
}

fn with(mut value: Value, key: &str, content: Option<Value>) -> Value {
    if let (Some(map), Some(content)) = (value.as_object_mut(), content) {
        map.insert(key.into(), content);
    }
    value
}

fn message() -> impl Strategy<Value = Body> {
    let roles = vec![
        "user",
        "user",
        "assistant",
        "assistant",
        "toolResult",
        "system",
        "bashExecution",
        "alien",
    ];
    (select(roles), content(), select(vec!["m1", "m2"])).prop_map(|(role, content, model)| {
        let message = match role {
            "assistant" => json!({"role": role, "provider": "p", "model": model, "stopReason": "stop", "timestamp": 1}),
            "toolResult" => json!({"role": role, "toolCallId": "c", "toolName": "bash", "isError": false, "timestamp": 2}),
            "bashExecution" => json!({"role": role, "command": "ls", "output": "a\n", "exitCode": 0, "cancelled": false, "truncated": false, "timestamp": 3}),
            _ => json!({"role": role, "timestamp": 4}),
        };
        let content = if role == "bashExecution" { None } else { content };
        plain("message", json!({"message": with(message, "content", content)}))
    })
}

fn unusual_message() -> impl Strategy<Value = Body> {
    let messages = vec![
        json!({}),
        json!({"message": null}),
        json!({"message": "text"}),
        json!({"message": [1]}),
        json!({"message": {"role": "custom", "customType": "x", "content": "old", "display": true, "timestamp": 5}}),
        json!({"message": {"role": "branchSummary", "summary": "kept", "fromId": "x", "timestamp": 6}}),
        json!({"message": {"content": "no role"}}),
    ];
    select(messages).prop_map(|fields| plain("message", fields))
}

fn compaction() -> impl Strategy<Value = Body> {
    let system = prop_oneof![
        3 => Just(None),
        1 => content().prop_map(|content| Some(with(json!({"role": "system", "timestamp": 7}), "content", content))),
    ];
    (word(), system, named()).prop_map(|(summary, system, first)| Body {
        kind: "compaction",
        fields: with(json!({"summary": summary, "tokensBefore": 100}), "systemMessage", system),
        names: Some(("firstKeptEntryId", first)),
    })
}

fn label() -> impl Strategy<Value = Body> {
    let text = prop_oneof![3 => word().prop_map(Some), 1 => Just(None)];
    (text, named()).prop_map(|(text, target)| Body {
        kind: "label",
        fields: with(json!({}), "label", text.map(Value::from)),
        names: Some(("targetId", target)),
    })
}

fn context_edit() -> impl Strategy<Value = Body> {
    let replacement = prop_oneof![
        1 => Just(Value::Null),
        1 => word().prop_map(|word| json!({"content": word})),
        1 => word().prop_map(|word| json!({"content": [{"type": "text", "text": word}]})),
    ];
    (replacement, named()).prop_map(|(replacement, target)| Body {
        kind: "context_edit",
        fields: json!({"replacement": replacement}),
        names: Some(("targetId", target)),
    })
}

fn other() -> impl Strategy<Value = Body> {
    let summary =
        word().prop_map(|word| plain("branch_summary", json!({"fromId": "root", "summary": word})));
    let shown = (word(), any::<bool>()).prop_map(|(word, display)| {
        plain(
            "custom_message",
            json!({"customType": "note", "content": word, "display": display, "details": {"n": 1}}),
        )
    });
    let name = prop_oneof![
        3 => word().prop_map(|word| json!({"name": format!("  {word} ")})),
        1 => Just(json!({})),
    ];
    let fixed = vec![
        plain("thinking_level_change", json!({"thinkingLevel": "high"})),
        plain("thinking_level_change", json!({"thinkingLevel": "low"})),
        plain("model_change", json!({"provider": "q", "modelId": "m3"})),
        plain("custom", json!({"customType": "state", "data": {"parentId": "trap", "id": "trap"}})),
        plain("custom", json!({"customType": "state"})),
        plain(
            "usage",
            json!({"kind": "cache_warm", "provider": "p", "model": "m1", "usage": {"input": 1}}),
        ),
        plain("from_the_future", json!({"anything": [1, {"type": "message"}]})),
    ];
    prop_oneof![
        2 => summary,
        2 => shown,
        1 => name.prop_map(|fields| plain("session_info", fields)),
        3 => select(fixed),
    ]
}
