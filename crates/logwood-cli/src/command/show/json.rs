//! A session as one JSON object: what it is, and its entries as they stand in the file.

use logwood::context::{Entries as _, settings_at};
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::json_view::{model, problem};
use crate::output::{Object, array};

/// Prints the object; `entries` comes last and is written as it is read.
pub(super) fn print(
    session: &SessionManager,
    leaf: Option<NodeId>,
    nodes: &[NodeId],
    app: &mut App,
) -> Result<()> {
    let tree = session.tree();
    let header = session.header();
    let settings = settings_at(session, leaf)?;
    let file = session.session_file().map(|file| file.to_string_lossy());
    let branches = tree.nodes().filter(|node| tree.children(*node).next().is_none()).count();
    let object = Object::new()
        .str_or_null("sessionFile", file.as_deref())
        .str("sessionId", session.session_id())
        .str_or_null("sessionName", session.session_name())
        .opt_str("title", session.title())
        .str("cwd", session.cwd())
        .str_or_null("timestamp", header.timestamp().as_deref())
        .num("version", u64::from(header.version()))
        .opt_str("parentSession", header.parent_session().as_deref())
        .opt_str("agentType", header.agent_type().as_deref())
        .json("model", &model(settings.model.as_ref()))
        .json("chosenModel", &model(settings.chosen_model.as_ref()))
        .str("thinkingLevel", &settings.thinking_level)
        .num("entryCount", tree.len() as u64)
        .num("branchCount", branches as u64)
        .str_or_null("leafId", leaf.map(|leaf| tree.id(leaf)))
        .json("problems", &array(session.problems().iter().map(problem)));
    let entries = nodes.iter().map(|node| {
        let text = session.entry_text(*node)?;
        Ok::<_, CommandError>(String::from_utf8_lossy(&text).into_owned())
    });
    app.out.json_with_list(object, "entries", entries)
}
