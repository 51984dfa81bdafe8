//! The state of one process of the protocol, and the way from a line to its answer.

use std::path::PathBuf;
use std::time::Duration;

use jiff::tz::TimeZone;
use logwood::deletion::Trash;
use logwood::error::{Error, ErrorKind};
use logwood::json::truncate_utf16;
use logwood::location::{AgentDir, Inventory, TranscriptSetting};
use logwood::performance::PerformanceLog;
use logwood::session::{NewSession, SessionManager, SessionOptions};

use super::subagents::Agents;
use super::subscribe::Subscriptions;
use super::table;
use crate::request::Request;
use crate::response::{Response, unreadable};

/// How a process of the protocol is started.
#[derive(Debug, Clone)]
pub struct RpcOptions {
    /// The working directory: of new sessions, of sessions that name none, and for relative paths.
    pub cwd: PathBuf,
    /// The agent directory: new sessions go to its default store, and the listings look there.
    pub agent_dir: Option<AgentDir>,
    /// The flat folder for sessions, where somebody chose one (an option, the settings, a hook); it is the inventory root too.
    pub session_dir: Option<PathBuf>,
    /// The sessions of the host, see [`HostInventory`](logwood::location::HostInventory); without it those of the agent directory.
    pub host: Option<Inventory>,
    /// How long a listing is silent before an event tells how far it is, and between two such events.
    pub progress_every: Duration,
    /// Opens every session only to be read.
    pub read_only: bool,
    /// The trash of this machine; without one `delete_session` deletes for good.
    pub trash: Trash,
    /// The zone in which a day begins and ends.
    pub zone: TimeZone,
    /// Where transcripts of subagents lie; without it in the default folder of the agent directory.
    pub transcripts: Option<TranscriptSetting>,
    /// The home directory, which `~` in a query means.
    pub home: Option<String>,
    /// The storage, the clock and the source of ids.
    pub sessions: SessionOptions,
}

impl Default for RpcOptions {
    fn default() -> Self {
        Self {
            cwd: PathBuf::new(),
            agent_dir: None,
            session_dir: None,
            host: None,
            progress_every: Duration::from_millis(250),
            read_only: false,
            trash: Trash::none(),
            zone: TimeZone::UTC,
            transcripts: None,
            home: None,
            sessions: SessionOptions::default(),
        }
    }
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
    /// Open since it was first asked for.
    pub(super) performance: Option<PerformanceLog>,
    pub(super) subscriptions: Subscriptions,
    pub(super) agents: Agents,
}

/// The name of an unknown command is not repeated further than this in the error's text.
const NAME_UNITS: usize = 200;

impl Dispatcher {
    /// Starts with a new session of the working directory; nothing of it is on disk.
    pub fn new(options: RpcOptions) -> Self {
        let session = first_session(&options);
        let (subscriptions, agents) = (Subscriptions::default(), Agents::default());
        Self { options, session, performance: None, subscriptions, agents }
    }

    /// The current session: what `open` or `in_memory` made last.
    pub fn session(&self) -> &SessionManager {
        &self.session
    }

    /// The answer to one line, without a line end; whatever the line holds there is exactly one.
    pub fn answer(&mut self, line: &[u8]) -> Vec<u8> {
        self.answer_with_events(line, &|_| {})
    }

    /// As [`answer`](Self::answer); `events` gets what is sent before the answer, one line without a line end each.
    pub fn answer_with_events(&mut self, line: &[u8], events: &dyn Fn(&[u8])) -> Vec<u8> {
        let request = match Request::parse(line) {
            Ok(request) => request.with_events(events),
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

/// A new session of the working directory, as dreb starts; in memory where no folder is known.
fn first_session(options: &RpcOptions) -> SessionManager {
    let cwd = options.cwd.to_string_lossy();
    let default = || options.agent_dir.as_ref().map(|dir| dir.session_dir(&cwd));
    let mut sessions = options.sessions.clone().read_only(options.read_only);
    if let Some(dir) = &options.session_dir {
        sessions = sessions.session_dir(dir);
    }
    let new = NewSession { cwd: Some(cwd.clone().into_owned()), ..NewSession::default() };
    let created = options.session_dir.clone().or_else(default).map(|dir| sessions.create(dir, new));
    created.and_then(Result::ok).unwrap_or_else(|| sessions.in_memory(cwd))
}

fn unknown(command: &str) -> Error {
    let name = truncate_utf16(command, NAME_UNITS);
    Error::new(ErrorKind::UnknownCommand, format!("Unknown command: {name}"))
}
