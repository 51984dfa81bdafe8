//! One JSON text: the library's raw view against a reader that builds values.

use logwood::json::{JsonKind, Raw, remove_member, set_member, stringify};
use logwood_testkit::generate::{json_text, string_text};
use logwood_testkit::json::decode;
use proptest::prelude::*;
use serde_json::Value;

/// The value of a text; numbers beyond `f64`, which `serde_json` refuses, as large ones.
fn value(text: &str) -> Value {
    decode(&text.replace("1e400", "1e300")).unwrap()
}

fn text<'t>(raw: &Raw<'t>) -> &'t str {
    std::str::from_utf8(raw.bytes()).unwrap()
}

/// What happens to one character of a text.
fn spoiled(text: &str, at: usize, with: &str, keep: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = at % chars.len();
    let (head, tail) = chars.split_at(at);
    let tail = tail.get(usize::from(!keep)..).unwrap();
    head.iter().collect::<String>() + with + &tail.iter().collect::<String>()
}

proptest! {
    #[test]
    fn every_json_text_is_read_and_kept(json in json_text(), space in "[ \t\r]{0,2}") {
        let spaced = format!("{space}{json}{space}");
        let raw = Raw::parse(spaced.as_bytes()).unwrap();
        prop_assert_eq!(text(&raw).trim(), json);
    }

    /// A text with one character gone, exchanged or added is JSON for the library when it is JSON.
    #[test]
    fn what_is_no_json_is_refused(
        json in json_text(),
        at in any::<usize>(),
        with in prop::sample::select(vec!["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-", ".", "e", "u", "\u{1}", "\t", " ", "a", "\u{feff}"]),
        keep in any::<bool>(),
    ) {
        let json = spoiled(&json, at, with, keep);
        let ours = Raw::parse(json.as_bytes());
        match decode(&json) {
            Ok(_) => prop_assert!(ours.is_ok(), "refused {json:?}"),
            Err(why) if why.contains("out of range") || why.contains("stands for") => {}
            Err(why) => prop_assert!(ours.is_err(), "accepted {json:?}: {why}"),
        }
    }

    #[test]
    fn members_and_elements_are_those_of_the_value(json in json_text()) {
        let mut open = vec![Raw::parse(json.as_bytes()).unwrap()];
        while let Some(raw) = open.pop() {
            let whole = value(text(&raw));
            match &whole {
                Value::Object(map) => {
                    prop_assert_eq!(raw.kind(), JsonKind::Object);
                    prop_assert!(raw.members().count() >= map.len());
                    for (key, wanted) in map.iter().filter(|(key, _)| !has_half(key)) {
                        let got = raw.get(key).unwrap();
                        prop_assert_eq!(&value(text(&got)), wanted, "{}", key);
                    }
                    prop_assert!(raw.get("no such key").is_none());
                    open.extend(raw.members().map(|(_, value)| value));
                }
                Value::Array(items) => {
                    prop_assert_eq!(raw.kind(), JsonKind::Array);
                    let got: Vec<_> = raw.elements().map(|item| value(text(&item))).collect();
                    prop_assert_eq!(&got, items);
                    open.extend(raw.elements());
                }
                Value::String(wanted) => {
                    let shown: String = wanted.chars().map(|c| if is_half(c) { '\u{fffd}' } else { c }).collect();
                    prop_assert_eq!(raw.as_str().unwrap().into_owned(), shown);
                }
                Value::Bool(truth) => prop_assert_eq!(raw.as_bool(), Some(*truth)),
                Value::Null => prop_assert!(raw.is_null()),
                Value::Number(_) => prop_assert_eq!(raw.kind(), JsonKind::Number),
            }
        }
    }

    #[test]
    fn a_member_is_set_and_taken_out(json in json_text(), new in json_text(), key in prop::sample::select(vec!["a", "id", "10", "", "é"])) {
        let is_object = Raw::parse(json.as_bytes()).unwrap().is_object();
        let object = if is_object { json } else { format!("{{\"id\":{json},\"a\" : {json} , \"\\u0069d\":0}}") };
        let raw = Raw::parse(object.as_bytes()).unwrap();
        let set = String::from_utf8(set_member(raw, key, new.as_bytes())).unwrap();
        let mut wanted = value(&object);
        wanted[key] = value(&new);
        prop_assert_eq!(value(&set), wanted.clone(), "set in {} gave {}", object, set);
        let gone = String::from_utf8(remove_member(raw, key)).unwrap();
        wanted.as_object_mut().unwrap().shift_remove(key);
        prop_assert_eq!(value(&gone), wanted, "removed from {} gave {}", object, gone);
    }

    /// Writing what JavaScript wrote changes nothing; strings keep their meaning.
    #[test]
    fn stringify_settles(json in json_text(), string in string_text()) {
        let once = stringify(json.as_bytes());
        prop_assert_eq!(stringify(&once), once);
        let written = String::from_utf8(stringify(string.as_bytes())).unwrap();
        prop_assert_eq!(value(&written), value(&string));
    }
}

fn has_half(key: &str) -> bool {
    key.chars().any(is_half)
}

/// The stand-in for half a character.
fn is_half(c: char) -> bool {
    ('\u{f0000}'..='\u{f07ff}').contains(&c)
}
