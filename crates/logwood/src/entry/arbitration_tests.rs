//! Records of arbitrations (spec 10.1; the seed's CustomEntry).

use super::*;
use crate::json::Raw;

const SUCCESS: &str = r#"{"type":"subagent_arbitration","agentId":"a1b2c3","status":"success","proposed":{"agent":"Explore","model":"provider/frontier","thinking":"high"},"final":{"agent":"feature-dev","model":"provider/worker","thinking":"medium"},"changed":["agent","model","thinking"]}"#;
const FAILURE: &str = r#"{"type":"subagent_arbitration","agentId":"a1b2c3","status":"failure","proposed":{"agent":"Explore"},"final":null,"changed":[],"errorCode":"timeout","errorMessage":"no answer in time","step":2}"#;

fn custom(data: &str) -> EntryDraft {
    EntryDraft::Custom {
        custom_type: "subagent_arbitration".into(),
        data: Some(JsonText::parse(data.as_bytes()).unwrap()),
    }
}

fn raw(entry: &str) -> EntryDraft {
    EntryDraft::Raw(RawEntry::parse(entry.as_bytes()).unwrap())
}

fn fault(draft: &EntryDraft) -> String {
    draft.arbitration_fault().map(|fault| fault.to_string()).unwrap_or_default()
}

fn sentence(data: &str) -> String {
    let line = format!(r#"{{"type":"custom","customType":"subagent_arbitration","data":{data}}}"#);
    let entry = Entry::parse(line.as_bytes()).unwrap();
    let EntryData::Custom(custom) = entry.data() else { panic!("{line}") };
    custom.arbitration().unwrap().sentence()
}

/// The record of the seed and that of conformance case 067.
#[test]
fn records_of_dreb_are_taken() {
    for data in [SUCCESS, FAILURE] {
        assert_eq!(fault(&custom(data)), "");
        let entry =
            format!(r#"{{"type":"custom","customType":"subagent_arbitration","data":{data}}}"#);
        assert_eq!(fault(&raw(&entry)), "");
    }
}

/// Spec 10.1, human text.
#[test]
fn a_record_is_told_as_dreb_tells_it() {
    assert_eq!(
        sentence(SUCCESS),
        "Arbitration changed agent Explore → feature-dev, model provider/frontier → provider/worker, thinking high → medium."
    );
    assert_eq!(sentence(FAILURE), "Arbitration step 2 failed: no answer in time");
    let kept = SUCCESS.replace(r#"["agent","model","thinking"]"#, "[]");
    assert_eq!(sentence(&kept), "Arbitration kept the proposed route.");
    let kept = kept.replace("]}", r#"],"step":3}"#);
    assert_eq!(sentence(&kept), "Arbitration step 3 kept the proposed route.");
    let bare = FAILURE.replace(r#","errorMessage":"no answer in time""#, "");
    assert_eq!(sentence(&bare), "Arbitration step 2 failed: timeout");
    assert_eq!(sentence("{}"), "Arbitration failed: unknown");
}

#[test]
fn only_objects_of_this_type_are_records() {
    for line in [
        r#"{"type":"custom","customType":"other","data":{}}"#,
        r#"{"type":"custom","customType":"subagent_arbitration","data":7}"#,
        r#"{"type":"custom","customType":"subagent_arbitration"}"#,
        r#"{"type":"custom"}"#,
    ] {
        let EntryData::Custom(custom) = Entry::parse(line.as_bytes()).unwrap().data() else {
            panic!("{line}")
        };
        assert_eq!(custom.arbitration(), None, "{line}");
    }
}

/// Spec 10.1 and the seed: no prompt, no answer, no reasoning, under whatever key.
#[test]
fn there_is_no_place_for_a_prompt() {
    let with = |data: &str, old: &str, new: &str| {
        let changed = data.replacen(old, new, 1);
        assert_ne!(changed, data, "{old}");
        fault(&custom(&changed))
    };
    let extra = [
        with(SUCCESS, "{", r#"{"prompt":"do this","#),
        with(FAILURE, "{", r#"{"response":"{}","#),
        with(SUCCESS, r#""proposed":{"#, r#""proposed":{"reasoning":"because","#),
        with(SUCCESS, r#""final":{"#, r#""final":{"prompt":"x","#),
    ];
    for fault in extra {
        assert!(fault.ends_with("has a member that such a record has not"), "{fault}");
    }
    let long = "x".repeat(201);
    assert!(with(SUCCESS, "Explore", &long).contains("one line of 200"), "text as an agent");
    assert!(with(SUCCESS, "Explore", r"a\nb").contains("one line"), "lines as an agent");
    assert!(with(SUCCESS, "a1b2c3", "a prompt as an id").contains("`agentId`"));
    assert!(with(FAILURE, "timeout", "an answer as a code").contains("`errorCode`"));
    let around = |member: &str| {
        raw(&format!(
            r#"{{"type":"custom","customType":"subagent_arbitration",{member},"data":{SUCCESS}}}"#
        ))
    };
    assert!(fault(&around(r#""prompt":"x""#)).starts_with("the entry has a member"));
    assert!(fault(&around(r#""data":{"prompt":"x"}"#)).contains("`data` twice"));
    assert_eq!(fault(&around(r#""id":"x","parentId":null,"timestamp":"t""#)), "");
    // JSON.stringify keeps one of two equal keys, so only raw text can have both.
    let twice = SUCCESS.replacen('{', r#"{"agentId":"x","#, 1);
    let twice =
        format!(r#"{{"type":"custom","customType":"subagent_arbitration","data":{twice}}}"#);
    assert!(fault(&raw(&twice)).contains("`agentId` twice"));
}

/// Spec 10.1: at most 500 characters, secrets scrubbed.
#[test]
fn messages_are_bounded_and_without_secrets() {
    let message = |text: &str| fault(&custom(&FAILURE.replace("no answer in time", text)));
    assert_eq!(message(&"é".repeat(500)), "");
    assert!(message(&"é".repeat(501)).contains("longer than 500"));
    assert!(message(&"😀".repeat(251)).contains("longer than 500"), "UTF-16 units count");
    assert!(message("401 for sk-invented-0123456789").contains("a secret"));
}

#[test]
fn a_record_says_one_thing() {
    let with = |data: &str, old: &str, new: &str| {
        let changed = data.replacen(old, new, 1);
        assert_ne!(changed, data, "{old}");
        fault(&custom(&changed))
    };
    for (data, old, new, want) in [
        (SUCCESS, "subagent_arbitration", "other", "`type`"),
        (SUCCESS, r#""success""#, r#""maybe""#, "`status`"),
        (SUCCESS, r#""success""#, r#""failure""#, "`final` is not null"),
        (FAILURE, r#""failure""#, r#""success""#, "`final` is no route"),
        (SUCCESS, r#"["agent","model","thinking"]"#, r#"["model","agent"]"#, "in this order"),
        (SUCCESS, r#"["agent","model","thinking"]"#, r#"["agent","agent"]"#, "in this order"),
        (SUCCESS, r#"["agent","model","thinking"]"#, r#"["prompt"]"#, "in this order"),
        (SUCCESS, r#"["agent","model","thinking"]"#, r#"[7]"#, "in this order"),
        (SUCCESS, r#"["agent","model","thinking"]"#, "7", "`changed` is no list"),
        (SUCCESS, "]}", r#"],"errorCode":"timeout"}"#, "a success with `errorCode`"),
        (FAILURE, "[]", r#"["agent"]"#, "changed something"),
        (FAILURE, r#""errorCode":"timeout","#, "", "`errorCode`"),
        (FAILURE, r#""no answer in time""#, "7", "`errorMessage` is no text"),
        (FAILURE, r#""step":2"#, r#""step":0"#, "`step`"),
        (FAILURE, r#""step":2"#, r#""step":1.5"#, "`step`"),
        (FAILURE, r#""step":2"#, r#""step":"1""#, "`step`"),
        (FAILURE, r#"{"agent":"Explore"}"#, "null", "`proposed` is no route"),
        (FAILURE, r#"{"agent":"Explore"}"#, "{}", "names no agent"),
        (FAILURE, r#""Explore""#, "7", "is no text"),
    ] {
        let fault = with(data, old, new);
        assert!(fault.contains(want), "{old} -> {new}: {fault}");
    }
    assert_eq!(fault(&custom("[]")), "its data is no object");
    let none = EntryDraft::Custom { custom_type: "subagent_arbitration".into(), data: None };
    assert_eq!(fault(&none), "it has no data");
    let other = EntryDraft::Custom { custom_type: "memo".into(), data: None };
    assert_eq!(fault(&other), "");
    assert_eq!(fault(&raw(r#"{"type":"x","customType":"subagent_arbitration"}"#)), "");
}

fn route(agent: &str, model: &str, thinking: &str) -> RouteDraft {
    RouteDraft { agent: agent.into(), model: model.into(), thinking: thinking.into() }
}

fn built(step: Option<u32>, outcome: ArbitrationOutcome) -> String {
    let draft = ArbitrationDraft {
        agent_id: "a1b2c3".into(),
        step: step.map(|step| step.try_into().unwrap()),
        proposed: route("Explore", "provider/frontier", "high"),
        outcome,
    };
    let Ok(EntryDraft::Custom { custom_type, data: Some(data) }) = draft.entry() else { panic!() };
    assert_eq!(custom_type, "subagent_arbitration");
    data.as_str().to_owned()
}

/// Spec 10.1: the members in dreb's order; what changed is computed.
#[test]
fn a_built_record_is_drebs() {
    let success = ArbitrationOutcome::Success(route("feature-dev", "provider/worker", "medium"));
    assert_eq!(built(None, success), SUCCESS);
    let same = ArbitrationOutcome::Success(route("Explore", "", "high"));
    assert!(built(None, same).contains(r#""changed":["model"]"#));
    let failure = ArbitrationOutcome::Failure {
        code: ArbitrationError::Timeout,
        message: format!("Bearer abcdef123456 {}", "😀".repeat(300)),
    };
    let text = built(Some(2), failure);
    let order = [
        "type",
        "agentId",
        "status",
        "proposed",
        "final",
        "changed",
        "step",
        "errorCode",
        "errorMessage",
    ];
    let raw = Raw::parse(text.as_bytes()).unwrap();
    let keys: Vec<_> = raw.members().map(|(key, _)| key.text().into_owned()).collect();
    assert_eq!(keys, order);
    let message = raw.get_str("errorMessage").unwrap();
    assert!(message.starts_with("Bearer [redacted] 😀"), "{message}");
    assert_eq!(crate::json::utf16_len(&message), 500);
}

#[test]
fn a_built_record_is_checked() {
    let proposed = route("Explore", &"x".repeat(201), "");
    let outcome = ArbitrationOutcome::Success(route("Explore", "", ""));
    let draft = ArbitrationDraft { agent_id: "a".into(), step: None, proposed, outcome };
    draft.clone().entry().unwrap_err();
    let draft =
        ArbitrationDraft { proposed: route("a", "", ""), agent_id: "no word".into(), ..draft };
    draft.entry().unwrap_err();
}
