//! The performance log under real processes: eight that record and prune at once, one of them a Node program that does what dreb does
//! (spec 9.3, 9.4), and what a dying disk or a torn write leaves of it.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use logwood::error::ErrorKind;
use logwood::performance::{PerformanceDraft, PerformanceLog, Recording};
use logwood::storage::{Create, MemoryStorage, Storage};
use logwood_testkit::json::decode;
use logwood_testkit::storage::{Fault, FaultyStorage, RecordingStorage, Verb};

use crate::processes::{Worker, say};

const OLD: &str = "2020-01-01T00:00:00.000Z";
const LOG: &str = "/agent/performance.jsonl";
const LOG_LOCK: &str = "/agent/performance.jsonl.lock";

fn answer(session: &str) -> PerformanceDraft {
    PerformanceDraft {
        session_id: session.into(),
        provider: "demo".into(),
        model_id: "demo-large".into(),
        output_tokens: 100.0,
        duration_ms: 2000.0,
        ..PerformanceDraft::default()
    }
}

/// What a worker does until its time is over: records answers, and now and then an old one, which the next pruning takes out.
pub(crate) fn record(path: &Path, time: Duration) {
    let mut log = PerformanceLog::new(path);
    let end = Instant::now() + time;
    let mut number = 0_usize;
    while Instant::now() < end {
        number += 1;
        let name = format!("{}-{number}", std::process::id());
        if let Recording::Recorded(_) = log.record(&answer(&name)).unwrap() {
            say(&format!("ack {name}"));
        }
        if number.is_multiple_of(5) {
            let old = PerformanceDraft { timestamp: Some(OLD.into()), ..answer("old") };
            let _ = log.record(&old).unwrap();
            // Another may hold the lock all the time on a busy machine.
            let _ = log.prune();
        }
    }
    say("done");
}

/// dreb's ways, from the rules of the spec: the lock by exclusive creation, tried every 10 ms, taken away by age; pruning by a file
/// beside it that is renamed. Prints what it recorded.
const NODE: &str = r#"
const fs = require("fs"), path = require("path");
const [log, ms] = process.argv.slice(1), lock = log + ".lock";
const sleep = (t) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, t);
function locked(limit, work) {
  const start = Date.now();
  for (;;) {
    try { fs.closeSync(fs.openSync(lock, "wx")); break; } catch (error) {
      if (error.code !== "EEXIST") throw error;
      try { if (Date.now() - fs.statSync(lock).mtimeMs > 300000) { fs.unlinkSync(lock); continue; } } catch {}
      if (Date.now() - start >= limit) return false;
      sleep(10);
    }
  }
  try { work(); } finally { try { fs.unlinkSync(lock); } catch {} }
  return true;
}
const line = (sessionId, timestamp) => JSON.stringify({ timestamp, sessionId, provider: "demo", modelId: "demo-large",
  outputTokens: 100, durationMs: 1500, tps: 100 * 1000 / 1500 }) + "\n";
function prune() {
  const kept = fs.readFileSync(log, "utf8").split("\n").filter((text) => {
    try { return Date.parse(JSON.parse(text).timestamp) >= Date.now() - 2592000000; } catch { return false; }
  });
  const draft = path.join(path.dirname(log), `.performance-prune-${process.pid}-${Date.now()}.jsonl`);
  fs.writeFileSync(draft, kept.map((text) => text + "\n").join(""));
  fs.renameSync(draft, log);
}
const end = Date.now() + Number(ms);
for (let n = 1; Date.now() < end; n++) {
  const name = `node-${n}`;
  if (locked(1000, () => fs.appendFileSync(log, line(name, new Date().toISOString())))) console.log(name);
  if (n % 5 === 0) {
    locked(1000, () => fs.appendFileSync(log, line("old", "2020-01-01T00:00:00.000Z")));
    locked(5000, prune);
  }
}
"#;

/// None where there is no Node.
fn start_node(path: &Path, time: Duration) -> Option<Child> {
    let mut command = Command::new("node");
    command.args(["-e", NODE]).arg(path).arg(time.as_millis().to_string());
    command.stdout(Stdio::piped()).spawn().ok()
}

fn said_by(node: Child) -> Vec<String> {
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success(), "the Node program failed");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// How often each session is in the log; every line must be whole.
fn sessions(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for line in text.lines() {
        let record = decode(line).map_err(|error| format!("{line}: {error}")).unwrap();
        let session = record.get("sessionId").and_then(serde_json::Value::as_str).unwrap();
        *found.entry(session.to_owned()).or_default() += 1;
    }
    found
}

fn contend(time: Duration) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("performance.jsonl");
    fs::write(&path, "").unwrap();
    let node = start_node(&path, time);
    let count = if node.is_some() { 7 } else { 8 };
    let mut workers: Vec<_> = (0..count).map(|_| Worker::start("record", &path, time)).collect();
    let acks = std::thread::scope(|scope| {
        let acks: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| worker.acknowledged())).collect();
        acks.into_iter().map(|acks| acks.join().unwrap()).collect::<Vec<_>>()
    });
    let of_node = node.map(said_by);
    let acks: Vec<_> = acks.into_iter().chain(of_node).collect();
    let numbers: Vec<_> = acks.iter().map(Vec::len).collect();
    assert!(acks.iter().all(|acks| acks.len() > 5), "too slow to show it: {numbers:?}");
    let mut found = sessions(&fs::read_to_string(&path).unwrap());
    found.remove("old");
    for name in acks.iter().flatten() {
        assert_eq!(found.remove(name), Some(1), "{name} of {numbers:?}");
    }
    assert!(found.is_empty(), "what nobody acknowledged: {found:?}");
    PerformanceLog::new(&path).prune().unwrap();
    let left = sessions(&fs::read_to_string(&path).unwrap());
    assert_eq!(left.len(), numbers.iter().sum::<usize>());
    assert_eq!(left.get("old"), None);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn eight_processes_record_and_prune_and_lose_nothing() {
    contend(Duration::from_secs(3));
}

#[test]
#[ignore = "takes five minutes"]
fn deep_eight_processes_record_and_prune_and_lose_nothing() {
    contend(Duration::from_secs(300));
}

/// Records an answer and prunes; says whether the record was acknowledged.
fn record_and_prune(storage: Arc<dyn Storage>) -> bool {
    let short = Duration::from_millis(1);
    let mut log = PerformanceLog::new(LOG).storage(storage).lock_waits(short, short);
    let recorded = log.record(&answer("new"));
    let _ = log.prune();
    matches!(recorded, Ok(Recording::Recorded(_)))
}

/// Every storage operation fails in every way: a record is in the log once or, unacknowledged, not at all; nothing else goes.
#[test]
fn a_failing_disk_costs_at_most_the_record() {
    let old = format!(
        "{{\"timestamp\":\"{OLD}\",\"sessionId\":\"old\",\"provider\":\"p\",\"modelId\":\"m\",\"outputTokens\":1,\"durationMs\":10,\"tps\":1}}"
    );
    let kept = old.replace("2020", "2099").replace("\"old\"", "\"kept\"");
    let text = format!("{old}\n{kept}");
    let fresh = || {
        let memory = MemoryStorage::new();
        memory.put(LOG, text.as_bytes()).unwrap();
        memory
    };
    let counting = FaultyStorage::new(Arc::new(fresh()));
    assert!(record_and_prune(Arc::new(counting.clone())));
    assert!(counting.calls() > 20, "{} calls", counting.calls());
    for call in 0..counting.calls() {
        for fault in Fault::all() {
            let memory = fresh();
            let faulty = FaultyStorage::new(Arc::new(memory.clone())).with(call, fault);
            let acknowledged = record_and_prune(Arc::new(faulty));
            let _ = memory.remove_file(Path::new(LOG_LOCK));
            assert!(
                record_and_prune(Arc::new(memory.clone())),
                "call {call}, {fault:?}: the next one"
            );
            let found = sessions(&String::from_utf8(memory.contents(LOG).unwrap()).unwrap());
            let new = found.get("new").copied().unwrap_or_default();
            let wanted = if acknowledged { 2..=2 } else { 1..=2 };
            assert!(wanted.contains(&new), "call {call}, {fault:?}: {found:?}");
            assert_eq!(
                (found.get("kept"), found.get("old")),
                (Some(&1), None),
                "call {call}, {fault:?}"
            );
        }
    }
}

/// A program that takes no lock appends as often as it can just before the pruned log would take the place of the old one.
fn prune_beside_a_stranger(times: usize) -> (Result<u64, ErrorKind>, usize) {
    let memory = MemoryStorage::new();
    let line = |session: &str, year: &str| {
        format!(
            "{{\"timestamp\":\"{year}-01-01T00:00:00Z\",\"sessionId\":\"{session}\",\"provider\":\"p\",\"modelId\":\"m\",\"outputTokens\":1,\"durationMs\":10,\"tps\":1}}\n"
        )
    };
    memory.put(LOG, line("old", "2020") + &line("kept", "2099")).unwrap();
    let (stranger, looks) = (memory.clone(), AtomicUsize::new(0));
    let storage = RecordingStorage::new(Arc::new(memory.clone())).meddled(move |verb, path| {
        // The log is looked at before and after each new version is written.
        if verb == Verb::Metadata && path == Path::new(LOG) {
            let look = looks.fetch_add(1, Ordering::Relaxed);
            if look % 2 == 1 && look / 2 < times {
                let mut file = stranger.open_append(path, Create::Never).unwrap();
                file.append(line("stranger", "2099").as_bytes()).unwrap();
            }
        }
    });
    let pruned = PerformanceLog::new(LOG).storage(Arc::new(storage)).prune();
    let found = sessions(&String::from_utf8(memory.contents(LOG).unwrap()).unwrap());
    assert_eq!(found.get("kept"), Some(&1));
    assert_eq!(found.contains_key("old"), pruned.is_err());
    assert_eq!(memory.list(Path::new("/agent")).unwrap().len(), 1, "nothing is left beside it");
    let strange = found.get("stranger").copied().unwrap_or_default();
    (pruned.map(|pruned| pruned.kept).map_err(|error| error.kind()), strange)
}

#[test]
fn what_is_appended_without_the_lock_while_it_is_pruned_stays() {
    assert_eq!(prune_beside_a_stranger(0), (Ok(1), 0));
    assert_eq!(prune_beside_a_stranger(1), (Ok(2), 1));
    assert_eq!(prune_beside_a_stranger(4), (Ok(5), 4));
    assert_eq!(prune_beside_a_stranger(100), (Err(ErrorKind::ChangedOnDisk), 5));
}
