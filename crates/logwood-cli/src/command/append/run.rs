//! `logwood append`: reads what is to be appended, writes it, prints the ids.

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;

use logwood::entry::{BlockDraft, EntryDraft, user_message};
use logwood::env::{Clock as _, SystemClock};
use logwood::error::ErrorKind;
use logwood::problem::Problem;
use logwood::session::{Elsewhere, SessionOptions};

use super::input;
use crate::app::{App, Target};
use crate::args::Alone;
use crate::error::{CommandError, Result};
use crate::exit::Exit;
use crate::output::{Line, array, string, style};
use crate::writing::{append_one, migrate_first, object_of_file, warn_of_no_lock, with_problems};

#[derive(Debug, clap::Args)]
pub(crate) struct AppendArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Append a user message with this text, and read nothing
    #[arg(short, long, value_name = "TEXT")]
    message: Option<String>,

    /// Take every line as an entry, also one with a role
    #[arg(long, conflicts_with = "message")]
    raw: bool,

    #[command(flatten)]
    alone: Alone,
}

/// What was appended, and what there is to say about the file.
#[derive(Default)]
struct Done {
    ids: Vec<String>,
    problems: Vec<Problem>,
}

/// Everything is read and looked at before anything is written: bad input changes nothing.
pub(crate) fn run(args: &AppendArgs, app: &mut App) -> Result<Exit> {
    let drafts = match &args.message {
        Some(text) => vec![user_text(text)?],
        None => input::drafts(&standard_input(app)?, args.raw)?,
    };
    let Target { options, path, elsewhere } = app.target(&args.session, args.alone)?;
    let count = drafts.len();
    let mut done = Done::default();
    let outcome = append(&options, &path, drafts, &mut done, app);
    let ids = &done.ids;
    if !ids.is_empty() {
        print(&path, &done, &elsewhere, app)?;
        app.out.finish()?;
    }
    outcome.map(|()| Exit::Done).map_err(|error| {
        let done = format!("{} of {count} entries were appended before it", ids.len());
        if ids.is_empty() { error } else { error.hint(done) }
    })
}

/// A single entry is appended without reading the file, several stand each below the one before.
fn append(
    options: &SessionOptions,
    path: &Path,
    drafts: Vec<EntryDraft>,
    done: &mut Done,
    app: &mut App,
) -> Result<()> {
    let drafts = match <[EntryDraft; 1]>::try_from(drafts) {
        Ok([draft]) => {
            let appended = append_one(options, path, draft, app)?;
            done.ids.push(appended.id);
            done.problems = appended.problems;
            return Ok(());
        }
        Err(several) => several,
    };
    let mut session = options.open(path)?;
    migrate_first(&mut session, app)?;
    let outcome = drafts.into_iter().try_for_each(|draft| {
        done.ids.push(session.append(draft)?);
        Ok(())
    });
    done.problems = session.problems().to_vec();
    warn_of_no_lock(&done.problems, app)?;
    outcome
}

fn print(path: &Path, done: &Done, elsewhere: &Elsewhere, app: &mut App) -> Result<()> {
    let ids = &done.ids;
    if app.globals.json {
        let ids = array(ids.iter().map(|id| string(id)));
        let object = object_of_file(path).json("ids", &ids);
        return Ok(app.out.json(&with_problems(object, elsewhere, &done.problems).end())?);
    }
    for id in ids {
        app.out.line(&Line::new().plain(id))?;
    }
    Ok(())
}

fn user_text(text: &str) -> Result<EntryDraft> {
    if text.trim().is_empty() {
        let message = "cannot append a message: its text is blank";
        return Err(CommandError::new(ErrorKind::InvalidArgument, message)
            .hint("give --message a text, or leave it out to read the standard input"));
    }
    let content = [BlockDraft::Text(text.to_owned())];
    Ok(EntryDraft::Message(user_message(&content, SystemClock.now_ms())))
}

fn standard_input(app: &mut App) -> Result<Vec<u8>> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() && !app.globals.quiet {
        let note = "reading messages and entries, one JSON object a line; Ctrl-D ends";
        app.err.line(&Line::new().add(style::DIM, note))?;
        app.err.finish()?;
    }
    let mut input = Vec::new();
    stdin.read_to_end(&mut input).map_err(|error| {
        let message = format!("cannot read the standard input: {error}");
        CommandError::new(ErrorKind::of_io(&error), message)
            .hint("nothing was written; give the lines by a pipe or a file, or use --message")
    })?;
    Ok(input)
}
