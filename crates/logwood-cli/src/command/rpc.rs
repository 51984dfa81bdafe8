//! `logwood rpc`: the line protocol on the standard streams.

use std::io::{self, BufReader};
use std::path::PathBuf;

use logwood::error::{Error, ErrorKind};
use logwood_rpc::{Dispatcher, RpcOptions, serve};

use crate::args::Globals;
use crate::error::{CommandError, Result};
use crate::exit::Exit;

/// The size of the reads from the standard input, in bytes.
const BLOCK: usize = 256 * 1024;

/// Answer requests on the standard input, one JSON object a line
///
/// Each line is a request such as {"id":1,"type":"open","path":"session.jsonl"}; each is answered by one line on the
/// standard output. It ends when the standard input does. At the start a new session of the working directory is
/// current; nothing of it is on disk.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  echo '{\"type\":\"get_version\"}' | logwood rpc")]
pub(crate) struct RpcArgs {
    /// Open every session only to read it
    #[arg(long)]
    read_only: bool,
}

pub(crate) fn run(args: &RpcArgs, globals: &Globals) -> Result<Exit> {
    let mut dispatcher = Dispatcher::new(options(args, globals)?);
    let input = BufReader::with_capacity(BLOCK, io::stdin().lock());
    serve(input, io::stdout().lock(), &mut dispatcher)?;
    Ok(Exit::Done)
}

fn options(args: &RpcArgs, globals: &Globals) -> Result<RpcOptions> {
    let here = std::env::current_dir()
        .map_err(|error| Error::io("cannot find the working directory", ".", error))?;
    let cwd = globals.cwd.as_ref().map_or_else(|| here.clone(), |cwd| here.join(cwd));
    let agent_dir = match globals.agent_dir.as_slice() {
        [] => None,
        [dir] => Some(here.join(dir)),
        _ => return Err(several_agent_dirs()),
    };
    let session_dir: Option<PathBuf> = globals.session_dir.as_ref().map(|dir| cwd.join(dir));
    Ok(RpcOptions { cwd, agent_dir, session_dir, read_only: args.read_only, ..Default::default() })
}

fn several_agent_dirs() -> CommandError {
    CommandError::new(ErrorKind::InvalidArgument, "rpc works on one agent directory")
        .hint("give --agent-dir once")
}
