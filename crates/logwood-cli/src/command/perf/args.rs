//! What `perf` is told: what to show, or to prune.

use clap::Subcommand;

use super::prune::{self, PruneArgs};
use super::show::{self, ShowArgs};
use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct PerfArgs {
    #[command(flatten)]
    show: ShowArgs,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Take out records older than 30 days
    ///
    /// Takes out lines that are no records too; every other line stays as it is. The log is locked as dreb locks it, so agents
    /// can go on. dreb does this itself every 24 hours that it runs, and so does whoever records through logwood.
    #[command(after_help = "Example:
  logwood perf prune --dry-run")]
    Prune(PruneArgs),
}

pub(crate) fn run(args: &PerfArgs, app: &mut App) -> Result<Exit> {
    match &args.action {
        Some(Action::Prune(args)) => prune::run(args, app),
        None => show::run(&args.show, app),
    }
}
