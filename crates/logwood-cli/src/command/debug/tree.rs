//! Stage 3: the nodes of the tree, with their links as they were settled.

use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::output::{Line, Object, array, string, style};

pub(super) fn run(session: &SessionManager, app: &mut App) -> Result<()> {
    let tree = session.tree();
    if app.globals.json {
        let rows = tree.nodes().map(|node| Ok::<_, CommandError>(json(session, node)));
        return app.out.json_list(rows);
    }
    let heading = format!("{:>7}  {:<8}  {:<8}  {:>8}  type", "node", "id", "parent", "children");
    app.out.line(&Line::new().add(style::DIM, heading))?;
    for node in tree.nodes() {
        app.out.line(&row(session, node))?;
    }
    Ok(())
}

fn row(session: &SessionManager, node: NodeId) -> Line {
    let tree = session.tree();
    let parent = tree.parent(node).map_or("-", |parent| tree.id(parent));
    let children = tree.children(node).count();
    let mut line = Line::new()
        .add(style::DIM, format!("{:>7}  ", node.index()))
        .plain(format!("{:<8}  ", tree.id(node)))
        .add(style::DIM, format!("{parent:<8}  {children:>8}  "))
        .add(style::TOOL, format!("{} {}", tree.kind(node).as_str(), tree.role(node).as_str()));
    if let Some(missing) = tree.missing_parent(node) {
        line.push(style::ERROR, &format!(" parent {missing} is missing"));
    }
    if let Some(label) = tree.label(node) {
        line.push(style::LABEL, &format!(" [{label}]"));
    }
    if tree.leaf() == Some(node) {
        line.push(style::USER, " leaf");
    }
    line
}

fn json(session: &SessionManager, node: NodeId) -> String {
    let tree = session.tree();
    let role = tree.role(node).as_str();
    Object::new()
        .num("node", node.index() as u64)
        .str("id", tree.id(node))
        .str_or_null("parentId", tree.parent(node).map(|parent| tree.id(parent)))
        .opt_str("missingParentId", tree.missing_parent(node))
        .json("childIds", &array(tree.children(node).map(|child| string(tree.id(child)))))
        .str("type", tree.kind(node).as_str())
        .opt_str("role", (!role.is_empty()).then_some(role))
        .opt_str("label", tree.label(node))
        .bool("leaf", tree.leaf() == Some(node))
        .end()
}
