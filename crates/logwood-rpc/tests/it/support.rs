//! A dispatcher over a session file that a test writes.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use logwood::env::{Clock, IdSource};
use logwood::session::SessionOptions;
use logwood_rpc::{Dispatcher, RpcOptions};
use logwood_testkit::json::decode;
use serde_json::{Value, json};
use tempfile::TempDir;

/// The session of the examples in `doc/protocol.md`.
pub(crate) const EXAMPLE: &str = r#"{"type":"session","version":3,"id":"6f1d2c3b-0001-4a00-8000-00000000aaaa","timestamp":"2025-03-04T05:06:07.089Z","cwd":"/home/ana/shop"}
{"type":"message","id":"aa000001","parentId":null,"timestamp":"2025-03-04T05:06:11.000Z","message":{"role":"user","content":"plan the checkout page","timestamp":1741064771000}}
{"type":"message","id":"aa000002","parentId":"aa000001","timestamp":"2025-03-04T05:06:12.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Three steps."}],"provider":"anthropic","model":"claude-sonnet-4-5","stopReason":"stop","timestamp":1741064772000}}
42
{"type":"label","id":"aa000003","parentId":"aa000001","timestamp":"2025-03-04T05:06:13.000Z","targetId":"aa000001","label":"start"}
{"type":"session_info","id":"aa000004","parentId":"aa000002","timestamp":"2025-03-04T05:06:14.000Z","name":"Checkout"}
"#;

pub(crate) const HEADER: &str = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"timestamp\":\"2025-03-04T05:06:07.089Z\",\"cwd\":\"/p\"}\n";

/// Ids counted up, so that answers are the same in every run.
#[derive(Debug, Default)]
struct Counted(AtomicU64);

impl IdSource for Counted {
    fn new_uuid(&self) -> String {
        format!("00000000-0000-4000-8000-{:012x}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A clock that stands, so that the names of new files are the same in every run.
#[derive(Debug)]
struct Standing;

impl Clock for Standing {
    fn now_ms(&self) -> i64 {
        1_741_064_780_000
    }
}

/// A dispatcher whose working directory is an empty folder of its own.
pub(crate) struct Desk {
    pub(crate) dir: TempDir,
    pub(crate) rpc: Dispatcher,
}

impl Desk {
    pub(crate) fn empty() -> Self {
        Self::with(|options| options)
    }

    pub(crate) fn with(change: impl FnOnce(RpcOptions) -> RpcOptions) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let sessions =
            SessionOptions::new().ids(Arc::new(Counted::default())).clock(Arc::new(Standing));
        let options = RpcOptions { cwd: dir.path().to_owned(), sessions, ..Default::default() };
        Self { dir, rpc: Dispatcher::new(change(options)) }
    }

    /// With `bytes` as the open session `session.jsonl`.
    pub(crate) fn holding(bytes: &[u8]) -> Self {
        let mut desk = Self::empty();
        desk.write("session.jsonl", bytes);
        desk.data(json!({"type": "open", "path": "session.jsonl"}));
        desk
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.file(name), bytes).unwrap();
    }

    /// One request as text, its answer as text.
    pub(crate) fn line(&mut self, request: &str) -> String {
        String::from_utf8(self.rpc.answer(request.as_bytes())).unwrap()
    }

    pub(crate) fn ask(&mut self, request: Value) -> Value {
        decode(&self.line(&request.to_string())).unwrap()
    }

    /// The data of an answer that must be a success; null where it has none.
    pub(crate) fn data(&mut self, request: Value) -> Value {
        let answer = self.ask(request);
        assert_eq!(answer["success"], json!(true), "{answer}");
        answer["data"].clone()
    }

    /// The kind and the text of an answer that must be an error.
    pub(crate) fn error(&mut self, request: Value) -> (String, String) {
        let answer = self.ask(request);
        assert_eq!(answer["success"], json!(false), "{answer}");
        let text = |key: &str| answer[key].as_str().unwrap().to_owned();
        (text("errorKind"), text("error"))
    }
}

pub(crate) fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
