//! What deletion refuses and what it does (cases 17, 56, 60, 71).

use std::path::Path;

use logwood::deletion::{Deletion, HomeTrash, Removal, Trash};
use logwood::error::ErrorKind;
use logwood::storage::LocalStorage;
use logwood_testkit::cases::Case;
use serde_json::Value;

/// Carries a `delete` step out, with a trash in the folder of the case.
fn delete(case: &Case, step: usize) -> Result<(), ErrorKind> {
    let field =
        |key: &str| case.body().pointer(&format!("/steps/{step}/{key}")).and_then(Value::as_str);
    let base = case.path(field("cwd").unwrap_or("."));
    let spelled = field("spelled").map_or_else(|| case.path(field("path").unwrap()), Into::into);
    let deletion = Deletion::new()
        .base(&base)
        .active(field("active").map(|active| case.path(active)))
        .roots(vec![case.path("in/sessions")]);
    let plan = deletion.plan(&spelled).map_err(|error| error.kind())?;
    let trash = Trash::none().home(Some(HomeTrash::new(case.path("trash"))));
    let report = deletion.apply(&plan, &trash, Removal::ToTrash);
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    Ok(())
}

#[test]
fn case_17_deletion_refuses_a_file_that_is_no_session() {
    let case = Case::load("17").unwrap();
    let before = case.snapshot().unwrap();
    assert_eq!(*case.fact("/delete/ok"), false);
    assert_eq!(delete(&case, 1), Err(ErrorKind::NotASession));
    assert_eq!(case.snapshot().unwrap(), before);
}

#[test]
fn case_56_the_active_session_is_not_deleted_through_a_link() {
    let case = Case::load("56").unwrap();
    let kind = delete(&case, 1).unwrap_err();
    assert_eq!(Some(kind.as_str()), case.fact("/delete/error_kind").as_str());
    assert_eq!(*case.fact("/delete/real_file_exists"), case.input(1).exists());
}

#[test]
fn case_60_a_session_whose_parent_is_gone_can_be_deleted() {
    let case = Case::load("60").unwrap();
    assert_eq!(*case.fact("/delete/ok"), delete(&case, 1).is_ok());
    assert!(!case.input(3).exists());
}

/// The rest of the case goes round in a loop, points to itself, or is no text.
#[test]
fn case_60_parents_in_a_loop_make_plans_that_end() {
    let case = Case::load("60").unwrap();
    let deletion = Deletion::new().family(true).roots(vec![case.path("in/sessions")]);
    let forks: Vec<_> =
        (0..5).map(|at| deletion.plan(&case.input(at)).unwrap().forks.len()).collect();
    assert_eq!(forks, [1, 1, 0, 0, 0]);
}

#[test]
fn case_71_what_deletion_must_refuse() {
    let case = Case::load("71").unwrap();
    let wanted = case.fact("/results").as_array().unwrap();
    for (step, wanted) in wanted.iter().enumerate() {
        let kind = delete(&case, step).err().map(ErrorKind::as_str);
        assert_eq!(kind, wanted["error_kind"].as_str(), "step {step}");
        assert_eq!(wanted["ok"], kind.is_none(), "step {step}");
    }
    let left = case.fact("/files_left").as_array().unwrap();
    for file in left {
        assert!(case.path("in").join(file.as_str().unwrap()).exists(), "{file}");
    }
    let count = |dir: &str| std::fs::read_dir(case.path(dir)).unwrap().count();
    assert_eq!(count("in/sessions/--work-demo--"), left.len() - 1, "both others are gone");
    assert_eq!(count("trash/files"), 2);
}

/// Both come back, the one with the dangerous name too.
#[test]
fn case_71_what_was_deleted_can_be_restored() {
    let case = Case::load("71").unwrap();
    let bytes = || [1, 4].map(|at| std::fs::read(case.input(at)).ok());
    let before = bytes();
    let trash = HomeTrash::new(case.path("trash"));
    for step in [5, 6] {
        delete(&case, step).unwrap();
    }
    assert_eq!(bytes(), [None, None]);
    let sessions = trash.sessions(&LocalStorage).unwrap();
    assert_eq!(sessions.len(), 2);
    for session in sessions {
        let plan = trash.plan(&LocalStorage, Path::new(&session.original)).unwrap();
        assert!(trash.restore(&LocalStorage, &plan).failed.is_empty());
    }
    assert_eq!(bytes(), before);
}
