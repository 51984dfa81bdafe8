//! Which entries are shown, and to whom.

use std::ffi::OsString;

use logwood::session::SessionManager;
use logwood::tree::NodeId;

use super::transcript::Transcript;
use super::{header, json};
use crate::app::App;
use crate::entry_ref;
use crate::error::Result;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Show every entry of every branch, in the order of the file
    #[arg(long, conflicts_with = "branch")]
    all: bool,

    /// Show the branch that ends in this entry (an id or the start of one)
    #[arg(long, value_name = "ENTRY")]
    branch: Option<String>,
}

pub(crate) fn run(args: &ShowArgs, app: &mut App) -> Result<Exit> {
    let session = app.open(&args.session)?;
    let leaf = match &args.branch {
        Some(word) => Some(entry_ref::resolve(&session, word)?),
        None => session.leaf(),
    };
    let nodes = chosen(&session, leaf, args.all);
    if app.globals.json {
        json::print(&session, leaf, &nodes, app)?;
        return Ok(Exit::Done);
    }
    if !app.globals.quiet {
        header::print(&session, leaf, app)?;
    }
    Transcript::new(&session, &nodes, args.all, app)?.print(&nodes)?;
    Ok(Exit::Done)
}

fn chosen(session: &SessionManager, leaf: Option<NodeId>, all: bool) -> Vec<NodeId> {
    if all {
        return session.tree().nodes().collect();
    }
    leaf.map(|leaf| session.tree().branch(leaf)).unwrap_or_default()
}
