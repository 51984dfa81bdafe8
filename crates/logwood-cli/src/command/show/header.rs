//! The block above a transcript: what the session is.

use logwood::context::{Settings, settings_at};
use logwood::problem::Problem;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::app::App;
use crate::error::Result;
use crate::output::{Line, cut, style};
use crate::words::counted;

/// The columns of the names of fields.
const NAME: usize = 10;

/// Prints the block for the branch that ends in `leaf`.
pub(super) fn print(session: &SessionManager, leaf: Option<NodeId>, app: &mut App) -> Result<()> {
    let title = session.session_name().or(session.title()).unwrap_or("(no name)");
    app.out.line(&Line::new().add(style::STRONG, title))?;
    let columns = app.out.text_columns().saturating_sub(NAME + 2);
    for (name, value) in fields(session, leaf, app)? {
        let line = Line::new().add(style::DIM, format!("  {name:<NAME$}"));
        app.out.line(&line.plain(cut(&value, columns)))?;
    }
    Ok(())
}

fn fields(
    session: &SessionManager,
    leaf: Option<NodeId>,
    app: &App,
) -> Result<Vec<(&'static str, String)>> {
    let header = session.header();
    let created = header.timestamp().and_then(|time| logwood::json::parse_iso_ms(time.as_bytes()));
    let optional = [
        ("agent", header.agent_type().map(Into::into)),
        ("parent", header.parent_session().map(Into::into)),
        ("version", version(session)),
        ("problems", problems(session.problems())),
    ];
    let mut fields = vec![
        ("id", session.session_id().to_owned()),
        ("cwd", session.cwd().to_owned()),
        ("created", app.clock.full(created)),
        ("model", model(&settings_at(session, leaf)?)),
        ("entries", entries(session, leaf)),
    ];
    fields.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value?))));
    Ok(fields)
}

/// The model that answers, and the one that was chosen where that is another (pi's virtual models).
pub(crate) fn model(settings: &Settings) -> String {
    let answers = settings.model.as_ref().map_or("(none)".to_owned(), ToString::to_string);
    let chosen =
        settings.chosen_model.as_ref().filter(|chosen| settings.model.as_ref() != Some(chosen));
    let chosen = chosen.map_or(String::new(), |chosen| format!(" (chosen: {chosen})"));
    format!("{answers}{chosen}, thinking {}", settings.thinking_level)
}

fn entries(session: &SessionManager, leaf: Option<NodeId>) -> String {
    let tree = session.tree();
    let here = leaf.map_or(0, |leaf| tree.ancestors(leaf).count());
    let branches = tree.nodes().filter(|node| tree.children(*node).next().is_none()).count();
    let all = tree.len();
    if branches < 2 {
        all.to_string()
    } else {
        format!("{all} in {branches} branches, {here} on this one")
    }
}

fn version(session: &SessionManager) -> Option<String> {
    let version = session.header().version();
    match version {
        3 => None,
        newer if newer > 3 => Some(format!("{newer}, newer than this program knows")),
        older => Some(format!("{older}, shown as version 3; the file stays as it is")),
    }
}

fn problems(problems: &[Problem]) -> Option<String> {
    let notes = problems.iter().filter(|problem| problem.is_note()).count();
    let faults = problems.len() - notes;
    let parts = [
        (faults > 0).then(|| counted(faults, "fault", "faults")),
        (notes > 0).then(|| counted(notes, "note", "notes")),
    ];
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("{} (logwood check says which)", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use logwood::context::ModelRef;

    fn reference(id: &str) -> Option<ModelRef> {
        Some(ModelRef { provider: Some("p".to_owned()), model_id: Some(id.to_owned()) })
    }

    /// newer-dialects: a model change may name a virtual model, messages name the one that answered.
    #[test]
    fn both_models_are_shown_where_they_differ() {
        let settings = |model, chosen_model| Settings {
            thinking_level: "low".to_owned(),
            model,
            chosen_model,
        };
        assert_eq!(model(&settings(reference("a"), reference("a"))), "p/a, thinking low");
        assert_eq!(model(&settings(reference("a"), None)), "p/a, thinking low");
        assert_eq!(
            model(&settings(reference("a"), reference("b"))),
            "p/a (chosen: p/b), thinking low"
        );
        assert_eq!(model(&Settings::default()), "(none), thinking off");
    }
}
