//! `logwood branch`: one branch as a session of its own.

use std::ffi::OsString;

use crate::app::App;
use crate::entry_ref;
use crate::error::Result;
use crate::exit::Exit;
use crate::writing::{Source, print_made};

#[derive(Debug, clap::Args)]
pub(crate) struct BranchArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// The last entry of the branch: its id, or the start of it
    entry: String,

    /// The working directory of the new session (default: that of the old one)
    #[arg(long, value_name = "DIR")]
    into: Option<OsString>,
}

pub(crate) fn run(args: &BranchArgs, app: &mut App) -> Result<Exit> {
    let source = Source::find(&args.session, args.into.as_deref(), app)?;
    let mut session = source.open()?;
    let node = entry_ref::resolve(&session, &args.entry)?;
    let id = session.tree().id(node).to_owned();
    session.create_branched_session(&id, source.cwd.as_deref())?;
    // What holds no answer yet would wait for its first one.
    session.flush()?;
    print_made(&session, None, app)?;
    Ok(Exit::Done)
}
