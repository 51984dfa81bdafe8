//! Runs the program with a fixed zone, clock, width and home, and none of the caller's settings.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the repository; the commands run there, so that paths print as `examples/agent/…`.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program, ready to run.
pub(crate) fn logwood(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_logwood"));
    command.args(words).current_dir(root()).env_clear();
    command.env("TZ", "UTC").env("LOGWOOD_NOW", "2026-12-01T12:00:00.000Z");
    command.env("HOME", std::env::temp_dir().join("logwood-no-home"));
    command
}

/// What a run printed, with its exit code.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code().unwrap(),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

/// Runs the program.
pub(crate) fn run(words: &[&str]) -> Ran {
    logwood(words).output().unwrap().into()
}

/// Runs the program on the example sessions.
pub(crate) fn example(words: &[&str]) -> Ran {
    run(&[&["--agent-dir", "examples/agent"], words].concat())
}

/// What a run on the example sessions printed; it has to be done and to say nothing else.
pub(crate) fn printed(words: &[&str]) -> String {
    let ran = example(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    ran.out
}

/// A folder with session files of its own.
pub(crate) struct Store {
    dir: tempfile::TempDir,
}

impl Store {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// Writes a file and gives its path as text.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    }

    pub(crate) fn path(&self) -> String {
        self.dir.path().to_str().unwrap().to_owned()
    }
}

/// A session file: a header and one message.
pub(crate) fn session(id: &str, cwd: &str, text: &str, time: &str) -> String {
    let header = serde_json::json!({"type": "session", "version": 3, "id": id, "timestamp": time, "cwd": cwd});
    let entry = serde_json::json!({
        "type": "message", "id": "a1a1a1a1", "parentId": null, "timestamp": time,
        "message": {"role": "user", "content": text},
    });
    format!("{header}\n{entry}\n")
}
