//! What answers: anything that takes a request and gives a response.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::json;

const PATIENCE: Duration = Duration::from_secs(10);

/// Where a case is run: what a transport needs to know before its first request.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The agent directory (`DREB_CODING_AGENT_DIR`) of the case; it may not exist yet.
    pub agent_dir: PathBuf,
}

/// Takes a request of the line protocol (without `id`) and gives its response.
pub trait Transport {
    /// One request, one response; events in between are not for the runner.
    ///
    /// # Errors
    ///
    /// No response came; the text says why.
    fn call(&mut self, request: Value) -> Result<Value, String>;
}

impl<F: FnMut(Value) -> Value> Transport for F {
    fn call(&mut self, request: Value) -> Result<Value, String> {
        Ok(self(request))
    }
}

/// A child process that speaks the protocol on its standard input and output. It is ended when this is dropped.
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    sent: u64,
}

impl Process {
    /// Starts `program` with `arguments` for the agent directory of `launch`.
    ///
    /// # Errors
    ///
    /// The program does not start.
    pub fn start(program: &Path, arguments: &[&str], launch: &Launch) -> Result<Self, String> {
        let mut child = Command::new(program)
            .args(arguments)
            .env("DREB_CODING_AGENT_DIR", &launch.agent_dir)
            .env_remove("LOGWOOD_AGENT_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", program.display()))?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().ok_or("the process has no standard output")?;
        let (send, lines) = channel();
        std::thread::spawn(move || {
            let lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines.map(|line| send.send(line)).take_while(Result::is_ok).for_each(drop);
        });
        Ok(Self { child, stdin, lines, sent: 0 })
    }

    fn send(&mut self, line: &str) -> Result<(), String> {
        let stdin = self.stdin.as_mut().ok_or("the process has no standard input")?;
        let written = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
        written.map_err(|error| format!("the process takes no request: {error}"))
    }

    fn next(&self, until: Instant) -> Result<Value, String> {
        let left = until.saturating_duration_since(Instant::now());
        let line = self.lines.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("no answer within {} s", PATIENCE.as_secs()),
            RecvTimeoutError::Disconnected => "the process ended".into(),
        })?;
        json::decode(&line)
            .map_err(|error| format!("an answer that is no JSON ({error}): {line:.200}"))
    }
}

impl Transport for Process {
    fn call(&mut self, request: Value) -> Result<Value, String> {
        self.sent += 1;
        let id = format!("c{}", self.sent);
        let mut request = request;
        if let Some(map) = request.as_object_mut() {
            map.insert("id".into(), json!(id));
        }
        self.send(&(json::encode(&request) + "\n"))?;
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.next(until)?;
            if answer.get("type") == Some(&json!("response"))
                && answer.get("id") == Some(&json!(id))
            {
                return Ok(answer);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let until = Instant::now() + Duration::from_secs(5);
        while Instant::now() < until {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
