//! `logwood completions`: the words of the command line, for a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::app::App;
use crate::args::Args;
use crate::error::Result;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, app: &mut App) -> Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "logwood", &mut text);
    app.out.own_text(&text)?;
    Ok(Exit::Done)
}
