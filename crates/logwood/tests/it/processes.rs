//! Real processes at one session: two of logwood, programs that take no lock, and `kill -9`. Nothing that was acknowledged is lost,
//! nothing is torn, no id comes twice, and nothing is left to clean up by hand.
#![expect(clippy::panic, reason = "the closures of a test are not seen as test code")]

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use logwood::entry::{BlockDraft, JsonText, user_message};
use logwood::error::ErrorKind;
use logwood::problem::ProblemKind;
use logwood::session::{Durability, NewSession, SessionManager, SessionOptions};
use logwood::storage::{LocalStorage, Replacement};

const JOB: &str = "LOGWOOD_TEST_JOB";
const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-01-01T00:00:00.000Z\",\"cwd\":\"/p\"}\n";

/// What a process of this binary is told to do: what, where, and for how long.
struct Job {
    work: String,
    path: PathBuf,
    time: Duration,
}

impl Job {
    fn given() -> Option<Self> {
        let text = std::env::var(JOB).ok()?;
        let mut parts = text.splitn(3, '|');
        let work = parts.next()?.to_owned();
        let time = Duration::from_millis(parts.next()?.parse().unwrap());
        Some(Self { work, path: parts.next()?.into(), time })
    }

    fn run(&self) {
        match self.work.as_str() {
            "append" => self.append(false),
            "rewrite" => self.append(true),
            "create" => self.create(),
            "hold" => self.hold(),
            "record" => crate::performance::record(&self.path, self.time),
            "linger" => self.linger(),
            work => panic!("no such work: {work}"),
        }
    }

    /// Appends until the time is over, then waits for a line and says how many entries it sees.
    fn append(&self, rewrites: bool) {
        let options = SessionOptions::new();
        let mut session = options.open(&self.path).unwrap();
        let end = Instant::now() + self.time;
        let mut number = 0_usize;
        while Instant::now() < end {
            number += 1;
            if rewrites && number.is_multiple_of(3) {
                session.set_agent_type(&format!("agent {number}")).unwrap();
            }
            let id = session.append_message(user(&"x".repeat(number % 97 * 13))).unwrap();
            say(&format!("ack {id}"));
        }
        say("done");
        let mut line = String::new();
        std::io::stdin().read_line(&mut line).unwrap();
        session.reload().unwrap();
        say(&format!("sees {}", session.tree().len()));
    }

    /// Opens the session, says so, and does nothing more.
    fn hold(&self) {
        let _session = announcing(&self.path).open(&self.path).unwrap();
        say("ack open");
        std::thread::sleep(self.time);
    }

    /// Is in the middle of writing a new session, says so, and does nothing more.
    fn linger(&self) {
        fs::create_dir_all(&self.path).unwrap();
        let path = self.path.join("s.jsonl");
        let mut new = Replacement::of_nothing(&path, &LocalStorage).unwrap();
        new.write_all(HEADER.as_bytes()).and_then(|()| new.flush()).unwrap();
        say("ack lingers");
        std::thread::sleep(self.time);
    }

    /// Makes new sessions, and says so when they are there.
    fn create(&self) {
        let end = Instant::now() + self.time;
        while Instant::now() < end {
            let mut session =
                SessionOptions::new().create(&self.path, NewSession::default()).unwrap();
            session.append_message(user(&"y".repeat(20_000))).unwrap();
            session.flush().unwrap();
            say(&format!("ack {}", session.session_file().unwrap().display()));
        }
        say("done");
    }
}

/// One line to the process that started this one, past the test harness.
pub(crate) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n:{line}").and_then(|()| out.flush()).unwrap();
}

/// Options that announce beside the folder of the session.
fn announcing(path: &Path) -> SessionOptions {
    let runtime = path.parent().unwrap().join("run");
    SessionOptions::new().presence(runtime, "logwood test")
}

fn user(text: &str) -> JsonText {
    user_message(&[BlockDraft::Text(text.into())], 1)
}

/// A process of this test binary.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl Worker {
    pub(crate) fn start(work: &str, path: &Path, time: Duration) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["processes::does_a_job", "--exact", "--nocapture"])
            .env(JOB, format!("{work}|{}|{}", time.as_millis(), path.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, lines }
    }

    /// The next thing that it says; none when it has ended.
    fn next(&mut self) -> Option<String> {
        let mut said = self.lines.by_ref().map_while(Result::ok);
        said.find_map(|line| line.strip_prefix(':').map(str::to_owned))
    }

    /// Everything acknowledged until it is done or dead.
    pub(crate) fn acknowledged(&mut self) -> Vec<String> {
        let mut acks = Vec::new();
        while let Some(said) = self.next() {
            match said.strip_prefix("ack ") {
                Some(ack) => acks.push(ack.to_owned()),
                None => break,
            }
        }
        acks
    }

    /// After its work: how many entries it sees.
    fn sees(mut self) -> usize {
        writeln!(self.input, "look").unwrap();
        let said = self.next().expect("it looks");
        assert!(self.child.wait().unwrap().success());
        said.strip_prefix("sees ").unwrap().parse().unwrap()
    }
}

/// Not a test of its own: what the processes that tests start do.
#[test]
fn does_a_job() {
    if let Some(job) = Job::given() {
        job.run();
    }
}

fn new_file(dir: &Path) -> PathBuf {
    let path = dir.join("s.jsonl");
    fs::write(&path, HEADER).unwrap();
    path
}

fn foreign_line(id: &str, padding: usize) -> String {
    format!(
        "{{\"type\":\"custom\",\"customType\":\"{}\",\"id\":\"{id}\",\"parentId\":null,\"timestamp\":\"2025-01-01T00:00:02.000Z\"}}\n",
        "z".repeat(padding)
    )
}

/// Appends whole lines as dreb and pi do: no lock, the file opened for each, one write.
fn append_foreign(path: &Path, time: Duration) -> Vec<String> {
    let end = Instant::now() + time;
    let mut ids = Vec::new();
    while Instant::now() < end {
        let id = format!("fz{:06x}", ids.len());
        let line = foreign_line(&id, ids.len() % 50 * 97);
        let mut file = fs::OpenOptions::new().append(true).open(path).unwrap();
        assert_eq!(file.write(line.as_bytes()).unwrap(), line.len());
        ids.push(id);
        std::thread::sleep(Duration::from_millis(1));
    }
    ids
}

/// The same in Python, with the file held open; none where there is no Python.
fn start_python(path: &Path, time: Duration) -> Option<Child> {
    const PROGRAM: &str = r#"
import os, sys, time
path, end, n = sys.argv[1], time.time() + float(sys.argv[2]), 0
file = os.open(path, os.O_WRONLY | os.O_APPEND)
while time.time() < end:
    line = '{"type":"custom","customType":"%s","id":"p%07x","parentId":null,"timestamp":"2025-01-01T00:00:02.000Z"}\n' % ("q" * (n % 60 * 70), n)
    assert os.write(file, line.encode()) == len(line)
    n += 1
    time.sleep(0.001)
print(n)
"#;
    let mut command = Command::new("python3");
    command.args(["-c", PROGRAM]).arg(path).arg(time.as_secs_f64().to_string());
    command.stdout(Stdio::piped()).spawn().ok()
}

fn python_ids(python: Option<Child>) -> Vec<String> {
    let Some(python) = python else { return Vec::new() };
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    let count: usize = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    (0..count).map(|n| format!("p{n:07x}")).collect()
}

/// Every id is on exactly one line of the file, every line is whole, and the file opens to all of them.
fn assert_all_there(path: &Path, ids: &[String]) -> SessionManager {
    let session = SessionOptions::new().read_only(true).open(path).unwrap();
    let bad = [
        ProblemKind::MalformedLine,
        ProblemKind::TornTail,
        ProblemKind::DuplicateId,
        ProblemKind::DuplicateHeader,
        ProblemKind::MissingFinalNewline,
        ProblemKind::NotAnEntry,
    ];
    let found: Vec<_> = session.problems().iter().filter(|p| bad.contains(&p.kind)).collect();
    assert!(found.is_empty(), "{found:?}");
    let unique: HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "an id was given twice");
    for id in ids {
        assert!(session.tree().find(id).is_some(), "{id} is lost");
    }
    session
}

fn contend(time: Duration) {
    let dir = tempfile::tempdir().unwrap();
    let path = new_file(dir.path());
    let python = start_python(&path, time);
    let mut workers = [(); 2].map(|()| Worker::start("append", &path, time));
    let (foreign, acks) = std::thread::scope(|scope| {
        let foreign = scope.spawn(|| append_foreign(&path, time));
        let acks: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| worker.acknowledged())).collect();
        let acks: Vec<_> = acks.into_iter().map(|acks| acks.join().unwrap()).collect();
        (foreign.join().unwrap(), acks)
    });
    let python = python_ids(python);
    assert!(foreign.len() > 20 && acks.iter().all(|acks| acks.len() > 20), "too slow to show it");
    let ids: Vec<String> = acks.concat().into_iter().chain(foreign).chain(python).collect();
    let session = assert_all_there(&path, &ids);
    assert_eq!(session.tree().len(), ids.len(), "what nobody acknowledged");
    for worker in workers {
        assert_eq!(worker.sees(), ids.len(), "each sees what the others appended");
    }
}

#[test]
fn two_processes_and_programs_without_locks_lose_nothing() {
    contend(Duration::from_secs(2));
}

/// A minute of it where nobody waits for the answer: in CI.
#[test]
fn two_processes_and_programs_without_locks_lose_nothing_in_a_minute() {
    if std::env::var_os("CI").is_some() {
        contend(Duration::from_secs(60));
    }
}

#[test]
#[ignore = "takes ten minutes"]
fn deep_two_processes_and_programs_without_locks_lose_nothing() {
    contend(Duration::from_secs(600));
}

/// One that appends beside one that gives the file another header again and again.
#[test]
fn appends_and_rewrites_lose_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = new_file(dir.path());
    let time = Duration::from_millis(1500);
    let mut workers = ["append", "rewrite"].map(|work| Worker::start(work, &path, time));
    let acks: Vec<_> = std::thread::scope(|scope| {
        let acks: Vec<_> =
            workers.iter_mut().map(|worker| scope.spawn(|| worker.acknowledged())).collect();
        acks.into_iter().map(|acks| acks.join().unwrap()).collect()
    });
    let ids = acks.concat();
    let session = assert_all_there(&path, &ids);
    assert!(session.header().agent_type().is_some_and(|agent| agent.starts_with("agent ")));
    for worker in workers {
        assert_eq!(worker.sees(), ids.len());
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
}

/// Kills a worker after a while that differs from round to round, and gives what it had acknowledged.
fn killed_after(work: &str, path: &Path, round: u64) -> Vec<String> {
    let mut worker = Worker::start(work, path, Duration::from_secs(60));
    let mut acks = vec![worker.next().expect("it begins").replace("ack ", "")];
    std::thread::sleep(Duration::from_micros(round * 7919 % 30_000));
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    acks.extend(worker.acknowledged());
    acks
}

fn kill_writers(rounds: u64) {
    let dir = tempfile::tempdir().unwrap();
    let path = new_file(dir.path());
    let mut ids = Vec::new();
    for round in 0..rounds {
        let work = if round.is_multiple_of(3) { "rewrite" } else { "append" };
        ids.extend(killed_after(work, &path, round));
        let mut session = SessionOptions::new().durability(Durability::Synced).open(&path).unwrap();
        let mut found: HashMap<&str, usize> = HashMap::new();
        for line in session.entries() {
            *found.entry(session.tree().id(line.node)).or_default() += 1;
        }
        for id in &ids {
            assert_eq!(found.get(id.as_str()), Some(&1), "round {round}: {id}");
        }
        ids.push(session.append_message(user("after the kill")).unwrap());
    }
    let mut session = SessionOptions::new().open(&path).unwrap();
    session.set_agent_type("last").unwrap();
    for id in &ids {
        assert!(session.tree().find(id).is_some(), "{id} is lost");
    }
    let left: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, ["s.jsonl"], "nothing to clean up by hand");
}

#[test]
fn a_killed_writer_loses_nothing_that_it_acknowledged() {
    kill_writers(9);
}

#[test]
#[ignore = "takes a minute"]
fn deep_a_killed_writer_loses_nothing_that_it_acknowledged() {
    kill_writers(400);
}

/// A new session is there whole, or no listing sees it.
#[test]
fn a_killed_first_write_leaves_all_or_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("--p--");
    for round in 0..6 {
        for file in killed_after("create", &folder, round) {
            assert!(Path::new(&file).exists(), "{file} is lost");
        }
    }
    SessionOptions::new().create(&folder, NewSession::default()).unwrap().flush().unwrap();
    for entry in fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.extension().is_some_and(|ending| ending == "jsonl"), "{path:?} is left");
        let session = SessionOptions::new().read_only(true).open(&path).unwrap();
        assert!(session.tree().len() <= 1 && session.problems().is_empty(), "{path:?}");
    }
}

/// What a process that was killed in its first write left goes with the next new session in the folder; one that lives keeps it.
#[test]
fn a_killed_first_write_leaves_nothing_to_clean_up() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("--p--");
    let mut worker = Worker::start("linger", &folder, Duration::from_secs(60));
    assert_eq!(worker.next().as_deref(), Some("ack lingers"));
    let new_session = || {
        let mut session = SessionOptions::new().create(&folder, NewSession::default()).unwrap();
        session.flush().unwrap();
    };
    let hidden = || {
        let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().starts_with('.')).count()
    };
    new_session();
    assert_eq!(hidden(), 1, "it lives");
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    assert_eq!(hidden(), 1, "it is dead");
    new_session();
    assert_eq!(hidden(), 0);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
}

/// Presence: a process that has the session open is named, and counts for nothing when it was killed.
#[test]
fn a_killed_holder_is_gone() {
    let dir = tempfile::tempdir().unwrap();
    let path = new_file(dir.path());
    let mut worker = Worker::start("hold", &path, Duration::from_secs(60));
    assert_eq!(worker.next().as_deref(), Some("ack open"));
    let elsewhere = |session: &SessionManager| {
        let problems = session.problems().iter();
        problems.filter(|problem| problem.kind == ProblemKind::OpenElsewhere).count()
    };
    assert_eq!(elsewhere(&announcing(&path).open(&path).unwrap()), 1);
    let error = announcing(&path).exclusive(true).open(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Locked);
    assert!(error.to_string().contains(&format!("(process {})", worker.child.id())), "{error}");
    worker.child.kill().unwrap();
    worker.child.wait().unwrap();
    assert_eq!(elsewhere(&announcing(&path).exclusive(true).open(&path).unwrap()), 0);
    assert_eq!(fs::read_dir(dir.path().join("run")).unwrap().count(), 0, "swept");
}
