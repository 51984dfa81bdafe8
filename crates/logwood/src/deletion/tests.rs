//! Checks, plans, the trash folder and the way back, in memory.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::sides::is_side_of;
use super::*;
use crate::env::Clock;
use crate::error::ErrorKind;
use crate::session::Holder;
use crate::storage::{MemoryStorage, Storage};

const ID: &str = "7d3c1f60-5b0a-4c52-9a11-000000000001";

/// 2026-12-01T12:00:00.000Z, and a second later with each look.
#[derive(Debug, Default)]
struct Ticking(std::sync::atomic::AtomicI64);

impl Clock for Ticking {
    fn now_ms(&self) -> i64 {
        1_796_126_400_000 + 1000 * self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

fn header(id: &str, more: &str) -> String {
    format!("{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"cwd\":\"/p\"{more}}}\n")
}

fn memory(files: &[(&str, &str)]) -> MemoryStorage {
    let memory = MemoryStorage::new();
    for (path, text) in files {
        memory.put(path, *text).unwrap();
    }
    memory
}

fn deletion(memory: &MemoryStorage) -> Deletion {
    Deletion::new().storage(Arc::new(memory.clone())).base("/").roots(vec!["/s".into()])
}

fn home() -> HomeTrash {
    HomeTrash::new("/home/ana/.local/share/Trash").clock(Arc::new(Ticking::default()))
}

fn trash() -> Trash {
    Trash::none().home(Some(home()))
}

fn kind(deletion: &Deletion, path: &str) -> ErrorKind {
    deletion.plan(Path::new(path)).map(|plan| plan.session.path).unwrap_err().kind()
}

/// Each path fails every check from its own on, so that only the order gives this answer.
/// F-33: deletion takes only what is a session.
#[test]
fn the_first_check_that_is_not_passed_decides() {
    let memory = memory(&[("/s/notes.jsonl", "{\"a\":1}\n")]);
    memory.create_dir_all(Path::new("/s/dir.jsonl")).unwrap();
    memory.create_dir_all(Path::new("/s/dir")).unwrap();
    memory.put_other("/s/pipe.jsonl").unwrap();
    let using = |path: &str| deletion(&memory).active(Some(path.into()));
    assert_eq!(kind(&using("/s/dir"), "/s/dir"), ErrorKind::NotJsonl);
    assert_eq!(kind(&using("/s/gone.jsonl"), "/s/gone.jsonl"), ErrorKind::ActiveSession);
    assert_eq!(kind(&using("/s/dir.jsonl"), "/s/dir.jsonl"), ErrorKind::ActiveSession);
    assert_eq!(kind(&using("/s/notes.jsonl"), "/s/notes.jsonl"), ErrorKind::ActiveSession);
    let unused = using("/s/other.jsonl");
    assert_eq!(kind(&unused, "/s/gone.jsonl"), ErrorKind::NotFound);
    assert_eq!(kind(&unused, "/nowhere/gone.jsonl"), ErrorKind::NotFound);
    assert_eq!(kind(&unused, "/s/notes.jsonl/below.jsonl"), ErrorKind::NotFound);
    assert_eq!(kind(&unused, "/s/dir.jsonl"), ErrorKind::NotAFile);
    assert_eq!(kind(&unused, "/s/pipe.jsonl"), ErrorKind::NotAFile);
    assert_eq!(kind(&unused, "/s/notes.jsonl"), ErrorKind::NotASession);
}

#[test]
fn the_active_session_is_known_in_any_spelling() {
    let memory = memory(&[("/s/a.jsonl", &header(ID, ""))]);
    memory.put_link("/s/link.jsonl", "a.jsonl").unwrap();
    memory.put_link("/l", "/s").unwrap();
    let using = deletion(&memory).active(Some("/l/a.jsonl".into()));
    for path in ["/s/a.jsonl", "s/./a.jsonl", "/l/../s/a.jsonl", "/l/a.jsonl", "/l/link.jsonl"] {
        assert_eq!(kind(&using, path), ErrorKind::ActiveSession, "{path}");
    }
    // A session that is not on the disk yet is in use all the same.
    let new = deletion(&memory).active(Some("/l/new.jsonl".into()));
    assert_eq!(kind(&new, "/s/new.jsonl"), ErrorKind::ActiveSession);
    assert!(new.plan(Path::new("/s/a.jsonl")).is_ok());
}

#[test]
fn a_session_that_a_process_has_open_is_refused_by_name() {
    let memory = family();
    let holder = |session: &str| Holder {
        session: session.into(),
        pid: 7,
        program: "editor".to_owned(),
        since: "2026-01-01T00:00:00.000Z".to_owned(),
    };
    let live = |path: &str| of_family(&memory).live(vec![holder("/s/x.jsonl"), holder(path)]);
    let error = live("/s/p/a.jsonl").plan(Path::new("s/p/../p/a.jsonl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::ActiveSession);
    assert_eq!(
        error.to_string(),
        "cannot delete session `s/p/../p/a.jsonl`: it is open in editor (process 7), since 2026-01-01T00:00:00.000Z; nothing was changed; close it there first"
    );
    let transcript = live("/t/0123456789ab/t.jsonl");
    assert!(transcript.plan(Path::new("/s/p/a.jsonl")).is_ok());
    assert_eq!(kind(&transcript.family(true), "/s/p/a.jsonl"), ErrorKind::ActiveSession);
}

#[test]
fn force_admits_what_is_damaged_or_empty_and_nothing_else() {
    let memory =
        memory(&[("/s/empty.jsonl", ""), ("/s/torn.jsonl", "{\"type\":\"sess"), ("/s/x.txt", "")]);
    memory.create_dir_all(Path::new("/s/dir.jsonl")).unwrap();
    memory.put_link("/s/dangling.jsonl", "nothing").unwrap();
    let forced = deletion(&memory).force(true).active(Some("/s/active.jsonl".into()));
    for path in ["/s/empty.jsonl", "/s/torn.jsonl"] {
        assert_eq!(kind(&deletion(&memory), path), ErrorKind::NotASession, "{path}");
        assert_eq!(forced.plan(Path::new(path)).unwrap().session.header, None);
    }
    assert_eq!(kind(&deletion(&memory), "/s/dangling.jsonl"), ErrorKind::NotFound);
    assert!(forced.plan(Path::new("/s/dangling.jsonl")).unwrap().session.is_link);
    assert_eq!(kind(&forced, "/s/x.txt"), ErrorKind::NotJsonl);
    assert_eq!(kind(&forced, "/s/active.jsonl"), ErrorKind::ActiveSession);
    assert_eq!(kind(&forced, "/s/gone.jsonl"), ErrorKind::NotFound);
    assert_eq!(kind(&forced, "/s/dir.jsonl"), ErrorKind::NotAFile);
}

/// The texts of spec 6.12 and 8.17, with the path as it was given.
#[test]
fn the_texts_of_dreb() {
    let memory = memory(&[("/s/a.jsonl", &header(ID, ""))]);
    let deletion = deletion(&memory).wording(Wording::Dreb).active(Some("/s/a.jsonl".into()));
    let text = |path: &str| deletion.plan(Path::new(path)).unwrap_err().to_string();
    assert_eq!(text("s/../x.txt"), "Not a session file (expected .jsonl): s/../x.txt");
    assert_eq!(text("s/a.jsonl"), "Cannot delete the currently active session");
    assert_eq!(text("./b.jsonl"), "Session file does not exist: ./b.jsonl");
}

#[test]
fn errors_for_people_say_what_why_and_what_next() {
    let memory = memory(&[("/s/e.jsonl", "")]);
    let error = deletion(&memory).plan(Path::new("/s/e.jsonl")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot delete session `/s/e.jsonl`: it is empty; nothing was changed; `--force` deletes a damaged or empty session file all the same"
    );
}

#[test]
fn side_files_are_known_by_their_names() {
    let is_side = |other: &str| is_side_of("a.jsonl".as_ref(), other.as_ref());
    for name in [
        "a.jsonl.v1.bak",
        "a.jsonl.v2.bak.2",
        "a.jsonl.repair.bak",
        "a.jsonl.salvage",
        "a.jsonl.salvage.12",
    ] {
        assert!(is_side(name), "{name}");
    }
    for name in [
        "a.jsonl",
        "a.jsonl.v3.bak",
        "a.jsonl.v1.bak.",
        "a.jsonl.v1.bak.x",
        "aa.jsonl.v1.bak",
        "a.jsonl.v1.bak2",
        "b.jsonl.salvage",
    ] {
        assert!(!is_side(name), "{name}");
    }
}

/// A session with two copies, a fork, a transcript with one of its own, and others that only look related.
fn family() -> MemoryStorage {
    let child = |parent: &str| format!(",\"parentSession\":\"{parent}\"");
    let agent = |parent: &str| format!(",\"parentSession\":\"{parent}\",\"agentType\":\"Explore\"");
    memory(&[
        ("/s/p/a.jsonl", &header(ID, "")),
        ("/s/p/a.jsonl.v1.bak", "old"),
        ("/s/p/a.jsonl.salvage", "bits"),
        ("/s/p/aa.jsonl.v1.bak", "of another"),
        ("/s/p/fork.jsonl", &header("f", &child("/s/p/a.jsonl"))),
        ("/s/p/fork-of-fork.jsonl", &header("ff", &child("/s/p/fork.jsonl"))),
        ("/s/q/other.jsonl", &header("o", &child("/s/q/a.jsonl"))),
        ("/t/0123456789ab/t.jsonl", &header("t", &agent("/s/p/../p/a.jsonl"))),
        ("/t/0123456789ab/t.jsonl.v2.bak", "old transcript"),
        ("/t/chain-0123456789ab/step-1/u.jsonl", &header("u", &agent("/t/0123456789ab/t.jsonl"))),
        ("/t/cccccccccccc/v.jsonl", &header("v", &agent("/s/p/fork.jsonl"))),
    ])
}

fn of_family(memory: &MemoryStorage) -> Deletion {
    deletion(memory).roots(vec!["/s".into(), "/t".into()])
}

fn paths<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Vec<String> {
    paths.into_iter().map(|path| path.display().to_string()).collect()
}

#[test]
fn a_plan_names_what_goes_and_who_refers_to_it() {
    let memory = family();
    let plan = of_family(&memory).plan(Path::new("/s/p/a.jsonl")).unwrap();
    let alone = ["/s/p/a.jsonl", "/s/p/a.jsonl.salvage", "/s/p/a.jsonl.v1.bak"];
    assert_eq!(paths(plan.files()), alone);
    assert_eq!(paths(plan.forks.iter().map(|fork| &*fork.path)), ["/s/p/fork.jsonl"]);
    let transcripts = ["/t/0123456789ab/t.jsonl", "/t/chain-0123456789ab/step-1/u.jsonl"];
    assert_eq!(paths(plan.transcripts.iter().map(|t| &*t.path)), transcripts);
    let plan = of_family(&memory).family(true).plan(Path::new("/s/p/a.jsonl")).unwrap();
    let with = [&alone[..], &[transcripts[0], "/t/0123456789ab/t.jsonl.v2.bak", transcripts[1]]];
    assert_eq!(paths(plan.files()), with.concat());
}

#[test]
fn a_family_with_the_active_session_in_it_is_refused() {
    let memory = family();
    let using = of_family(&memory).active(Some("/t/0123456789ab/t.jsonl".into()));
    assert!(using.plan(Path::new("/s/p/a.jsonl")).is_ok());
    assert_eq!(kind(&using.family(true), "/s/p/a.jsonl"), ErrorKind::ActiveSession);
}

#[test]
fn a_parent_that_moved_is_known_by_a_name_that_holds_its_id_only() {
    let name = format!("2025-03-04T09-00-00-000Z_{ID}.jsonl");
    let parent = |path: &str| format!(",\"parentSession\":\"{path}\"");
    let memory = memory(&[
        (&format!("/s/{name}"), &header(ID, "")),
        ("/s/a.jsonl", &header("a", "")),
        ("/s/f1.jsonl", &header("f1", &parent(&format!("/old/{name}")))),
        ("/s/f2.jsonl", &header("f2", &parent("/old/a.jsonl"))),
    ]);
    let forks = |path: &str| {
        let plan = deletion(&memory).plan(Path::new(path)).unwrap();
        paths(plan.forks.iter().map(|fork| &*fork.path))
    };
    assert_eq!(forks(&format!("/s/{name}")), ["/s/f1.jsonl"]);
    assert!(forks("/s/a.jsonl").is_empty());
}

#[test]
fn the_family_goes_to_the_trash_and_comes_back_as_it_was() {
    let memory = family();
    let names = |memory: &MemoryStorage| {
        let dirs = ["/s/p", "/s/q", "/t/0123456789ab", "/t/chain-0123456789ab/step-1"];
        let list = |dir: &str| {
            let names = memory.list(Path::new(dir)).unwrap();
            let path = |name| Path::new(dir).join(name);
            names
                .into_iter()
                .map(|e| path(e.name))
                .map(|p| (p.clone(), memory.contents(p).unwrap()))
                .collect::<Vec<_>>()
        };
        dirs.iter().flat_map(|dir| list(dir)).collect::<Vec<_>>()
    };
    let before = names(&memory);
    let deletion = of_family(&memory).family(true);
    let plan = deletion.plan(Path::new("/s/p/a.jsonl")).unwrap();
    let report = deletion.apply(&plan, &trash(), Removal::ToTrash);
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    assert!(report.removed.iter().all(|removed| removed.method == Method::Trash));
    assert_eq!(paths(report.removed.iter().map(|removed| &*removed.path)), paths(plan.files()));
    assert_eq!(names(&memory).len(), before.len() - 6);
    // Another session of the same path, deleted before and after, is not confused with it.
    memory.put("/s/p/fork.jsonl", "x").unwrap();
    let restore = home().plan(&memory, Path::new("/s/p/../p/a.jsonl")).unwrap();
    let report = home().restore(&memory, &restore);
    assert!(report.failed.is_empty(), "{:?}", report.failed);
    assert_eq!(report.restored.len(), 6);
    memory.put("/s/p/fork.jsonl", header("f", ",\"parentSession\":\"/s/p/a.jsonl\"")).unwrap();
    assert_eq!(names(&memory), before);
    assert!(memory.list(Path::new("/home/ana/.local/share/Trash/info")).unwrap().is_empty());
    assert!(memory.list(Path::new("/home/ana/.local/share/Trash/files")).unwrap().is_empty());
}

/// The layout of the Trash specification: a name that is free in both folders, `Path` and `DeletionDate` in local time.
#[test]
fn the_trash_is_as_others_read_it() {
    let memory = memory(&[("/s/a b.jsonl", &header(ID, ""))]);
    let dir = "/home/ana/.local/share/Trash";
    memory.put(format!("{dir}/info/a b.jsonl.trashinfo"), "of another").unwrap();
    memory.put(format!("{dir}/files/a b.jsonl.2"), "without an info").unwrap();
    let deletion = deletion(&memory);
    let plan = deletion.plan(Path::new("/s/a b.jsonl")).unwrap();
    let trash = Trash::none().home(Some(home().utc_offset_ms(-3_600_000)));
    assert!(deletion.apply(&plan, &trash, Removal::ToTrash).failed.is_empty());
    let text = memory.contents(format!("{dir}/info/a b.jsonl.3.trashinfo")).unwrap();
    let text = String::from_utf8(text).unwrap();
    let start = "[Trash Info]\nPath=/s/a%20b.jsonl\nDeletionDate=2026-12-01T11:00:0";
    assert!(text.starts_with(start), "{text}");
    assert_eq!(
        memory.contents(format!("{dir}/files/a b.jsonl.3")).unwrap(),
        header(ID, "").into_bytes()
    );
    assert!(memory.contents(format!("{dir}/info/a b.jsonl.2.trashinfo")).is_err());
}

#[test]
fn a_link_goes_itself_and_comes_back_itself() {
    let memory = memory(&[("/s/real.jsonl", &header(ID, "")), ("/s/real.jsonl.v1.bak", "b")]);
    memory.put_link("/s/link.jsonl", "real.jsonl").unwrap();
    let deletion = deletion(&memory);
    let plan = deletion.plan(Path::new("/s/link.jsonl")).unwrap();
    assert_eq!(paths(plan.files()), ["/s/link.jsonl"]);
    assert!(deletion.apply(&plan, &trash(), Removal::ToTrash).failed.is_empty());
    assert!(memory.contents("/s/link.jsonl").is_err());
    assert_eq!(memory.contents("/s/real.jsonl").unwrap(), header(ID, "").into_bytes());
    let restore = home().plan(&memory, Path::new("/s/link.jsonl")).unwrap();
    assert!(home().restore(&memory, &restore).failed.is_empty());
    assert_eq!(memory.contents("/s/link.jsonl").unwrap(), header(ID, "").into_bytes());
}

#[test]
fn without_a_trash_people_are_told_of_permanent_and_the_protocol_unlinks() {
    let memory = memory(&[("/s/a.jsonl", &header(ID, "")), ("/s/a.jsonl.salvage", "bits")]);
    let deletion = deletion(&memory);
    let plan = deletion.plan(Path::new("/s/a.jsonl")).unwrap();
    let report = deletion.apply(&plan, &Trash::none(), Removal::ToTrash);
    assert!(report.removed.is_empty());
    assert_eq!(report.failed.len(), 1, "what belongs to a session stays with it");
    let error = &report.failed[0].error;
    assert!(error.hint().unwrap().contains("`--permanent`"), "{error}");
    assert!(memory.contents("/s/a.jsonl.salvage").is_ok());
    let report = deletion.apply(&plan, &Trash::none(), Removal::TrashOrUnlink);
    let methods: Vec<_> = report.removed.iter().map(|removed| removed.method.as_str()).collect();
    assert_eq!(methods, ["unlink", "unlink"]);
    assert!(memory.list(Path::new("/s")).unwrap().is_empty());
}

#[test]
fn a_file_that_was_replaced_after_the_plan_stays() {
    let memory = memory(&[("/s/a.jsonl", &header(ID, ""))]);
    let deletion = deletion(&memory);
    let plan = deletion.plan(Path::new("/s/a.jsonl")).unwrap();
    memory.put("/s/new", header("new", "")).unwrap();
    memory.rename_over(Path::new("/s/new"), Path::new("/s/a.jsonl")).unwrap();
    let report = deletion.apply(&plan, &trash(), Removal::Unlink);
    assert_eq!(report.failed[0].error.kind(), ErrorKind::ChangedOnDisk);
    assert_eq!(memory.contents("/s/a.jsonl").unwrap(), header("new", "").into_bytes());
}

#[test]
fn restoring_never_takes_the_place_of_a_file() {
    let memory = family();
    let deletion = of_family(&memory);
    let plan = deletion.plan(Path::new("/s/p/a.jsonl")).unwrap();
    assert!(deletion.apply(&plan, &trash(), Removal::ToTrash).failed.is_empty());
    let restore = home().plan(&memory, Path::new("/s/p/a.jsonl")).unwrap();
    memory.put("/s/p/a.jsonl", "new").unwrap();
    let report = home().restore(&memory, &restore);
    assert_eq!((report.restored.len(), report.failed.len()), (0, 1));
    assert_eq!(report.failed[0].error.kind(), ErrorKind::ChangedOnDisk);
    assert_eq!(memory.contents("/s/p/a.jsonl").unwrap(), b"new");
    memory.remove_file(Path::new("/s/p/a.jsonl")).unwrap();
    memory.put("/s/p/a.jsonl.salvage", "new").unwrap();
    let report = home().restore(&memory, &restore);
    assert_eq!(report.restored, [PathBuf::from("/s/p/a.jsonl.v1.bak"), "/s/p/a.jsonl".into()]);
    assert_eq!(report.failed[0].path, Path::new("/s/p/a.jsonl.salvage"));
}

#[test]
fn of_several_deleted_sessions_the_last_comes_back_and_a_strange_trash_is_no_trouble() {
    let memory = MemoryStorage::new();
    let bin = home();
    let trash = Trash::none().home(Some(bin.clone()));
    let deletion = deletion(&memory);
    for id in ["first", "second"] {
        memory.put("/s/a.jsonl", header(id, "")).unwrap();
        let plan = deletion.plan(Path::new("/s/a.jsonl")).unwrap();
        assert!(deletion.apply(&plan, &trash, Removal::ToTrash).failed.is_empty());
    }
    let dir = bin.dir().display();
    memory.put(format!("{dir}/info/odd.trashinfo"), [0xff, 0xfe]).unwrap();
    memory
        .put(format!("{dir}/info/gone.jsonl.trashinfo"), "[Trash Info]\nPath=/s/gone.jsonl\n")
        .unwrap();
    assert_eq!(bin.sessions(&memory).unwrap().len(), 2);
    let error = bin.plan(&memory, Path::new("/s/gone.jsonl")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let restore = bin.plan(&memory, Path::new("/s/a.jsonl")).unwrap();
    assert!(restore.others.is_empty());
    assert!(bin.restore(&memory, &restore).failed.is_empty());
    assert_eq!(memory.contents("/s/a.jsonl").unwrap(), header("second", "").into_bytes());
}

/// What the `trash` of another program put there has no group: names, dates and headers tell.
#[test]
fn what_another_program_trashed_comes_back_together() {
    let agent = |parent: &str| format!(",\"parentSession\":\"{parent}\",\"agentType\":\"x\"");
    let dir = "/home/ana/.local/share/Trash";
    let memory = MemoryStorage::new();
    let put = |name: &str, original: &str, date: &str, text: &str| {
        memory.put(format!("{dir}/files/{name}"), text).unwrap();
        let info = format!("[Trash Info]\nPath={original}\nDeletionDate={date}\n");
        memory.put(format!("{dir}/info/{name}.trashinfo"), info).unwrap();
    };
    put("a.jsonl", "/s/a.jsonl", "2026-01-01T10:00:00", &header(ID, ""));
    put("a.jsonl.v1.bak", "/s/a.jsonl.v1.bak", "2026-01-01T10:00:59", "b");
    put("a.jsonl.v2.bak", "/s/a.jsonl.v2.bak", "2026-01-01T10:02:00", "later");
    put("t.jsonl", "/t/1/t.jsonl", "2026-01-01T10:00:01", &header("t", &agent("/s/a.jsonl")));
    put("u.jsonl", "/t/2/u.jsonl", "2026-01-01T10:00:01", &header("u", &agent("/s/b.jsonl")));
    let restore = home().plan(&memory, Path::new("/s/a.jsonl")).unwrap();
    let originals = paths(restore.others.iter().map(|other| &*other.original));
    assert_eq!(originals, ["/s/a.jsonl.v1.bak", "/t/1/t.jsonl"]);
}
