//! The tree, nested as dreb gives it or as a flat list (spec 8.13).

use logwood::error::{Error, ErrorKind, Result};
use logwood::json::JsonWriter;
use logwood::session::SessionManager;

use super::Dispatcher;
use super::node::Envelopes;
use super::position::leaf_id;
use super::preview::preview;
use super::row::{CommandSpec, FieldKind, example, gives, optional};
use crate::request::Request;

/// Nodes may be nested this deep; many JSON readers give up at a few hundred levels, and each node is two.
const DEEPEST: usize = 1000;

pub(super) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "get_tree",
    about: "The tree of entries, children by time. Nested deeper than 1,000 nodes it is refused with `too_large`; `flat` has no such limit.",
    fields: &[optional(
        "flat",
        FieldKind::Flag,
        "gives one list of nodes, parents before children, each with its depth from 0",
    )],
    data: &[
        gives(
            "roots",
            "the root nodes: id, parentId, type, role?, preview, timestamp, label?, children",
        ),
        gives(
            "nodes",
            "with `flat`, in place of roots: id, parentId, type, role?, preview, timestamp, label?, depth",
        ),
        gives("leafId", "the current position"),
    ],
    example: example(
        r#"{"type":"get_tree","flat":true}"#,
        r#"{"nodes":[{"id":"aa000001","parentId":null,"type":"message","role":"user","preview":"plan the checkout page","timestamp":"2025-03-04T05:06:11.000Z","label":"start","depth":0},{"id":"aa000002","parentId":"aa000001","type":"message","role":"assistant","preview":"Three steps.","timestamp":"2025-03-04T05:06:12.000Z","depth":1},{"id":"aa000004","parentId":"aa000002","type":"session_info","preview":"[title: Checkout]","timestamp":"2025-03-04T05:06:14.000Z","depth":2},{"id":"aa000003","parentId":"aa000001","type":"label","preview":"[label: start]","timestamp":"2025-03-04T05:06:13.000Z","depth":1}],"leafId":"aa000004"}"#,
    ),
    run: get_tree,
}];

fn get_tree(
    state: &mut Dispatcher,
    request: &Request<'_>,
    data: &mut JsonWriter<'_>,
) -> Result<()> {
    let session = &state.session;
    if request.flag("flat").unwrap_or_default() {
        flat(data, session)?;
    } else {
        check_depth(session)?;
        nested(data, session)?;
    }
    leaf_id(data, session);
    Ok(())
}

fn check_depth(session: &SessionManager) -> Result<()> {
    let deepest = session.tree().walk().map(|visit| visit.depth + 1).max().unwrap_or_default();
    if deepest <= DEEPEST {
        return Ok(());
    }
    Err(Error::new(ErrorKind::TooLarge, "cannot give the tree nested")
        .with_why(format!("it is {deepest} nodes deep, more than {DEEPEST}"))
        .with_hint("ask with `\"flat\":true` for a list of nodes with their depth"))
}

fn flat(data: &mut JsonWriter<'_>, session: &SessionManager) -> Result<()> {
    let envelopes = Envelopes::of(session);
    data.key("nodes").begin_array();
    for visit in session.tree().walk() {
        data.begin_object();
        envelopes.members(data, visit.node, |data, entry, text| {
            data.key("preview").str(&preview(entry, text));
        })?;
        data.key("depth").u64(visit.depth as u64).end_object();
    }
    data.end_array();
    Ok(())
}

/// Children follow their parent in the walk, so each node closes those that are at least as deep.
fn nested(data: &mut JsonWriter<'_>, session: &SessionManager) -> Result<()> {
    let envelopes = Envelopes::of(session);
    let mut open = 0;
    data.key("roots").begin_array();
    for visit in session.tree().walk() {
        close(data, open - visit.depth.min(open));
        data.begin_object();
        envelopes.members(data, visit.node, |data, entry, text| {
            data.key("preview").str(&preview(entry, text));
        })?;
        data.key("children").begin_array();
        open = visit.depth + 1;
    }
    close(data, open);
    data.end_array();
    Ok(())
}

fn close(data: &mut JsonWriter<'_>, nodes: usize) {
    for _ in 0..nodes {
        data.end_array().end_object();
    }
}
