//! The state of one process of the protocol, and the way from a line to its answer.

use std::path::PathBuf;

use logwood::error::{Error, ErrorKind};
use logwood::json::truncate_utf16;
use logwood::session::{SessionManager, SessionOptions};

use super::table;
use crate::request::Request;
use crate::response::{Response, unreadable};

/// How a process of the protocol is started.
#[derive(Debug, Clone, Default)]
pub struct RpcOptions {
    /// The working directory: of new sessions, of sessions that name none, and for relative paths.
    pub cwd: PathBuf,
    /// The agent directory; the listings look there.
    pub agent_dir: Option<PathBuf>,
    /// The folder for new sessions, where one was chosen.
    pub session_dir: Option<PathBuf>,
    /// Opens every session only to be read.
    pub read_only: bool,
    /// The storage, the clock and the source of ids.
    pub sessions: SessionOptions,
}

/// Answers requests on one current session.
///
/// ```
/// use logwood_rpc::{Dispatcher, RpcOptions};
///
/// let mut dispatcher = Dispatcher::new(RpcOptions::default());
/// let answer = dispatcher.answer(br#"{"type":"nope"}"#);
/// assert!(answer.ends_with(br#""error":"Unknown command: nope","errorKind":"unknown_command"}"#));
/// ```
#[derive(Debug)]
pub struct Dispatcher {
    pub(super) options: RpcOptions,
    pub(super) session: SessionManager,
}

/// The name of an unknown command is not repeated further than this in the error's text.
const NAME_UNITS: usize = 200;

impl Dispatcher {
    /// Starts with a new session of the working directory; nothing of it is on disk.
    pub fn new(options: RpcOptions) -> Self {
        let session = options.sessions.in_memory(options.cwd.to_string_lossy());
        Self { options, session }
    }

    /// The current session: what `open` or `in_memory` made last.
    pub fn session(&self) -> &SessionManager {
        &self.session
    }

    /// The answer to one line, without a line end; whatever the line holds there is exactly one.
    pub fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        let request = match Request::parse(line) {
            Ok(request) => request,
            Err(refused) => return unreadable(refused.id, &refused.error),
        };
        let response = Response::to(&request);
        match table::find(&request.command) {
            None => response.fail(&unknown(&request.command)),
            Some(command) => response.finish(|data| {
                request.check(command.fields)?;
                (command.run)(self, &request, data)
            }),
        }
    }
}

fn unknown(command: &str) -> Error {
    let name = truncate_utf16(command, NAME_UNITS);
    Error::new(ErrorKind::UnknownCommand, format!("Unknown command: {name}"))
}
