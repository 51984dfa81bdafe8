//! The subagents of the current session, found again on the disk, and what they said (spec 6.11, 8.13).

use std::path::{Path, PathBuf};

use logwood::context::Entries as _;
use logwood::entry::{Entry, EntryData, EntryKind};
use logwood::error::{Error, ErrorKind, Result};
use logwood::inventory::FileProblem;
use logwood::json::{JsonWriter, iso_from_ms};
use logwood::session::SessionManager;
use logwood::transcript::{
    BackgroundAgent, BackgroundAgents, log_files, read_messages, recover_children,
};

use super::Dispatcher;
use super::open::path_member;
use super::row::{CommandSpec, FieldKind, example, gives, required};
use crate::request::Request;
use crate::session_row::write_file_problem;

/// What dreb says where an agent has written nothing.
const NO_LOG: &str = "No session log found for this agent — it may not have produced output yet";

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "list_background_agents",
        about: "The subagents that the current session started, found again by their transcripts; a name that was given out stays. None before the session has a message.",
        fields: &[],
        data: &[
            gives(
                "agents",
                "rows: agentId (`rehydrated-<folder>`), agentType, taskSummary, startedAt, status (completed, failed), sessionDir, sessionFile, cwd?",
            ),
            gives(
                "problems",
                "folders and files that could not be read: path, kind, errorKind, message",
            ),
        ],
        example: example(r#"{"type":"list_background_agents"}"#, r#"{"agents":[],"problems":[]}"#),
        run: list_background_agents,
    },
    CommandSpec {
        name: "get_subagent_messages",
        about: "What a subagent said: every message of its transcript in file order, of a chain those of each step in order. An agent of which the session only records that its arbitration failed has said nothing.",
        fields: &[required(
            "agentId",
            FieldKind::Text,
            "the agent, as list_background_agents names it",
        )],
        data: &[gives("messages", "the messages")],
        example: example(
            r#"{"type":"get_subagent_messages","agentId":"a1b2c3d4e5f6"}"#,
            r#"{"messages":[]}"#,
        ),
        run: get_subagent_messages,
    },
];

/// The agents of one session.
#[derive(Debug, Default)]
pub(super) struct Agents {
    /// The file of the session whose agents these are.
    of: Option<PathBuf>,
    known: BackgroundAgents,
}

fn list_background_agents(
    state: &mut Dispatcher,
    _request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let problems = recover(state)?;
    data.key("agents").begin_array();
    state.agents.known.iter().for_each(|agent| agent_row(data, agent));
    data.end_array().key("problems").begin_array();
    problems.iter().for_each(|problem| write_file_problem(data, problem));
    data.end_array();
    Ok(())
}

/// Looks for the children of the current session; those of the one before are forgotten.
fn recover(state: &mut Dispatcher) -> Result<Vec<FileProblem>> {
    let file = state.session.session_file().map(Path::to_path_buf);
    if state.agents.of != file {
        state.agents = Agents { of: file.clone(), known: BackgroundAgents::default() };
    }
    let has_messages =
        || state.session.tree().nodes().any(|node| is(&state.session, node, EntryKind::Message));
    let (Some(file), Some(setting)) = (file, &state.options.transcripts) else {
        return Ok(Vec::new());
    };
    if !has_messages() {
        return Ok(Vec::new());
    }
    let cwd = state.options.cwd.join(state.session.cwd());
    let storage = state.options.sessions.shared_storage();
    let found = recover_children(&*storage, &setting.at(&cwd), &file)?;
    state.agents.known.take_in(found.children);
    Ok(found.problems)
}

fn is(session: &SessionManager, node: logwood::tree::NodeId, kind: EntryKind) -> bool {
    session.tree().kind(node) == kind
}

fn agent_row(data: &mut JsonWriter<'_>, agent: &BackgroundAgent) {
    let child = &agent.child;
    data.begin_object().key("agentId").str(&agent.id);
    data.key("agentType").str(&child.agent_type).key("taskSummary").str(&child.task_summary);
    data.key("startedAt").str(&iso_from_ms(child.started_ms).unwrap_or_default());
    data.key("status").str(child.status.as_str());
    path_member(data, "sessionDir", Some(&child.dir));
    path_member(data, "sessionFile", Some(&child.file));
    if let Some(cwd) = &child.cwd {
        data.key("cwd").str(cwd);
    }
    data.end_object();
}

fn get_subagent_messages(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let id = request.required("agentId")?;
    // A name that was given out is known; any other may be of a child that has come since.
    if state.agents.of.as_deref() != state.session.session_file()
        || state.agents.known.find(&id).is_none()
    {
        recover(state)?;
    }
    let storage = state.options.sessions.shared_storage();
    let files = match state.agents.known.find(&id) {
        Some(BackgroundAgent { child, .. }) => log_files(&*storage, &child.dir, &child.file)
            .map_err(|error| Error::io("cannot read the transcript in", &child.dir, error))?,
        None => Vec::new(),
    };
    if files.is_empty() && !only_failed(&state.session, &id)? {
        return Err(Error::new(ErrorKind::NotFound, NO_LOG).without_hint());
    }
    data.key("messages").begin_array();
    for file in &files {
        read_messages(&*storage, file, |message| {
            data.raw_lossy(message.bytes());
        })
        .map_err(|error| Error::io("cannot read the transcript", file, error))?;
    }
    data.end_array();
    Ok(())
}

/// Whether the session has records of the agent's arbitration, and all of them are failures: then it was never started.
fn only_failed(session: &SessionManager, agent: &str) -> Result<bool> {
    let mut failed = false;
    for node in session.tree().nodes().filter(|node| is(session, *node, EntryKind::Custom)) {
        let text = session.entry_text(node)?;
        let Ok(EntryData::Custom(custom)) = Entry::parse(&text).map(Entry::data) else { continue };
        let record = custom.arbitration();
        if let Some(record) = record.filter(|record| record.agent_id().as_deref() == Some(agent)) {
            if !record.is_failure() {
                return Ok(false);
            }
            failed = true;
        }
    }
    Ok(failed)
}
