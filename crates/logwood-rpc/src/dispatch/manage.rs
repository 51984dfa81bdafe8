//! What concerns the current session as a whole: its file, its header, and the sessions that come out of it (spec 4.5, 4.6, 4.11).

use logwood::error::Result;
use logwood::json::JsonWriter;
use logwood::session::NewSession;

use super::Dispatcher;
use super::listing::{Chosen, current_session};
use super::open::{open_as_current, path_member};
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "new_session",
        about: "Makes a new session in the same folder the current one; the one before stays as it is. Nothing is on disk before its first assistant message.",
        fields: &[
            optional(
                "parentSession",
                FieldKind::Text,
                "the file it comes from; empty counts as none",
            ),
            optional(
                "cwd",
                FieldKind::Text,
                "its working directory; default: that of the session before",
            ),
        ],
        data: &[gives("cancelled", "false")],
        example: example(r#"{"type":"new_session"}"#, r#"{"cancelled":false}"#),
        run: new_session,
    },
    CommandSpec {
        name: "switch_session",
        about: "Opens another session file and makes it the current session, as dreb's command of this name does; a missing file is refused.",
        fields: &[required("sessionPath", FieldKind::Path, "the file")],
        data: &[gives("cancelled", "false")],
        example: example(
            r#"{"type":"switch_session","sessionPath":"/home/ana/session.jsonl"}"#,
            r#"{"cancelled":false}"#,
        ),
        run: |state, request, data| {
            open_as_current(state, &request.required("sessionPath")?, None, false)?;
            data.key("cancelled").bool(false);
            Ok(())
        },
    },
    CommandSpec {
        name: "create_branched_session",
        about: "Makes the branch that ends at an entry a session of its own and the current one, with its labels and the display name; the old file stays as it is.",
        fields: &[
            required("leafId", FieldKind::EntryId, "where the branch ends"),
            optional("cwd", FieldKind::Text, "its working directory; default: that of the session"),
        ],
        data: &[gives(
            "sessionFile",
            "the new file, there at once when the branch has an assistant message, else with its first; null in memory",
        )],
        example: example(
            r#"{"type":"create_branched_session","leafId":"aa000001"}"#,
            r#"{"sessionFile":"/home/ana/2025-03-04T05-06-20-000Z_00000000-0000-4000-8000-000000000001.jsonl"}"#,
        ),
        run: |state, request, data| {
            let (leaf, cwd) = (request.required("leafId")?, request.text("cwd"));
            state.session.create_branched_session(&leaf, cwd.as_deref())?;
            path_member(data, "sessionFile", state.session.session_file());
            Ok(())
        },
    },
    CommandSpec {
        name: "fork_from",
        about: "Copies a whole session, all branches, into a new one of another working directory, written at once, and makes it the current one; the source stays as it is.",
        fields: &[
            required("sourcePath", FieldKind::Path, "the file to copy"),
            required("targetCwd", FieldKind::Text, "the working directory of the copy"),
            optional(
                "sessionDir",
                FieldKind::Root,
                "the flat folder for the copy; default: that of the process, else the folder of `targetCwd` in the default store",
            ),
        ],
        data: &[
            gives("sessionFile", "the path of the new file"),
            gives("sessionId", "its session id"),
        ],
        example: example(
            r#"{"type":"fork_from","sourcePath":"/home/ana/session.jsonl","targetCwd":"/home/ana/site","sessionDir":"/home/ana"}"#,
            r#"{"sessionFile":"/home/ana/2025-03-04T05-06-20-000Z_00000000-0000-4000-8000-000000000001.jsonl","sessionId":"00000000-0000-4000-8000-000000000001"}"#,
        ),
        run: fork_from,
    },
    CommandSpec {
        name: "set_agent_type",
        about: "Records the agent in the header, for a subagent's session.",
        fields: &[required("agentType", FieldKind::Text, "the agent")],
        data: &[],
        example: example(r#"{"type":"set_agent_type","agentType":"Explore"}"#, ""),
        run: |state, request, _| state.session.set_agent_type(&request.required("agentType")?),
    },
    CommandSpec {
        name: "set_parent_session",
        about: "Records in the header which session this one came from; empty changes nothing.",
        fields: &[required("parentSession", FieldKind::Text, "the file it came from")],
        data: &[],
        example: example(
            r#"{"type":"set_parent_session","parentSession":"/home/ana/older.jsonl"}"#,
            "",
        ),
        run: |state, request, _| {
            state.session.set_parent_session(&request.required("parentSession")?)
        },
    },
    CommandSpec {
        name: "flush",
        about: "Writes a new session to its file now instead of with its first assistant message.",
        fields: &[],
        data: &[gives("sessionFile", "the file; null in memory")],
        example: example(r#"{"type":"flush"}"#, r#"{"sessionFile":"/home/ana/session.jsonl"}"#),
        run: |state, _, data| {
            state.session.flush()?;
            path_member(data, "sessionFile", state.session.session_file());
            Ok(())
        },
    },
    CommandSpec {
        name: "migrate",
        about: "Brings a file of version 1 or 2 to version 3 on disk; the original is kept beside it.",
        fields: &[],
        data: &[
            gives("sessionFile", "the file; null in memory"),
            gives("backup", "the copy of the original; null when nothing was to do"),
        ],
        example: example(
            r#"{"type":"migrate"}"#,
            r#"{"sessionFile":"/home/ana/session.jsonl","backup":null}"#,
        ),
        run: |state, _, data| {
            let backup = state.session.migrate()?;
            path_member(data, "sessionFile", state.session.session_file());
            path_member(data, "backup", backup.as_deref());
            Ok(())
        },
    },
];

fn fork_from(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let source = state.options.cwd.join(&*request.required("sourcePath")?);
    let named = request.root("sessionDir").map(|dir| state.options.cwd.join(&*dir));
    let chosen = Chosen::new(state, request.required("targetCwd")?.into_owned(), named);
    let options = chosen.options(state, true);
    state.session = options.fork_from(source, &chosen.cwd, &chosen.dir)?;
    current_session(state, data);
    Ok(())
}

fn new_session(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let parent = request.text("parentSession").filter(|parent| !parent.is_empty());
    state.session.new_session(NewSession {
        cwd: request.text("cwd").map(|cwd| cwd.into_owned()),
        parent_session: parent.map(|parent| parent.into_owned()),
        ..NewSession::default()
    })?;
    data.key("cancelled").bool(false);
    Ok(())
}
