//! Transcripts of subagents: written as dreb writes them, found again, and found again on a disk that fails.

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;

use logwood::entry::JsonText;
use logwood::env::RandomIds;
use logwood::location::{
    AgentDir, Environment, Settings, Store, StoreKind, StoreOrigin, TranscriptRoots,
    TranscriptSetting, step_dir,
};
use logwood::session::{NewSession, SessionManager, SessionOptions};
use logwood::storage::{MemoryStorage, Storage};
use logwood::transcript::{
    BackgroundAgents, Recovery, new_chain_dir, new_single_dir, recover_children,
};
use logwood_testkit::storage::{Code, Fault, FaultyStorage};

fn roots() -> TranscriptRoots {
    let store = Store::new(AgentDir::new("/agent", StoreKind::Dreb), StoreOrigin::Home);
    let setting = TranscriptSetting::new(&Environment::new(None, []), &store, &Settings::none());
    setting.at(Path::new("/p"))
}

fn message(text: &str) -> JsonText {
    JsonText::parse(text.as_bytes()).unwrap()
}

fn say(session: &mut SessionManager, task: &str, reason: &str) {
    let task = JsonText::string(task);
    let user = format!(r#"{{"role":"user","content":{}}}"#, task.as_str());
    session.append_message(message(&user)).unwrap();
    let answer = format!(r#"{{"role":"assistant","content":[],"stopReason":"{reason}"}}"#);
    session.append_message(message(&answer)).unwrap();
}

fn child_of(parent: &SessionManager, agent: &str) -> NewSession {
    NewSession {
        cwd: Some("/p".into()),
        parent_session: parent.session_file().map(|file| file.to_str().unwrap().to_owned()),
        agent_type: Some(agent.into()),
        ..NewSession::default()
    }
}

/// A parent with a single child and a chain of two steps.
fn store() -> (MemoryStorage, SessionManager) {
    let memory = MemoryStorage::new();
    let options = SessionOptions::new().storage(Arc::new(memory.clone()));
    let mut parent = options.create("/agent/sessions/--p--", NewSession::default()).unwrap();
    say(&mut parent, "go", "stop");
    let roots = roots();
    let dir = new_single_dir(&memory, &RandomIds, roots.for_new()).unwrap();
    let mut child = options.create(dir, child_of(&parent, "Explore")).unwrap();
    say(&mut child, "look around", "stop");
    let chain = new_chain_dir(&memory, &RandomIds, roots.for_new()).unwrap();
    for (number, reason) in [(1, "stop"), (2, "aborted")] {
        let dir = step_dir(&chain, NonZeroU32::new(number).unwrap());
        let agent = format!("step {number}");
        let mut child = options.create(dir, child_of(&parent, &agent)).unwrap();
        say(&mut child, &agent, reason);
    }
    (memory, parent)
}

fn recover(storage: &dyn Storage, parent: &SessionManager) -> logwood::error::Result<Recovery> {
    recover_children(storage, &roots(), parent.session_file().unwrap())
}

/// Spec 6.10: nothing before the first answer; then one flat file in its folder, the parent before the agent in the header.
#[test]
fn a_child_is_written_where_dreb_would_write_it() {
    let memory = MemoryStorage::new();
    let options = SessionOptions::new().storage(Arc::new(memory.clone()));
    let mut parent = options.create("/agent/sessions/--p--", NewSession::default()).unwrap();
    say(&mut parent, "go", "stop");
    let root = roots().for_new().to_path_buf();
    let dir = new_single_dir(&memory, &RandomIds, &root).unwrap();
    let mut child = options.create(&dir, child_of(&parent, "Explore")).unwrap();
    child.append_message(message(r#"{"role":"user","content":"look"}"#)).unwrap();
    assert!(memory.metadata(&root).is_err(), "a child without an answer leaves nothing");
    say(&mut child, "on", "stop");
    let names = memory.list(&dir).unwrap();
    assert_eq!(names.len(), 1);
    let text = memory.contents(dir.join(&names[0].name)).unwrap();
    let text = String::from_utf8(text).unwrap();
    let path = parent.session_file().unwrap().to_str().unwrap();
    let end = format!(r#""cwd":"/p","parentSession":"{path}","agentType":"Explore"}}"#);
    assert!(text.lines().next().unwrap().ends_with(&end), "{text}");
}

/// Spec 6.10 and 6.11: what was written is found again, and looking changes nothing.
#[test]
fn children_that_were_written_are_found_again() {
    let (memory, parent) = store();
    let found = recover(&memory, &parent).unwrap();
    assert_eq!(found.problems, []);
    let mut agents = BackgroundAgents::default();
    agents.take_in(found.children);
    let mut rows: Vec<_> = agents
        .iter()
        .map(|agent| {
            let child = &agent.child;
            (&*child.agent_type, &*child.task_summary, child.status.as_str())
        })
        .collect();
    // Their folders have random names.
    rows.sort_unstable();
    let want = [("Explore", "look around", "completed"), ("step 1", "step 1", "failed")];
    assert_eq!(rows, want);
    assert!(agents.iter().all(|agent| agent.id.starts_with("rehydrated-")));
}

/// Whatever call fails, no child is missing without a word (spec 6.11; design section 2, "Inventory").
#[test]
fn no_child_is_missing_without_a_word_on_a_failing_disk() {
    let (memory, parent) = store();
    let whole = recover(&memory, &parent).unwrap();
    let counting = FaultyStorage::new(Arc::new(memory.clone()));
    recover(&counting, &parent).unwrap();
    let calls = counting.calls();
    assert!(calls > 20, "{calls}");
    for call in 0..calls {
        for code in [Code::Denied, Code::Io] {
            let faulty = FaultyStorage::new(Arc::new(memory.clone()));
            let faulty = faulty.with(call, Fault::Fails(code));
            match recover(&faulty, &parent) {
                Err(error) => assert_eq!(error.path(), Some(roots().for_new()), "{call}"),
                Ok(found) if !found.problems.is_empty() => {}
                Ok(found) => assert_eq!(found, whole, "{call} {code:?}"),
            }
        }
    }
}

/// Spec 6.11: the first root must be readable if it is there; a later one is a problem of the answer.
#[test]
fn only_the_first_root_must_be_readable() {
    let memory = MemoryStorage::new();
    memory.put("/agent/subagent-sessions", "a file").unwrap();
    let error = recover_children(&memory, &roots(), Path::new("/x.jsonl")).unwrap_err();
    assert_eq!(error.path(), Some(Path::new("/agent/subagent-sessions")));
    let store = Store::new(AgentDir::new("/agent", StoreKind::Dreb), StoreOrigin::Home);
    let global = br#"{"subagentSessionDir":"/first"}"#;
    let settings = Settings::new(
        logwood::location::SettingsFile::parse(
            logwood::location::SettingsScope::Global,
            "/g",
            global,
        ),
        logwood::location::SettingsFile::absent(logwood::location::SettingsScope::Project, ""),
    );
    let setting = TranscriptSetting::new(&Environment::new(None, []), &store, &settings);
    let found = recover_children(&memory, &setting.at(Path::new("/p")), Path::new("/x.jsonl"));
    let problems = found.unwrap().problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].path, Path::new("/agent/subagent-sessions"));
}
