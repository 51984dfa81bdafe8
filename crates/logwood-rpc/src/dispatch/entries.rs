//! Entries one by one, in lists and in windows.

use std::borrow::Cow;

use logwood::context::Entries as _;
use logwood::error::Result;
use logwood::json::JsonWriter;
use logwood::session::SessionManager;
use logwood::tree::{NodeId, SessionTree};

use super::Dispatcher;
use super::node::Envelopes;
use super::row::{CommandSpec, FieldKind, example, gives, optional, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get_entries",
        about: "The entries in file order. With any of the fields it is a window, where an id that stands on several lines is one entry: at the place of its first line, with the content of its last.",
        fields: &[
            optional("since", FieldKind::EntryId, "only entries after this one"),
            optional("before", FieldKind::EntryId, "only entries before this one"),
            optional(
                "limit",
                FieldKind::Count,
                "at most this many: the first ones after `since`, without it the last ones before `before` or the end",
            ),
            optional(
                "bodies",
                FieldKind::Flag,
                "false gives envelopes only (id, parentId, type, role?, timestamp, label?) and reads no bodies",
            ),
        ],
        data: &[
            gives("entries", "the entries"),
            gives("more", "for a window: whether `limit` left entries of it out"),
        ],
        example: example(
            r#"{"type":"get_entries","limit":2,"bodies":false}"#,
            r#"{"entries":[{"id":"aa000003","parentId":"aa000001","type":"label","timestamp":"2025-03-04T05:06:13.000Z"},{"id":"aa000004","parentId":"aa000002","type":"session_info","timestamp":"2025-03-04T05:06:14.000Z"}],"more":true}"#,
        ),
        run: get_entries,
    },
    CommandSpec {
        name: "get_entry",
        about: "One entry.",
        fields: &[required("entryId", FieldKind::EntryId, "its id")],
        data: &[gives("entry", "the entry; null where there is none with that id")],
        example: example(
            r#"{"type":"get_entry","entryId":"aa000001"}"#,
            r#"{"entry":{"type":"message","id":"aa000001","parentId":null,"timestamp":"2025-03-04T05:06:11.000Z","message":{"role":"user","content":"plan the checkout page","timestamp":1741064771000}}}"#,
        ),
        run: |state, request, data| {
            let node = state.session.tree().find(&request.required("entryId")?);
            node_text(data, &state.session, node)
        },
    },
    CommandSpec {
        name: "get_label",
        about: "The label of an entry.",
        fields: &[required("entryId", FieldKind::EntryId, "the id of the entry")],
        data: &[gives("label", "the label; null where there is none")],
        example: example(r#"{"type":"get_label","entryId":"aa000001"}"#, r#"{"label":"start"}"#),
        run: get_label,
    },
    CommandSpec {
        name: "get_children",
        about: "The entries whose parent is this one, in file order; also of an id that is not in the file.",
        fields: &[required("parentId", FieldKind::EntryId, "the id of the parent")],
        data: &[gives("entries", "the entries")],
        example: example(
            r#"{"type":"get_children","parentId":"aa000002"}"#,
            r#"{"entries":[{"type":"session_info","id":"aa000004","parentId":"aa000002","timestamp":"2025-03-04T05:06:14.000Z","name":"Checkout"}]}"#,
        ),
        run: get_children,
    },
    CommandSpec {
        name: "get_branch",
        about: "The path from the root to an entry, both included.",
        fields: &[optional(
            "fromId",
            FieldKind::EntryId,
            "the entry; default: the current position",
        )],
        data: &[gives(
            "entries",
            "the entries, root first; empty for an unknown id and before every entry",
        )],
        example: example(
            r#"{"type":"get_branch","fromId":"aa000001"}"#,
            r#"{"entries":[{"type":"message","id":"aa000001","parentId":null,"timestamp":"2025-03-04T05:06:11.000Z","message":{"role":"user","content":"plan the checkout page","timestamp":1741064771000}}]}"#,
        ),
        run: get_branch,
    },
];

const WINDOW_FIELDS: [&str; 4] = ["since", "before", "limit", "bodies"];

fn get_entries(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let asked = |field: &&str| request.raw(field).is_some_and(|value| !value.is_null());
    if WINDOW_FIELDS.iter().any(asked) {
        return window(&state.session, request, data);
    }
    data.key("entries").begin_array();
    for line in state.session.entries() {
        data.raw_lossy(&state.session.line_text(&line)?);
    }
    data.end_array();
    Ok(())
}

fn window(
    session: &SessionManager,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let place = |field: &str| -> Result<Option<usize>> {
        request.text(field).map(|id| Ok(session.require(&id)?.index())).transpose()
    };
    let since = place("since")?;
    let start = since.map_or(0, |since| since + 1);
    let end = place("before")?.unwrap_or(session.tree().len()).max(start);
    let count = (end - start).min(request.count("limit").unwrap_or(usize::MAX));
    let skip = if since.is_some() { start } else { end - count };
    let nodes = session.tree().nodes().skip(skip).take(count);
    if request.flag("bodies").unwrap_or(true) {
        texts(data, session, nodes)?;
    } else {
        envelopes(data, session, nodes)?;
    }
    data.key("more").bool(count < end - start);
    Ok(())
}

fn envelopes(
    data: &mut JsonWriter<'_>,
    session: &SessionManager,
    nodes: impl Iterator<Item = NodeId>,
) -> Result<()> {
    let envelopes = Envelopes::of(session);
    data.key("entries").begin_array();
    for node in nodes {
        data.begin_object();
        envelopes.head(data, node)?;
        data.end_object();
    }
    data.end_array();
    Ok(())
}

fn get_label(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    data.key("label");
    match state.session.tree().labels().get(&request.required("entryId")?) {
        Some(label) => data.str(label),
        None => data.null(),
    };
    Ok(())
}

fn get_children(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let tree = state.session.tree();
    let parent = request.required("parentId")?;
    match tree.find(&parent) {
        Some(parent) => texts(data, &state.session, tree.children(parent)),
        None => texts(data, &state.session, orphans(tree, &parent)),
    }
}

/// The entries that name a parent which is not there.
fn orphans<'a>(tree: &'a SessionTree, parent: &'a str) -> impl Iterator<Item = NodeId> + 'a {
    tree.nodes().filter(move |node| tree.missing_parent(*node) == Some(parent))
}

fn get_branch(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let tree = state.session.tree();
    let from = match request.text("fromId") {
        Some(id) => tree.find(&id),
        None => tree.leaf(),
    };
    let path = from.map(|from| tree.branch(from)).unwrap_or_default();
    texts(data, &state.session, path.into_iter())
}

/// Writes entries as they are stored.
fn texts(
    data: &mut JsonWriter<'_>,
    session: &SessionManager,
    nodes: impl Iterator<Item = NodeId>,
) -> Result<()> {
    data.key("entries").begin_array();
    for node in nodes {
        data.raw_lossy(&session.entry_text(node)?);
    }
    data.end_array();
    Ok(())
}

/// Writes one entry as it is stored, null where there is none.
pub(super) fn node_text(
    data: &mut JsonWriter<'_>,
    session: &SessionManager,
    node: Option<NodeId>,
) -> Result<()> {
    let text = node.map(|node| session.entry_text(node)).transpose()?;
    data.key("entry").raw_lossy(&text.unwrap_or(Cow::Borrowed(b"null")));
    Ok(())
}
