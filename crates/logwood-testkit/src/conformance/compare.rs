//! Whether an answer is the expected one.

use serde_json::{Map, Value};

/// Whether the data of a response is what a step expects: only the wanted keys count, null and missing are the same,
/// and `problems` are compared by [`same_problems`].
pub(super) fn same_data(want: &Value, got: &Value) -> bool {
    let (Value::Object(want), Value::Object(got)) = (want, got) else {
        return same(want, got);
    };
    want.iter().all(|(key, value)| {
        let answer = got.get(key).unwrap_or(&Value::Null);
        if key == "problems" { same_problems(value, answer) } else { same(value, answer) }
    })
}

/// Whether two values are equal: keys in any order, numbers by value (`1` and `1.0` are one number).
pub(super) fn same(want: &Value, got: &Value) -> bool {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => same_objects(want, got),
        (Value::Array(want), Value::Array(got)) => {
            want.len() == got.len() && want.iter().zip(got).all(|(a, b)| same(a, b))
        }
        (Value::Number(want), Value::Number(got)) => want == got || equal_floats(want, got),
        _ => want == got,
    }
}

fn same_objects(want: &Map<String, Value>, got: &Map<String, Value>) -> bool {
    want.len() == got.len()
        && want.iter().all(|(key, value)| got.get(key).is_some_and(|other| same(value, other)))
}

/// Two integers that differ are not made equal by rounding them.
fn equal_floats(want: &serde_json::Number, got: &serde_json::Number) -> bool {
    (want.is_f64() || got.is_f64()) && want.as_f64() == got.as_f64()
}

/// Whether every wanted problem is among those that came (kind and, where given, line); none wanted means that none
/// may come.
fn same_problems(want: &Value, got: &Value) -> bool {
    let (Some(want), Some(got)) = (want.as_array(), got.as_array().or(Some(&Vec::new())).cloned())
    else {
        return false;
    };
    let mut left = got;
    for wanted in want {
        let Some(at) = left.iter().position(|problem| covers(wanted, problem)) else {
            return false;
        };
        left.remove(at);
    }
    !want.is_empty() || left.is_empty()
}

fn covers(wanted: &Value, problem: &Value) -> bool {
    wanted.as_object().is_some_and(|wanted| {
        wanted.iter().all(|(key, value)| same(value, problem.get(key).unwrap_or(&Value::Null)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_compared_by_value() {
        assert!(same(&json!(1), &json!(1.0)));
        assert!(!same(&json!(9_007_199_254_740_993_u64), &json!(9_007_199_254_740_992_u64)));
        assert!(!same(&json!(1), &json!(true)));
        assert!(!same(&json!(0), &json!(null)));
    }

    #[test]
    fn keys_count_at_the_top_only_where_wanted() {
        assert!(same_data(&json!({"a": null}), &json!({"b": 1})));
        assert!(same_data(&json!({}), &json!({"b": 1})));
        assert!(!same_data(&json!({"a": {"b": 1}}), &json!({"a": {"b": 1, "c": null}})));
        assert!(!same_data(&json!({"a": {"b": null}}), &json!({"a": {}})));
        assert!(same_data(&json!({"a": {"b": 1, "c": 2}}), &json!({"a": {"c": 2, "b": 1}})));
        assert!(!same_data(&json!({"a": [1, 2]}), &json!({"a": [2, 1]})));
    }

    #[test]
    fn wanted_problems_are_a_part_of_those_that_came() {
        let came = json!({"problems": [{"kind": "cycle", "line": 2, "did": "x"}, {"kind": "bom"}]});
        let ok = |want: Value| same_data(&json!({ "problems": want }), &came);
        assert!(ok(json!([{"kind": "bom"}])));
        assert!(ok(json!([{"kind": "cycle", "line": 2}, {"kind": "bom"}])));
        assert!(!ok(json!([{"kind": "cycle", "line": 3}])));
        assert!(!ok(json!([{"kind": "bom"}, {"kind": "bom"}])));
        assert!(!ok(json!([])));
        assert!(same_data(&json!({"problems": []}), &json!({})));
        assert!(!same_data(&json!({"problems": [{"kind": "bom"}]}), &json!({})));
    }
}
