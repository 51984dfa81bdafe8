//! Which entries are shown, and to whom.

use std::ffi::OsString;

use logwood::session::SessionManager;
use logwood::tree::NodeId;

use super::transcript::{Mode, Transcript};
use super::{header, json, part};
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

    /// Show the last entries of the current branch only; of a long file no more than its end is read
    #[arg(long, value_name = "COUNT", conflicts_with_all = ["all", "branch", "around"],
        value_parser = clap::value_parser!(u32).range(1..))]
    tail: Option<u32>,

    /// Show an entry and those before and after it, on the current branch where it lies there, else on its own
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["all", "branch"])]
    around: Option<String>,

    /// How many entries before and after it --around shows
    #[arg(long, value_name = "COUNT", default_value_t = 5, requires = "around")]
    context: usize,
}

pub(crate) fn run(args: &ShowArgs, app: &mut App) -> Result<Exit> {
    if let Some(count) = args.tail {
        part::run(&args.session, count as usize, app)?;
        return Ok(Exit::Done);
    }
    let session = app.open(&args.session)?;
    let leaf = match &args.branch {
        Some(word) => Some(entry_ref::resolve(&session, word)?),
        None => session.leaf(),
    };
    let nodes = match &args.around {
        Some(word) => around(&session, entry_ref::resolve(&session, word)?, args.context),
        None => chosen(&session, leaf, args.all),
    };
    if app.globals.json {
        json::print(&session, leaf, &nodes, app)?;
        return Ok(Exit::Done);
    }
    if !app.globals.quiet {
        header::print(&session, leaf, app)?;
    }
    let created = session.header().timestamp().map(String::from);
    let mode = if args.all { Mode::All } else { Mode::Branch };
    Transcript::new(created.as_deref(), mode, app).print_all(&session, &nodes)?;
    Ok(Exit::Done)
}

fn chosen(session: &SessionManager, leaf: Option<NodeId>, all: bool) -> Vec<NodeId> {
    if all {
        return session.tree().nodes().collect();
    }
    leaf.map(|leaf| session.tree().branch(leaf)).unwrap_or_default()
}

/// An entry with its neighbours: those towards the root, and those on the way to the current position; where it does not lie on that
/// way, those on the way to the last entry of the file that comes after it.
fn around(session: &SessionManager, entry: NodeId, count: usize) -> Vec<NodeId> {
    let tree = session.tree();
    let on_way = |to: &NodeId| tree.ancestors(*to).any(|node| node == entry);
    let leaf = session.leaf().filter(on_way).unwrap_or_else(|| last_below(session, entry));
    let branch = tree.branch(leaf);
    let at = branch.iter().position(|node| *node == entry).unwrap_or(0);
    let end = at.saturating_add(count).saturating_add(1).min(branch.len());
    branch.get(at.saturating_sub(count)..end).unwrap_or_default().to_vec()
}

/// The end of a branch, going to the last child each time.
fn last_below(session: &SessionManager, entry: NodeId) -> NodeId {
    let mut last = entry;
    while let Some(child) = session.tree().children(last).last() {
        last = child;
    }
    last
}
