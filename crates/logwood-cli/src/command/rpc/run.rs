//! How the protocol is started.

use std::io;
use std::path::Path;

use logwood::error::ErrorKind;
use logwood::session::SessionOptions;
use logwood_rpc::{Dispatcher, RpcOptions};

use super::serve::serve;
use crate::app::App;
use crate::args::Alone;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::stores::Stores;
use crate::trash::trash;
use crate::writing;

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

    #[command(flatten)]
    alone: Alone,
}

pub(crate) fn run(args: &RpcArgs, app: &mut App) -> Result<Exit> {
    let options = options(args, app)?;
    app.err.finish()?;
    let mut dispatcher = Dispatcher::new(options);
    serve(io::stdin(), io::stdout().lock(), &mut dispatcher)?;
    Ok(Exit::Done)
}

/// The one store, its session directory and the host's sessions, as options, settings and hook say at the start.
fn options(args: &RpcArgs, app: &mut App) -> Result<RpcOptions> {
    if app.globals.agent_dir.len() > 1 {
        return Err(several_agent_dirs());
    }
    let stores = Stores::new(&app.globals);
    let sessions = SessionOptions::new()
        .background_writes(true)
        .presence(writing::runtime_dir(), "logwood rpc");
    let mut options = RpcOptions {
        sessions: sessions.exclusive(args.alone.exclusive),
        cwd: stores.cwd_path().to_path_buf(),
        read_only: args.read_only,
        trash: trash(&app.clock),
        zone: app.clock.zone(),
        home: app.home(),
        ..RpcOptions::default()
    };
    match stores.one_site() {
        Some(site) => {
            app.warn(stores.warnings(std::slice::from_ref(&site)))?;
            options.session_dir = site.choice.session_dir().map(Path::to_path_buf);
            options.host = Some(site.host.inventory().clone());
            options.transcripts = Some(site.transcripts);
            options.agent_dir = Some(site.store.dir);
        }
        None => options.session_dir = stores.named_dir(),
    }
    Ok(options)
}

fn several_agent_dirs() -> CommandError {
    CommandError::new(ErrorKind::InvalidArgument, "rpc works on one agent directory")
        .hint("give --agent-dir once")
}
