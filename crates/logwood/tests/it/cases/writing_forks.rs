//! New sessions out of the sessions of the cases: whole copies, branches taken out, sessions in memory.

use std::path::Path;
use std::sync::Arc;

use logwood::location::encode_cwd;
use logwood::session::{NewSession, SessionManager, SessionOptions};
use logwood::storage::LocalStorage;
use logwood_testkit::cases::Case;
use logwood_testkit::storage::RecordingStorage;
use serde_json::json;

use super::facts::Written;
use super::support::texts_of;
use super::writing::{append, assistant, user};

/// Copies a whole file for `cwd` into the folder of that working directory; the source stays as it is.
fn fork_from(source: &Path, cwd: &str) -> Written {
    let before = std::fs::read(source).unwrap();
    let root = source.parent().unwrap().parent().unwrap();
    let fork = SessionOptions::new().fork_from(source, cwd, root.join(encode_cwd(cwd))).unwrap();
    assert_eq!(std::fs::read(source).unwrap(), before, "the source was changed");
    assert_eq!(fork.cwd(), cwd);
    Written::look(fork.session_file().unwrap(), source, &before)
}

/// Makes the branch to `leaf` a session of its own; the source stays as it is.
fn fork_at(source: &Path, leaf: &str) -> SessionManager {
    let before = std::fs::read(source).unwrap();
    let mut session = SessionOptions::new().open(source).unwrap();
    session.create_branched_session(leaf, None).unwrap();
    assert_eq!(std::fs::read(source).unwrap(), before, "the source was changed");
    session
}

/// The fork as a program that comes later finds it.
fn look(fork: &SessionManager, source: &Path) -> Written {
    Written::look(fork.session_file().unwrap(), source, &std::fs::read(source).unwrap())
}

/// The entry or the folder that step `at` names.
fn step<'a>(case: &'a Case, at: usize, member: &str) -> &'a str {
    case.body().pointer(&format!("/steps/{at}/{member}")).unwrap().as_str().unwrap()
}

fn fork_all(number: &str) {
    let case = Case::load(number).unwrap();
    fork_from(&case.input(0), "/work/demo").holds(&case, "/fork");
}

#[test]
fn case_06_a_fork_keeps_a_bad_byte() {
    fork_all("06");
}

#[test]
fn case_10_a_fork_keeps_the_escape() {
    fork_all("10");
}

#[test]
fn case_11_a_fork_keeps_the_depth() {
    fork_all("11");
}

#[test]
fn case_23_a_fork_keeps_unknown_kinds() {
    fork_all("23");
}

/// The entries that nobody can name are copied too.
#[test]
fn case_14_a_fork_keeps_entries_without_id() {
    let case = Case::load("14").unwrap();
    let fork = fork_from(&case.input(0), "/work/demo");
    fork.holds_all(&json!({"lines_after_header_equal_source": true}), "fork");
    assert_eq!(texts_of(&fork.session), *case.fact("/context/texts"));
    assert_eq!(json!(fork.session.leaf_id()), *case.fact("/load/leaf_id"));
}

/// Both ways to fork end, and the fork says what the source says.
#[test]
fn case_28_forks_of_loops() {
    let case = Case::load("28").unwrap();
    for at in 0..3 {
        let path = case.input(at);
        let texts = &case.fact("/by_file")[path.file_name().unwrap().to_str().unwrap()];
        let copy = fork_from(&path, "/work/demo");
        copy.holds_all(&json!({"lines_after_header_equal_source": true}), "fork");
        assert_eq!(texts_of(&copy.session), texts["context_texts"]);
        let leaf = copy.session.leaf_id().unwrap().to_owned();
        let mut branch = fork_at(&path, &leaf);
        branch.flush().unwrap();
        assert_eq!(texts_of(&look(&branch, &path).session), texts["context_texts"]);
    }
}

#[test]
fn case_40_a_fork_keeps_the_chain_across_labels() {
    let case = Case::load("40").unwrap();
    let source = case.input(0);
    look(&fork_at(&source, step(&case, 0, "leaf")), &source).holds(&case, "/fork");
}

#[test]
fn case_42_a_fork_carries_the_name() {
    let case = Case::load("42").unwrap();
    for at in 0..2 {
        let source = case.input(at);
        let fork = fork_at(&source, step(&case, at, "leaf"));
        look(&fork, &source).holds(&case, &format!("/forks/{at}"));
    }
}

/// The file comes with the first answer: until then the fork is not on disk, and then it is there once.
#[test]
fn case_43_a_fork_before_the_first_answer() {
    let case = Case::load("43").unwrap();
    let source = case.input(0);
    let mut fork = fork_at(&source, step(&case, 0, "leaf"));
    fork.append_message(user(step(&case, 1, "text"))).unwrap();
    assert!(!fork.session_file().unwrap().exists());
    fork.append_message(assistant(step(&case, 2, "text"))).unwrap();
    look(&fork, &source).holds(&case, "/fork");
}

#[test]
fn case_44_a_fork_from_another_project_keeps_bytes() {
    let case = Case::load("44").unwrap();
    fork_from(&case.input(0), step(&case, 0, "target_cwd")).holds(&case, "/fork");
}

#[test]
fn case_62_a_fork_is_the_way_on() {
    let case = Case::load("62").unwrap();
    append(&case);
    fork_from(&case.input(0), step(&case, 3, "target_cwd")).holds(&case, "/fork");
}

#[test]
fn case_82_a_fork_of_a_hundred_thousand() {
    let Some(case) = Case::generated("82").unwrap() else { return };
    let source = case.input(0);
    let mut fork = fork_at(&source, step(&case, 3, "leaf"));
    // There is no answer in it, with which it would be on disk by itself.
    fork.flush().unwrap();
    look(&fork, &source).holds(&case, "/fork");
}

/// Nothing is asked of the storage that changes it, and nothing is there afterwards.
#[test]
fn case_87_memory_only_writes_nothing() {
    let case = Case::load("87").unwrap();
    let before = case.snapshot().unwrap();
    let storage = RecordingStorage::new(Arc::new(LocalStorage));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    let mut session = options.in_memory(step(&case, 0, "cwd"));
    session.append_message(user(step(&case, 1, "text"))).unwrap();
    session.append_message(assistant(step(&case, 2, "text"))).unwrap();
    session.append_session_info(step(&case, 3, "name")).unwrap();
    let (first, last) = (session.session_id().to_owned(), session.leaf_id().unwrap().to_owned());
    assert_eq!(session.create_branched_session(&last, None).unwrap(), None);
    assert_ne!(session.session_id(), first, "the fork has an id of its own");
    assert_eq!(json!(session.session_name()), *case.fact("/fork/name"));
    assert_eq!(texts_of(&session), *case.fact("/fork/context_texts"));
    assert_eq!(session.new_session(NewSession::default()).unwrap(), None);
    session.append_message(user(step(&case, 6, "text"))).unwrap();
    assert_eq!(json!(session.session_file()), *case.fact("/session_file"));
    assert_eq!(storage.changes(), 0);
    assert_eq!(case.snapshot().unwrap(), before);
}
