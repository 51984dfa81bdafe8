//! The scanner accepts what serde_json accepts, and what is read, written and edited stays JSON.
#![no_main]

use libfuzzer_sys::fuzz_target;
use logwood::entry::Envelope;
use logwood::json::{Raw, remove_member, set_member, stringify};

fuzz_target!(|input: &[u8]| {
    let ours = Raw::parse(input);
    // serde_json wants UTF-8; ours lets other bytes through inside strings, as Node's lossy decoder does.
    if let Ok(text) = std::str::from_utf8(input) {
        let theirs = serde_json::from_str::<&serde_json::value::RawValue>(text);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{text:?}");
    }
    assert_eq!(Envelope::scan(input).is_ok(), ours.is_ok());
    let Ok(raw) = ours else { return };
    let written = stringify(raw.bytes());
    assert_eq!(stringify(&written), written, "writing is idempotent");
    assert!(Raw::parse(&written).is_ok() && std::str::from_utf8(&written).is_ok());
    walk(raw);
    if raw.is_object() {
        let set = set_member(raw, "id", b"\"x\"");
        let set = Raw::parse(&set).expect("an edit leaves JSON");
        assert_eq!(set.get("id").map(Raw::bytes), Some(&b"\"x\""[..]));
        let removed = remove_member(set, "id");
        assert!(Raw::parse(&removed).expect("an edit leaves JSON").get("id").is_none());
    }
});

/// Decodes everything of one level.
fn walk(raw: Raw<'_>) {
    let _ = (raw.as_str(), raw.as_f64(), raw.is_truthy());
    for (key, value) in raw.members() {
        let _ = (key.text(), value.kind());
    }
    assert!(raw.elements().all(|element| !element.bytes().is_empty()));
}
