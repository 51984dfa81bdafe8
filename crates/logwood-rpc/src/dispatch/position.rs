//! The current position; moving it writes nothing (spec 4.10).

use logwood::error::Result;
use logwood::json::JsonWriter;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use super::Dispatcher;
use super::entries::node_text;
use super::row::{CommandSpec, FieldKind, example, gives, required};
use crate::request::Request;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get_leaf_id",
        about: "The id of the current position; after opening, that of the last entry of the file.",
        fields: &[],
        data: &[gives("leafId", "the id; null before every entry")],
        example: example(r#"{"type":"get_leaf_id"}"#, r#"{"leafId":"aa000004"}"#),
        run: |state, _, data| {
            leaf_id(data, &state.session);
            Ok(())
        },
    },
    CommandSpec {
        name: "get_leaf_entry",
        about: "The entry at the current position.",
        fields: &[],
        data: &[gives("entry", "the entry; null before every entry")],
        example: example(
            r#"{"type":"get_leaf_entry"}"#,
            r#"{"entry":{"type":"session_info","id":"aa000004","parentId":"aa000002","timestamp":"2025-03-04T05:06:14.000Z","name":"Checkout"}}"#,
        ),
        run: |state, _, data| node_text(data, &state.session, state.session.leaf()),
    },
    CommandSpec {
        name: "branch",
        about: "Moves the current position to an entry; the next append becomes its child. Writes nothing.",
        fields: &[required("entryId", FieldKind::EntryId, "the entry")],
        data: &[],
        example: example(r#"{"type":"branch","entryId":"aa000002"}"#, ""),
        run: |state, request, _| state.session.move_leaf(&request.required("entryId")?),
    },
    CommandSpec {
        name: "reset_leaf",
        about: "Moves the current position before every entry; the next append starts another root. Writes nothing.",
        fields: &[],
        data: &[],
        example: example(r#"{"type":"reset_leaf"}"#, ""),
        run: |state, _, _| {
            state.session.reset_leaf();
            Ok(())
        },
    },
];

/// Writes the id of the current position.
pub(super) fn leaf_id(data: &mut JsonWriter<'_>, session: &SessionManager) {
    data.key("leafId");
    match session.leaf_id() {
        Some(id) => data.str(id),
        None => data.null(),
    };
}

/// The position that `leafId` names: null is the one before every entry, without it the current one counts.
pub(super) fn asked_leaf(state: &Dispatcher, request: &Request<'_>) -> Result<Option<NodeId>> {
    match request.raw("leafId") {
        None => Ok(state.session.leaf()),
        Some(leaf) => leaf.as_str().map(|id| state.session.require(&id)).transpose(),
    }
}
