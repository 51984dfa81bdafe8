//! What is appended to the files of the cases, and migrated on disk.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use logwood::entry::{AssistantDraft, BlockDraft, JsonText, user_message};
use logwood::session::{SessionManager, SessionOptions};
use logwood::storage::LocalStorage;
use logwood_testkit::cases::Case;
use logwood_testkit::storage::{RecordingStorage, Verb};
use serde_json::{Value, json};

use super::facts::Written;
use super::support::{entries, entry, roles, texts_of};

pub(super) fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

pub(super) fn assistant(text: &str) -> JsonText {
    let content = vec![BlockDraft::Text(text.into())];
    AssistantDraft { content, stop_reason: "stop".into(), ..AssistantDraft::default() }.json()
}

/// The text of the step with this operation.
fn text<'a>(case: &'a Case, op: &str) -> &'a str {
    let steps = case.body()["steps"].as_array().unwrap().iter();
    let mut inner = steps
        .flat_map(|step| std::iter::once(step).chain(step["ops"].as_array().into_iter().flatten()));
    inner.find(|step| step["op"] == op).unwrap()["text"].as_str().unwrap()
}

fn opened(path: &Path) -> SessionManager {
    SessionOptions::new().open(path).unwrap()
}

/// Appends the user message of the case to its first file; the manager and one that comes later both see what the facts say.
pub(super) fn append(case: &Case) {
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    let mut session = opened(&path);
    let id = session.append_message(user(text(case, "append_user"))).unwrap();
    assert_eq!(session.reload().unwrap(), 0, "what it wrote is no news");
    let written = Written::look(&path, &path, &before).with_new(id);
    written.holds(case, "/after_append");
    assert_eq!(written.session.leaf_id(), session.leaf_id());
    assert_eq!(entries(&written.session), entries(&session));
}

#[test]
fn case_01_append_after_a_torn_tail() {
    append(&Case::load("01").unwrap());
}

#[test]
fn case_02_append_after_no_final_newline() {
    append(&Case::load("02").unwrap());
}

#[test]
fn case_05_append_after_a_nul_tail() {
    append(&Case::load("05").unwrap());
}

#[test]
fn case_08_append_after_crlf_lines() {
    append(&Case::load("08").unwrap());
}

#[test]
fn case_86_append_after_labels() {
    append(&Case::load("86").unwrap());
}

#[test]
fn case_62_append_where_the_folder_is_gone() {
    append(&Case::load("62").unwrap());
}

#[test]
fn case_18_append_to_an_empty_file() {
    let case = Case::load("18").unwrap();
    let path = case.input(0);
    let mut session = opened(&path);
    session.append_message(user(text(&case, "append_user"))).unwrap();
    session.append_message(assistant(text(&case, "append_assistant"))).unwrap();
    Written::look(&path, &path, b"").holds(&case, "/after_append");
    assert_eq!(session.session_file(), Some(&*path));
}

#[test]
fn case_30_v1_without_assistant_is_extended() {
    let case = Case::load("30").unwrap();
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    let mut session = opened(&path);
    session.append_model_change("demoprov", "demo-large").unwrap();
    session.append_message(assistant(text(&case, "append_assistant"))).unwrap();
    Written::look(&path, &path, &before).holds(&case, "/after");
}

/// Migrates on disk and gives what is there, after a second open and a second migration that change nothing.
fn migrate(case: &Case) -> SessionManager {
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    let mut session = opened(&path);
    let kept = session.migrate().unwrap().unwrap();
    assert_eq!(std::fs::read(kept).unwrap(), before, "the original is kept");
    let after = std::fs::read(&path).unwrap();
    let mut again = opened(&path);
    assert_eq!(again.migrate().unwrap(), None);
    assert_eq!(std::fs::read(&path).unwrap(), after);
    assert_eq!(entries(&again), entries(&session), "the ids are the same");
    assert!(!again.needs_migration());
    again
}

#[test]
fn case_31_v1_is_migrated_on_disk() {
    let case = Case::load("31").unwrap();
    let session = migrate(&case);
    let mut facts = case.fact("/after").clone();
    let mut take = |name: &str| facts.as_object_mut().unwrap().remove(name).unwrap();
    assert_eq!(take("second_open_changes_bytes"), false);
    assert_eq!(take("linear_chain"), true);
    let entries = entries(&session);
    assert!(entries[0]["parentId"].is_null());
    assert!(entries.windows(2).all(|pair| pair[1]["parentId"] == pair[0]["id"]));
    let compaction = entries.iter().find(|entry| entry["type"] == "compaction").unwrap();
    assert!(compaction.get(take("no_field").as_str().unwrap()).is_none());
    let first = entry(&session, compaction["firstKeptEntryId"].as_str().unwrap());
    let content = &first["message"]["content"];
    let text = content.as_str().or(content[0]["text"].as_str());
    assert_eq!(json!(text), take("first_kept_is_text"));
    Written::look(&case.input(0), &case.input(0), b"").holds_all(&facts, "after");
    assert_eq!(texts_of(&session), *case.fact("/context/texts"));
    assert_eq!(json!(roles(&session.context().unwrap())), *case.fact("/context/roles"));
}

#[test]
fn case_32_v2_is_migrated_on_disk() {
    let case = Case::load("32").unwrap();
    let session = migrate(&case);
    Written::look(&case.input(0), &case.input(0), b"").holds(&case, "/after");
    assert_eq!(json!(roles(&session.context().unwrap())), *case.fact("/context/roles"));
}

/// One append to 80 MB writes its own record and no more.
#[test]
fn case_81_an_append_writes_few_bytes() {
    let Some(case) = Case::generated("81").unwrap() else { return };
    let storage = RecordingStorage::new(Arc::new(LocalStorage));
    let options = SessionOptions::new().storage(Arc::new(storage.clone()));
    let path = case.path(case.body()["steps"][1]["path"].as_str().unwrap());
    let mut session = options.open(&path).unwrap();
    assert_eq!(json!(session.entries().count()), *case.fact("/load/entry_count"));
    assert_eq!(json!(session.leaf_id()), *case.fact("/load/leaf_id"));
    let size = std::fs::metadata(&path).unwrap().len();
    let id = session.append_message(user(text(&case, "append_user"))).unwrap();
    let grown = std::fs::metadata(&path).unwrap().len() - size;
    let limit = case.fact("/limits/append_bytes_written_below").as_u64().unwrap();
    assert!(grown > 0 && grown < limit);
    assert_eq!(storage.bytes(Verb::Append) as u64, grown);
    assert_eq!(storage.changes(), storage.count(Verb::Append));
    let parent = &entry(&session, &id)["parentId"];
    assert_eq!(parent, case.fact("/load/leaf_id"));
}

/// Both write: nothing is torn or lost, and no id comes twice.
#[test]
fn case_83_two_writers() {
    let case = Case::load("83").unwrap();
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    let writers = case.body()["steps"][0]["do"].as_array().unwrap();
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> =
            writers.iter().map(|one| scope.spawn(|| append_all(&path, one))).collect();
        all.into_iter().flat_map(|writer| writer.join().unwrap()).collect()
    });
    assert_eq!(acknowledged.len(), 100);
    let written = Written::look(&path, &path, &before);
    let mut facts = case.fact("/after").clone();
    let facts_by_name = facts.as_object_mut().unwrap();
    assert_eq!(facts_by_name.remove("acknowledged_appends_all_present"), Some(true.into()));
    assert!(acknowledged.iter().all(|id| written.session.tree().find(id).is_some()));
    let ways = facts_by_name.remove("any_of").unwrap();
    let mut ways = ways.as_array().unwrap().iter();
    let allowed = ways.find(|way| way["second_writer"] == "allowed").unwrap();
    assert_eq!(json!(written.session.entries().count()), allowed["entry_count"]);
    written.holds_all(&facts, "after");
}

fn append_all(path: &Path, writer: &Value) -> Vec<String> {
    let mut session = opened(path);
    let texts = writer["ops"].as_array().unwrap().iter().filter_map(|op| op["text"].as_str());
    texts.map(|text| session.append_message(user(text)).unwrap()).collect()
}

const JOB: &str = "LOGWOOD_TEST_CASE_FILE";

/// Not a test of its own: a process that appends one message, says so, and waits to be killed.
#[test]
fn appends_and_waits() {
    let Ok(job) = std::env::var(JOB) else { return };
    let (path, text) = job.split_once('|').unwrap();
    let mut session = opened(Path::new(path));
    let id = session.append_message(user(text)).unwrap();
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n:{id}").and_then(|()| out.flush()).unwrap();
    std::thread::sleep(Duration::from_secs(60));
}

/// Does the first step of a case in a process of its own, which is killed as soon as it has acknowledged; gives the id.
fn append_and_die(case: &Case) -> String {
    let job = format!("{}|{}", case.input(0).display(), text(case, "append_user"));
    let mut child: Child = Command::new(std::env::current_exe().unwrap())
        .args(["cases::writing::appends_and_waits", "--exact", "--nocapture"])
        .env(JOB, job)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let id = lines.find_map(|line| line.strip_prefix(':').map(str::to_owned));
    child.kill().unwrap();
    child.wait().unwrap();
    id.unwrap()
}

#[test]
fn case_84_the_writer_was_killed() {
    let case = Case::load("84").unwrap();
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    let last_words = append_and_die(&case);
    let start = Instant::now();
    let mut session = opened(&path);
    session.append_message(assistant(text(&case, "append_assistant"))).unwrap();
    assert!(start.elapsed().as_secs() <= case.fact("/max_seconds").as_u64().unwrap());
    let written = Written::look(&path, &path, &before);
    written.holds(&case, "/after");
    assert!(written.session.tree().find(&last_words).is_some());
}

#[test]
fn case_90_a_session_without_answer_is_written_at_once() {
    let case = Case::load("90").unwrap();
    let path = case.input(0);
    let before = std::fs::read(&path).unwrap();
    append_and_die(&case);
    Written::look(&path, &path, &before).holds(&case, "/after_kill");
    opened(&path).append_message(assistant(text(&case, "append_assistant"))).unwrap();
    Written::look(&path, &path, &before).holds(&case, "/after_answer");
}
