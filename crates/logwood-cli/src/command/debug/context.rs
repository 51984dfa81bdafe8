//! Stage 4: the plan of a context, before any message is read.

use logwood::context::{Step, plan};
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::output::{Line, Object, style};

pub(super) fn run(session: &SessionManager, app: &mut App) -> Result<()> {
    let plan = plan(session, session.leaf())?;
    let tree = session.tree();
    if app.globals.json {
        let object = Object::new()
            .str_or_null("leafId", session.leaf_id())
            .str_or_null("compactionId", plan.compaction.map(|node| tree.id(node)));
        let steps = plan
            .steps
            .iter()
            .map(|(node, step)| Ok::<_, CommandError>(json(session, *node, *step)));
        return app.out.json_with_list(object, "steps", steps);
    }
    let heading = format!("{:>7}  {:<8}  {:<12}  type", "node", "id", "step");
    app.out.line(&Line::new().add(style::DIM, heading))?;
    for (node, step) in &plan.steps {
        let gives = matches!(step, Step::Message | Step::Summary);
        let what = format!("{} {}", tree.kind(*node).as_str(), tree.role(*node).as_str());
        let line = Line::new()
            .add(style::DIM, format!("{:>7}  ", node.index()))
            .plain(format!("{:<8}  ", tree.id(*node)))
            .add(
                if gives { style::ASSISTANT } else { style::DIM },
                format!("{:<12}  ", word(*step)),
            )
            .add(style::TOOL, what);
        app.out.line(&line)?;
    }
    Ok(())
}

fn json(session: &SessionManager, node: NodeId, step: Step) -> String {
    let tree = session.tree();
    let role = tree.role(node).as_str();
    Object::new()
        .num("node", node.index() as u64)
        .str("entryId", tree.id(node))
        .str("step", word(step))
        .str("type", tree.kind(node).as_str())
        .opt_str("role", (!role.is_empty()).then_some(role))
        .end()
}

fn word(step: Step) -> &'static str {
    match step {
        Step::Message => "message",
        Step::Summary => "summary",
        Step::Bookkeeping => "bookkeeping",
        Step::Compacted => "compacted",
        Step::Edited => "edited",
    }
}
