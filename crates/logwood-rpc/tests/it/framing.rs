//! Case 88: what a client may send over a pipe, and exactly what it gets.

use logwood_rpc::{Dispatcher, RpcOptions, serve};
use logwood_testkit::cases::Case;
use logwood_testkit::json::decode;
use serde_json::{Value, json};

fn answers(input: &[u8]) -> Vec<Value> {
    let mut out = Vec::new();
    serve(input, &mut out, &mut Dispatcher::new(RpcOptions::default())).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(text.matches('\n').count(), text.lines().count());
    text.split_terminator('\n').map(|line| decode(line).unwrap()).collect()
}

#[test]
fn case_88_framing() {
    let Some(case) = Case::generated("88").unwrap() else { return };
    let answers = answers(&std::fs::read(case.path("in/requests.jsonl")).unwrap());
    let ids: Vec<_> = answers.iter().filter_map(|answer| answer.get("id")).cloned().collect();
    assert_eq!(Value::from(ids), *case.fact("/responses/ids_answered"));
    let failed = |answer: &&Value| answer["success"] == json!(false);
    let anonymous = answers.iter().filter(failed).filter(|a| a.get("id").is_none()).count();
    let least = case.fact("/responses/error_responses_without_id_at_least").as_u64().unwrap();
    assert!(anonymous as u64 >= least, "{anonymous}");
    for id in case.fact("/responses/errors_for_ids").as_array().unwrap() {
        assert!(answers.iter().filter(failed).any(|answer| answer.get("id") == Some(id)));
    }
}

/// Every line is answered once and in order, whatever it is; a last line without LF too.
#[test]
fn every_line_is_answered_once_and_in_order() {
    let input = b"{\"id\":1,\"type\":\"get_version\"}\r\n\n\xff\n\0\n42\n{\"id\":2,\"type\":\"x\xe2\x80\xa8y\"}\n{\"id\":3,\"type\":\"get_version\"}";
    let shown: Vec<_> = answers(input)
        .iter()
        .map(|answer| {
            (answer.get("id").cloned(), answer["command"].clone(), answer["success"].clone())
        })
        .collect();
    let parse = || (None, json!("parse"), json!(false));
    assert_eq!(
        shown,
        [
            (Some(json!(1)), json!("get_version"), json!(true)),
            parse(),
            parse(),
            parse(),
            parse(),
            (Some(json!(2)), json!("x\u{2028}y"), json!(false)),
            (Some(json!(3)), json!("get_version"), json!(true)),
        ]
    );
}
