//! Vectors V1 to V10 of spec 15 and the rules of newer-dialects, on sessions of a few lines.

use super::*;
use crate::session::SessionManager;
use crate::session::testing::session_of;

fn message(id: &str, parent: &str, rest: &str) -> String {
    entry("message", id, parent, &format!(r#""message":{rest}"#))
}

fn entry(kind: &str, id: &str, parent: &str, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    let comma = if rest.is_empty() { "" } else { "," };
    format!(
        r#"{{"type":"{kind}","id":"{id}","parentId":{parent},"timestamp":"2025-01-01T00:00:01.000Z"{comma}{rest}}}"#
    )
}

fn user(id: &str, parent: &str) -> String {
    message(id, parent, &format!(r#"{{"role":"user","content":"{id}","timestamp":1}}"#))
}

fn assistant(id: &str, parent: &str) -> String {
    message(
        id,
        parent,
        &format!(
            r#"{{"role":"assistant","content":[{{"type":"text","text":"{id}"}}],"provider":"p{id}","model":"m{id}","timestamp":1}}"#
        ),
    )
}

/// `role:entry` of each message.
fn shape(session: &SessionManager, leaf: &str) -> Vec<String> {
    let leaf = session.tree().find(leaf);
    let context = session.context_at(leaf).unwrap();
    context.messages().map(|m| format!("{}:{}", m.role.as_str(), m.entry_id)).collect()
}

#[test]
fn settings_come_from_the_whole_path() {
    let session = session_of(&[
        user("1", ""),
        assistant("2", "1"),
        entry("thinking_level_change", "4", "2", r#""thinkingLevel":"high""#),
        entry("model_change", "5", "4", r#""provider":"p","modelId":"m""#),
        assistant("6", "5"),
        user("7", "2"),
    ]);
    let at = |id: &str| settings_at(&session, session.tree().find(id)).unwrap();
    let model = |id: &str| at(id).model.map(|model| model.to_string());
    assert_eq!((at("1").thinking_level.as_str(), model("1")), ("off", None));
    assert_eq!(model("2").as_deref(), Some("p2/m2"));
    assert_eq!((at("5").thinking_level.as_str(), model("5").as_deref()), ("high", Some("p/m")));
    assert_eq!(model("6").as_deref(), Some("p6/m6"));
    assert_eq!(at("6").chosen_model.map(|model| model.to_string()).as_deref(), Some("p/m"));
    assert_eq!((at("7").thinking_level.as_str(), model("7").as_deref()), ("off", Some("p2/m2")));
    assert_eq!(settings_at(&session, None).unwrap(), Settings::default());
}

#[test]
fn a_compaction_gives_its_summary_then_what_it_kept_then_the_rest() {
    let session = session_of(&[
        user("1", ""),
        assistant("2", "1"),
        user("3", "2"),
        entry("compaction", "c", "3", r#""summary":"S","firstKeptEntryId":"2","tokensBefore":5"#),
        user("6", "c"),
        entry("compaction", "d", "6", r#""summary":"T","firstKeptEntryId":"3","tokensBefore":6"#),
        user("7", "d"),
        entry("compaction", "e", "7", r#""summary":"U","firstKeptEntryId":"e","tokensBefore":6"#),
        entry("compaction", "f", "7", r#""summary":"V","firstKeptEntryId":"zz""#),
    ]);
    assert_eq!(shape(&session, "6"), ["compactionSummary:c", "assistant:2", "user:3", "user:6"]);
    assert_eq!(shape(&session, "7"), ["compactionSummary:d", "user:3", "user:6", "user:7"]);
    assert_eq!(shape(&session, "e"), ["compactionSummary:e"]);
    assert_eq!(shape(&session, "f"), ["compactionSummary:f"]);
    let context = session.context_at(session.tree().find("6")).unwrap();
    let first = context.messages().next().unwrap();
    assert_eq!(
        first.raw.bytes(),
        br#"{"role":"compactionSummary","summary":"S","tokensBefore":5,"timestamp":1735689601000}"#
    );
    let kinds: Vec<_> =
        session.problems().iter().map(|p| (p.kind.as_str(), p.entry.clone().unwrap())).collect();
    assert_eq!(kinds, [("dangling_first_kept", "f".to_owned())]);
}

#[test]
fn summaries_and_custom_messages_become_messages_and_bookkeeping_does_not() {
    let session = session_of(&[
        user("1", ""),
        entry("branch_summary", "2", "1", r#""fromId":"x","summary":"went""#),
        entry("branch_summary", "3", "2", r#""fromId":"x","summary":"""#),
        entry(
            "custom_message",
            "4",
            "3",
            r#""customType":"t","content":"c","display":false,"details":{"a":1.0}"#,
        ),
        entry("custom", "5", "4", r#""customType":"t""#),
        entry("session_info", "6", "5", r#""name":"n""#),
        entry("usage", "7", "6", ""),
        entry("strange", "8", "7", ""),
        message("9", "8", "null"),
    ]);
    assert_eq!(shape(&session, "9"), ["user:1", "branchSummary:2", "custom:4"]);
    let outcomes: Vec<_> =
        session.explain(session.leaf()).unwrap().iter().map(|row| row.outcome.as_str()).collect();
    let expected = [
        "message",
        "message",
        "empty",
        "message",
        "bookkeeping",
        "bookkeeping",
        "bookkeeping",
        "bookkeeping",
        "broken",
    ];
    assert_eq!(outcomes, expected);
    let context = session.context().unwrap();
    let texts: Vec<_> = context.messages().map(|m| m.raw.text().into_owned()).collect();
    assert_eq!(
        texts[1],
        r#"{"role":"branchSummary","summary":"went","fromId":"x","timestamp":1735689601000}"#
    );
    assert_eq!(
        texts[2],
        r#"{"role":"custom","customType":"t","content":"c","display":false,"details":{"a":1.0},"timestamp":1735689601000}"#
    );
}

#[test]
fn loops_and_orphans_end() {
    let session = session_of(&[user("a", "b"), user("b", "a"), user("c", "zz"), user("d", "d")]);
    assert_eq!(shape(&session, "b"), ["user:a", "user:b"]);
    assert_eq!(shape(&session, "c"), ["user:c"]);
    assert_eq!(shape(&session, "d"), ["user:d"]);
    let kinds: Vec<_> =
        session.problems().iter().map(|p| (p.kind.as_str(), p.position.unwrap().line)).collect();
    assert_eq!(kinds, [("cycle", 2), ("orphan_parent", 4), ("cycle", 5)]);
}

/// Each bash run and how its text ends (spec 5.3; the reference is JavaScript, where text is put together as it is).
#[test]
fn the_end_of_a_bash_text_follows_what_is_stored() {
    for (stored, end) in [
        (r#""exitCode":0"#, "(no output)"),
        (r#""exitCode":null"#, "(no output)"),
        (r#""exitCode":-1.0"#, "code -1"),
        (r#""exitCode":"127""#, "code 127"),
        (r#""exitCode":false"#, "code false"),
        (r#""truncated":true"#, "(no output)"),
        (r#""truncated":true,"fullOutputPath":"""#, "(no output)"),
        (r#""truncated":false,"fullOutputPath":"/f""#, "(no output)"),
        (r#""truncated":1,"fullOutputPath":"/f""#, "output: /f]"),
    ] {
        let run = format!(
            r#"{{"role":"bashExecution","command":"c","output":"",{stored},"timestamp":1}}"#
        );
        let session = session_of(&[message("1", "", &run)]);
        let context = session.context().unwrap();
        let text = llm_message(&context.messages().next().unwrap()).unwrap().into_owned();
        let text = String::from_utf8(text).unwrap();
        assert!(text.ends_with(&format!(r#"{end}"}}],"timestamp":1}}"#)), "{stored}: {text}");
    }
}

#[test]
fn messages_reach_the_model_as_the_reference_words_them() {
    let session = session_of(&[
        message(
            "1",
            "",
            r#"{"role":"bashExecution","command":"a\"b","output":"x\ud83d","exitCode":2,"truncated":true,"fullOutputPath":"/f","timestamp":1}"#,
        ),
        message(
            "2",
            "1",
            r#"{"role":"bashExecution","command":"c","output":"","cancelled":true,"exitCode":1,"timestamp":2}"#,
        ),
        message(
            "3",
            "2",
            r#"{"role":"bashExecution","command":"c","output":"","excludeFromContext":true,"timestamp":3}"#,
        ),
        message("4", "3", r#"{"role":"made-up","content":"x"}"#),
        entry(
            "custom_message",
            "5",
            "4",
            r#""customType":"t","content":[{"type":"text","text":"c"}],"display":true"#,
        ),
        entry("branch_summary", "6", "5", r#""fromId":"x","summary":"s\n""#),
    ]);
    let context = session.context().unwrap();
    assert_eq!(context.len(), 6);
    let texts: Vec<_> = context
        .messages()
        .filter_map(|m| llm_message(&m))
        .map(|text| String::from_utf8(text.into_owned()).unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            r#"{"role":"user","content":[{"type":"text","text":"Ran `a\"b`\n```\nx\ud83d\n```\n\nCommand exited with code 2\n\n[Output truncated. Full output: /f]"}],"timestamp":1}"#,
            r#"{"role":"user","content":[{"type":"text","text":"Ran `c`\n(no output)\n\n(command cancelled)"}],"timestamp":2}"#,
            r#"{"role":"user","content":[{"type":"text","text":"c"}],"timestamp":1735689601000}"#,
            r#"{"role":"user","content":[{"type":"text","text":"The following is a summary of a branch that this conversation came back from:\n\n<summary>\ns\n</summary>"}],"timestamp":1735689601000}"#,
        ]
    );
    let outcomes: Vec<_> =
        session.explain(session.leaf()).unwrap().iter().map(|row| row.outcome.as_str()).collect();
    assert_eq!(outcomes, ["message", "message", "excluded", "excluded", "message", "message"]);
}

#[test]
fn a_context_edit_acts_only_on_what_it_may_edit() {
    let session = session_of(&[
        user("1", ""),
        entry("branch_summary", "2", "1", r#""fromId":"x","summary":"s""#),
        message("3", "2", r#"{"role":"bashExecution","command":"c","output":"","timestamp":3}"#),
        entry("context_edit", "4", "3", r#""targetId":"1","replacement":{"content":"new"}"#),
        entry("context_edit", "5", "4", r#""targetId":"2","replacement":null"#),
        entry("context_edit", "6", "5", r#""targetId":"3","replacement":null"#),
        entry("context_edit", "7", "6", r#""targetId":"1""#),
    ]);
    assert_eq!(shape(&session, "7"), ["user:1", "branchSummary:2", "bashExecution:3"]);
    let context = session.context().unwrap();
    assert_eq!(
        context.messages().next().unwrap().raw.bytes(),
        br#"{"role":"user","content":"new","timestamp":1}"#
    );
}

#[test]
fn unpaired_tools_are_named_and_left_out_on_request() {
    let call =
        |id: &str| format!(r#"{{"type":"toolCall","id":"{id}","name":"bash","arguments":{{}}}}"#);
    let session = session_of(&[
        message(
            "1",
            "",
            &format!(r#"{{"role":"assistant","content":[{},{}]}}"#, call("a"), call("b")),
        ),
        message("2", "1", r#"{"role":"toolResult","toolCallId":"a","content":[]}"#),
        message("3", "2", r#"{"role":"toolResult","toolCallId":"z","content":[]}"#),
        message("4", "3", &format!(r#"{{"role":"assistant","content":[{}]}}"#, call("c"))),
        message("5", "4", r#"{"role":"toolResult","toolCallId":"a","content":[]}"#),
    ]);
    let context = session.context().unwrap();
    let (paired, left_out) = without_unpaired_tools(&context);
    let names: Vec<_> =
        left_out.iter().map(|t| (t.entry_id.as_str(), t.call_id.as_str(), t.is_result)).collect();
    assert_eq!(names, [("1", "b", false), ("3", "z", true), ("4", "c", false), ("5", "a", true)]);
    let kept: Vec<_> = paired.messages().map(|m| m.entry_id.to_owned()).collect();
    assert_eq!(kept, ["1", "2"]);
    let first = format!(r#"{{"role":"assistant","content":[{}]}}"#, call("a"));
    assert_eq!(paired.messages().next().unwrap().raw.bytes(), first.as_bytes());
    assert!(unpaired_tools(&paired).is_empty());
    assert_eq!(context.len(), 5, "the context itself stays");
}

#[test]
fn tokens_are_a_quarter_of_the_utf16_units() {
    for (role, message, tokens) in [
        ("user", r#"{"content":"abcde"}"#, 2),
        ("user", r#"{"content":[{"type":"text","text":"abcd"},{"type":"image","data":"x"}]}"#, 1),
        ("user", r#"{"content":"\ud83d\ude00\ud83d\ude00x"}"#, 2),
        (
            "assistant",
            r#"{"content":[{"type":"text","text":"ab"},{"type":"thinking","thinking":"cd"},{"type":"toolCall","name":"n","arguments":{"a": 1}}]}"#,
            3,
        ),
        ("toolResult", r#"{"content":[{"type":"image"},{"type":"text","text":"abcd"}]}"#, 1201),
        ("bashExecution", r#"{"command":"abc","output":"de"}"#, 2),
        ("compactionSummary", r#"{"summary":"abcd"}"#, 1),
        ("made-up", r#"{"content":"abcd"}"#, 0),
    ] {
        let raw = crate::json::Raw::parse(message.as_bytes()).unwrap();
        assert_eq!(estimate_tokens(crate::entry::Role::from_word(role), raw), tokens, "{message}");
    }
}
