//! The current session as a page (spec 8.10).

use std::path::PathBuf;

use logwood::error::{Error, ErrorKind, Result};
use logwood::json::JsonWriter;
use logwood_render::export::{Export, Format};
use logwood_render::redact::Redactor;
use logwood_render::write_file;

use super::Dispatcher;
use super::row::{CommandSpec, FieldKind, example, gives, optional};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "export_html",
    about: "Writes the current session, all branches, as one page of HTML that needs nothing else. Refused for a session in memory, and for one that is not on the disk yet; a file that is there is not written over without `force`.",
    fields: &[
        optional(
            "outputPath",
            FieldKind::Path,
            "the file; default: `dreb-session-` and the name of the session file, in the working directory of this process",
        ),
        optional("force", FieldKind::Flag, "writes over a file that is there"),
        optional("redact", FieldKind::Flag, "takes secrets out; fails when one is left"),
    ],
    data: &[gives("path", "the file that was written")],
    example: example(
        r#"{"type":"export_html","outputPath":"page.html"}"#,
        r#"{"path":"/home/ana/page.html"}"#,
    ),
    run: export_html,
}];

fn export_html(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let path = output(state, request)?;
    let redactor = (request.flag("redact") == Some(true)).then(Redactor::new);
    let export = Export {
        format: Format::Html,
        leaf: state.session.leaf(),
        hidden: false,
        redactor: redactor.as_ref(),
        home: None,
    };
    let force = request.flag("force") == Some(true);
    let storage = state.options.sessions.shared_storage();
    let source = state.session.session_file().unwrap_or(std::path::Path::new(""));
    write_file((source, &path), force, &*storage, |mut out| {
        export.write(&state.session, &mut out)
    })?;
    data.key("path").str(&path.to_string_lossy());
    Ok(())
}

/// Where it goes; refused in dreb's words where there is nothing to export.
fn output(state: &Dispatcher, request: &Request<'_>) -> Result<PathBuf> {
    let refused = |text: &str| Error::new(ErrorKind::InvalidArgument, text).without_hint();
    let Some(file) = state.session.session_file() else {
        return Err(refused("Cannot export in-memory session to HTML"));
    };
    let storage = state.options.sessions.shared_storage();
    if state.session.tree().is_empty() || storage.metadata(file).is_err() {
        return Err(refused("Nothing to export yet - start a conversation first"));
    }
    let named = request.text("outputPath").filter(|path| !path.is_empty());
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name =
        named.map_or_else(|| format!("dreb-session-{stem}.html"), std::borrow::Cow::into_owned);
    Ok(state.options.cwd.join(name))
}
