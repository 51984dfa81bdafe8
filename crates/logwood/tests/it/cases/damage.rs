//! Lines that are cut, glued, padded, of another encoding, or no entries.

use logwood_testkit::cases::Case;

use super::support::{entry, ids, load, roles, texts, texts_of};

#[test]
fn case_02_no_final_newline() {
    load(&Case::load("02").unwrap(), 0, "/load");
}

#[test]
fn case_03_fused_line() {
    let case = Case::load("03").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(session.problems()[1].detail.as_deref(), Some("d4000004"));
}

#[test]
fn case_05_nul_tail() {
    load(&Case::load("05").unwrap(), 0, "/load");
}

#[test]
fn case_06_invalid_utf8_midfile() {
    let case = Case::load("06").unwrap();
    let session = load(&case, 0, "/load");
    let context = session.context().unwrap();
    assert_eq!(roles(&context), *case.fact("/context/roles").as_array().unwrap());
    assert_eq!(texts(&context).last(), Some(case.fact("/context/last_text")));
}

/// The bytes that are not UTF-8 are still there in what the library hands out.
#[test]
fn case_06_raw_bytes_are_kept() {
    let case = Case::load("06").unwrap();
    let session = load(&case, 0, "/load");
    let file = std::fs::read(case.input(0)).unwrap();
    let line = session.entry_line(session.require("e5000005").unwrap()).unwrap();
    let text = session.line_text(&line).unwrap();
    assert!(std::str::from_utf8(&text).is_err());
    assert!(file[line.position.byte as usize..].starts_with(&text));
}

#[test]
fn case_07_bom_at_start() {
    let session = load(&Case::load("07").unwrap(), 0, "/load");
    assert_eq!(session.session_id(), "7d3c1f60-5b0a-4c52-9a11-000000000001");
}

#[test]
fn case_08_crlf_lines() {
    load(&Case::load("08").unwrap(), 0, "/load");
}

#[test]
fn case_09_unicode_line_separators() {
    let case = Case::load("09").unwrap();
    let session = load(&case, 0, "/load");
    let content = entry(&session, "a1000001")["message"]["content"].as_str().unwrap().to_owned();
    let chars = case.fact("/entry_text/a1000001/chars").as_u64().unwrap();
    assert_eq!(content.chars().count() as u64, chars);
    for separator in ['\u{2028}', '\u{2029}', '\u{85}'] {
        assert!(content.contains(separator));
    }
}

#[test]
fn case_10_lone_surrogate_escape() {
    let case = Case::load("10").unwrap();
    let session = load(&case, 0, "/load");
    let context = session.context().unwrap();
    assert_eq!(roles(&context), *case.fact("/context/roles").as_array().unwrap());
    let line = session.entry_line(session.require("c3000003").unwrap()).unwrap();
    let text = session.line_text(&line).unwrap().into_owned();
    assert!(String::from_utf8(text).unwrap().contains(r"\ud83d"));
}

#[test]
fn case_11_deeply_nested_arguments() {
    let case = Case::load("11").unwrap();
    let session = load(&case, 0, "/load");
    let line = session.entry_line(session.require("b2000002").unwrap()).unwrap();
    let file = std::fs::read(case.input(0)).unwrap();
    let text = session.line_text(&line).unwrap();
    assert!(text.len() > 400 && file[line.position.byte as usize..].starts_with(&text));
}

#[test]
fn case_13_lines_that_are_not_entries() {
    let case = Case::load("13").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    assert_eq!(session.tree().walk().count(), 2);
}

#[test]
fn case_14_entries_without_usable_id() {
    let case = Case::load("14").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(ids(&session, session.tree().nodes()), *case.fact("/load/addressable_ids"));
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
}
