//! `logwood label`: the label of an entry.

use std::ffi::OsString;

use logwood::error::ErrorKind;

use crate::app::App;
use crate::args::Alone;
use crate::entry_ref;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, style};
use crate::writing::{migrate_first, object, warn_of_no_lock, with_problems};

#[derive(Debug, clap::Args)]
pub(crate) struct LabelArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// The id of the entry, or its start
    entry: String,

    /// The new label; without it the label is printed
    label: Option<String>,

    /// Take the label away
    #[arg(long, conflicts_with = "label")]
    clear: bool,

    #[command(flatten)]
    alone: Alone,
}

pub(crate) fn run(args: &LabelArgs, app: &mut App) -> Result<Exit> {
    match args.label.as_deref() {
        Some(label) if label.trim().is_empty() => {
            let message = "cannot label the entry: the label is blank";
            return Err(CommandError::new(ErrorKind::InvalidArgument, message)
                .hint("give a label, or take it away with --clear"));
        }
        None if !args.clear => print(args, app)?,
        label => set(args, label, app)?,
    }
    Ok(Exit::Done)
}

fn set(args: &LabelArgs, label: Option<&str>, app: &mut App) -> Result<()> {
    let (mut session, elsewhere) = app.open_to_write(&args.session, args.alone)?;
    let node = entry_ref::resolve(&session, &args.entry)?;
    let target = session.tree().id(node).to_owned();
    migrate_first(&mut session, app)?;
    let id = session.append_label_change(&target, label)?;
    warn_of_no_lock(session.problems(), app)?;
    if app.globals.json {
        let object = object(&session).str("targetId", &target).str_or_null("label", label);
        let object = with_problems(object.str("entryId", &id), &elsewhere, session.problems());
        return Ok(app.out.json(&object.end())?);
    }
    Ok(app.out.line(&Line::new().plain(id))?)
}

fn print(args: &LabelArgs, app: &mut App) -> Result<()> {
    let session = app.open(&args.session)?;
    let node = entry_ref::resolve(&session, &args.entry)?;
    let label = session.tree().label(node);
    match label {
        _ if app.globals.json => {
            let object = object(&session).str("targetId", session.tree().id(node));
            app.out.json(&object.str_or_null("label", label).end())?;
        }
        Some(label) => app.out.line(&Line::new().plain(label))?,
        None if app.globals.quiet => {}
        None => app.err.line(&Line::new().add(style::DIM, "(the entry has no label)"))?,
    }
    Ok(())
}
