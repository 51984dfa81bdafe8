//! Stage 2: the envelope of each entry line, duplicates included.

use logwood::entry::Envelope;
use logwood::json::Raw;
use logwood::session::{EntryLine, SessionManager};

use crate::app::App;
use crate::error::Result;
use crate::output::{Line, Object, style};

pub(super) fn run(session: &SessionManager, app: &mut App) -> Result<()> {
    if app.globals.json {
        return app.out.json_list(session.entries().map(|line| json(session, &line)));
    }
    let heading = format!("{:>7}  {:<8}  {:<8}  {:<24}  type", "line", "id", "parent", "timestamp");
    app.out.line(&Line::new().add(style::DIM, heading))?;
    let (columns, _) = app.row_columns();
    for line in session.entries() {
        app.out.line(&row(session, &line)?.fit(columns))?;
    }
    Ok(())
}

/// The members that say more about an entry, by name.
fn more<'a>(envelope: &Envelope<'a>) -> Vec<(&'static str, Raw<'a>)> {
    let members = [
        ("role", envelope.head.role),
        ("provider", envelope.head.provider),
        ("model", envelope.head.model),
        ("stopReason", envelope.head.stop_reason),
        ("targetId", envelope.target_id),
        ("label", envelope.label),
        ("name", envelope.name),
        ("firstKeptEntryId", envelope.first_kept_entry_id),
        ("firstKeptEntryIndex", envelope.first_kept_entry_index),
    ];
    members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

fn row(session: &SessionManager, line: &EntryLine) -> Result<Line> {
    let text = session.line_text(line)?;
    let envelope = Envelope::scan(&text).unwrap_or_default();
    let value = |raw: Option<Raw<'_>>| {
        raw.map_or("-".to_owned(), |raw| raw.as_str().unwrap_or_else(|| raw.text()).into_owned())
    };
    let (number, id, parent) = (line.position.line, value(envelope.id), value(envelope.parent_id));
    let (time, kind) = (value(envelope.timestamp), value(envelope.kind));
    let mut out = Line::new()
        .add(style::DIM, format!("{number:>7}  "))
        .plain(format!("{id:<8}  "))
        .add(style::DIM, format!("{parent:<8}  {time:<24}  "))
        .add(style::TOOL, kind);
    for (name, value) in more(&envelope) {
        out.push(style::DIM, &format!(" {name}={}", value.text()));
    }
    Ok(out)
}

fn json(session: &SessionManager, line: &EntryLine) -> Result<String> {
    let text = session.line_text(line)?;
    let envelope = Envelope::scan(&text).unwrap_or_default();
    let value = |raw: Option<Raw<'_>>| raw.map_or("null".to_owned(), |raw| raw.text().into_owned());
    let object = Object::new()
        .num("line", line.position.line)
        .num("byte", line.position.byte)
        .num("length", text.len() as u64)
        .json("id", &value(envelope.id))
        .json("parentId", &value(envelope.parent_id))
        .json("type", &value(envelope.kind))
        .json("timestamp", &value(envelope.timestamp));
    let object = more(&envelope)
        .into_iter()
        .fold(object, |object, (name, value)| object.json(name, &value.text()));
    Ok(object.end())
}
