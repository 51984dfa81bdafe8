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

/// Whether the program has every command that the case asks.
fn is_answered(case: &Case) -> bool {
    case.commands().all(|name| logwood_rpc::commands().any(|command| command.name == name))
}

/// 48 of the cases of one session file only read: the selection of `check.py --reading`.
#[test]
fn sessions_are_read_as_recorded() {
    let mut cases = all().unwrap();
    cases.retain(|case| case.kind == Kind::Session && case.is_reading());
    assert_eq!(cases.len(), 48);
    pass(&cases);
}

/// Every other case, as soon as its commands are there: a command that is answered is answered right.
#[test]
fn every_command_that_is_there_answers_as_recorded() {
    let mut cases = all().unwrap();
    assert_eq!(cases.len(), 88);
    cases.retain(|case| !(case.kind == Kind::Session && case.is_reading()) && is_answered(case));
    pass(&cases);
}
