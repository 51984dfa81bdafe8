//! `logwood new`: a new session, on disk at once.

use std::ffi::OsString;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use logwood::env::RandomIds;
use logwood::error::ErrorKind;
use logwood::location::step_dir;
use logwood::session::{NewSession, SessionManager};
use logwood::storage::FileKind;
use logwood::transcript::{new_chain_dir, new_single_dir};

use crate::app::App;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::session_ref;
use crate::stores::Stores;
use crate::writing::{absolute, options, print_made};

#[derive(Debug, clap::Args)]
pub(crate) struct NewArgs {
    /// Its display name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,

    /// Its id (default: a new UUID)
    #[arg(long, value_name = "ID")]
    id: Option<String>,

    /// The agent it belongs to; this makes it a session of a subagent, in a folder of its own among the transcripts
    #[arg(long, value_name = "AGENT")]
    agent_type: Option<String>,

    /// The number of the step, for the session of a subagent in a chain
    #[arg(long, value_name = "N", requires = "agent_type", conflicts_with = "file")]
    step: Option<NonZeroU32>,

    /// The folder of the chain, as the step before has it (default: a new one)
    #[arg(long, value_name = "DIR", requires = "step")]
    chain: Option<PathBuf>,

    /// The session it comes from: a path, an id or its start, a display name, or @
    #[arg(long, value_name = "SESSION")]
    parent_session: Option<OsString>,

    /// Its file, in place of one in the store; it must not be there, or be empty
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

pub(crate) fn run(args: &NewArgs, app: &mut App) -> Result<Exit> {
    for (option, value) in
        [("--name", &args.name), ("--id", &args.id), ("--agent-type", &args.agent_type)]
    {
        if value.as_deref().is_some_and(|value| value.trim().is_empty()) {
            let message = format!("cannot create session: {option} is blank");
            return Err(CommandError::new(ErrorKind::InvalidArgument, message)
                .hint("give it a value, or leave it out"));
        }
    }
    let stores = Stores::new(&app.globals);
    require_new_id(args, &stores)?;
    let mut session = create(args, &stores)?;
    if let Some(name) = &args.name {
        session.append_session_info(name)?;
    }
    session.flush()?;
    app.warn(stores.warnings(stores.sites()))?;
    print_made(&session, None, app)?;
    Ok(Exit::Done)
}

/// Two sessions with one id could not be told apart by it.
fn require_new_id(args: &NewArgs, stores: &Stores) -> Result<()> {
    let Some(id) = &args.id else { return Ok(()) };
    let Some(other) = stores.files_of(id).into_iter().next() else { return Ok(()) };
    let other = stores.shorten(&other);
    let message = format!("cannot create session: `{}` has the id `{id}`", other.display());
    Err(CommandError::new(ErrorKind::InvalidArgument, message)
        .hint("choose another id, or leave --id out"))
}

fn create(args: &NewArgs, stores: &Stores) -> Result<SessionManager> {
    let parent = match &args.parent_session {
        Some(word) => Some(absolute(&session_ref::resolve(word, stores)?)),
        None => None,
    };
    let new = NewSession {
        id: args.id.clone(),
        cwd: Some(stores.cwd()),
        parent_session: parent.map(|path| path.to_string_lossy().into_owned()),
        agent_type: args.agent_type.clone(),
    };
    match &args.file {
        Some(file) => create_at(&absolute(file), new, stores),
        None => Ok(options().create(folder(args, stores)?, new)?),
    }
}

/// The folder of a session: a subagent's is among the transcripts, unless a directory is named.
fn folder(args: &NewArgs, stores: &Stores) -> Result<PathBuf> {
    let dir = match (&args.chain, &args.agent_type, stores.named_dir()) {
        (Some(chain), _, _) => absolute(chain),
        (None, Some(_), None) => {
            let (storage, root) = (&**stores.storage(), stores.transcript_root()?);
            match args.step {
                None => return Ok(new_single_dir(storage, &RandomIds, &root)?),
                Some(_) => new_chain_dir(storage, &RandomIds, &root)?,
            }
        }
        (None, _, _) => stores.folder(None)?,
    };
    Ok(args.step.map_or_else(|| dir.clone(), |step| step_dir(&dir, step)))
}

fn create_at(file: &Path, new: NewSession, stores: &Stores) -> Result<SessionManager> {
    let refused = |kind, why: &str| {
        CommandError::new(kind, format!("cannot create session `{}`: {why}", file.display()))
    };
    if file.extension().is_none_or(|end| end != "jsonl") {
        return Err(refused(ErrorKind::NotJsonl, "its name does not end in .jsonl")
            .hint("choose a name that does: programs look at no others"));
    }
    let there = stores.storage().metadata(file);
    if !there.is_ok_and(|there| there.kind == FileKind::File && there.len == 0) {
        return Ok(options().create_at(file, new)?);
    }
    if new.id.is_some() {
        return Err(refused(ErrorKind::InvalidArgument, "an empty file is there")
            .hint("leave --id out, or remove the file"));
    }
    let mut session = options().fallback_cwd(stores.cwd()).open(file)?;
    if let Some(parent) = &new.parent_session {
        session.set_parent_session(parent)?;
    }
    if let Some(agent) = &new.agent_type {
        session.set_agent_type(agent)?;
    }
    Ok(session)
}
