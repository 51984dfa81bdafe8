//! What makes another session the current one.

use std::borrow::Cow;
use std::path::Path;

use logwood::error::Result;
use logwood::json::{ArrayWriter, JsonWriter};
use logwood::problem::Problem;
use logwood::session::SessionManager;

use super::Dispatcher;
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "open",
        about: "Opens a session file and makes it the current session. Nothing on disk changes; when it fails the current session stays.",
        fields: &[
            required(
                "path",
                FieldKind::Path,
                "the file; a relative path starts at the working directory of the process",
            ),
            optional(
                "sessionDir",
                FieldKind::Root,
                "the folder for sessions that are made from this one; default: `--session-dir`, else the folder of the file",
            ),
            optional(
                "readOnly",
                FieldKind::Flag,
                "refuses every command that would write; default: `--read-only`",
            ),
        ],
        data: &[
            gives("sessionFile", "the path of the file"),
            gives("sessionId", "the session id"),
            gives(
                "problems",
                "what was wrong and survivable, in file order: kind, line, byte, entry? (its id, where the file names it), detail?, message",
            ),
        ],
        example: example(
            r#"{"type":"open","path":"/home/ana/session.jsonl"}"#,
            r#"{"sessionFile":"/home/ana/session.jsonl","sessionId":"6f1d2c3b-0001-4a00-8000-00000000aaaa","problems":[{"kind":"not_an_entry","line":4,"byte":588,"message":"the line is JSON but no entry; it is skipped and stays in the file"}]}"#,
        ),
        run: open,
    },
    CommandSpec {
        name: "in_memory",
        about: "Makes a new session that is never written to disk the current session; get_session_id tells its id.",
        fields: &[
            optional("cwd", FieldKind::Text, "its working directory; default: that of the process"),
            optional(
                "customSessionInventoryRoot",
                FieldKind::Path,
                "the flat inventory root that it carries",
            ),
        ],
        data: &[],
        example: example(r#"{"type":"in_memory","cwd":"/home/ana/shop"}"#, ""),
        run: in_memory,
    },
];

fn open(state: &mut Dispatcher, request: &Request<'_>, data: &mut JsonWriter<'_>) -> Result<()> {
    let read_only = request.flag("readOnly").unwrap_or_default();
    let session_dir = request.root("sessionDir");
    open_as_current(state, &request.required("path")?, session_dir.as_deref(), read_only)?;
    path_member(data, "sessionFile", state.session.session_file());
    data.key("sessionId").str(state.session.session_id());
    problems(data, &state.session);
    Ok(())
}

/// Opens a session file and makes it the current session; when it fails the current session stays.
pub(super) fn open_as_current(
    state: &mut Dispatcher,
    path: &str,
    session_dir: Option<&str>,
    read_only: bool,
) -> Result<()> {
    let mut options = state.options.sessions.clone();
    options = options
        .read_only(read_only || state.options.read_only)
        .fallback_cwd(state.options.cwd.to_string_lossy());
    let asked = session_dir.map(|dir| state.options.cwd.join(dir));
    if let Some(dir) = asked.or_else(|| state.options.session_dir.clone()) {
        options = options.session_dir(dir);
    }
    state.session = options.open(state.options.cwd.join(path))?;
    Ok(())
}

fn in_memory(state: &mut Dispatcher, request: &Request<'_>, _: &mut JsonWriter<'_>) -> Result<()> {
    let mut options = state.options.sessions.clone();
    if let Some(root) = request.text("customSessionInventoryRoot") {
        options = options.custom_session_inventory_root(&*root);
    }
    let cwd = request.text("cwd").unwrap_or_else(|| state.options.cwd.to_string_lossy());
    state.session = options.in_memory(cwd);
    Ok(())
}

fn problems(data: &mut JsonWriter<'_>, session: &SessionManager) {
    // The entries of version 1 have ids only in memory: their line says which they are.
    let named = !(session.needs_migration() && session.header().version() < 2);
    data.key("problems").array(|rows| {
        for problem in session.problems() {
            problem_row(rows, problem, problem.entry.as_deref().filter(|_| named));
        }
    });
}

fn problem_row(rows: &mut ArrayWriter<'_>, problem: &Problem, entry: Option<&str>) {
    rows.object(|row| {
        row.field_str("kind", problem.kind.as_str());
        if let Some(position) = problem.position {
            row.field_u64("line", position.line).field_u64("byte", position.byte);
        }
        row.field_opt_str("entry", entry);
        row.field_opt_str("detail", problem.detail.as_deref());
        row.field_str("message", problem.kind.describe());
    });
}

/// Writes a path, null where there is none; one that is not UTF-8 is shown lossily and marked by `<key>Lossy`.
pub(crate) fn path_member(data: &mut JsonWriter<'_>, key: &str, path: Option<&Path>) {
    let text = path.map(Path::to_string_lossy);
    data.key(key);
    match &text {
        Some(text) => data.str(text),
        None => data.null(),
    };
    if matches!(text, Some(Cow::Owned(_))) {
        data.key(&format!("{key}Lossy")).bool(true);
    }
}
