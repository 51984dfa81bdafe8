//! A `trash` program on the `PATH` that works, fails, hangs or lies (spec 6.12).

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use logwood::deletion::{
    DeletePlan, DeleteReport, Deletion, HomeTrash, Method, Removal, Trash, TrashProgram, Wording,
};
use logwood::error::ErrorKind;
use logwood::storage::LocalStorage;
use logwood_testkit::storage::{Code, Fault, FaultyStorage};

const SESSION: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/p\"}\n";

/// A folder with a session, a trash of its own, and perhaps a program.
struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let desk = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(desk.path("bin")).unwrap();
        std::fs::write(desk.session(), SESSION).unwrap();
        desk
    }

    /// With a program that does this.
    fn with(script: &str) -> Self {
        let desk = Self::new();
        let text = format!(
            "#!/bin/sh\necho \"$#\" \"$1\" >> '{}'\n{script}\n",
            desk.path("calls").display()
        );
        let program = desk.path("bin/trash");
        std::fs::write(&program, text).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join(name)
    }

    fn session(&self) -> PathBuf {
        self.path("-rf a'b.jsonl")
    }

    fn program(&self) -> Option<TrashProgram> {
        let list = std::env::join_paths([Path::new("bin"), &self.path("none"), &self.path("bin")]);
        let program = TrashProgram::find(&LocalStorage, &list.unwrap());
        program.map(|program| program.limit(Duration::from_millis(700)))
    }

    fn home(&self) -> HomeTrash {
        HomeTrash::new(self.path("Trash"))
    }

    fn plan(&self) -> (Deletion, DeletePlan) {
        let deletion = Deletion::new().wording(Wording::Dreb);
        let plan = deletion.plan(&self.session()).unwrap();
        (deletion, plan)
    }

    fn delete(&self, home: bool, removal: Removal) -> DeleteReport {
        let (deletion, plan) = self.plan();
        let home = home.then(|| self.home());
        deletion.apply(&plan, &Trash::none().program(self.program()).home(home), removal)
    }

    /// How often it was called, each time with the file as its only argument.
    fn calls(&self) -> usize {
        let text = std::fs::read_to_string(self.path("calls")).unwrap_or_default();
        let call = format!("1 {}", self.session().display());
        assert!(text.lines().all(|line| line.starts_with(&call)), "{text}");
        text.lines().count()
    }

    fn in_home(&self) -> usize {
        self.home().sessions(&LocalStorage).unwrap().len()
    }
}

#[test]
fn one_that_works_is_all_that_is_needed() {
    let desk = Desk::with("mv -- \"$1\" \"$1.moved\"");
    let report = desk.delete(true, Removal::ToTrash);
    assert!(report.failed.is_empty() && report.removed[0].method == Method::Trash);
    assert_eq!((desk.calls(), desk.in_home(), desk.session().exists()), (1, 0, false));
}

#[test]
fn one_that_fails_though_the_file_is_gone_has_worked() {
    let desk = Desk::with("mv -- \"$1\" \"$1.moved\"; exit 3");
    let report = desk.delete(true, Removal::ToTrash);
    assert!(report.failed.is_empty() && report.removed[0].method == Method::Trash);
    assert_eq!(desk.in_home(), 0);
}

#[test]
fn after_one_that_fails_the_folder_takes_the_file() {
    let desk = Desk::with("echo no luck >&2; exit 1");
    let report = desk.delete(true, Removal::ToTrash);
    assert!(report.failed.is_empty() && report.removed[0].method == Method::Trash);
    assert_eq!((desk.calls(), desk.in_home(), desk.session().exists()), (1, 1, false));
}

/// Dreb would say that it is done; the file has to be gone when it is said.
#[test]
fn one_that_lies_is_not_believed() {
    let desk = Desk::with("exit 0");
    let report = desk.delete(false, Removal::ToTrash);
    let text = report.failed[0].error.to_string();
    assert!(text.contains("the file is still there") && text.contains("--permanent"), "{text}");
    assert!(desk.session().exists());
    let report = desk.delete(true, Removal::ToTrash);
    assert!(report.failed.is_empty() && report.removed[0].method == Method::Trash);
    assert_eq!((desk.in_home(), desk.session().exists()), (1, false));
}

#[test]
fn one_that_hangs_is_stopped_and_not_asked_again() {
    let desk = Desk::with("exec sleep 60");
    let copy = desk.session().with_extension("jsonl.v1.bak");
    std::fs::write(&copy, "old").unwrap();
    let start = Instant::now();
    let report = desk.delete(false, Removal::TrashOrUnlink);
    assert!(start.elapsed() >= Duration::from_millis(700), "it was given its time");
    assert!(start.elapsed() < Duration::from_secs(20), "it was stopped");
    assert!(report.failed.is_empty());
    let methods: Vec<_> = report.removed.iter().map(|removed| removed.method).collect();
    assert_eq!(methods, [Method::Unlink, Method::Unlink]);
    assert_eq!((desk.calls(), desk.session().exists(), copy.exists()), (1, false, false));
}

/// A child that keeps the standard error open, and says nothing, holds nobody up.
#[test]
fn what_a_program_leaves_running_is_not_waited_for() {
    let desk = Desk::with("sleep 30 & exit 4");
    let start = Instant::now();
    let report = desk.delete(false, Removal::ToTrash);
    assert!(start.elapsed() < Duration::from_secs(20));
    let text = report.failed[0].error.to_string();
    assert!(text.contains("exit status: 4"), "{text}");
}

#[test]
fn without_a_program_that_can_be_started_there_is_none() {
    let desk = Desk::with("exit 0");
    let program = desk.path("bin/trash");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(desk.program().is_none());
    std::fs::remove_file(&program).unwrap();
    std::fs::create_dir(&program).unwrap();
    assert!(desk.program().is_none());
}

/// `<system message> (trash: <what it said>)`, the first line only, 200 characters at most (spec 6.12).
#[test]
fn dreb_is_told_what_the_program_said_when_nothing_worked() {
    let long = "x".repeat(300);
    let desk = Desk::with(&format!("echo '  {long}' >&2; echo more >&2; exit 1"));
    let (deletion, plan) = desk.plan();
    let trash = Trash::none().program(desk.program());
    // The calls are: look whether it is the same file, look whether it is gone, unlink.
    let storage = FaultyStorage::new(Arc::new(LocalStorage)).with(2, Fault::Fails(Code::Denied));
    let deletion = deletion.storage(Arc::new(storage));
    let report = deletion.apply(&plan, &trash, Removal::TrashOrUnlink);
    let error = &report.failed[0].error;
    assert_eq!(error.kind(), ErrorKind::Permission);
    assert_eq!(
        error.to_string(),
        format!("Permission denied (os error 13) (trash: {})", "x".repeat(200))
    );
}
