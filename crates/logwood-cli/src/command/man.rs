//! `logwood man`: manual pages, made from the same words as the help.

use std::path::PathBuf;

use clap::CommandFactory as _;
use logwood::error::Error;

use crate::app::App;
use crate::args::Args;
use crate::error::Result;
use crate::exit::Exit;

#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Where to write the pages, one for each command
    dir: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs, app: &mut App) -> Result<Exit> {
    let command = Args::command();
    match &args.dir {
        Some(dir) => std::fs::create_dir_all(dir)
            .and_then(|()| clap_mangen::generate_to(command, dir))
            .map_err(|error| Error::io("cannot write the manual pages to", dir, error))?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            app.out.own_text(&page)?;
        }
    }
    Ok(Exit::Done)
}
