//! `logwood navigate`: the current position moves, and every program reopens there.

use std::ffi::OsString;

use logwood::session::{Navigated, Navigation, SessionManager};

use crate::app::App;
use crate::args::Alone;
use crate::entry_ref;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, style};
use crate::writing::{migrate_first, object, print_text, warn_of_no_lock, with_problems};

#[derive(Debug, clap::Args)]
pub(crate) struct NavigateArgs {
    /// A path, an id or its start, a display name, or @ (the newest of this directory), @2, ...
    session: OsString,

    /// Where to go: the id of an entry, or the start of it
    entry: String,

    /// Leave a summary of the branch that is left, for the model to read
    #[arg(long, value_name = "TEXT")]
    summary: Option<String>,

    /// Label the summary, or the entry where there is no summary
    #[arg(long, value_name = "TEXT")]
    label: Option<String>,

    #[command(flatten)]
    alone: Alone,
}

pub(crate) fn run(args: &NavigateArgs, app: &mut App) -> Result<Exit> {
    let (mut session, elsewhere) = app.open_to_write(&args.session, args.alone)?;
    let node = entry_ref::resolve(&session, &args.entry)?;
    let target = session.tree().id(node).to_owned();
    migrate_first(&mut session, app)?;
    let leaving = Navigation {
        summary: args.summary.clone(),
        label: args.label.clone(),
        ..Navigation::default()
    };
    let went = session.navigate_durably(&target, leaving)?;
    warn_of_no_lock(session.problems(), app)?;
    if app.globals.json {
        let object = with_problems(json(&session, &went), &elsewhere, session.problems());
        app.out.json(&object.end())?;
        return Ok(Exit::Done);
    }
    if !app.globals.quiet {
        app.out.line(&Line::new().add(style::DIM, place(&session, &went)))?;
    }
    if let Some(text) = &went.text {
        print_text(text, app)?;
    }
    Ok(Exit::Done)
}

/// Where one stands now, by what was said there and not by what was written to mark it.
fn place(session: &SessionManager, went: &Navigated) -> String {
    let tree = session.tree();
    let is_mark =
        |id: &str| went.position_id.as_deref() == Some(id) || went.label_id.as_deref() == Some(id);
    let mut at = session.leaf();
    while let Some(node) = at.filter(|node| is_mark(tree.id(*node))) {
        at = tree.parent(node);
    }
    match at {
        Some(node) => format!("(now at {})", tree.id(node)),
        None => "(now before every entry)".to_owned(),
    }
}

fn json(session: &SessionManager, went: &Navigated) -> Object {
    object(session)
        .str_or_null("leafId", session.leaf_id())
        .str_or_null("text", went.text.as_deref())
        .str_or_null("summaryId", went.summary_id.as_deref())
        .str_or_null("labelId", went.label_id.as_deref())
        .str_or_null("positionId", went.position_id.as_deref())
}
