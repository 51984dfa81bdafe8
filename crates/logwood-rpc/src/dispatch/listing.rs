//! Sessions on disk: listings, the most recent one, and where a new one would go (spec 6.2 to 6.9, 8.13).

use std::collections::HashSet;
use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use logwood::error::{Error, Result};
use logwood::inventory::{Inventory, Listing, Place, Progress, ProgressFn, most_recent_in};
use logwood::json::{JsonWriter, write_object};
use logwood::location::{AgentDir, Inventory as Root, Layout, StoreKind};
use logwood::session::{NewSession, SessionOptions};

use super::Dispatcher;
use super::open::path_member;
use super::row::{CommandSpec, DataSpec, FieldKind, FieldSpec, example, gives, optional, required};
use crate::cwd::missing_cwds;
use crate::request::Request;
use crate::session_row::{live_rows, write_listing};

/// How long a listing waits for working directories to say that they are there.
const CWD_LIMIT: Duration = Duration::from_millis(250);

/// More threads than this read no faster.
pub(super) const MOST_THREADS: usize = 8;

const SESSION_DIR: FieldSpec = optional(
    "sessionDir",
    FieldKind::Root,
    "the flat folder of sessions; default: that of the process, else the folder of `cwd` in the default store",
);
const ROWS: DataSpec = gives(
    "sessions",
    "rows, the last active first: path, id, cwd, name?, created, modified, messageCount, firstMessage, parentSessionPath?, agentType?, title?, kind (main, fork, subagent), store, flags (future_timestamp, cwd_missing), status (complete, interrupted, error, aborted, empty), size, entryCount, branchCount, models, problems (kind, line, detail?, count), live (true where a process has it open, this one included; else missing)",
);
const PROBLEMS: DataSpec = gives(
    "problems",
    "files and folders that give no row: path, kind (unreadable_file, header_corrupt, not_a_session, empty_file), errorKind, message",
);
const TOTAL: DataSpec =
    gives("total", "how many sessions there are, those left out by `offset` and `limit` included");
const OFFSET: FieldSpec =
    optional("offset", FieldKind::Count, "leaves out this many of the first rows");
const LIMIT: FieldSpec = optional("limit", FieldKind::Count, "at most this many rows");
const SESSION_FILE: DataSpec = gives("sessionFile", "the path of its file");
const SESSION_ID: DataSpec = gives("sessionId", "the session id");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "create",
        about: "Makes a new session the current one. Nothing of it is on disk before its first assistant message, not even the folder.",
        fields: &[
            optional("cwd", FieldKind::Text, "its working directory; default: that of the process"),
            SESSION_DIR,
            optional(
                "customSessionInventory",
                FieldKind::Flag,
                "false: `sessionDir` does not become the inventory root that list_all_sessions reads",
            ),
            optional(
                "path",
                FieldKind::Path,
                "the file, in place of one in the folder; it must not be there",
            ),
        ],
        data: &[SESSION_FILE, SESSION_ID],
        example: example(
            r#"{"type":"create","cwd":"/home/ana/shop","sessionDir":"/home/ana"}"#,
            r#"{"sessionFile":"/home/ana/2025-03-04T05-06-20-000Z_00000000-0000-4000-8000-000000000001.jsonl","sessionId":"00000000-0000-4000-8000-000000000001"}"#,
        ),
        run: create,
    },
    CommandSpec {
        name: "continue_recent",
        about: "Opens the session of a working directory whose file changed last, subagents' left out; where there is none, a new one as `create` makes it.",
        fields: &[
            optional("cwd", FieldKind::Text, "the working directory; default: that of the process"),
            SESSION_DIR,
        ],
        data: &[SESSION_FILE, SESSION_ID, gives("resumed", "whether there was one")],
        example: example(
            r#"{"type":"continue_recent","cwd":"/home/ana/shop","sessionDir":"/home/ana"}"#,
            r#"{"sessionFile":"/home/ana/session.jsonl","sessionId":"6f1d2c3b-0001-4a00-8000-00000000aaaa","resumed":true}"#,
        ),
        run: continue_recent,
    },
    CommandSpec {
        name: "list_sessions",
        about: "The sessions of a working directory: those in its folder whose header names it, or names none.",
        fields: &[
            optional(
                "cwd",
                FieldKind::Text,
                "the working directory; default: that of the current session, in its folder",
            ),
            SESSION_DIR,
            OFFSET,
            LIMIT,
        ],
        data: &[ROWS, PROBLEMS, TOTAL],
        example: example(
            r#"{"type":"list_sessions"}"#,
            r#"{"sessions":[{"path":"/home/ana/session.jsonl","id":"6f1d2c3b-0001-4a00-8000-00000000aaaa","cwd":"/home/ana/shop","name":"Checkout","created":"2025-03-04T05:06:07.089Z","modified":"2025-03-04T05:06:12.000Z","messageCount":2,"firstMessage":"plan the checkout page","kind":"main","store":"","flags":["cwd_missing"],"status":"complete","size":842,"entryCount":4,"branchCount":2,"models":["anthropic/claude-sonnet-4-5"],"problems":[{"kind":"not_an_entry","line":4,"count":1}]}],"problems":[],"total":1}"#,
        ),
        run: list_sessions,
    },
    CommandSpec {
        name: "list_all_sessions",
        about: "All sessions: those of the inventory root that the current session carries, else those of every folder of the default store.",
        fields: &[OFFSET, LIMIT],
        data: &[ROWS, PROBLEMS, TOTAL],
        example: example(
            r#"{"type":"list_all_sessions"}"#,
            r#"{"sessions":[],"problems":[],"total":0}"#,
        ),
        run: list_all_sessions,
    },
    CommandSpec {
        name: "list_all_from_dir",
        about: "The sessions that lie directly in a folder, of every working directory; a folder that is not there has none.",
        fields: &[required("dir", FieldKind::Path, "the folder"), OFFSET, LIMIT],
        data: &[ROWS, PROBLEMS, TOTAL],
        example: example(
            r#"{"type":"list_all_from_dir","dir":"/home/ana/none"}"#,
            r#"{"sessions":[],"problems":[],"total":0}"#,
        ),
        run: list_all_from_dir,
    },
    CommandSpec {
        name: "list_host_sessions",
        about: "The sessions of the host, as dreb's dashboard counts them: those of the global `sessionDir` setting as it was when the process started, else those of the default store.",
        fields: &[OFFSET, LIMIT],
        data: &[ROWS, PROBLEMS, TOTAL],
        example: example(
            r#"{"type":"list_host_sessions"}"#,
            r#"{"sessions":[],"problems":[],"total":0}"#,
        ),
        run: list_host_sessions,
    },
];

fn create(state: &mut Dispatcher, request: &Request<'_>, data: &mut JsonWriter<'_>) -> Result<()> {
    let custom = request.flag("customSessionInventory").unwrap_or(true);
    let chosen = Chosen::of(state, request);
    let options = chosen.options(state, custom);
    let new = NewSession { cwd: Some(chosen.cwd), ..NewSession::default() };
    state.session = match request.text("path") {
        Some(path) => options.create_at(state.options.cwd.join(&*path), new)?,
        None => options.create(chosen.dir, new)?,
    };
    current_session(state, data);
    Ok(())
}

fn continue_recent(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let chosen = Chosen::of(state, request);
    let options = chosen.options(state, true);
    let storage = state.options.sessions.shared_storage();
    let root = chosen.root(state);
    let place = Place::new("", root.root, root.layout);
    let found = most_recent_in(&*storage, &place, &chosen.cwd)?;
    let resumed = found.is_some();
    state.session = match found {
        Some(path) => options.fallback_cwd(chosen.cwd).open(path)?,
        None => {
            let new = NewSession { cwd: Some(chosen.cwd), ..NewSession::default() };
            options.create(chosen.dir, new)?
        }
    };
    current_session(state, data);
    data.key("resumed").bool(resumed);
    Ok(())
}

pub(super) fn current_session(state: &Dispatcher, data: &mut JsonWriter<'_>) {
    path_member(data, "sessionFile", state.session.session_file());
    data.key("sessionId").str(state.session.session_id());
}

/// The working directory of a request, and the folder of its sessions.
pub(super) struct Chosen {
    pub(super) cwd: String,
    pub(super) dir: PathBuf,
    /// Whether somebody named the folder, so that it is an inventory root too.
    named: bool,
}

impl Chosen {
    pub(super) fn of(state: &Dispatcher, request: &Request<'_>) -> Self {
        let named = request.root("sessionDir").map(|dir| state.options.cwd.join(&*dir));
        let cwd = request.text("cwd").unwrap_or_else(|| state.options.cwd.to_string_lossy());
        Self::new(state, cwd.into_owned(), named)
    }

    pub(super) fn new(state: &Dispatcher, cwd: String, named: Option<PathBuf>) -> Self {
        let named = named.or_else(|| state.options.session_dir.clone());
        let default = || state.options.agent_dir.as_ref().map(|dir| dir.session_dir(&cwd));
        // Where no store is known, which only happens to a program that embeds this one.
        let dir = named.clone().or_else(default).unwrap_or_else(|| state.options.cwd.clone());
        Self { cwd, dir, named: named.is_some() }
    }

    /// Where the sessions of the working directory lie: in the folder, but oh-my-pi names its folders by a rule of its own, so there
    /// the whole default store is looked through.
    pub(super) fn root(&self, state: &Dispatcher) -> Root {
        let omp = state.options.agent_dir.as_ref().filter(|dir| dir.kind() == StoreKind::OhMyPi);
        match omp.map(AgentDir::sessions).filter(|store| self.dir.starts_with(store)) {
            Some(store) => Root { root: store, layout: Layout::Nested },
            None => Root { root: self.dir.clone(), layout: Layout::Flat },
        }
    }

    pub(super) fn options(&self, state: &Dispatcher, custom: bool) -> SessionOptions {
        let options = state.options.sessions.clone().read_only(state.options.read_only);
        if self.named && custom { options.session_dir(&self.dir) } else { options }
    }
}

fn list_sessions(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let chosen = match (request.text("cwd"), request.root("sessionDir")) {
        (None, None) => Chosen {
            cwd: state.session.cwd().to_owned(),
            dir: state.session.session_dir().to_path_buf(),
            named: false,
        },
        (Some(_), _) => Chosen::of(state, request),
        (None, Some(dir)) => {
            let dir = state.options.cwd.join(&*dir);
            Chosen::new(state, state.session.cwd().to_owned(), Some(dir))
        }
    };
    list(state, request, data, Some(chosen.root(state)), Some(&chosen.cwd))
}

fn list_all_sessions(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    list(state, request, data, root_of_all(state), None)
}

fn root_of_all(state: &Dispatcher) -> Option<Root> {
    let root = state.session.custom_session_inventory_root();
    let root = root.map(|root| Root { root: root.to_path_buf(), layout: Layout::Flat });
    root.or_else(|| default_root(state))
}

/// Where `list_all_sessions` looks.
pub(super) fn place_of_all(state: &Dispatcher) -> Option<Place> {
    let root = root_of_all(state).filter(|root| !root.root.as_os_str().is_empty())?;
    Some(place(state, root))
}

fn place(state: &Dispatcher, root: Root) -> Place {
    let kind = state.options.agent_dir.as_ref().map(|dir| dir.kind().as_str());
    Place::new(kind.unwrap_or_default(), root.root, root.layout)
}

fn list_all_from_dir(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let dir = state.options.cwd.join(&*request.required("dir")?);
    list(state, request, data, Some(Root { root: dir, layout: Layout::Flat }), None)
}

fn list_host_sessions(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let root = state.options.host.clone().or_else(|| default_root(state));
    list(state, request, data, root, None)
}

pub(super) fn default_root(state: &Dispatcher) -> Option<Root> {
    let dir = state.options.agent_dir.as_ref()?;
    Some(Root { root: dir.sessions(), layout: Layout::Nested })
}

/// Lists a root, sends progress while it takes long, and writes what there is. A root that cannot be read is an error, unless only
/// one project is wanted: then it is a problem (spec 6.2, 6.4).
fn list(
    state: &Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
    root: Option<Root>,
    cwd: Option<&str>,
) -> Result<()> {
    let root = root.filter(|root| !root.root.as_os_str().is_empty());
    let mut listing = match root {
        None => Listing::default(),
        Some(root) => read(state, request, root, cwd)?,
    };
    let total = listing.sessions.len();
    listing.sessions.drain(..request.count("offset").unwrap_or(0).min(total));
    listing.sessions.truncate(request.count("limit").unwrap_or(usize::MAX));
    let storage = state.options.sessions.shared_storage();
    let cwds = listing.sessions.iter().map(|row| row.cwd.as_str());
    let missing: HashSet<_> = missing_cwds(cwds, &storage, CWD_LIMIT);
    // Who has what open is a courtesy: a listing is right without it.
    let holders = state.options.sessions.live_sessions().unwrap_or_default();
    let live = live_rows(&listing.sessions, &holders, &*storage);
    write_listing(data, &listing, &missing, &live);
    data.key("total").u64(total as u64);
    Ok(())
}

pub(super) fn read(
    state: &Dispatcher,
    request: &Request<'_>,
    root: Root,
    cwd: Option<&str>,
) -> Result<Listing> {
    let storage = state.options.sessions.shared_storage();
    match storage.list(&root.root) {
        Err(error) if cwd.is_none() && error.kind() != io::ErrorKind::NotFound => {
            return Err(Error::io("cannot list sessions in", &root.root, error));
        }
        _ => {}
    }
    let place = place(state, root);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let inventory = Inventory::new()
        .storage(storage)
        .threads(threads.min(MOST_THREADS))
        .now_ms(state.options.sessions.now_ms());
    let run = |progress: ProgressFn<'_>| inventory.list_places(&[place], cwd, progress);
    Ok(with_progress(request, state.options.progress_every, run))
}

/// Runs a listing in a thread of its own while this one sends an event now and then, if somebody wants events.
pub(super) fn with_progress<T: Send>(
    request: &Request<'_>,
    every: Duration,
    run: impl FnOnce(ProgressFn<'_>) -> T + Send,
) -> T {
    let (sender, receiver) = mpsc::channel();
    let note = move |progress: Progress<'_>| {
        // Nobody listens once this thread is gone, and then the listing is not wanted.
        match sender.send((progress.loaded, progress.total)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    };
    std::thread::scope(|scope| {
        let worker = scope.spawn(move || run(&note));
        let (mut last, mut most) = (Instant::now(), 0);
        for (loaded, total) in receiver {
            most = most.max(loaded);
            if last.elapsed() >= every {
                request.send_event(|| progress_event(request, most, total));
                last = Instant::now();
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn progress_event(request: &Request<'_>, loaded: usize, total: usize) -> Vec<u8> {
    write_object(|event| {
        event.field_str("type", "progress");
        if let Some(id) = request.id {
            event.field_raw_lossy("id", id.bytes());
        }
        event.field_str("command", &request.command);
        event.field_u64("loaded", loaded as u64).field_u64("total", total as u64);
    })
}
