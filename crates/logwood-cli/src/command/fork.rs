//! `logwood fork`: a whole session copied, or a new one that goes on from a message.

use std::ffi::OsString;

use logwood::error::ErrorKind;
use logwood::problem::ProblemKind;
use logwood::session::SessionManager;

use crate::app::App;
use crate::entry_ref;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::words::counted;
use crate::writing::{Source, header, options, print_made};

#[derive(Debug, clap::Args)]
pub(crate) struct ForkArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Go on from this message in place of copying everything: its id, or the start of it
    #[arg(long, value_name = "ENTRY")]
    at: Option<String>,

    /// The working directory of the new session (default: that of the old one)
    #[arg(long, value_name = "DIR")]
    into: Option<OsString>,
}

pub(crate) fn run(args: &ForkArgs, app: &mut App) -> Result<Exit> {
    let source = Source::find(&args.session, args.into.as_deref(), app)?;
    match &args.at {
        Some(entry) => {
            let (session, text) = at(&source, entry)?;
            print_made(&session, Some(&text), app)?;
        }
        None => {
            let session = whole(&source)?;
            print_made(&session, None, app)?;
            app.warn(left_out(&session))?;
        }
    }
    Ok(Exit::Done)
}

fn whole(source: &Source) -> Result<SessionManager> {
    let own = || header(&source.path)?.cwd().map(|cwd| cwd.into_owned());
    let cwd = source.cwd.clone().or_else(own).unwrap_or_default();
    let beside = || source.path.parent().map(Into::into).unwrap_or_default();
    let folder = source.folder.clone().unwrap_or_else(beside);
    Ok(options().fork_from(&source.path, &cwd, folder)?)
}

fn at(source: &Source, entry: &str) -> Result<(SessionManager, String)> {
    let mut session = source.open()?;
    let node = entry_ref::resolve(&session, entry)?;
    let id = session.tree().id(node).to_owned();
    let text = session.fork(&id, source.cwd.as_deref()).map_err(|error| match error.kind() {
        ErrorKind::InvalidArgument => refused(source, &id),
        _ => CommandError::from(error),
    })?;
    // What holds no answer yet would wait for its first one.
    session.flush()?;
    Ok((session, text))
}

/// The library says it in dreb's words, which its clients look for; these are for people.
fn refused(source: &Source, id: &str) -> CommandError {
    let file = source.path.display();
    let why = "it is neither a user message nor an answer that ended without a call of a tool";
    let message = format!("cannot fork session `{file}` at `{id}`: {why}");
    CommandError::new(ErrorKind::InvalidArgument, message)
        .hint("`logwood tree` shows the messages; `logwood branch` takes any entry")
}

/// Lines of the source that a copy has no place for.
fn left_out(session: &SessionManager) -> Option<String> {
    let is_left_out = |kind| {
        matches!(
            kind,
            ProblemKind::MalformedLine
                | ProblemKind::TornTail
                | ProblemKind::NulBytes
                | ProblemKind::NotAnEntry
                | ProblemKind::DuplicateHeader
        )
    };
    let count = session.problems().iter().filter(|problem| is_left_out(problem.kind)).count();
    let lines = counted(count, "line that is no entry was", "lines that are no entries were");
    (count > 0).then(|| format!("{lines} left out; `logwood check` of the old session shows them"))
}
