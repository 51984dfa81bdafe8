//! The stages.

use std::ffi::OsString;

use super::{context, entries, lines, tree};
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
pub(crate) struct DebugArgs {
    #[command(subcommand)]
    stage: Stage,
}

#[derive(Debug, clap::Subcommand)]
enum Stage {
    /// Show the lines of a file: number, byte, length, whether it is complete, what it is
    ///
    /// Works on every file, be it a session or not.
    #[command(after_help = "Example:\n  logwood debug lines session.jsonl")]
    Lines(SessionWord),
    /// Show what is read from each entry line first: id, parent, type, role, time
    #[command(after_help = "Example:\n  logwood debug entries session.jsonl")]
    Entries(SessionWord),
    /// Show the nodes of the tree in file order, with their links
    #[command(after_help = "Example:\n  logwood debug tree session.jsonl")]
    Tree(SessionWord),
    /// Show the plan of a context: what becomes of each entry of the branch
    #[command(after_help = "Example:\n  logwood debug context session.jsonl")]
    Context(SessionWord),
}

#[derive(Debug, clap::Args)]
struct SessionWord {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,
}

pub(crate) fn run(args: &DebugArgs, app: &mut App) -> Result<Exit> {
    match &args.stage {
        Stage::Lines(word) => lines::run(&app.find(&word.session)?, app)?,
        Stage::Entries(word) => entries::run(&app.open(&word.session)?, app)?,
        Stage::Tree(word) => tree::run(&app.open(&word.session)?, app)?,
        Stage::Context(word) => context::run(&app.open(&word.session)?, app)?,
    }
    Ok(Exit::Done)
}
