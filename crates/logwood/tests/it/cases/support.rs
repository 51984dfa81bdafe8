//! Opens the file of a case, and says of a session what the facts of the cases speak of.

use std::path::Path;

use logwood::context::SessionContext;
use logwood::error::Result;
use logwood::problem::Problem;
use logwood::session::{SessionManager, SessionOptions};
use logwood::tree::NodeId;
use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

/// Opens a file in both ways, to read and to write, and shows that neither changes a byte, a time or a permission of the case.
pub(super) fn open(case: &Case, path: &Path) -> Result<SessionManager> {
    let before = case.snapshot().unwrap();
    let options = SessionOptions::new();
    let written = options.open(path);
    let read = options.read_only(true).open(path);
    assert_eq!(case.snapshot().unwrap(), before, "looking changed the case");
    assert_eq!(
        written.map_err(|error| error.kind()).err(),
        read.as_ref().map_err(|e| e.kind()).err()
    );
    read
}

/// Opens input `at` and holds it to the facts at `pointer`: entry count, leaf, warnings.
pub(super) fn load(case: &Case, at: usize, pointer: &str) -> SessionManager {
    assert!(case.fact(pointer).is_object(), "no facts at {pointer}");
    let session = open(case, &case.input(at)).unwrap();
    let fact = |key: &str| case.fact(&format!("{pointer}/{key}"));
    if let Some(count) = fact("entry_count").as_u64() {
        assert_eq!(session.entries().count() as u64, count, "entry_count");
    }
    if let Some(leaf) = fact("leaf_id").as_str() {
        assert_eq!(session.leaf_id(), Some(leaf), "leaf_id");
    }
    if let Some(warnings) = fact("warnings").as_array() {
        assert_eq!(kinds_and_lines(session.problems()), *warnings, "warnings");
    }
    session
}

/// The findings as the facts write them.
pub(super) fn kinds_and_lines(problems: &[Problem]) -> Vec<Value> {
    let line = |problem: &Problem| problem.position.map(|position| position.line);
    problems.iter().map(|p| json!({"kind": p.kind.as_str(), "line": line(p)})).collect()
}

/// The messages of a context.
pub(super) fn messages(context: &SessionContext) -> Vec<Value> {
    context
        .messages()
        .map(|message| decode(&String::from_utf8_lossy(message.raw.bytes())).unwrap())
        .collect()
}

/// The roles of a context.
pub(super) fn roles(context: &SessionContext) -> Vec<Value> {
    messages(context).iter().map(|message| message["role"].clone()).collect()
}

/// The text of each message: its text blocks joined with one space, the summary of a summary.
pub(super) fn texts(context: &SessionContext) -> Vec<Value> {
    messages(context).iter().map(|message| text(message).into()).collect()
}

fn text(message: &Value) -> String {
    if let Some(summary) = message["summary"].as_str() {
        return summary.to_owned();
    }
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
            texts.join(" ")
        }
        _ => String::new(),
    }
}

/// The texts of the context at the leaf.
pub(super) fn texts_of(session: &SessionManager) -> Value {
    texts(&session.context().unwrap()).into()
}

/// The texts of the context at an entry.
pub(super) fn texts_at(session: &SessionManager, id: &str) -> Value {
    texts(&session.context_at(Some(session.require(id).unwrap())).unwrap()).into()
}

/// The model and the thinking level of a context as the facts write them.
pub(super) fn settings(context: &SessionContext) -> (Value, Value) {
    let model = context.model();
    let model = model.map(|model| json!({"provider": model.provider, "modelId": model.model_id}));
    (json!(model), context.thinking_level().into())
}

/// The ids of nodes.
pub(super) fn ids(session: &SessionManager, nodes: impl Iterator<Item = NodeId>) -> Value {
    nodes.map(|node| session.tree().id(node)).collect()
}

/// The line of an entry as a value.
pub(super) fn entry(session: &SessionManager, id: &str) -> Value {
    let line = session.entry_line(session.require(id).unwrap()).unwrap();
    decode(&String::from_utf8_lossy(&session.line_text(&line).unwrap())).unwrap()
}

/// Every entry line as a value.
pub(super) fn entries(session: &SessionManager) -> Vec<Value> {
    session
        .entries()
        .map(|line| decode(&String::from_utf8_lossy(&session.line_text(&line).unwrap())).unwrap())
        .collect()
}
