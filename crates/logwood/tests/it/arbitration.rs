//! Records of arbitrations are checked however they are written, and are in no context (spec 10.1).

use std::sync::Arc;

use logwood::entry::{
    ArbitrationDraft, ArbitrationError, ArbitrationOutcome, Entry, EntryData, EntryDraft, JsonText,
    RawEntry, RouteDraft,
};
use logwood::error::ErrorKind;
use logwood::session::{SessionManager, SessionOptions};
use logwood::storage::MemoryStorage;

const PATH: &str = "/s.jsonl";

fn memory() -> MemoryStorage {
    let memory = MemoryStorage::new();
    memory.put(PATH, "{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n").unwrap();
    memory
}

fn options(memory: &MemoryStorage) -> SessionOptions {
    SessionOptions::new().storage(Arc::new(memory.clone()))
}

fn open(memory: &MemoryStorage) -> SessionManager {
    options(memory).open(PATH).unwrap()
}

fn draft() -> EntryDraft {
    let route = RouteDraft { agent: "Explore".into(), model: "p/m".into(), thinking: "low".into() };
    let code = ArbitrationError::Timeout;
    let outcome = ArbitrationOutcome::Failure { code, message: "no answer".into() };
    let draft = ArbitrationDraft { agent_id: "a1".into(), step: None, proposed: route, outcome };
    draft.entry().unwrap()
}

#[test]
fn a_record_is_appended_and_is_in_no_context() {
    let memory = memory();
    let mut session = open(&memory);
    let id = session.append(draft()).unwrap();
    assert_eq!(session.context().unwrap().messages().count(), 0);
    let text = String::from_utf8(memory.contents(PATH).unwrap()).unwrap();
    let line = text.lines().last().unwrap();
    // dreb's order: what is custom first, then id, parent and time (spec 1.4).
    assert!(line.starts_with(r#"{"type":"custom","customType":"subagent_arbitration","data":{"#));
    let entry = Entry::parse(line.as_bytes()).unwrap();
    assert_eq!(entry.id().as_deref(), Some(&*id));
    let EntryData::Custom(custom) = entry.data() else { panic!("{line}") };
    assert_eq!(custom.arbitration().unwrap().fault(), None);
}

/// Neither the typed call, nor raw text, nor an append without reading writes a prompt.
#[test]
fn a_record_with_a_prompt_is_refused_by_every_way() {
    let memory = memory();
    let before = memory.contents(PATH).unwrap();
    let data = r#"{"type":"subagent_arbitration","prompt":"do this"}"#;
    let json = JsonText::parse(data.as_bytes()).unwrap();
    let raw = format!(r#"{{"type":"custom","customType":"subagent_arbitration","data":{data}}}"#);
    let raw = EntryDraft::Raw(RawEntry::parse(raw.as_bytes()).unwrap());
    let errors = [
        open(&memory).append_custom_entry("subagent_arbitration", Some(json)).unwrap_err(),
        open(&memory).append(raw.clone()).unwrap_err(),
        options(&memory).append_to(PATH, raw.clone()).unwrap_err(),
        options(&memory).in_memory("/p").append(raw.clone()).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().contains("no record of an arbitration"), "{error}");
    }
    assert_eq!(memory.contents(PATH).unwrap(), before);

    // A long file is appended to without being read.
    let filler =
        format!("{{\"type\":\"custom\",\"id\":\"c\",\"data\":\"{}\"}}\n", "x".repeat(300_000));
    let long = [before.as_slice(), filler.as_bytes()].concat();
    memory.put(PATH, long.clone()).unwrap();
    options(&memory).append_to(PATH, raw).unwrap_err();
    assert_eq!(memory.contents(PATH).unwrap(), long);
    options(&memory).append_to(PATH, draft()).unwrap();
}
