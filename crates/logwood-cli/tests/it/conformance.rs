//! The recorded cases of `conformance/`, asked of `logwood rpc`.

use std::path::Path;

use logwood_testkit::conformance::{Case, Kind, Process, all, run};

/// Runs cases; all that differ are shown at once.
fn pass(cases: &[Case]) {
    let program = Path::new(env!("CARGO_BIN_EXE_logwood"));
    let mut failed = String::new();
    for case in cases {
        let found = run(case, |launch| Process::start(program, &["rpc"], launch));
        if let Some(first) = found.first() {
            failed += &format!("{}: {}\n{first:.1500}\n", case.name, case.about());
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
}

/// 48 of the cases of one session file only read: the selection of `check.py --reading`.
#[test]
fn sessions_are_read_as_recorded() {
    let mut cases = all().unwrap();
    cases.retain(|case| case.kind == Kind::Session && case.is_reading());
    assert_eq!(cases.len(), 48);
    pass(&cases);
}

/// All 88: those that write, and the stores, too.
#[test]
fn every_case_is_answered_as_recorded() {
    let mut cases = all().unwrap();
    assert_eq!(cases.len(), 88);
    cases.retain(|case| case.kind != Kind::Session || !case.is_reading());
    assert_eq!(cases.len(), 40, "the others are in the test above");
    pass(&cases);
}
