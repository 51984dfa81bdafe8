//! The table of commands is true: every example answers as it says, and every field is checked.

use logwood_rpc::{FieldKind, commands};
use serde_json::{Value, json};

use crate::support::{Desk, EXAMPLE, HEADER, text};

/// Where the examples say that the session lies.
const HOME: &str = "/home/ana";

/// The performance log that the examples speak of.
const LOG: &str = "{\"timestamp\":\"2025-03-04T05:06:12.000Z\",\"sessionId\":\"s\",\"provider\":\"anthropic\",\"modelId\":\"claude-sonnet-4-5\",\"outputTokens\":120,\"durationMs\":2400,\"tps\":50}\n";

/// An agent that was never started, of which the example of a command speaks.
const FAILED: &str = "{\"type\":\"custom\",\"customType\":\"subagent_arbitration\",\"data\":{\"agentId\":\"a1b2c3d4e5f6\",\"status\":\"failure\"},\"id\":\"aa000005\",\"parentId\":\"aa000004\",\"timestamp\":\"2025-03-04T05:06:15.000Z\"}\n";

/// The example session, and for the commands of the log an agent directory with it.
fn desk_of(command: &logwood_rpc::CommandSpec) -> Desk {
    if command.name.contains("performance") {
        crate::performance::desk(LOG)
    } else if command.name == "get_subagent_messages" {
        Desk::holding(format!("{EXAMPLE}{FAILED}").as_bytes())
    } else {
        Desk::holding(EXAMPLE.as_bytes())
    }
}

/// The other session that the examples speak of.
fn archive(desk: &Desk) {
    std::fs::create_dir(desk.file("archive")).unwrap();
    desk.write("archive/older.jsonl", HEADER.as_bytes());
}

#[test]
fn every_example_is_what_the_command_answers() {
    for command in commands() {
        let mut desk = desk_of(command);
        archive(&desk);
        let dir = text(desk.dir.path()).to_owned();
        let request = command
            .example
            .request
            .replace("/home/ana/session.jsonl", &format!("{dir}/session.jsonl"))
            .replace("/home/ana/archive/", &format!("{dir}/archive/"))
            .replace("\"/home/ana\"", &format!("\"{dir}\""));
        let answer = desk.line(&request);
        let answer = answer
            .replace(&format!("\"{dir}\""), &format!("\"{HOME}\""))
            .replace(&format!("{dir}/"), &format!("{HOME}/"));
        let data = match command.example.data {
            "" => String::new(),
            data => format!(r#","data":{data}"#),
        };
        let name = command.name;
        assert_eq!(
            answer,
            format!(r#"{{"type":"response","command":"{name}","success":true{data}}}"#),
            "{name}"
        );
    }
}

/// The data that an example shows has no member that the table does not name.
#[test]
fn the_members_of_every_example_are_in_the_table() {
    for command in commands().filter(|command| !command.example.data.is_empty()) {
        let data: Value = serde_json::from_str(command.example.data).unwrap();
        for member in data.as_object().unwrap().keys() {
            let named = command.data.iter().any(|row| row.name == member);
            assert!(named, "{}: {member}", command.name);
        }
    }
}

#[test]
fn names_are_there_once() {
    let mut names: Vec<_> = commands().map(|command| command.name).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn a_field_that_is_missing_or_of_a_wrong_type_is_named_with_what_was_expected() {
    let wrong = |kind: FieldKind| match kind {
        FieldKind::Text | FieldKind::EntryId | FieldKind::Position => {
            vec![json!(1), json!(true), json!([]), json!({})]
        }
        FieldKind::Path => vec![json!(1), json!(""), json!("a\0b")],
        FieldKind::Root => vec![json!(1), json!("a\0b")],
        FieldKind::Flag => vec![json!(0), json!("true"), json!([])],
        FieldKind::Count => vec![json!(-1), json!(1.5), json!("1"), json!(1e300)],
        FieldKind::Number => vec![json!("1"), json!(true), json!([])],
        FieldKind::Object => vec![json!("{}"), json!(1), json!([])],
        FieldKind::Json => vec![],
    };
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let mut seen = 0;
    for command in commands() {
        for field in command.fields {
            let mut values = wrong(field.kind);
            let needs = field.required && field.kind != FieldKind::Json;
            values.extend(needs.then_some(Value::Null));
            for value in values {
                let mut request: Value = serde_json::from_str(command.example.request).unwrap();
                request[field.name] = value;
                let (kind, message) = desk.error(request.clone());
                assert_eq!(kind, "invalid_argument", "{request}");
                assert!(message.contains(&format!("`{}`", field.name)), "{message}");
                assert!(message.contains(field.kind.expected()), "{message}");
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
    assert_eq!(desk.rpc.session().session_id(), "6f1d2c3b-0001-4a00-8000-00000000aaaa");
}

#[test]
fn a_field_that_is_not_required_may_be_null() {
    for command in commands() {
        for field in command.fields.iter().filter(|field| !field.required) {
            let mut desk = desk_of(command);
            archive(&desk);
            let request = command.example.request;
            let request = request.replace("/home/ana/session.jsonl", "session.jsonl");
            let request = request.replace("/home/ana/archive/", "archive/");
            let mut request: Value = serde_json::from_str(&request).unwrap();
            request[field.name] = Value::Null;
            desk.data(request);
        }
    }
}
