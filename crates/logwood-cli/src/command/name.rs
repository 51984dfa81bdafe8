//! `logwood name`: the display name of a session.

use std::ffi::OsString;

use logwood::entry::EntryDraft;
use logwood::error::ErrorKind;
use logwood::json::trim_js;
use logwood::session::Appended;

use crate::app::{App, Target};
use crate::args::Alone;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, style};
use crate::writing::{append_one, object, object_of_file, with_problems};

#[derive(Debug, clap::Args)]
pub(crate) struct NameArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// The new name; without it the name is printed
    name: Option<String>,

    /// Take the name away
    #[arg(long, conflicts_with = "name")]
    clear: bool,

    #[command(flatten)]
    alone: Alone,
}

pub(crate) fn run(args: &NameArgs, app: &mut App) -> Result<Exit> {
    match args.name.as_deref() {
        Some(name) if trim_js(name).is_empty() => {
            let message = "cannot name the session: the name is blank";
            return Err(CommandError::new(ErrorKind::InvalidArgument, message)
                .hint("give a name, or take it away with --clear"));
        }
        Some(name) => set(args, name, app)?,
        None if args.clear => set(args, "", app)?,
        None => print(args, app)?,
    }
    Ok(Exit::Done)
}

fn set(args: &NameArgs, name: &str, app: &mut App) -> Result<()> {
    let Target { options, path, elsewhere } = app.target(&args.session, args.alone)?;
    let name = trim_js(name);
    let draft = EntryDraft::SessionInfo { name: name.to_owned() };
    let Appended { id, problems, .. } = append_one(&options, &path, draft, app)?;
    if app.globals.json {
        let name = (!name.is_empty()).then_some(name);
        let object = object_of_file(&path).str_or_null("name", name).str("entryId", &id);
        return Ok(app.out.json(&with_problems(object, &elsewhere, &problems).end())?);
    }
    Ok(app.out.line(&Line::new().plain(id))?)
}

fn print(args: &NameArgs, app: &mut App) -> Result<()> {
    let session = app.open(&args.session)?;
    let name = session.session_name();
    match name {
        _ if app.globals.json => {
            app.out.json(&object(&session).str_or_null("name", name).end())?;
        }
        Some(name) => app.out.line(&Line::new().plain(name))?,
        None if app.globals.quiet => {}
        None => app.err.line(&Line::new().add(style::DIM, "(the session has no name)"))?,
    }
    Ok(())
}
