//! Moving through the tree so that something is left behind or comes out of it (spec 4.10, 8.2, 8.3).

use logwood::error::{Error, ErrorKind, Result};
use logwood::json::JsonWriter;
use logwood::session::Navigation;

use super::Dispatcher;
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "branch_with_summary",
        about: "Moves to an entry, or before every entry, and appends there a summary of the branch that is left.",
        fields: &[
            optional(
                "branchFromId",
                FieldKind::Position,
                "the entry; null or missing: before every entry",
            ),
            required("summary", FieldKind::Text, "the summary"),
            optional("details", FieldKind::Json, "what its maker stores with it"),
            optional("fromHook", FieldKind::Flag, "whether an extension made it"),
        ],
        data: &[gives("entryId", "the id of the summary")],
        example: example(
            r#"{"type":"branch_with_summary","branchFromId":"aa000001","summary":"Three steps were too many."}"#,
            r#"{"entryId":"00000000"}"#,
        ),
        run: branch_with_summary,
    },
    CommandSpec {
        name: "navigate_tree",
        about: "Goes to an entry as dreb's /tree does: a user or custom message is taken back to be edited, anything else is the new position. What `summarize` would ask a model for is given as `summary`.",
        fields: &[
            required("targetId", FieldKind::EntryId, "the entry"),
            optional("summarize", FieldKind::Flag, "whether `summary` counts; default: it does"),
            optional("summary", FieldKind::Text, "a summary of the branch that is left"),
            optional(
                "label",
                FieldKind::Text,
                "a label, on the summary where there is one, else on the target",
            ),
        ],
        data: &[
            gives("cancelled", "false"),
            gives("editorText", "the text of the message that was taken back; missing for others"),
        ],
        example: example(
            r#"{"type":"navigate_tree","targetId":"aa000001"}"#,
            r#"{"cancelled":false,"editorText":"plan the checkout page"}"#,
        ),
        run: navigate_tree,
    },
    CommandSpec {
        name: "fork",
        about: "Makes a session of its own of the branch up to an answer, or up to just before a user message, as dreb's /fork does.",
        fields: &[required("entryId", FieldKind::EntryId, "the message; see get_fork_messages")],
        data: &[
            gives("text", "the text of the user message, to be edited and sent again"),
            gives("cancelled", "false"),
        ],
        example: example(
            r#"{"type":"fork","entryId":"aa000001"}"#,
            r#"{"text":"plan the checkout page","cancelled":false}"#,
        ),
        run: fork,
    },
];

fn branch_with_summary(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let from = request.text("branchFromId");
    let summary = request.required("summary")?;
    let (details, from_hook) = (request.json("details")?, request.flag("fromHook"));
    let id = state.session.branch_with_summary(from.as_deref(), summary, details, from_hook)?;
    data.key("entryId").str(&id);
    Ok(())
}

fn navigate_tree(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let target = request.required("targetId")?;
    let wanted = request.flag("summarize").unwrap_or(true);
    let leaving = Navigation {
        summary: request.text("summary").filter(|_| wanted).map(|text| text.into_owned()),
        label: request.text("label").map(|label| label.into_owned()),
        ..Navigation::default()
    };
    let navigated = state.session.navigate(&target, leaving).map_err(|error| {
        as_dreb(error, ErrorKind::EntryNotFound, &format!("Entry {target} not found"))
    })?;
    data.key("cancelled").bool(false);
    if let Some(text) = navigated.text {
        data.key("editorText").str(&text);
    }
    Ok(())
}

fn fork(state: &mut Dispatcher, request: &Request<'_>, data: &mut JsonWriter<'_>) -> Result<()> {
    let text = state.session.fork(&request.required("entryId")?, None).map_err(|error| {
        let text = format!("Command failed: {}", error.summary());
        as_dreb(error, ErrorKind::InvalidArgument, &text)
    })?;
    data.key("text").str(&text).key("cancelled").bool(false);
    Ok(())
}

/// An error of `kind` in dreb's words, without advice; any other as it is.
fn as_dreb(error: Error, kind: ErrorKind, text: &str) -> Error {
    if error.kind() == kind { Error::new(kind, text).without_hint() } else { error }
}
