//! What holds for every input: the library says of random sessions what the plain oracle says, and nothing makes it panic.

use logwood::context::{explain, llm_message, unpaired_tools};
use logwood::session::{SessionManager, SessionOptions};
use logwood_testkit::generate::{bytes, damaged_session, json_text, session};
use logwood_testkit::json::decode;
use logwood_testkit::oracle::{Context, Oracle, Sourced};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Opens these bytes as a session file, in both ways, and shows that they stay as they are.
fn open(text: &[u8]) -> Option<SessionManager> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    std::fs::write(&path, text).unwrap();
    let written = SessionOptions::new().open(&path);
    let read = SessionOptions::new().read_only(true).open(&path);
    assert_eq!(std::fs::read(&path).unwrap(), text);
    assert!(text.is_empty() || written.is_ok() == read.is_ok());
    read.ok()
}

fn context(session: &SessionManager, leaf: Option<&str>) -> Context {
    let leaf = leaf.map(|id| session.require(id).unwrap());
    let context = session.context_at(leaf).unwrap();
    let messages = context.messages().map(|message| Sourced {
        entry: message.entry_id.to_owned(),
        message: value(message.raw.bytes()),
    });
    let model = context.model().map(|m| json!({"provider": m.provider, "modelId": m.model_id}));
    Context {
        messages: messages.collect(),
        thinking_level: context.thinking_level().to_owned(),
        model: json!(model),
    }
}

/// A text of the library as a value, without the number that the generator spells oddly.
fn value(text: &[u8]) -> Value {
    let mut value = decode(&String::from_utf8_lossy(text)).unwrap();
    value.as_object_mut().unwrap().shift_remove("odd");
    value
}

/// Half a character as the library shows it; the oracle keeps its stand-in.
fn shown(text: &str) -> String {
    text.replace('\u{f003d}', "\u{fffd}")
}

/// Everything that can be asked of a session is asked.
fn look_at(session: &SessionManager) {
    let tree = session.tree();
    assert_eq!(tree.walk().count(), tree.len());
    for line in session.entries() {
        assert!(!session.line_text(&line).unwrap().is_empty());
    }
    for node in tree.nodes() {
        let path = tree.branch(node);
        assert_eq!(path.last(), Some(&node));
        let context = session.context_at(Some(node)).unwrap();
        assert!(context.messages().all(|message| path.contains(&message.node)));
        unpaired_tools(&context);
        context.messages().for_each(|message| drop(llm_message(&message)));
        assert_eq!(explain(session, Some(node)).unwrap().len(), path.len());
    }
    for problem in session.problems() {
        assert!(!problem.to_string().is_empty());
    }
}

proptest! {
    #[test]
    fn the_tree_is_that_of_the_oracle(generated in session(16)) {
        let session = open(&generated.text).unwrap();
        let records = generated.records();
        let oracle = Oracle::new(&records);
        let tree = session.tree();
        let id = |node| tree.id(node);
        prop_assert_eq!(session.leaf_id(), oracle.leaf());
        prop_assert_eq!(tree.nodes().map(id).collect::<Vec<_>>(), oracle.ids());
        prop_assert_eq!(tree.roots().map(id).collect::<Vec<_>>(), oracle.roots());
        let walk: Vec<_> = tree.walk().map(|visit| (id(visit.node), visit.depth)).collect();
        prop_assert_eq!(walk, oracle.walk());
        for node in tree.nodes() {
            prop_assert_eq!(tree.children(node).map(id).collect::<Vec<_>>(), oracle.children(id(node)));
            prop_assert_eq!(tree.parent(node).map(id), oracle.parent(id(node)));
            let branch: Vec<_> = tree.branch(node).into_iter().map(id).collect();
            prop_assert_eq!(branch, oracle.branch(id(node)));
        }
    }

    #[test]
    fn entries_labels_and_names_are_those_of_the_oracle(generated in session(24)) {
        let session = open(&generated.text).unwrap();
        let records = generated.records();
        let oracle = Oracle::new(&records);
        let lines: Vec<_> =
            session.entries().map(|line| value(&session.line_text(&line).unwrap())).collect();
        prop_assert_eq!(lines.iter().collect::<Vec<_>>(), oracle.lines());
        prop_assert_eq!(session.session_name().map(str::to_owned), oracle.name().map(shown));
        for node in session.tree().nodes() {
            let id = session.tree().id(node);
            let line = session.entry_line(node).unwrap();
            let text = value(&session.line_text(&line).unwrap());
            prop_assert_eq!(Some(&text), oracle.entry(id));
            let label = session.tree().label(node).map(str::to_owned);
            prop_assert_eq!(label, oracle.label(id).map(shown));
        }
    }

    #[test]
    fn contexts_are_those_of_the_oracle(generated in session(24)) {
        let session = open(&generated.text).unwrap();
        let records = generated.records();
        let oracle = Oracle::new(&records);
        prop_assert_eq!(context(&session, None), oracle.context(None));
        for id in oracle.ids() {
            prop_assert_eq!(context(&session, Some(id)), oracle.context(Some(id)), "at {}", id);
        }
    }

    #[test]
    fn damaged_sessions_can_be_looked_at(text in damaged_session(16)) {
        if let Some(session) = open(&text) {
            look_at(&session);
        }
    }

    #[test]
    fn random_bytes_are_no_harm(text in bytes(40)) {
        if let Some(session) = open(&text) {
            look_at(&session);
        }
    }

    /// A session whose entries are any JSON values, some of them with what makes an entry.
    #[test]
    fn random_json_is_no_harm(values in prop::collection::vec(json_text(), 1..8)) {
        let mut text = "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n".to_owned();
        for (at, value) in values.iter().enumerate() {
            text += &format!("{{\"type\":\"message\",\"id\":\"e{at}\",\"parentId\":{value},\"message\":{value}}}\n");
            text += &format!("{{\"type\":\"compaction\",\"id\":\"c{at}\",\"parentId\":\"e{at}\",\"firstKeptEntryId\":{value},\"summary\":{value}}}\n");
            text += &format!("{value}\n");
        }
        let session = open(text.as_bytes()).unwrap();
        prop_assert!(session.tree().len() >= 2 * values.len());
        look_at(&session);
    }
}
