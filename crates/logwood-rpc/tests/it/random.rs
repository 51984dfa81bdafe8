//! Whatever comes in, exactly one well-formed answer goes out.

use logwood::json::Raw;
use logwood_rpc::{RpcOptions, commands, serve};
use proptest::prelude::*;

use crate::support::{Desk, EXAMPLE};

/// The answers to `input`, checked to be one JSON object a line and as many as there are lines.
fn answers(desk: &mut Desk, input: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    serve(input, &mut out, &mut desk.rpc).unwrap();
    let text = String::from_utf8(out).expect("answers are UTF-8");
    let lines: Vec<_> = text.split_terminator('\n').map(str::to_owned).collect();
    let asked = input.split_inclusive(|byte| *byte == b'\n').count();
    assert_eq!(lines.len(), asked, "{text}");
    for line in &lines {
        let answer = Raw::parse(line.as_bytes()).expect("answers are JSON");
        assert_eq!(answer.get_str("type").as_deref(), Some("response"));
        assert!(answer.get("command").is_some_and(|command| command.as_str().is_some()));
        let done = answer.get("success").and_then(Raw::as_bool).expect("success is a flag");
        assert_eq!(answer.get("error").is_some(), !done);
        assert_eq!(answer.get("errorKind").is_some(), !done);
    }
    lines
}

/// JSON texts of every kind, a little broken at times.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just("true".to_owned()),
        Just("\"aa000001\"".to_owned()),
        Just("\"\\ud800\"".to_owned()),
        Just("\"\\u0000\"".to_owned()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_map(|n| format!("{n:e}")),
        "\"[a-z/.]{0,8}\"",
        ".{0,6}",
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|v| format!("[{}]", v.join(","))),
            prop::collection::vec(("[a-z]{0,4}", inner), 0..3).prop_map(|members| {
                let members: Vec<_> =
                    members.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A request of a command that there is, with some of its fields and any values.
fn request() -> impl Strategy<Value = String> {
    let names: Vec<_> = commands().map(|command| command.name).collect();
    (prop::sample::select(names), value(), prop::collection::vec(value(), 4)).prop_map(
        |(name, id, values)| {
            let command = commands().find(|command| command.name == name).unwrap();
            let mut text = format!("{{\"id\":{id},\"type\":\"{name}\"");
            for (field, value) in command.fields.iter().zip(values) {
                text += &format!(",\"{}\":{value}", field.name);
            }
            text + "}\n"
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_answered(input in prop::collection::vec(any::<u8>(), 0..200)) {
        answers(&mut Desk::empty(), &input);
    }

    #[test]
    fn random_json_is_answered(input in prop::collection::vec(value(), 1..4)) {
        answers(&mut Desk::empty(), input.join("\n").as_bytes());
    }

    #[test]
    fn random_requests_are_answered(input in prop::collection::vec(request(), 1..8)) {
        let input = input.concat();
        answers(&mut Desk::holding(EXAMPLE.as_bytes()), input.as_bytes());
        let mut reading = Desk::with(|options| RpcOptions { read_only: true, ..options });
        reading.write("session.jsonl", EXAMPLE.as_bytes());
        let input = format!("{{\"type\":\"open\",\"path\":\"session.jsonl\"}}\n{input}");
        answers(&mut reading, input.as_bytes());
        prop_assert_eq!(std::fs::read(reading.file("session.jsonl")).unwrap(), EXAMPLE.as_bytes());
    }

    /// A session of any bytes answers every command, or is refused as a whole.
    #[test]
    fn sessions_of_random_lines_answer_every_command(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..4),
        at in 0..EXAMPLE.len(),
        damage in any::<u8>(),
    ) {
        let mut desk = Desk::with(|options| RpcOptions { read_only: true, ..options });
        let mut bytes = EXAMPLE.as_bytes().to_vec();
        bytes[at] = damage;
        for line in lines {
            bytes.extend(line);
            bytes.push(b'\n');
        }
        desk.write("session.jsonl", &bytes);
        let mut input = "{\"type\":\"open\",\"path\":\"session.jsonl\"}\n".to_owned();
        for command in commands().filter(|command| !["open", "in_memory"].contains(&command.name)) {
            input += command.example.request;
            input += "\n";
        }
        answers(&mut desk, input.as_bytes());
        prop_assert_eq!(std::fs::read(desk.file("session.jsonl")).unwrap(), bytes);
    }
}
