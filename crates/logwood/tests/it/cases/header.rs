//! Headers that are broken, odd, repeated, of a newer version or not there.

use logwood::error::ErrorKind;
use logwood::session::SessionOptions;
use logwood_testkit::cases::Case;
use serde_json::Value;

use super::support::{entry, load, open, texts, texts_of};

#[test]
fn case_15_second_header_in_file() {
    let case = Case::load("15").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(session.session_id(), case.fact("/load/header_id").as_str().unwrap());
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
}

#[test]
fn case_16_corrupt_header_messages_intact() {
    let case = Case::load("16").unwrap();
    let error = open(&case, &case.input(0)).unwrap_err();
    assert_eq!(error.kind().as_str(), case.fact("/open/error_kind").as_str().unwrap());
    assert_eq!(error.path(), Some(&*case.input(0)));
    assert_eq!(error.position().map(|position| position.line), Some(1));
    assert!(error.to_string().contains("logwood repair"), "{error}");
}

#[test]
fn case_17_a_file_that_is_no_session() {
    let case = Case::load("17").unwrap();
    let error = open(&case, &case.input(0)).unwrap_err();
    assert_eq!(error.kind().as_str(), case.fact("/open/error_kind").as_str().unwrap());
}

/// Only a file of size 0 may become a session, and only when it is opened for writing; opening alone writes nothing.
#[test]
fn case_18_empty_and_blank_files() {
    let case = Case::load("18").unwrap();
    let before = case.snapshot().unwrap();
    let kind = |read_only: bool, at: usize| {
        let opened = SessionOptions::new().read_only(read_only).open(case.input(at));
        opened.err().map(|error| error.kind())
    };
    assert_eq!(kind(true, 0), Some(ErrorKind::EmptyFile));
    assert_eq!(kind(true, 1), Some(ErrorKind::EmptyFile));
    assert_eq!(kind(false, 0), None);
    assert_eq!(kind(false, 1), Some(ErrorKind::EmptyFile));
    assert_eq!(case.snapshot().unwrap(), before);
}

#[test]
fn case_20_header_longer_than_512_bytes() {
    let case = Case::load("20").unwrap();
    let session = open(&case, &case.input(0)).unwrap();
    let id = case.fact("/continue_recent/session_id").as_str().unwrap();
    assert_eq!(session.session_id(), id);
    assert_eq!(session.cwd(), case.fact("/list/cwds/0").as_str().unwrap());
    let bytes = case.fact("/header_line_bytes").as_u64().unwrap();
    assert_eq!(session.header().raw().bytes().len() as u64, bytes);
}

#[test]
fn case_21_header_oddities() {
    let case = Case::load("21").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(session.cwd(), "");
    assert_eq!(session.header().version(), 3);
    let other = open(&case, &case.input(1)).unwrap();
    assert_eq!((other.cwd(), other.header().timestamp()), ("", None));
    assert_eq!(other.entries().count(), 1);
}

#[test]
fn case_22_header_id_not_text() {
    let case = Case::load("22").unwrap();
    assert_eq!(open(&case, &case.input(0)).unwrap_err().kind(), ErrorKind::HeaderCorrupt);
    let text = std::fs::read_to_string(case.input(0)).unwrap();
    for id in case.fact("/file_still_contains_ids").as_array().unwrap() {
        assert!(text.contains(id.as_str().unwrap()));
    }
}

#[test]
fn case_23_newer_version_and_unknown_entries() {
    let case = Case::load("23").unwrap();
    let session = load(&case, 0, "/load");
    assert_eq!(u64::from(session.header().version()), case.fact("/load/version").as_u64().unwrap());
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    for id in case.fact("/fork/line_bytes_equal_for_ids").as_array().unwrap() {
        assert_eq!(entry(&session, id.as_str().unwrap())["id"], *id);
    }
}

/// F-29: a mistyped path makes no session.
#[test]
fn case_24_path_that_does_not_exist() {
    let case = Case::load("24").unwrap();
    let path = case.path(case.body().pointer("/steps/0/path").and_then(Value::as_str).unwrap());
    let error = open(&case, &path).unwrap_err();
    assert_eq!(error.kind().as_str(), case.fact("/open/error_kind").as_str().unwrap());
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().count() as u64;
    assert_eq!(files, case.fact("/files_in_dir_after").as_u64().unwrap());
}

#[test]
fn case_46_null_and_missing_content() {
    let case = Case::load("46").unwrap();
    let session = load(&case, 0, "/load");
    let readable = case.fact("/list/first_messages/1");
    assert!(texts(&session.context().unwrap()).contains(readable));
    assert_eq!(open(&case, &case.input(1)).unwrap().entries().count(), 1);
}

/// Each file by itself: id, time of creation and name (the order of a listing comes from these).
#[test]
fn case_49_names_and_times_of_each_file() {
    let case = Case::load("49").unwrap();
    for (at, input) in [2, 1, 0].into_iter().enumerate() {
        let session = open(&case, &case.input(input)).unwrap();
        let fact = |key: &str| case.fact(&format!("/list/{key}/{at}")).as_str();
        assert_eq!(Some(session.session_id()), fact("ids"));
        assert_eq!(session.header().timestamp().as_deref(), fact("created"));
        assert_eq!(session.session_name(), fact("names"));
    }
}
