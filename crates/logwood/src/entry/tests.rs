//! Views read what is there and survive what is not.

use super::*;

#[test]
fn every_known_type_has_its_view() {
    for (word, kind) in [
        ("message", EntryKind::Message),
        ("thinking_level_change", EntryKind::ThinkingLevelChange),
        ("model_change", EntryKind::ModelChange),
        ("compaction", EntryKind::Compaction),
        ("branch_summary", EntryKind::BranchSummary),
        ("custom", EntryKind::Custom),
        ("custom_message", EntryKind::CustomMessage),
        ("label", EntryKind::Label),
        ("session_info", EntryKind::SessionInfo),
        ("usage", EntryKind::Usage),
        ("context_edit", EntryKind::ContextEdit),
        ("active_tools_change", EntryKind::Unknown),
    ] {
        let line = format!(r#"{{"type":"{word}","id":"x"}}"#);
        let entry = Entry::parse(line.as_bytes()).unwrap();
        assert_eq!(entry.kind(), kind);
        assert_eq!(
            matches!(entry.data(), EntryData::Unknown(_)),
            kind == EntryKind::Unknown,
            "{word}"
        );
        assert_eq!(EntryKind::from_word(kind.as_str()), kind);
    }
}

#[test]
fn an_assistant_message_gives_blocks_signatures_and_cost() {
    let line = br#"{"type":"message","id":"x","message":{"role":"assistant","content":[
        {"type":"thinking","thinking":"t","thinkingSignature":"sig","redacted":true},
        {"type":"text","text":"a","textSignature":"{\"v\":1}"},{"type":"text","text":"b"},
        {"type":"toolCall","id":"c","name":"bash","arguments":{"n":1.0},"thoughtSignature":"ts"},
        {"type":"later"}],"provider":"p","model":"m","usage":{"input":1,"output":2.5,"cost":{"total":0.25}},"stopReason":"stop","timestamp":7}}"#;
    let EntryData::Message(message) = Entry::parse(line).unwrap().data() else { panic!() };
    let Message::Assistant(assistant) = message else { panic!() };
    assert_eq!(message.content().text("|"), "a|b");
    let usage = assistant.usage().unwrap();
    assert_eq!((usage.input(), usage.output(), usage.cache_read()), (Some(1.0), Some(2.5), None));
    assert_eq!(usage.cost().and_then(Cost::total), Some(0.25));
    let blocks: Vec<_> = message.content().blocks().collect();
    let [
        ContentBlock::Thinking(thinking),
        ContentBlock::Text(text),
        _,
        ContentBlock::ToolCall(call),
        ContentBlock::Unknown(_),
    ] = blocks[..]
    else {
        panic!("{blocks:?}")
    };
    assert_eq!(
        (thinking.redacted(), thinking.thinking_signature().as_deref()),
        (true, Some("sig"))
    );
    assert_eq!(text.text_signature().as_deref(), Some(r#"{"v":1}"#));
    assert_eq!(call.arguments().unwrap().bytes(), br#"{"n":1.0}"#);
    assert_eq!(call.thought_signature().as_deref(), Some("ts"));
}

#[test]
fn members_of_a_wrong_type_are_none() {
    let line = br#"{"type":"compaction","id":5,"parentId":"","timestamp":9,"summary":1,"tokensBefore":"x","fromHook":0}"#;
    let entry = Entry::parse(line).unwrap();
    assert_eq!((entry.id(), entry.parent_id(), entry.timestamp_ms()), (None, None, None));
    let EntryData::Compaction(compaction) = entry.data() else { panic!() };
    assert_eq!(
        (compaction.summary(), compaction.tokens_before(), compaction.from_hook()),
        (None, None, false)
    );
    for content in ["null", "5", "{}"] {
        let line =
            format!(r#"{{"type":"message","message":{{"role":"user","content":{content}}}}}"#);
        let EntryData::Message(message) = Entry::parse(line.as_bytes()).unwrap().data() else {
            panic!()
        };
        assert_eq!((message.content(), message.content().blocks().count()), (Content::Empty, 0));
    }
    let nothing = Entry::parse(br#"{"type":"message","message":null}"#).unwrap().data();
    assert_eq!(nothing, EntryData::Message(Message::Missing));
}

#[test]
fn the_envelope_takes_the_last_of_duplicate_members() {
    let line = br#"{"type":"custom","id":"a","message":{"role":"user","content":1},"\u0069d":"b","type":"message","message":{"role":"assistant"}}"#;
    let envelope = Envelope::scan(line).unwrap();
    assert_eq!(envelope.usable_id().unwrap().bytes(), b"\"b\"");
    assert_eq!((envelope.entry_kind(), envelope.role()), (EntryKind::Message, Role::Assistant));
    assert!(envelope.head.content.is_none(), "that of the first message is forgotten");
}

#[test]
fn header_fields_of_a_wrong_type_count_as_missing() {
    let line = br#"{"type":"session","version":"3","id":"x","timestamp":5,"cwd":null,"parentSession":"","branchedFrom":"/old","agentType":""}"#;
    let header = SessionHeader::parse(line).unwrap();
    assert_eq!(
        (header.version(), header.timestamp(), header.cwd(), header.agent_type()),
        (3, None, None, None)
    );
    assert_eq!(header.parent_session().as_deref(), None);
    for (version, number) in [
        ("", 1),
        (r#""version":null,"#, 1),
        (r#""version":2,"#, 2),
        (r#""version":99,"#, 99),
        (r#""version":"x","#, 0),
    ] {
        let line = format!(r#"{{{version}"type":"session","id":""}}"#);
        assert_eq!(SessionHeader::parse(line.as_bytes()).unwrap().version(), number);
    }
    for none in [
        "null",
        "{}",
        r#"{"type":"session"}"#,
        r#"{"type":"session","id":5}"#,
        r#"{"type":"message","id":"x"}"#,
        "{",
    ] {
        assert!(SessionHeader::parse(none.as_bytes()).is_none(), "{none}");
    }
}
