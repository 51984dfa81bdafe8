//! Every operation that changes a file, with every fault at every call to the storage: nothing that was acknowledged is lost, the
//! file loads, memory and disk agree, and the session goes on.
//!
//! Append: the old bytes stay in front, and at most one torn line is behind them. Rewrites: the old file or the new one stands, whole.
//! What is new: it is there whole, or not there.
#![expect(clippy::panic, reason = "the closures of a test are not seen as test code")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use logwood::entry::{BlockDraft, EntryDraft, JsonText, user_message};
use logwood::error::{Error, ErrorKind, Result};
use logwood::problem::ProblemKind;
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::{Create, FileKind, MemoryStorage, Storage};
use logwood_testkit::storage::{Code, Fault, FaultyStorage};

const FILE: &str = "/d/s.jsonl";
const OLD: &str = "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/p\"}\n{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n{broken\n{\"type\":\"message\",\"message\":{\"role\":\"hookMessage\",\"content\":\"b\"}}\n";

/// What an operation may do to the file that was there.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    /// Lines behind the old ones.
    Appends,
    /// Another file in its place.
    Rewrites,
    /// First another file in its place, then lines.
    RewritesAndAppends,
    /// Nothing: it makes another file.
    Makes,
}

struct Operation {
    name: &'static str,
    change: Change,
    /// The file before, none where there is none.
    before: Option<&'static str>,
    /// What comes before the faults.
    prepare: fn(&mut SessionManager, &MemoryStorage) -> Result<()>,
    act: fn(&mut SessionManager, &SessionOptions) -> Result<()>,
}

fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

fn answer() -> JsonText {
    JsonText::parse(br#"{"role":"assistant","content":[],"provider":"p","model":"m"}"#).unwrap()
}

fn foreign(id: &str) -> String {
    format!(
        r#"{{"type":"custom","customType":"f","id":"{id}","parentId":null,"timestamp":"2025-01-01T00:00:02.000Z"}}"#
    ) + "\n"
}

fn append_foreign(memory: &MemoryStorage, path: &str, text: &str) {
    let mut file = memory.open_append(Path::new(path), Create::Never).unwrap();
    file.append(text.as_bytes()).unwrap();
}

const PLAIN: &str = concat!(
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}"#,
    "\n",
    r#"{"type":"message","id":"a","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}"#,
    "\n",
    r#"{"type":"label","id":"l","parentId":"a","timestamp":"2025-01-01T00:00:01.000Z","targetId":"a","label":"x"}"#,
    "\n",
    r#"{"type":"message","id":"b","parentId":"l","timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"assistant","content":[]}}"#,
    "\n",
);

const TORN: &str = concat!(
    r#"{"type":"session","version":3,"id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}"#,
    "\n",
    r#"{"type":"message","id":"a","parentId":null,"timestamp":"2025-01-01T00:00:01.000Z","message":{"role":"user","content":"hi"}}"#,
    "\n",
    r#"{"type":"message","id":"b","par"#,
);

fn nothing(_: &mut SessionManager, _: &MemoryStorage) -> Result<()> {
    Ok(())
}

fn one_message(session: &mut SessionManager, _: &MemoryStorage) -> Result<()> {
    session.append_message(user("waits")).map(drop)
}

fn append_one(session: &mut SessionManager, _: &SessionOptions) -> Result<()> {
    session.append_message(user("new")).map(drop)
}

const OPERATIONS: &[Operation] = &[
    Operation {
        name: "first write",
        change: Change::Makes,
        before: None,
        prepare: one_message,
        act: |session, _| session.append_message(answer()).map(drop),
    },
    Operation {
        name: "flush",
        change: Change::Makes,
        before: None,
        prepare: one_message,
        act: |session, _| session.flush().map(drop),
    },
    Operation {
        name: "first append to an empty file",
        change: Change::Appends,
        before: Some(""),
        prepare: nothing,
        act: append_one,
    },
    Operation {
        name: "append",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: nothing,
        act: append_one,
    },
    Operation {
        name: "second append",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: one_message,
        act: append_one,
    },
    Operation {
        name: "append after a torn tail",
        change: Change::Appends,
        before: Some(TORN),
        prepare: nothing,
        act: append_one,
    },
    Operation {
        name: "append after others did",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: |_, memory| {
            append_foreign(memory, FILE, &foreign("f1"));
            Ok(())
        },
        act: append_one,
    },
    Operation {
        name: "append to a file that others replaced",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: |_, memory| {
            memory.put("/d/new", memory.contents(FILE).unwrap()).unwrap();
            memory.rename_over(Path::new("/d/new"), Path::new(FILE)).unwrap();
            append_foreign(memory, FILE, &foreign("f1"));
            Ok(())
        },
        act: append_one,
    },
    Operation {
        name: "reload",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: |_, memory| {
            append_foreign(memory, FILE, &foreign("f1"));
            Ok(())
        },
        act: |session, _| session.reload().map(drop),
    },
    Operation {
        name: "append_to",
        change: Change::Appends,
        before: Some(PLAIN),
        prepare: |session, memory| {
            let long = foreign("f1").replace("\"f\"", &format!("\"{}\"", "x".repeat(300_000)));
            append_foreign(memory, FILE, &(long + &foreign("f2")));
            session.reload().map(drop)
        },
        act: |_, options| options.append_to(FILE, EntryDraft::Message(user("new"))).map(drop),
    },
    Operation {
        name: "migrate",
        change: Change::Rewrites,
        before: Some(OLD),
        prepare: nothing,
        act: |session, _| session.migrate().map(drop),
    },
    Operation {
        name: "append to version 1",
        change: Change::RewritesAndAppends,
        before: Some(OLD),
        prepare: nothing,
        act: append_one,
    },
    Operation {
        name: "set_agent_type",
        change: Change::Rewrites,
        before: Some(PLAIN),
        prepare: nothing,
        act: |session, _| session.set_agent_type("Explore"),
    },
    Operation {
        name: "set_parent_session after others appended",
        change: Change::Rewrites,
        before: Some(TORN),
        prepare: |_, memory| {
            append_foreign(memory, FILE, &format!("\n{}", foreign("f1")));
            Ok(())
        },
        act: |session, _| session.set_parent_session("/x.jsonl"),
    },
    Operation {
        name: "create_branched_session",
        change: Change::Makes,
        before: Some(PLAIN),
        prepare: nothing,
        act: |session, _| session.create_branched_session("b", None).map(drop),
    },
    Operation {
        name: "fork_from",
        change: Change::Makes,
        before: Some(PLAIN),
        prepare: nothing,
        act: |session, options| {
            *session = options.fork_from(FILE, "/q", "/f")?;
            Ok(())
        },
    },
];

/// One run: files of its own, a session that was opened on them, and the storage through which it acts.
struct Run {
    memory: MemoryStorage,
    storage: FaultyStorage,
    options: SessionOptions,
    session: SessionManager,
    /// Every file as it was before the act.
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// Entry ids that were in the session, and on the disk where it has a file.
    ids: BTreeSet<String>,
    lines: Vec<Vec<u8>>,
    file: PathBuf,
}

impl Run {
    fn prepare(operation: &Operation, durability: Durability) -> Self {
        let memory = MemoryStorage::new();
        memory.create_dir_all(Path::new("/d")).unwrap();
        let storage = FaultyStorage::new(Arc::new(memory.clone()));
        let options =
            SessionOptions::new().storage(Arc::new(storage.clone())).durability(durability);
        let mut session = match operation.before {
            Some(text) => {
                memory.put(FILE, text).unwrap();
                options.open(FILE).unwrap()
            }
            None => options.create("/d/new/--p--", NewSession::default()).unwrap(),
        };
        (operation.prepare)(&mut session, &memory).unwrap();
        let file = session.session_file().unwrap().to_path_buf();
        let (files, ids, lines) = (files(&memory), ids(&session), lines(&session));
        Self { memory, storage, options, session, files, ids, lines, file }
    }

    fn plain(&self) -> SessionOptions {
        SessionOptions::new().storage(Arc::new(self.memory.clone()))
    }
}

fn files(memory: &MemoryStorage) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut dirs = vec![PathBuf::from("/")];
    while let Some(dir) = dirs.pop() {
        for entry in memory.list(&dir).unwrap() {
            let path = dir.join(entry.name);
            match entry.kind {
                FileKind::Dir => dirs.push(path),
                _ => drop(found.insert(path.clone(), memory.contents(&path).unwrap())),
            }
        }
    }
    found
}

fn ids(session: &SessionManager) -> BTreeSet<String> {
    session.tree().nodes().map(|node| session.tree().id(node).to_owned()).collect()
}

fn lines(session: &SessionManager) -> Vec<Vec<u8>> {
    session.entries().map(|line| session.line_text(&line).unwrap().into_owned()).collect()
}

fn torn_lines(session: &SessionManager) -> usize {
    let torn = [ProblemKind::TornTail, ProblemKind::MalformedLine];
    session.problems().iter().filter(|problem| torn.contains(&problem.kind)).count()
}

/// Every fault with every code for one operation of each kind; one code of each fault for the others.
fn faults(operation: &Operation, durability: Durability) -> Vec<Fault> {
    let one_of_each = ["first write", "append after a torn tail", "migrate", "fork_from"];
    if durability == Durability::Buffered && one_of_each.contains(&operation.name) {
        return Fault::all();
    }
    let stops = [Fault::StopsBefore, Fault::StopsWithin, Fault::StopsAfter, Fault::Shortens];
    let fails = [Fault::Fails(Code::NoSpace), Fault::Sticks(Code::Io), Fault::Tears(Code::Denied)];
    stops.into_iter().chain(fails).collect()
}

/// Calls `check` for every operation, durability, call and fault.
fn every_fault(mut check: impl FnMut(&str, &Operation, Fault, Run, Result<()>)) {
    for operation in OPERATIONS {
        for durability in [Durability::Buffered, Durability::Synced] {
            let mut dry = Run::prepare(operation, durability);
            let before = dry.storage.calls();
            (operation.act)(&mut dry.session, &dry.options).unwrap();
            let calls = dry.storage.calls() - before;
            assert!(calls >= 4, "{}: {calls} calls", operation.name);
            for fault in faults(operation, durability) {
                for call in 0..calls {
                    let mut run = Run::prepare(operation, durability);
                    let _ = run.storage.clone().with(run.storage.calls() + call, fault);
                    let outcome = (operation.act)(&mut run.session, &run.options);
                    let hit = run.storage.hit();
                    assert_eq!(hit.len(), 1, "{}: call {call} never came", operation.name);
                    let what = format!("{}, {durability:?}, {fault:?} at {hit:?}", operation.name);
                    check(&what, operation, fault, run, outcome);
                }
            }
        }
    }
}

#[test]
fn nothing_is_lost_by_any_fault() {
    let (mut failed, mut worked) = (0, 0);
    every_fault(|what, operation, fault, mut run, outcome| {
        match &outcome {
            Ok(()) => worked += 1,
            Err(error) => {
                failed += 1;
                says_what_happened(what, fault, error);
            }
        }
        old_bytes_are_there(what, operation, &run);
        every_session_loads(what, &run);
        let is_passing = matches!(fault, Fault::Fails(_) | Fault::Tears(_) | Fault::Shortens);
        if outcome.is_err() && is_passing && operation.change != Change::RewritesAndAppends {
            let now = files(&run.memory);
            let same = run.files.iter().all(|(path, old)| now.get(path) == Some(old));
            assert!(same, "{what}: not taken back");
        }
        if outcome.is_err() && !run.storage.is_stopped() {
            assert_eq!(run.session.session_file(), Some(&*run.file), "{what}: still the same");
        }
        acknowledged_is_on_disk(what, &run, outcome.is_ok());
        if run.storage.is_stopped() {
            another_process_goes_on(what, operation, run);
        } else {
            the_session_goes_on(what, operation, &mut run);
        }
    });
    assert!(failed > 500 && worked > 200, "{failed} failed, {worked} worked");
}

fn says_what_happened(what: &str, fault: Fault, error: &Error) {
    let kind = |code: Code| ErrorKind::of_io(&code.error());
    match fault {
        Fault::Fails(code) | Fault::Sticks(code) | Fault::Tears(code) => {
            assert_eq!(error.kind(), kind(code), "{what}: {error}");
        }
        Fault::Shortens => assert_eq!(error.kind(), ErrorKind::NoSpace, "{what}: {error}"),
        _ => {}
    }
    let path = error.path().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    assert!(path.contains(".jsonl"), "{what}: names no file: {error}");
}

fn old_bytes_are_there(what: &str, operation: &Operation, run: &Run) {
    for (path, old) in &run.files {
        let new = run.memory.contents(path).unwrap_or_else(|_| panic!("{what}: {path:?} is gone"));
        let same = match operation.change {
            Change::Makes => new == *old,
            Change::Appends => new.starts_with(old),
            // What the new one must be follows from its entries, which are compared below.
            Change::Rewrites => new.starts_with(old) || is_whole(&new),
            Change::RewritesAndAppends => {
                let end = new.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                new.starts_with(old) || is_whole(new.get(..end).unwrap_or_default())
            }
        };
        assert!(same, "{what}: {path:?} became {:?}", String::from_utf8_lossy(&new));
    }
}

fn is_whole(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).unwrap();
    text.starts_with("{\"type\":\"session\"")
        && text
            .lines()
            .all(|line| line == "{broken" || line.ends_with("\"par") || line.ends_with('}'))
}

/// What a listing would take for a session is one.
fn every_session_loads(what: &str, run: &Run) {
    for (path, bytes) in files(&run.memory) {
        let is_listed = path.extension().is_some_and(|ending| ending == "jsonl");
        if !is_listed || (bytes.is_empty() && run.files.get(&path) == Some(&bytes)) {
            continue;
        }
        // A file of size 0 that was there may hold a piece of its first line when its writer was killed.
        if run.files.get(&path).is_some_and(Vec::is_empty) && run.storage.is_stopped() {
            continue;
        }
        let session = run.plain().read_only(true).open(&path);
        let session = session.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(torn_lines(&session) <= 2, "{what}: {path:?}");
    }
}

fn acknowledged_is_on_disk(what: &str, run: &Run, done: bool) {
    let file = run.session.session_file().unwrap();
    if run.memory.contents(file).is_ok_and(|bytes| !bytes.is_empty()) {
        let disk = run.plain().read_only(true).open(file);
        let Ok(disk) = disk else { return assert!(run.storage.is_stopped(), "{what}") };
        let expected = if done { ids(&run.session) } else { run.ids.clone() };
        assert!(ids(&disk).is_superset(&expected), "{what}: entries are gone");
        if !run.storage.is_stopped() {
            assert!(lines(&disk).starts_with(&lines(&run.session)), "{what}: memory differs");
        }
    } else {
        assert!(!done, "{what}: said to be done");
        assert!(run.files.get(file).is_none_or(Vec::is_empty), "{what}: the file is gone");
        assert_eq!(lines(&run.session), run.lines, "{what}");
    }
}

fn the_session_goes_on(what: &str, operation: &Operation, run: &mut Run) {
    run.storage.mend();
    let id = run.session.append_message(answer()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let disk = run.plain().read_only(true).open(run.session.session_file().unwrap()).unwrap();
    assert_eq!(lines(&disk), lines(&run.session), "{what}: memory and disk");
    assert_eq!(disk.leaf_id(), Some(&*id), "{what}");
    assert!(ids(&disk).is_superset(&run.ids) || operation.change == Change::Makes, "{what}");
    let initial = usize::from(operation.before.is_some_and(|text| text != PLAIN));
    assert!(torn_lines(&disk) <= initial + 1, "{what}: {:?}", disk.problems());
    (operation.act)(&mut run.session, &run.options).unwrap_or_else(|e| match operation.name {
        // The branch was made: its entry has another place now.
        "create_branched_session" => assert_eq!(e.kind(), ErrorKind::EntryNotFound, "{what}"),
        _ => panic!("{what}: not even later: {e}"),
    });
}

/// After a kill: somebody opens what is there.
fn another_process_goes_on(what: &str, operation: &Operation, run: Run) {
    let plain = run.plain();
    // With the process its locks are gone.
    drop(run.session);
    let Some(before) = operation.before else { return };
    let mut session = match plain.open(FILE) {
        Ok(session) => session,
        Err(error) => {
            assert!(before.is_empty(), "{what}: {error}");
            return;
        }
    };
    let id = session.append_message(user("later")).unwrap_or_else(|e| panic!("{what}: {e}"));
    let disk = plain.read_only(true).open(FILE).unwrap();
    assert_eq!(lines(&disk), lines(&session), "{what}");
    assert!(disk.tree().find(&id).is_some(), "{what}");
    if operation.change != Change::Makes && !before.is_empty() {
        assert!(ids(&disk).is_superset(&run.ids), "{what}");
    }
}

/// What another program, which takes no lock, puts behind a session just before some call of ours.
const INTRUSIONS: [&str; 3] = [
    "{\"type\":\"custom\",\"customType\":\"f\",\"id\":\"i1\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:02.000Z\"}\n",
    "\n{\"type\":\"custom\",\"customType\":\"f\",\"id\":\"i1\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:02.000Z\"}",
    "\n{\"type\":\"custom\",\"id\":\"torn",
];

/// Beside every call of every operation another program appends: both are there, and memory knows it at the next look.
#[test]
fn others_append_at_any_moment() {
    let mut runs = 0;
    for operation in OPERATIONS.iter().filter(|operation| operation.before.is_some()) {
        let mut dry = Run::prepare(operation, Durability::Buffered);
        let before = dry.storage.calls();
        (operation.act)(&mut dry.session, &dry.options).unwrap();
        for call in 0..dry.storage.calls() - before {
            for intrusion in INTRUSIONS {
                // Its line stands alone behind a torn one: whoever appends there without looking loses its own line.
                let glued = operation.before == Some(TORN) && !intrusion.starts_with('\n');
                // A file that was empty and has got other content is refused.
                if glued || operation.before == Some("") {
                    continue;
                }
                intrude(operation, call, intrusion);
                runs += 1;
            }
        }
    }
    assert!(runs > 300, "{runs} runs");
}

fn intrude(operation: &Operation, call: u64, intrusion: &'static str) {
    let what = format!("{}, {intrusion:?} before call {call}", operation.name);
    let mut run = Run::prepare(operation, Durability::Buffered);
    let memory = run.memory.clone();
    let event = move || append_foreign(&memory, FILE, intrusion);
    let _ = run.storage.clone().with_event(run.storage.calls() + call, event);
    (operation.act)(&mut run.session, &run.options).unwrap_or_else(|e| panic!("{what}: {e}"));
    let bytes = run.memory.contents(FILE).unwrap();
    // A migration gives entries of version 1 ids by their place.
    let is_migrated = operation.before == Some(OLD) && intrusion.contains("customType");
    let theirs = if is_migrated { "\"customType\":\"f\"" } else { intrusion };
    assert!(std::str::from_utf8(&bytes).unwrap().contains(theirs), "{what}: theirs is lost");
    let id = run.session.append_message(answer()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let disk = run.plain().read_only(true).open(run.session.session_file().unwrap()).unwrap();
    assert_eq!(lines(&disk), lines(&run.session), "{what}: memory and disk");
    assert!(disk.tree().find(&id).is_some() && ids(&disk) == ids(&run.session), "{what}");
    let old = run.plain().read_only(true).open(FILE).unwrap();
    assert!(ids(&old).is_superset(&run.ids), "{what}: entries are gone");
}
