//! Lines as the reference writes them (spec 1.4, 1.5, 1.9).

use super::*;

const T: &str = "2025-01-01T00:00:00.001Z";

fn line(draft: EntryDraft, parent: Option<&str>) -> String {
    String::from_utf8(draft.line("0a0a0a01", parent, T)).unwrap()
}

fn text(json: &str) -> JsonText {
    JsonText::parse(json.as_bytes()).unwrap()
}

#[test]
fn members_stand_in_the_order_of_the_reference() {
    let cases: Vec<(EntryDraft, &str)> = vec![
        (
            EntryDraft::ModelChange { provider: "p".into(), model_id: "m".into() },
            r#"{"type":"model_change",BASE,"provider":"p","modelId":"m"}"#,
        ),
        (
            EntryDraft::ThinkingLevelChange { thinking_level: "high".into() },
            r#"{"type":"thinking_level_change",BASE,"thinkingLevel":"high"}"#,
        ),
        (
            EntryDraft::Message(text(r#"{ "role":"x" }"#)),
            r#"{"type":"message",BASE,"message":{"role":"x"}}"#,
        ),
        (
            EntryDraft::Compaction(CompactionDraft {
                summary: "S\n".into(),
                first_kept_entry_id: Some("k".into()),
                tokens_before: 9.0,
                from_hook: Some(false),
                details: Some(text("{}")),
                ..CompactionDraft::default()
            }),
            r#"{"type":"compaction",BASE,"summary":"S\n","firstKeptEntryId":"k","tokensBefore":9,"details":{},"fromHook":false}"#,
        ),
        (
            EntryDraft::BranchSummary(BranchSummaryDraft {
                from_id: "f".into(),
                summary: "S".into(),
                ..BranchSummaryDraft::default()
            }),
            r#"{"type":"branch_summary",BASE,"fromId":"f","summary":"S"}"#,
        ),
        (
            EntryDraft::Custom { custom_type: "c".into(), data: Some(text(r#"{"a":1.0}"#)) },
            r#"{"type":"custom","customType":"c","data":{"a":1},BASE}"#,
        ),
        (
            EntryDraft::CustomMessage {
                custom_type: "c".into(),
                content: "x".into(),
                display: false,
                details: None,
            },
            r#"{"type":"custom_message","customType":"c","content":"x","display":false,BASE}"#,
        ),
        (
            EntryDraft::Label { target_id: "t".into(), label: Some(String::new()) },
            r#"{"type":"label",BASE,"targetId":"t","label":""}"#,
        ),
        (
            EntryDraft::SessionInfo { name: String::new() },
            r#"{"type":"session_info",BASE,"name":""}"#,
        ),
        (
            EntryDraft::Usage {
                kind: "cache_warm".into(),
                provider: "p".into(),
                model: "m".into(),
                usage: text("{}"),
                note: None,
            },
            r#"{"type":"usage",BASE,"kind":"cache_warm","provider":"p","model":"m","usage":{}}"#,
        ),
        (
            EntryDraft::ContextEdit { target_id: "t".into(), content: None },
            r#"{"type":"context_edit",BASE,"targetId":"t","replacement":null}"#,
        ),
        (
            EntryDraft::ContextEdit { target_id: "t".into(), content: Some("n".into()) },
            r#"{"type":"context_edit",BASE,"targetId":"t","replacement":{"content":"n"}}"#,
        ),
    ];
    let base = r#""id":"0a0a0a01","parentId":"p1","timestamp":"2025-01-01T00:00:00.001Z""#;
    for (draft, expected) in cases {
        let kind = draft.type_word().to_owned();
        assert_eq!(line(draft, Some("p1")), expected.replace("BASE", base), "{kind}");
    }
}

#[test]
fn a_raw_entry_keeps_its_text_on_one_line() {
    let raw =
        RawEntry::parse(b" {\"type\":\"later\", \"n\":1.0,\n\"parentId\":\"old\"}\n").unwrap();
    assert_eq!(raw.type_word().as_deref(), Some("later"));
    assert_eq!(
        line(EntryDraft::Raw(raw), None),
        r#"{"type":"later", "n":1.0, "parentId":null,"id":"0a0a0a01","timestamp":"2025-01-01T00:00:00.001Z"}"#
    );
    for bad in ["[]", "5", "{", "{} {}", ""] {
        assert!(RawEntry::parse(bad.as_bytes()).is_err(), "{bad}");
    }
}

#[test]
fn messages_stand_as_the_runtime_writes_them() {
    let user = user_message(
        &[BlockDraft::Text("hi".into()), BlockDraft::Image("AA==".into(), "image/png".into())],
        1735689601000,
    );
    assert_eq!(
        user.as_str(),
        r#"{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image","data":"AA==","mimeType":"image/png"}],"timestamp":1735689601000}"#
    );
    let assistant = AssistantDraft {
        content: vec![
            BlockDraft::Thinking("t".into(), Some("s".into())),
            BlockDraft::ToolCall("c".into(), "bash".into(), text(r#"{"command":"ls"}"#)),
        ],
        api: Some("a".into()),
        provider: "p".into(),
        model: "m".into(),
        usage: UsageDraft {
            input: 1.0,
            total_tokens: 1.0,
            cost: [0.00036, 0.0, 0.0, 0.0, 0.00036],
            ..UsageDraft::default()
        },
        stop_reason: "toolUse".into(),
        timestamp_ms: 2,
        duration_ms: Some(1.5),
        ..AssistantDraft::default()
    };
    assert_eq!(
        assistant.json().as_str(),
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"s"},{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"ls"}}],"api":"a","provider":"p","model":"m","usage":{"input":1,"output":0,"cacheRead":0,"cacheWrite":0,"totalTokens":1,"cost":{"input":0.00036,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.00036}},"stopReason":"toolUse","timestamp":2,"durationMs":1.5}"#
    );
    let result = ToolResultDraft {
        tool_call_id: "c".into(),
        tool_name: "bash".into(),
        content: vec![BlockDraft::Text("x".into())],
        timestamp_ms: 3,
        ..ToolResultDraft::default()
    };
    assert_eq!(
        result.json().as_str(),
        r#"{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"x"}],"isError":false,"timestamp":3}"#
    );
    let bash = BashExecutionDraft {
        command: "ls".into(),
        exit_code: Some(0),
        exclude_from_context: Some(true),
        timestamp_ms: 4,
        ..BashExecutionDraft::default()
    };
    assert_eq!(
        bash.json().as_str(),
        r#"{"role":"bashExecution","command":"ls","output":"","exitCode":0,"cancelled":false,"truncated":false,"timestamp":4,"excludeFromContext":true}"#
    );
}
