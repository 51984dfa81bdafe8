//! Everything that logwood says of a session, in the words of the driver's `view`.

use std::path::Path;

use logwood::context::SessionContext;
use logwood::session::{SessionManager, SessionOptions};
use logwood_testkit::json::decode;
use serde_json::{Map, Value, json};

/// The text of one JSON value.
pub(super) fn value(text: &[u8]) -> Value {
    decode(&String::from_utf8_lossy(text)).unwrap()
}

/// The session of a file as logwood sees it.
pub(super) fn of_file(path: &Path) -> Value {
    of(&SessionOptions::new().read_only(true).open(path).unwrap())
}

/// The session as logwood has it.
pub(super) fn of(session: &SessionManager) -> Value {
    let tree = session.tree();
    let rows: Value = tree
        .walk()
        .map(|visit| json!([tree.id(visit.node), visit.depth, tree.label(visit.node)]))
        .collect();
    let lines: Vec<_> = session.entries().collect();
    let entries: Value =
        lines.iter().map(|line| value(&session.line_text(line).unwrap())).collect();
    let contexts: Value = lines
        .iter()
        .map(|line| {
            json!([tree.id(line.node), context(&session.context_at(Some(line.node)).unwrap())])
        })
        .collect();
    json!({
        "header": value(&session.header_text()),
        "entries": entries,
        "leaf": session.leaf_id(),
        "name": session.session_name(),
        "tree": rows,
        "context": context(&session.context().unwrap()),
        "contexts": contexts,
    })
}

fn context(context: &SessionContext) -> Value {
    let messages: Value = context.messages().map(|message| value(message.raw.bytes())).collect();
    let model = context.model().map(|m| json!({"provider": m.provider, "modelId": m.model_id}));
    json!({"messages": messages, "thinkingLevel": context.thinking_level(), "model": model})
}

/// The parts of two views that differ, with both.
pub(super) fn differences(ours: &Value, theirs: &Value) -> Vec<String> {
    let none = Map::new();
    let parts = ours.as_object().unwrap_or(&none).keys();
    parts.filter(|part| ours[*part] != theirs[*part]).cloned().collect()
}

/// The first items of two lists that differ; anything else as it is.
fn first_difference<'v>(ours: &'v Value, theirs: &'v Value) -> (&'v Value, &'v Value) {
    let (Some(left), Some(right)) = (ours.as_array(), theirs.as_array()) else {
        return (ours, theirs);
    };
    let pair = left.iter().zip(right).find(|(left, right)| left != right);
    pair.unwrap_or((ours, theirs))
}

/// Both say the same, in the same order of members.
pub(super) fn assert_same(ours: &Value, theirs: &Value, about: &str) {
    if let Some(part) = differences(ours, theirs).first() {
        let (ours, theirs) = first_difference(&ours[part], &theirs[part]);
        panic!("{about}: {part} differs\nlogwood: {ours}\n     pi: {theirs}");
    }
    let (ours, theirs) = (ours.to_string(), theirs.to_string());
    let mut pairs = ours.bytes().zip(theirs.bytes());
    if let Some(at) = pairs.position(|(ours, theirs)| ours != theirs) {
        let [ours, theirs] = [ours, theirs].map(|text| around(&text, at));
        panic!("{about}: the order of members differs\nlogwood: {ours}\n     pi: {theirs}");
    }
}

fn around(text: &str, at: usize) -> String {
    let bytes = text.as_bytes();
    String::from_utf8_lossy(&bytes[at.saturating_sub(200)..bytes.len().min(at + 100)]).into_owned()
}
