//! Session files that go and that come from elsewhere (spec 6.12, 8.9).

use std::path::{Path, PathBuf};

use logwood::deletion::{DeleteReport, Deletion, Removal, Wording};
use logwood::error::{Error, ErrorKind, Result};
use logwood::import::Import;
use logwood::json::JsonWriter;

use super::Dispatcher;
use super::open::open_as_current;
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "delete_session",
        about: "Moves a session file, and the copies that logwood keeps beside it, to the trash; where there is no trash that works it is deleted for good, as dreb does. Refused, in this order: what does not end in .jsonl, the current session in any spelling and what another process has open, what is not there, what is no regular file, what has no session header.",
        fields: &[
            required("sessionPath", FieldKind::Path, "the file"),
            optional("permanent", FieldKind::Flag, "deletes it for good at once"),
        ],
        data: &[
            gives("method", "`trash` or `unlink`"),
            gives(
                "left",
                "copies beside it that could not be removed: path, error, errorKind; missing where there are none",
            ),
        ],
        example: example(
            r#"{"type":"delete_session","sessionPath":"/home/ana/archive/older.jsonl"}"#,
            r#"{"method":"unlink"}"#,
        ),
        run: delete_session,
    },
    CommandSpec {
        name: "import_jsonl",
        about: "Copies a session file into the folder of the current session, byte for byte and never over another file, and makes it the current session. Where the same bytes are in the folder already, that file is opened; another session of the same id is refused.",
        fields: &[required("inputPath", FieldKind::Path, "the file; it stays as it is")],
        data: &[gives("cancelled", "false")],
        example: example(
            r#"{"type":"import_jsonl","inputPath":"/home/ana/archive/older.jsonl"}"#,
            r#"{"cancelled":false}"#,
        ),
        run: import_jsonl,
    },
];

fn delete_session(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    require_writable(state, "cannot delete session")?;
    let path = request.required("sessionPath")?;
    let deletion = Deletion::new()
        .storage(state.options.sessions.shared_storage())
        .base(&state.options.cwd)
        .live(state.options.sessions.live_sessions().unwrap_or_default())
        .active(state.session.session_file().map(Path::to_path_buf))
        .wording(Wording::Dreb);
    let plan = deletion.plan(Path::new(&*path))?;
    let removal = match request.flag("permanent") {
        Some(true) => Removal::Unlink,
        _ => Removal::TrashOrUnlink,
    };
    report(deletion.apply(&plan, &state.options.trash, removal), &plan.session.path, data)
}

/// The session decides whether it was done; files beside it that stay are told.
fn report(report: DeleteReport, session: &Path, data: &mut JsonWriter<'_>) -> Result<()> {
    let mut left = Vec::new();
    for failed in report.failed {
        if failed.path == session {
            return Err(failed.error);
        }
        left.push(failed);
    }
    let method = report.removed.first().map_or("", |removed| removed.method.as_str());
    data.key("method").str(method);
    if !left.is_empty() {
        data.key("left").array(|rows| {
            for failed in &left {
                rows.object(|row| {
                    row.field_str("path", &failed.path.to_string_lossy());
                    row.field_str("error", &failed.error.to_string());
                    row.field_str("errorKind", failed.error.kind().as_str());
                });
            }
        });
    }
    Ok(())
}

fn import_jsonl(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    require_writable(state, "cannot import session")?;
    let source = state.options.cwd.join(&*request.required("inputPath")?);
    let import = Import::new(folder(state)?).storage(state.options.sessions.shared_storage());
    let imported = import.run(&source).map_err(|error| as_dreb(&source, error))?;
    open_as_current(state, &imported.path.to_string_lossy(), None, false)?;
    data.key("cancelled").bool(false);
    Ok(())
}

/// The folder of the current session; for one in memory, where dreb fails (F-19), that of new sessions.
fn folder(state: &Dispatcher) -> Result<PathBuf> {
    let own = Some(state.session.session_dir()).filter(|dir| !dir.as_os_str().is_empty());
    let chosen = || state.options.session_dir.clone();
    let default = || {
        let cwd = state.options.cwd.to_string_lossy();
        state.options.agent_dir.as_ref().map(|dir| dir.session_dir(&cwd))
    };
    own.map(Path::to_path_buf).or_else(chosen).or_else(default).ok_or_else(|| {
        Error::new(ErrorKind::InvalidArgument, "cannot import session")
            .with_why("the current session is in memory and no folder for sessions is known")
            .with_hint("open or create a session first, or start with --session-dir")
    })
}

/// What dreb's clients know: a missing file is named, and the command's own name for failures stands before it (spec 8.9, 8.12).
fn as_dreb(source: &Path, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let text = format!("Command failed: File not found: {}", source.display());
    Error::new(ErrorKind::NotFound, text).without_hint()
}

fn require_writable(state: &Dispatcher, what: &str) -> Result<()> {
    if !state.options.read_only {
        return Ok(());
    }
    Err(Error::new(ErrorKind::ReadOnly, what)
        .with_why("this process was started with --read-only")
        .with_hint("start one without it"))
}
