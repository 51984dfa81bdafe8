use proptest::prelude::*;

use super::*;
use crate::json::vectors::vectors;

fn text(raw: &[u8]) -> String {
    String::from_utf8(stringify(raw)).unwrap()
}

#[test]
fn texts_are_written_as_node_writes_them() {
    for vector in &vectors().texts {
        assert_eq!(text(&vector.raw()), vector.out, "{vector:?}");
    }
}

#[test]
fn numbers_that_javascript_would_round_stay() {
    assert_eq!(text(b"[12345678901234567890, 1e400, 1E2 ]"), "[12345678901234567890,1e400,100]");
}

#[test]
fn many_keys_fold_like_few() {
    let member = |n: usize| format!("\"k{}\":{n}", n % 500);
    let raw = format!("{{{}}}", (0..1000).map(member).collect::<Vec<_>>().join(","));
    let want = (0..500).map(|n| format!("\"k{n}\":{}", n + 500)).collect::<Vec<_>>().join(",");
    assert_eq!(text(raw.as_bytes()), format!("{{{want}}}"));
}

/// Fails by running out of stack, or by taking minutes where it should take a moment.
#[test]
fn depth_costs_neither_stack_nor_squared_time() {
    const DEPTH: usize = 200_000;
    let arrays = format!("{}{}", "[ ".repeat(DEPTH), "] ".repeat(DEPTH));
    assert!(stringify(arrays.as_bytes()) == arrays.replace(' ', "").as_bytes());
    let objects = format!("{}1{}", "{\"a\":".repeat(DEPTH), ",\"0\":2}".repeat(DEPTH));
    let want = format!("{}1{}", "{\"0\":2,\"a\":".repeat(DEPTH), "}".repeat(DEPTH));
    assert!(stringify(objects.as_bytes()) == want.as_bytes());
    let torn = "{\"a\":[".repeat(DEPTH);
    assert_eq!(stringify(torn.as_bytes()).len(), torn.len());
}

/// A JSON text with odd keys, escapes, spaces and numbers.
fn json() -> impl Strategy<Value = String> {
    let string = prop_oneof![
        "[a-c0-3]{0,2}".prop_map(|s| format!("\"{s}\"")),
        r#"(\\u00[46][1-3]|\\ud83d|\\ude00|\\n|\\/|é|😀|\\\\|\\"){0,3}"#
            .prop_map(|s| format!("\"{s}\"")),
    ];
    let scalar = prop_oneof![
        string.clone(),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?([eE][-+]?[0-9]{1,3})?",
        "true|false|null",
    ];
    scalar.prop_recursive(4, 40, 6, move |value| {
        let space = "[ \n]{0,2}";
        let element = (space, value.clone(), space).prop_map(|(a, v, b)| format!("{a}{v}{b}"));
        let member = (space, string.clone(), space, element.clone())
            .prop_map(|(a, k, b, v)| format!("{a}{k}{b}:{v}"));
        prop_oneof![
            proptest::collection::vec(element, 0..6)
                .prop_map(|list| format!("[{}]", list.join(","))),
            proptest::collection::vec(member, 0..12)
                .prop_map(|list| format!("{{{}}}", list.join(","))),
        ]
    })
}

proptest! {
    #[test]
    fn twice_is_once(raw in json()) {
        prop_assert!(crate::json::Raw::parse(raw.as_bytes()).is_ok(), "{raw}");
        let once = text(raw.as_bytes());
        prop_assert!(crate::json::Raw::parse(once.as_bytes()).is_ok(), "{raw} became {once}");
        prop_assert_eq!(text(once.as_bytes()), once);
    }

    #[test]
    fn any_bytes_do(raw in proptest::collection::vec(prop_oneof![any::<u8>(), proptest::sample::select(&b"{}[]:,\"\\01a "[..])], 0..40)) {
        let _ = text(&raw);
    }
}
