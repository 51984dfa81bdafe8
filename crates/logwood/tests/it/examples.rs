//! `examples/agent/` is what it says: whole except for the file that is damaged on purpose, and written by its script.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use logwood::session::{SessionManager, SessionOptions};
use logwood_testkit::cases::Snapshot;
use logwood_testkit::json::decode;
use serde_json::Value;

#[expect(dead_code, reason = "the example is a program too")]
#[path = "../../examples/parse_session.rs"]
mod parse_session;

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// Every session of the example store.
fn sessions() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open =
        vec![examples().join("agent/sessions"), examples().join("agent/subagent-sessions")];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn open(part: &str) -> SessionManager {
    let path = sessions().into_iter().find(|path| path.to_string_lossy().contains(part)).unwrap();
    SessionOptions::new().read_only(true).open(path).unwrap()
}

fn kinds(session: &SessionManager) -> Vec<&'static str> {
    session.problems().iter().map(|problem| problem.kind.as_str()).collect()
}

#[test]
fn examples_are_whole_but_for_the_damaged_one() {
    let sessions = sessions();
    assert_eq!(sessions.len(), 9);
    for path in sessions.iter().filter(|path| !path.to_string_lossy().contains("2026-08-09")) {
        let session = SessionOptions::new().read_only(true).open(path).unwrap();
        assert_eq!(kinds(&session), Vec::<&str>::new(), "{}", path.display());
        assert!(session.context().unwrap().len() >= 2, "{}", path.display());
        assert!(session.header().timestamp().unwrap().as_ref() < "2026-12");
    }
}

#[test]
fn the_damaged_example_has_a_fault_of_each_kind() {
    let session = open("2026-08-09");
    let wanted = ["malformed_line", "lone_surrogate", "nul_bytes", "invalid_utf8", "torn_tail"];
    assert_eq!(kinds(&session), wanted);
    let lines = session.problems().iter().map(|problem| problem.position.unwrap().line);
    assert_eq!(lines.collect::<Vec<_>>(), [6, 8, 9, 11, 13]);
    assert_eq!(session.tree().len(), 9);
}

#[test]
fn examples_show_every_type_of_entry_and_role() {
    let (mut types, mut roles, mut blocks) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for path in sessions() {
        let session = SessionOptions::new().read_only(true).open(path).unwrap();
        for line in session.entries() {
            let text = session.line_text(&line).unwrap();
            let entry = decode(&String::from_utf8_lossy(&text)).unwrap();
            types.extend(entry["type"].as_str().map(str::to_owned));
            roles.extend(entry["message"]["role"].as_str().map(str::to_owned));
            let content = entry["message"]["content"].as_array().into_iter().flatten();
            blocks.extend(content.filter_map(|block| block["type"].as_str()).map(str::to_owned));
        }
    }
    let wanted = "branch_summary compaction context_edit custom custom_message label message model_change session_info thinking_level_change usage";
    assert_eq!(types.into_iter().collect::<Vec<_>>().join(" "), wanted);
    let wanted = "assistant bashExecution custom system toolResult user";
    assert_eq!(roles.into_iter().collect::<Vec<_>>().join(" "), wanted);
    assert_eq!(blocks.into_iter().collect::<Vec<_>>().join(" "), "image text thinking toolCall");
}

#[test]
fn the_first_example_has_branches_labels_and_a_name() {
    let session = open("2026-11-12");
    let tree = session.tree();
    assert_eq!(session.session_name(), Some("Tide table: daylight saving"));
    assert!(tree.nodes().any(|node| tree.children(node).count() == 2));
    let labels: Vec<_> = tree.nodes().filter_map(|node| tree.label(node)).collect();
    assert_eq!(labels, ["chrono: for 0.5", "release 0.4.1"]);
}

#[test]
fn the_example_of_pi_shows_edits_in_its_context() {
    let session = open("2026-11-20");
    let context = session.context().unwrap();
    let text =
        context.messages().map(|message| message.raw.text().into_owned()).collect::<String>();
    assert!(text.contains("print it again.") && !text.contains("at your convenience"));
    let before = session.require(&entry_of(&session, "compaction")).unwrap();
    let context = session.context_at(Some(before)).unwrap();
    let text =
        context.messages().map(|message| message.raw.text().into_owned()).collect::<String>();
    assert!(text.contains("missed a ferry") && !text.contains("overloaded_error"));
}

fn entry_of(session: &SessionManager, kind: &str) -> String {
    let line =
        session.entries().find(|line| session.tree().kind(line.node).as_str() == kind).unwrap();
    session.tree().id(line.node).to_owned()
}

#[test]
fn the_script_writes_the_very_same_files() {
    let copy = tempfile::tempdir().unwrap();
    for name in ["make_agent.py", "session_writer.py"] {
        std::fs::copy(examples().join(name), copy.path().join(name)).unwrap();
    }
    let run =
        Command::new("python3").arg("-B").arg("make_agent.py").current_dir(copy.path()).output();
    let Ok(run) = run else { return eprintln!("skipped: python3 is not here") };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let contents = |root: &Path| Snapshot::of(&root.join("agent")).unwrap().contents(root);
    assert_eq!(contents(copy.path()), contents(&examples()));
    let size: usize = contents(copy.path()).values().map(Vec::len).sum();
    assert!(size < 200_000, "{size}");
}

/// Records of the log: one for each answer that took its time.
#[test]
fn the_performance_log_belongs_to_the_sessions() {
    let log = std::fs::read_to_string(examples().join("agent/performance.jsonl")).unwrap();
    let ids: BTreeSet<String> = sessions()
        .iter()
        .map(|path| SessionOptions::new().open(path).unwrap().session_id().to_owned())
        .collect();
    assert!(log.lines().count() > 30);
    for line in log.lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        assert!(ids.contains(record["sessionId"].as_str().unwrap()), "{line}");
    }
}

/// The text is what the TypeScript of `examples/parsing` prints; `cargo xtask test` holds that and the Python to it.
#[test]
fn the_parsing_example_prints_what_that_of_typescript_prints() {
    let bytes = |path: &PathBuf| std::fs::read(path).unwrap();
    let text: String =
        sessions().iter().map(|path| parse_session::describe(&bytes(path))).collect();
    let expected = std::fs::read_to_string(examples().join("parsing/expected.txt")).unwrap();
    assert!(expected.lines().count() > 100);
    assert!(text == expected, "the example prints\n{text}");
}
