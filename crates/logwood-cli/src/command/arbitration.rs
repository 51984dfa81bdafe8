//! `logwood arbitration`: what the arbiter decided before each subagent of a session was started (spec 10.1).

use std::collections::HashSet;
use std::ffi::OsString;

use logwood::context::Entries as _;
use logwood::entry::{Arbitration, Entry, EntryData, EntryKind, Route};
use logwood::json::truncate_utf16;
use logwood::session::SessionManager;
use logwood::tree::NodeId;

use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, array, cut, string, style};
use crate::words::counted;

/// The widest id of an agent; longer ones are cut unless nothing is.
const AGENT_COLUMNS: usize = 12;
/// A sentence is shown no further than this, in UTF-16 units: a record that others wrote may be of any length.
const LONGEST: usize = 1000;
/// The columns before the second line of a sentence.
const INDENT: usize = 18;

#[derive(Debug, clap::Args)]
pub(crate) struct ArbitrationArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,
}

pub(crate) fn run(args: &ArbitrationArgs, app: &mut App) -> Result<Exit> {
    let session = app.open(&args.session)?;
    let nodes: Vec<NodeId> =
        session.tree().nodes().filter(|node| is_custom(&session, *node)).collect();
    if app.globals.json {
        let path: HashSet<NodeId> =
            session.leaf().into_iter().flat_map(|leaf| session.tree().ancestors(leaf)).collect();
        let rows = nodes.iter().map(|node| {
            record(&session, *node, |entry, row| {
                json(session.tree().id(*node), path.contains(node), entry, row)
            })
        });
        app.out.json_list(rows.filter_map(Result::transpose))?;
        return Ok(Exit::Done);
    }
    let mut count = 0;
    for node in nodes {
        let found =
            record(&session, node, |entry, row| (heading(app, entry, row), row.sentence()))?;
        if let Some((heading, sentence)) = found {
            app.out.paragraph(heading, truncate_utf16(&sentence, LONGEST), INDENT)?;
            count += 1;
        }
    }
    if !app.globals.quiet {
        let note = match count {
            0 => "(the session has no record of an arbitration)".to_owned(),
            count => format!("({})", counted(count, "record", "records")),
        };
        app.err.line(&Line::new().add(style::DIM, note))?;
    }
    Ok(Exit::Done)
}

fn is_custom(session: &SessionManager, node: NodeId) -> bool {
    session.tree().kind(node) == EntryKind::Custom
}

/// What `shown` makes of the record in an entry, if it is one.
fn record<T>(
    session: &SessionManager,
    node: NodeId,
    shown: impl FnOnce(Entry<'_>, Arbitration<'_>) -> T,
) -> Result<Option<T>> {
    let text = session.entry_text(node)?;
    let Ok(entry) = Entry::parse(&text) else { return Ok(None) };
    let EntryData::Custom(custom) = entry.data() else { return Ok(None) };
    Ok(custom.arbitration().map(|row| shown(entry, row)))
}

/// When, for which agent, and whether it went wrong or something is wrong with the record.
fn heading(app: &App, entry: Entry<'_>, row: Arbitration<'_>) -> Line {
    let agent = row.agent_id().unwrap_or_default();
    let agent = if app.globals.verbose { agent.into_owned() } else { cut(&agent, AGENT_COLUMNS) };
    let time = app.clock.full(entry.timestamp_ms());
    let mut line = Line::new()
        .add(style::DIM, format!("{time}  "))
        .add(style::ID, format!("{agent:<AGENT_COLUMNS$}  "));
    if row.fault().is_some() {
        line.push(style::WARNING, "[odd] ");
    }
    if row.is_failure() {
        line.push(style::ERROR, "✗ ");
    }
    line
}

/// The members of the record that it may have, and no other: what does not belong there is not spread further.
fn json(id: &str, on_path: bool, entry: Entry<'_>, row: Arbitration<'_>) -> String {
    let mut object = Object::new()
        .str("entryId", id)
        .str_or_null("timestamp", entry.timestamp().as_deref())
        .bool("onPath", on_path)
        .str_or_null("agentId", row.agent_id().as_deref())
        .str_or_null("status", row.status().as_deref())
        .json("proposed", &route(row.proposed()))
        .json("final", &route(row.decided()))
        .json("changed", &array(row.changed().map(|part| string(&part))));
    if let Some(step) = row.step() {
        object = object.json("step", &logwood::json::js_number_text(step));
    }
    object
        .opt_str("errorCode", row.error_code().as_deref())
        .opt_str("errorMessage", row.error_message().as_deref())
        .str("text", &row.sentence())
        .opt_str("fault", row.fault().map(|fault| fault.to_string()).as_deref())
        .end()
}

fn route(route: Option<Route<'_>>) -> String {
    let Some(route) = route else { return "null".to_owned() };
    Object::new()
        .opt_str("agent", route.agent().as_deref())
        .opt_str("model", route.model().as_deref())
        .opt_str("thinking", route.thinking().as_deref())
        .end()
}
