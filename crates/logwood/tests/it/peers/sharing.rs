//! One file, two programs: in turns, with both holding it open, and both at once. logwood loses nothing, and pi reads what came of it.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use logwood::entry::{AssistantDraft, BlockDraft, JsonText, user_message};
use logwood::problem::ProblemKind;
use logwood::session::{NewSession, SessionManager, SessionOptions};
use serde_json::{Value, json};

use super::driver::Peer;
use super::view;

fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

/// A session with a question and an answer, as both programs write it to the disk.
fn begin(dir: &Path) -> SessionManager {
    let new = NewSession { cwd: Some("/home/ana/shop".to_owned()), ..NewSession::default() };
    let mut session = SessionOptions::new().create(dir, new).unwrap();
    session.append_message(user("begin")).unwrap();
    let answer =
        AssistantDraft { provider: "p".into(), model: "m".into(), ..AssistantDraft::default() };
    session.append_message(answer.json()).unwrap();
    session
}

fn file(session: &SessionManager) -> PathBuf {
    session.session_file().unwrap().to_path_buf()
}

fn pi_says(peer: &mut Peer, text: &str) -> String {
    let message = json!({"role": "user", "content": text, "timestamp": 1});
    let made = peer.ask(&json!({"op": "message", "message": message}));
    made["id"].as_str().unwrap().to_owned()
}

/// How often each id stands in the file; every line but the blank ones is whole.
fn count_ids(path: &Path) -> HashMap<String, usize> {
    let text = fs::read_to_string(path).unwrap();
    assert!(text.ends_with('\n'));
    let mut found = HashMap::new();
    // Where logwood looks while pi writes, it sees a line without its end and begins a new one: a blank line (doc/compatibility.md, P10).
    for line in text.lines().skip(1).filter(|line| !line.is_empty()) {
        let entry: Value = serde_json::from_str(line).unwrap();
        *found.entry(entry["id"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    found
}

/// Every id is on one line of its own, and there are no others but the two of the beginning.
fn assert_ids(path: &Path, ids: &[String]) {
    let found = count_ids(path);
    for id in ids {
        assert_eq!(found.get(id), Some(&1), "{id}");
    }
    assert_eq!(found.len(), ids.len() + 2, "lines that nobody wrote");
    let session = SessionOptions::new().read_only(true).open(path).unwrap();
    assert_eq!(session.tree().len(), found.len());
    assert!(session.problems().is_empty(), "{:?}", session.problems());
}

/// The same, and both programs see the same session.
fn assert_whole(path: &Path, ids: &[String], peer: &mut Peer) {
    assert_ids(path, ids);
    peer.open(path);
    view::assert_same(&view::of_file(path), &peer.view(), &format!("{:?}", peer.which));
}

/// Each opens the file, appends and leaves it to the other: one straight conversation.
#[test]
fn turns_with_reopening_make_one_conversation() {
    for mut peer in Peer::all() {
        let dir = tempfile::tempdir().unwrap();
        let path = file(&begin(dir.path()));
        let mut ids = Vec::new();
        for turn in 0..10 {
            let mut session = SessionOptions::new().open(&path).unwrap();
            ids.push(session.append_message(user(&format!("logwood {turn}"))).unwrap());
            peer.open(&path);
            ids.push(pi_says(&mut peer, &format!("pi {turn}")));
        }
        assert_whole(&path, &ids, &mut peer);
        let session = SessionOptions::new().open(&path).unwrap();
        let path: Vec<_> = session.tree().branch(session.leaf().unwrap());
        assert_eq!(path.len(), 22, "one branch");
    }
}

/// Both keep it open: pi never looks again, logwood reads in what pi wrote before each of its own.
#[test]
fn turns_with_both_holding_it_lose_nothing() {
    for mut peer in Peer::all() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = begin(dir.path());
        let path = file(&session);
        peer.open(&path);
        let mut ids = Vec::new();
        for turn in 0..10 {
            ids.push(session.append_message(user(&format!("logwood {turn}"))).unwrap());
            ids.push(pi_says(&mut peer, &format!("pi {turn}")));
        }
        session.reload().unwrap();
        assert!(session.problems().iter().any(|p| p.kind == ProblemKind::ForeignAppend));
        assert_eq!(view::of(&session)["entries"], view::of_file(&path)["entries"], "what it sees");
        assert_whole(&path, &ids, &mut peer);
    }
}

fn last_id(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let entry: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    entry["id"].as_str().unwrap().to_owned()
}

fn at_once(time: Duration) {
    for mut peer in Peer::all() {
        let dir = tempfile::tempdir().unwrap();
        let mut session = begin(dir.path());
        let path = file(&session);
        peer.open(&path);
        peer.send(&json!({"op": "append_for", "ms": time.as_millis()}).to_string());
        let end = Instant::now() + time;
        let mut ids = Vec::new();
        while Instant::now() < end {
            let text = "l".repeat(ids.len() % 71 * 67);
            ids.push(session.append_message(user(&text)).unwrap());
        }
        let ours = ids.len();
        let theirs = peer.answer().unwrap();
        ids.extend(
            theirs["ids"].as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()),
        );
        assert!(ours > 20 && ids.len() > ours + 20, "too slow to show it");
        session.reload().unwrap();
        assert_eq!(session.tree().len(), ids.len() + 2, "logwood sees all");
        assert_ids(&path, &ids);
        peer.open(&path);
        assert_eq!(
            peer.ask(&json!({"op": "leaf"}))["leaf"],
            json!(last_id(&path)),
            "pi reads it all"
        );
    }
}

#[test]
fn both_at_once_lose_nothing() {
    at_once(Duration::from_millis(1500));
}

#[test]
#[ignore = "takes two minutes"]
fn deep_both_at_once_lose_nothing() {
    at_once(Duration::from_secs(60));
}
