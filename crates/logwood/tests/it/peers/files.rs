//! The file of every shared case, opened by pi and by logwood.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use logwood::session::SessionOptions;
use logwood_testkit::conformance::{Case, all};
use serde_json::{Value, json};

use super::driver::{Peer, Which};
use super::view;

/// A case that pi reads in its own way: which parts differ, and the paragraph of `doc/compatibility.md` that says why.
struct Own {
    case: &'static str,
    which: &'static [Which],
    parts: &'static [&'static str],
    why: &'static str,
}

const OLD: &[Which] = &[Which::Old];
const NEWEST: &[Which] = &[Which::Newest];
const BOTH: &[Which] = &Which::ALL;
/// pi never answers: it is not asked.
const HANGS: &[&str] = &["hangs"];

/// pi refuses, or gives up, where logwood reads.
const WHOLE: &[&str] = &["context", "contexts", "entries", "header", "leaf", "refused", "tree"];
/// pi puts a new session in the place of what logwood refuses.
const MADE_UP: &[&str] = &["context", "contexts", "entries", "header", "refused", "tree"];
const CONTEXTS: &[&str] = &["context", "contexts"];

const OWN: [Own; 15] = [
    Own { case: "session/014-load-duplicate-id.json", which: BOTH, parts: &["tree"], why: "P5" },
    Own { case: "session/021-load-non-object-lines.json", which: OLD, parts: WHOLE, why: "P6" },
    Own {
        case: "session/021-load-non-object-lines.json",
        which: NEWEST,
        parts: &["contexts", "entries", "leaf", "tree"],
        why: "P6",
    },
    Own { case: "session/022-load-self-parent.json", which: BOTH, parts: HANGS, why: "P4" },
    Own { case: "session/023-load-parent-cycle.json", which: BOTH, parts: HANGS, why: "P4" },
    Own { case: "session/008-load-byte-order-mark.json", which: NEWEST, parts: WHOLE, why: "P7" },
    Own { case: "session/025-load-bad-header.json", which: OLD, parts: MADE_UP, why: "P8" },
    Own { case: "session/026-load-corrupt-header.json", which: OLD, parts: MADE_UP, why: "P8" },
    Own {
        case: "session/101-newer-context-edit-omits.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own {
        case: "session/102-newer-context-edit-replaces.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own {
        case: "session/103-newer-context-edit-last-wins.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own {
        case: "session/104-newer-context-edit-of-custom-message.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own {
        case: "session/105-newer-context-edit-before-compaction.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own {
        case: "session/108-newer-compaction-with-system-message.json",
        which: OLD,
        parts: CONTEXTS,
        why: "P9",
    },
    Own { case: "session/109-newer-null-content.json", which: OLD, parts: CONTEXTS, why: "P9" },
];

/// What a program says of the file: its view, or that it refuses.
fn ours(path: &Path) -> Value {
    match SessionOptions::new().read_only(true).open(path) {
        Ok(session) => view::of(&session),
        Err(_) => json!({"refused": true}),
    }
}

fn theirs(peer: &mut Peer, path: &Path) -> Value {
    let open = json!({"op": "open", "path": path}).to_string();
    let view = peer.attempt(&open).and_then(|_| peer.attempt("{\"op\":\"view\"}"));
    view.unwrap_or_else(|_| json!({"refused": true}))
}

/// Numbers as JavaScript has them, and the ids that a migration makes up by their place.
fn comparable(mut view: Value) -> Value {
    let entries = view["entries"].as_array().cloned().unwrap_or_default();
    let ids = entries.iter().enumerate().filter_map(|(at, e)| Some((e["id"].as_str()?, at)));
    let places: HashMap<String, String> =
        ids.map(|(id, at)| (id.to_owned(), format!("entry {at}"))).collect();
    rewrite(&mut view, &places);
    view
}

fn rewrite(value: &mut Value, places: &HashMap<String, String>) {
    match value {
        Value::Number(number) => {
            *value =
                number.as_f64().filter(|n| n.is_finite()).map_or(Value::Null, |n| json!(n + 0.0));
        }
        Value::String(text) => {
            if let Some(place) = places.get(text) {
                text.clone_from(place);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rewrite(item, places)),
        Value::Object(members) => members.values_mut().for_each(|member| rewrite(member, places)),
        _ => {}
    }
}

/// The parts that differ; one that only one program has counts too.
fn differing(peer: &mut Peer, case: &Case, dir: &Path) -> (Vec<String>, Value, Value) {
    let [left, right] = ["logwood.jsonl", "pi.jsonl"].map(|name| dir.join(name));
    fs::write(&left, case.input()).unwrap();
    fs::write(&right, case.input()).unwrap();
    let ours = comparable(ours(&left));
    let theirs = comparable(theirs(peer, &right));
    let mut parts = view::differences(&ours, &theirs);
    parts.extend(view::differences(&theirs, &ours));
    parts.sort();
    parts.dedup();
    (parts, ours, theirs)
}

#[test]
fn every_case_is_read_alike() {
    let mut wrong = Vec::new();
    for mut peer in Peer::all() {
        for case in all().unwrap().iter().filter(|case| !case.input().is_empty()) {
            let own =
                OWN.iter().find(|own| case.name == own.case && own.which.contains(&peer.which));
            if own.is_some_and(|own| own.parts == HANGS) {
                continue;
            }
            let dir = tempfile::tempdir().unwrap();
            let (parts, ours, theirs) = differing(&mut peer, case, dir.path());
            if parts != own.map_or(&[][..], |own| own.parts) {
                let listed = own.map_or("not listed", |own| own.why);
                wrong.push(format!("{:?} {}: {parts:?} ({listed})", peer.which, case.name));
                for part in parts {
                    eprintln!(
                        "{:?} {} {part}\n logwood: {}\n      pi: {}",
                        peer.which, case.name, ours[&part], theirs[&part]
                    );
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
