//! `logwood show`: a session as a transcript.

use logwood::session::SessionManager;

use crate::app::App;
use crate::error::Result;
use crate::exit::Exit;
use crate::output::{Line, Object, style};

/// Show a session as a transcript
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  logwood show @          the newest session of this directory")]
pub(crate) struct ShowArgs {
    /// A path, an id or the start of one, a display name, or @ for the newest session of this directory
    session: String,
}

pub(crate) fn run(args: &ShowArgs, app: &mut App) -> Result<Exit> {
    let session = app.open(&args.session)?;
    if app.globals.json {
        app.out.json(&header_json(&session))?;
    } else {
        for (key, value) in header(&session) {
            app.out.line(&Line::new().add(style::DIM, format!("{key:<9}")).plain(value))?;
        }
    }
    Ok(Exit::Done)
}

fn header(session: &SessionManager) -> Vec<(&'static str, String)> {
    vec![
        ("name", session.session_name().unwrap_or("(none)").to_owned()),
        ("id", session.session_id().to_owned()),
        ("cwd", session.cwd().to_owned()),
        ("entries", session.tree().len().to_string()),
    ]
}

fn header_json(session: &SessionManager) -> String {
    Object::new()
        .str("sessionId", session.session_id())
        .str_or_null("name", session.session_name())
        .str("cwd", session.cwd())
        .num("entries", session.tree().len() as u64)
        .end()
}
