//! `delete_session` and `import_jsonl`: the texts of dreb, and what is on the disk afterwards.

use logwood::deletion::{HomeTrash, Trash};
use logwood_rpc::RpcOptions;
use serde_json::json;

use crate::support::{Desk, EXAMPLE, HEADER, text};

fn delete(path: &str) -> serde_json::Value {
    json!({"type": "delete_session", "sessionPath": path})
}

/// Spec 8.17 has the first of them as an example.
#[test]
fn refusals_have_the_texts_of_dreb_in_the_order_of_the_checks() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.write("notes.jsonl", b"{\"a\":1}\n");
    desk.write("x.txt", b"");
    std::fs::create_dir(desk.file("folder.jsonl")).unwrap();
    let mut refused = |path: &str| desk.error(delete(path));
    let pair = |kind: &str, text: &str| (kind.to_owned(), text.to_owned());
    assert_eq!(refused("x.txt"), pair("not_jsonl", "Not a session file (expected .jsonl): x.txt"));
    assert_eq!(
        refused("./a/../session.jsonl"),
        pair("active_session", "Cannot delete the currently active session")
    );
    assert_eq!(refused("gone.jsonl"), pair("not_found", "Session file does not exist: gone.jsonl"));
    assert_eq!(refused("folder.jsonl"), pair("not_a_file", "Not a regular file: folder.jsonl"));
    assert_eq!(
        refused("notes.jsonl"),
        pair("not_a_session", "Not a session file (no session header): notes.jsonl")
    );
    assert_eq!(std::fs::read_dir(desk.dir.path()).unwrap().count(), 4);
}

#[test]
fn without_a_trash_it_is_unlinked_and_the_answer_says_so() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.write("older.jsonl", HEADER.as_bytes());
    desk.write("older.jsonl.v1.bak", b"old");
    assert_eq!(desk.data(delete("older.jsonl")), json!({"method": "unlink"}));
    assert_eq!(std::fs::read_dir(desk.dir.path()).unwrap().count(), 1, "only the current session");
}

#[test]
fn with_a_trash_it_can_come_back_unless_it_is_to_go_for_good() {
    let trash = tempfile::tempdir().unwrap();
    let home = HomeTrash::new(trash.path().join("Trash"));
    let mut desk = Desk::with(|options| RpcOptions {
        trash: Trash::none().home(Some(home.clone())),
        ..options
    });
    let in_trash = || home.sessions(&logwood::storage::LocalStorage).unwrap().len();
    desk.write("a.jsonl", HEADER.as_bytes());
    assert_eq!(desk.data(delete("a.jsonl")), json!({"method": "trash"}));
    assert_eq!(in_trash(), 1);
    desk.write("b.jsonl", HEADER.as_bytes());
    let permanent = json!({"type": "delete_session", "sessionPath": "b.jsonl", "permanent": true});
    assert_eq!(desk.data(permanent), json!({"method": "unlink"}));
    assert_eq!(in_trash(), 1);
    assert!(!desk.file("b.jsonl").exists());
}

#[test]
fn an_import_becomes_the_current_session_and_overwrites_nothing() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    let drop = tempfile::tempdir().unwrap();
    let source = drop.path().join("session.jsonl");
    std::fs::write(&source, HEADER).unwrap();
    let request = json!({"type": "import_jsonl", "inputPath": text(&source)});
    for _ in 0..2 {
        assert_eq!(desk.data(request.clone()), json!({"cancelled": false}));
        let file = desk.data(json!({"type": "get_session_file"}))["sessionFile"].clone();
        assert_eq!(file, text(&desk.file("session-2.jsonl")));
    }
    let read = |path| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(desk.file("session.jsonl")), EXAMPLE);
    assert_eq!(read(desk.file("session-2.jsonl")), HEADER);
    assert_eq!(read(source), HEADER);
}

#[test]
fn an_import_that_fails_leaves_the_current_session() {
    let mut desk = Desk::holding(EXAMPLE.as_bytes());
    desk.write("drop.txt", b"not json at all\n");
    let import = |path: &str| json!({"type": "import_jsonl", "inputPath": path});
    let missing = format!("Command failed: File not found: {}", text(&desk.file("gone.jsonl")));
    assert_eq!(desk.error(import("gone.jsonl")), ("not_found".to_owned(), missing));
    assert_eq!(desk.error(import("drop.txt")).0, "not_a_session");
    assert_eq!(desk.error(import(".")).0, "not_a_file");
    assert_eq!(desk.rpc.session().session_file(), Some(&*desk.file("session.jsonl")));
    assert_eq!(std::fs::read_dir(desk.dir.path()).unwrap().count(), 2);
}

/// dreb fails here with the error of a folder without a name (F-19).
#[test]
fn a_session_in_memory_takes_imports_where_a_folder_is_known() {
    let mut desk = Desk::empty();
    desk.write("drop.txt", HEADER.as_bytes());
    let import = json!({"type": "import_jsonl", "inputPath": "drop.txt"});
    assert_eq!(desk.error(import.clone()).0, "invalid_argument");
    let mut desk = Desk::with(|options| RpcOptions {
        session_dir: Some(options.cwd.join("sessions")),
        ..options
    });
    desk.write("drop.txt", HEADER.as_bytes());
    desk.data(json!({"type": "in_memory"}));
    desk.data(import);
    assert!(desk.file("sessions/drop.txt.jsonl").exists());
}

#[test]
fn a_process_that_only_reads_refuses_both() {
    let mut desk = Desk::with(|options| RpcOptions { read_only: true, ..options });
    desk.write("a.jsonl", HEADER.as_bytes());
    assert_eq!(desk.error(delete("a.jsonl")).0, "read_only");
    let import = json!({"type": "import_jsonl", "inputPath": "a.jsonl"});
    assert_eq!(desk.error(import).0, "read_only");
    assert!(desk.file("a.jsonl").exists());
}
